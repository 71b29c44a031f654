#include "batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>

#include "statistics.hpp"

namespace bolide {

namespace {

constexpr std::size_t block_size = 32;  // texts or pairs a thread takes at a time

// Calls work(first, last) for blocks of 0 .. count from several threads; make() gives each thread its own worker.
template <typename MakeWorker>
void in_blocks(std::size_t count, int threads, const MakeWorker& make) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto loop = [&] {
    try {
      auto work = make();
      for (std::size_t first; (first = next.fetch_add(block_size)) < count;) {
        work(first, std::min(first + block_size, count));
      }
    } catch (...) {
      next = count;
      std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
    }
  };
  const std::size_t blocks = (count + block_size - 1) / block_size;
  const std::size_t wanted = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), blocks);
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < wanted; ++k) others.emplace_back(loop);
  loop();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

// Texts as word numbers. A block of texts shares one array, so that texts cost no allocation each.
class Sentences {
 public:
  Sentences(std::span<const std::string_view> texts, const Settings& settings, const Vocabulary& vocabulary)
      : blocks_((texts.size() + block_size - 1) / block_size) {
    in_blocks(texts.size(), settings.threads, [&] {
      return [&, tokens = std::vector<std::string_view>(), text = std::string(), scratch = std::string()](
                 std::size_t first, std::size_t last) mutable {
        Block& block = blocks_[first / block_size];
        for (std::size_t k = first; k < last; ++k) {
          std::string_view ready = texts[k];
          if (settings.rules) {
            normalize(texts[k], *settings.rules, text, scratch);
            ready = text;
          }
          split(ready, tokens);
          if (tokens.size() > longest_sentence) throw too_long(k, tokens.size());
          for (std::string_view token : tokens) block.add(token, vocabulary);
          block.ends.push_back(block.words.size());
        }
      };
    });
  }

  Words operator[](std::size_t k) const {
    const Block& block = blocks_[k / block_size];
    const std::size_t at = k % block_size, start = at == 0 ? 0 : block.ends[at - 1];
    return Words(block.words).subspan(start, block.ends[at] - start);
  }

  void collect_unknown(std::unordered_set<std::string_view>& words) const {
    for (const Block& block : blocks_) {
      for (const auto& [at, word] : block.unknown) words.insert(word);
    }
  }

  void resolve_unknown(const Vocabulary& vocabulary) {
    for (Block& block : blocks_) {
      for (const auto& [at, word] : block.unknown) {
        block.words[at] = vocabulary.find(word);
        if (block.words[at] < 0) throw std::logic_error("a word was not analysed");
      }
    }
  }

 private:
  struct Block {
    std::vector<std::int32_t> words;
    std::vector<std::size_t> ends;
    std::vector<std::pair<std::size_t, std::string>> unknown;  // place in words, text

    void add(std::string_view token, const Vocabulary& vocabulary) {
      const std::int32_t word = vocabulary.find(token);
      if (word < 0) unknown.emplace_back(words.size(), token);
      words.push_back(word);
    }
  };

  static std::length_error too_long(std::size_t text, std::size_t words) {
    return std::length_error("text " + std::to_string(text + 1) + " of the batch has " + std::to_string(words) +
                             " words; the longest allowed is " + std::to_string(longest_sentence));
  }

  std::vector<Block> blocks_;
};

// Aligns and counts pairs; one per thread.
class PairWorker {
 public:
  PairWorker(const Settings& settings, const Vocabulary& vocabulary)
      : settings_(settings), vocabulary_(vocabulary), matcher_(vocabulary, settings.phrases, settings.kinds), beam_(settings.beam) {}

  // Returns whether all candidates were considered.
  bool operator()(Words hypothesis, Words reference, std::int32_t* row) {
    const bool complete = align(hypothesis, reference);
    const int stages = static_cast<int>(settings_.kinds.size());
    count_statistics(vocabulary_, hypothesis, reference, chosen_, stages, settings_.characters, row);
    return complete;
  }

