#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <shared_mutex>
#include <stdexcept>

#include "match/matcher.hpp"
#include "score/statistics.hpp"
#include "support/parallel.hpp"

namespace bolide {

namespace {

// Aligns pairs and counts their statistics. Each thread has its own.
class PairWorker {
 public:
  PairWorker(const EngineSettings& settings, const Vocabulary& vocabulary)
      : settings_(settings),
        vocabulary_(vocabulary),
        matcher_(vocabulary, settings.stages),
        aligner_(make_aligner(settings.aligner)),
        layout_(settings.stages.size()),
        diagonal_is_best_(is_diagonal_best(settings)) {}

  void prefetch(const Sentence& hypothesis, const Sentence& reference) const {
    matcher_.prefetch(hypothesis, reference);
  }

  // Fills the row of statistics of a pair. Returns its flags.
  std::uint8_t operator()(const Sentence& hypothesis, const Sentence& reference, std::int32_t* row) {
    const std::uint8_t flags = align(hypothesis, reference);
    count_statistics(vocabulary_, hypothesis.words, reference.words, chosen_, layout_, settings_.counting,
                     row);
    return flags;
  }

  const std::vector<Match>& chosen() const { return chosen_; }

 private:
  std::uint8_t align(const Sentence& hypothesis, const Sentence& reference) {
    const bool identical = are_identical(hypothesis.words, reference.words);
    if (identical && takes_all(hypothesis.words)) {
      diagonal(hypothesis.words.size());
      return 0;
    }
    const int stages =
        identical && settings_.identical_by_first ? 1 : static_cast<int>(settings_.stages.size());
    const bool complete = matcher_.list(hypothesis, reference, stages, candidates_);
    const bool proven = aligner_->align(candidates_, hypothesis.words.size(), chosen_);
    // An aligner that is defined by its procedure has nothing to prove.
    const AlignerKind kind = settings_.aligner.kind;
    const bool is_procedure =
        kind == AlignerKind::beam || kind == AlignerKind::greedy || kind == AlignerKind::repeat;
    return (complete ? 0 : flag_bounded) | (proven && (complete || is_procedure) ? 0 : flag_unproven);
  }

  // Whether word k of a sentence is aligned to word k of an identical sentence, provided that the first stage
  // matches all words. For this, no other stage may have a larger gain for the same words.
  static bool is_diagonal_best(const EngineSettings& settings) {
    const std::vector<double>& gains = settings.aligner.gain_weights;
    const double first = std::floor(gains.front());
    return settings.stages.front().kind == StageKind::exact && first >= 1 &&
           (settings.identical_by_first ||
            std::all_of(gains.begin(), gains.end(), [&](double gain) { return gain <= first; }));
  }

  bool takes_all(Words words) const {
    return diagonal_is_best_ && std::none_of(words.begin(), words.end(), [&](std::int32_t word) {
             return vocabulary_.keys(0, word).empty();
           });
  }

  bool are_identical(Words a, Words b) const {
    const auto identity = [&](std::int32_t word) { return vocabulary_.type(word).identity; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](std::int32_t x, std::int32_t y) { return identity(x) == identity(y); });
  }

  // The alignment of identical sentences by every aligner (docs/internals/aligners.md), without listing n * n
  // candidates.
  void diagonal(std::size_t length) {
    chosen_.clear();
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(length); ++k) chosen_.push_back({k, 1, k, 1, 0});
  }

  const EngineSettings& settings_;
  const Vocabulary& vocabulary_;
  Matcher matcher_;
  std::unique_ptr<Aligner> aligner_;
  const StatisticsLayout layout_;
  const bool diagonal_is_best_;
  Candidates candidates_;
  std::vector<Match> chosen_;
};

}  // namespace

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
