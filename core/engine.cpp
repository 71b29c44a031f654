#include "engine.hpp"

#include <shared_mutex>
#include <stdexcept>

#include "pair_worker.hpp"
#include "score/statistics.hpp"
#include "support/parallel.hpp"

namespace bolide {

BatchResult Engine::run(const Batch& batch, Vocabulary& vocabulary, const Analyse& analyse,
                        const RunOptions& options) {
  std::vector<std::string_view> texts(batch.hypotheses.begin(), batch.hypotheses.end());
  texts.insert(texts.end(), batch.references.begin(), batch.references.end());
  // Small batches are not worth remembering: texts that come one by one seldom come again.
  constexpr std::size_t worth_remembering = 32;
  const RememberedTexts references{texts.size() < worth_remembering ? nullptr : &known_texts_,
                                   batch.hypotheses.size()};
  const Sentences sentences(texts, sentence_settings(options, settings_.stages), vocabulary, analyse,
                            references);

  std::vector<std::size_t> hypothesis_of;
  for (std::size_t k = 0; k < batch.counts.size(); ++k)
    hypothesis_of.insert(hypothesis_of.end(), batch.counts[k], k);
  const std::size_t pairs = batch.references.size();
  const std::size_t columns = StatisticsLayout(settings_.stages.size()).width();
  BatchResult result;
  result.statistics.resize(pairs * columns);
  result.flags.resize(pairs);
  std::vector<std::vector<Match>> chosen(options.with_matches ? pairs : 0);
  const auto hypothesis_in = [&](std::size_t pair) { return sentences[hypothesis_of[pair]]; };
  const auto reference_in = [&](std::size_t pair) { return sentences[batch.hypotheses.size() + pair]; };
  in_blocks(pairs, options.threads, [&] {
    return [&, worker = PairWorker(settings_, vocabulary)](std::size_t first, std::size_t last) mutable {
      // Locked for one block only: threads that work on other batches may have to add words.
      const std::shared_lock lock(vocabulary.mutex());
      for (std::size_t k = first; k < last; ++k) {
        if (k + 1 < last) worker.prefetch(hypothesis_in(k + 1), reference_in(k + 1));
        result.flags[k] = worker(hypothesis_in(k), reference_in(k), &result.statistics[k * columns]);
        if (options.with_matches) chosen[k] = worker.chosen();
      }
    };
  });
  if (options.with_matches) result.offsets.push_back(0);
  for (std::vector<Match>& matches : chosen) {
    number_chunks(matches, result.chunks);
    result.matches.insert(result.matches.end(), matches.begin(), matches.end());
    result.offsets.push_back(static_cast<std::int64_t>(result.matches.size()));
  }
  return result;
}

std::vector<std::int32_t> Engine::count_alignments(const Batch& batch, std::span<const Match> matches,
                                                   std::span<const std::int64_t> offsets,
                                                   Vocabulary& vocabulary, const Analyse& analyse,
                                                   const RunOptions& options) const {
  std::vector<std::string_view> texts(batch.hypotheses.begin(), batch.hypotheses.end());
  texts.insert(texts.end(), batch.references.begin(), batch.references.end());
  const Sentences sentences(texts, sentence_settings(options, {}), vocabulary, analyse);
  const StatisticsLayout layout(settings_.stages.size());
  const std::size_t pairs = batch.references.size();
  std::vector<std::int32_t> statistics(pairs * layout.width());
  std::shared_lock lock(vocabulary.mutex());
  for (std::size_t k = 0; k < pairs; ++k) {
    const Words hypothesis = sentences[k].words, reference = sentences[pairs + k].words;
    const auto start = static_cast<std::size_t>(offsets[k]);
    const auto chosen = matches.subspan(start, static_cast<std::size_t>(offsets[k + 1]) - start);
    for (const Match& match : chosen) {
      if (!inside(match, hypothesis.size(), reference.size(), layout.stages()))
        throw std::invalid_argument("a match lies outside of the sentences or stages");
    }
    count_statistics(vocabulary, hypothesis, reference, chosen, layout, settings_.counting,
                     &statistics[k * layout.width()]);
  }
  return statistics;
}

CountedTexts Engine::count_words(std::span<const std::string_view> texts, Vocabulary& vocabulary,
                                 const Analyse& analyse, const RunOptions& options) const {
  const Sentences sentences(texts, sentence_settings(options, {}), vocabulary, analyse);
  CountedTexts counted;
  counted.offsets.push_back(0);
  std::shared_lock lock(vocabulary.mutex());
  for (std::size_t k = 0; k < texts.size(); ++k) {
    for (std::int32_t word : sentences[k].words) {
      const WordType& type = vocabulary.type(word);
      counted.sizes.push_back(settings_.counting.sizes ? type.size : 1);
      counted.functions.push_back(type.function);
    }
    counted.offsets.push_back(static_cast<std::int64_t>(counted.sizes.size()));
  }
  return counted;
}

}  // namespace bolide