  const std::vector<Match>& chosen() const { return chosen_; }

 private:
  bool align(Words hypothesis, Words reference) {
    const bool identical = std::equal(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end(),
                                      [&](std::int32_t a, std::int32_t b) { return identity(a) == identity(b); });
    if (identical && settings_.kinds.front() == StageKind::exact) {
      diagonal(hypothesis.size());
      return true;
    }
    const int stages = identical ? 1 : static_cast<int>(settings_.kinds.size());
    const bool complete = matcher_.list(hypothesis, reference, stages, candidates_);
    beam_.align(candidates_, hypothesis.size(), chosen_);
    return complete;
  }

  // What the beam answers for identical sentences (proof in DESIGN.md), without listing n * n candidates.
  void diagonal(std::size_t length) {
    chosen_.clear();
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(length); ++k) chosen_.push_back({k, 1, k, 1, 0});
  }

  std::int64_t identity(std::int32_t word) const { return vocabulary_.type(word).identity; }

  const Settings& settings_;
  const Vocabulary& vocabulary_;
  Matcher matcher_;
  BeamAligner beam_;
  Candidates candidates_;
  std::vector<Match> chosen_;
};

// Sentences of both sides, every word known.
void number_words(Sentences& hypotheses, Sentences& references, Vocabulary& vocabulary, const Analyse& analyse) {
  std::unordered_set<std::string_view> unknown;
  hypotheses.collect_unknown(unknown);
  references.collect_unknown(unknown);
  if (unknown.empty()) return;
  std::vector<std::string_view> words(unknown.begin(), unknown.end());
  std::sort(words.begin(), words.end());  // so that keys are numbered alike in every run
  analyse(words);
  std::shared_lock lock(vocabulary.mutex());
  hypotheses.resolve_unknown(vocabulary);
  references.resolve_unknown(vocabulary);
}

}  // namespace

Result run(const Batch& batch, const Settings& settings, Vocabulary& vocabulary, const Analyse& analyse,
           bool with_matches) {
  std::shared_lock lock(vocabulary.mutex());
  Sentences hypotheses(batch.hypotheses, settings, vocabulary);
  Sentences references(batch.references, settings, vocabulary);
  lock.unlock();
  number_words(hypotheses, references, vocabulary, analyse);

  std::vector<std::size_t> hypothesis_of;
  for (std::size_t k = 0; k < batch.counts.size(); ++k) hypothesis_of.insert(hypothesis_of.end(), batch.counts[k], k);
  const std::size_t pairs = batch.references.size();
  const auto columns = static_cast<std::size_t>(statistics_columns(static_cast<int>(settings.kinds.size())));
  Result result;
  result.statistics.resize(pairs * columns);
  result.bounded.resize(pairs);
  std::vector<std::vector<Match>> chosen(with_matches ? pairs : 0);
  lock.lock();
  in_blocks(pairs, settings.threads, [&] {
    return [&, worker = PairWorker(settings, vocabulary)](std::size_t first, std::size_t last) mutable {
      for (std::size_t k = first; k < last; ++k) {
        const bool complete = worker(hypotheses[hypothesis_of[k]], references[k], &result.statistics[k * columns]);
        result.bounded[k] = !complete;
        if (with_matches) chosen[k] = worker.chosen();
      }
    };
  });
  lock.unlock();
  if (with_matches) result.offsets.push_back(0);
  for (std::vector<Match>& matches : chosen) {
    std::vector<std::int32_t> chunks;
    number_chunks(matches, chunks);
    result.matches.insert(result.matches.end(), matches.begin(), matches.end());
    result.chunks.insert(result.chunks.end(), chunks.begin(), chunks.end());
    result.offsets.push_back(static_cast<std::int64_t>(result.matches.size()));
  }
  return result;
}

}  // namespace bolide
