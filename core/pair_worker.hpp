// From a pair of sentences to its row of statistics: the inner step of the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "align/aligner.hpp"
#include "engine.hpp"
#include "match/letter_runs.hpp"
#include "match/matcher.hpp"
#include "score/statistics.hpp"

namespace bolide {

// Aligns pairs and counts their statistics. Each thread has its own.
class PairWorker {
 public:
  PairWorker(const EngineSettings& settings, const Vocabulary& vocabulary)
      : settings_(settings),
        vocabulary_(vocabulary),
        matcher_(vocabulary, settings.stages),
        letters_(vocabulary),
        aligner_(make_aligner(settings.aligner)),
        layout_(settings.stages.size()),
        diagonal_is_best_(is_diagonal_best(settings)) {}

  void prefetch(const Sentence& hypothesis, const Sentence& reference) const {
    matcher_.prefetch(hypothesis, reference);
  }

  // Fills the row of statistics of a pair. Returns its flags.
  std::uint8_t operator()(const Sentence& hypothesis, const Sentence& reference, std::int32_t* row) {
    const std::uint8_t flags = align<false>(hypothesis, reference, [&](int stages, Candidates& candidates) {
      return matcher_.list(hypothesis, reference, stages, candidates);
    });
    count_statistics(vocabulary_, hypothesis.words, reference.words, chosen_, layout_, settings_.counting,
                     row);
    return flags;
  }
  // The words of a sentence, counted for pairs of similar sentences.
  CountedWords counted(const Sentence& sentence) const {
    return {sentence.words, count_words(vocabulary_, sentence.words, settings_.counting)};
  }
  // The same for pairs of similar sentences, one after the other, with the candidates of another matcher:
  // list(stages, candidates) is its `list` for this pair.
  template <typename List>
  void operator()(const Sentence& hypothesis, const CountedWords& hypothesis_words, const Sentence& reference,
                  const CountedWords& reference_words, std::int32_t* row, const List& list) {
    align<true>(hypothesis, reference, list);
    count_statistics(vocabulary_, hypothesis_words, reference_words, chosen_, layout_, settings_.counting,
                     row);
  }

  const std::vector<Match>& chosen() const { return chosen_; }

 private:
  template <bool similar, typename List>
  std::uint8_t align(const Sentence& hypothesis, const Sentence& reference, const List& list) {
    const bool identical = are_identical(hypothesis.words, reference.words);
    if (identical && takes_all(hypothesis.words)) {
      diagonal(hypothesis.words.size());
      return 0;
    }
    const int stages =
        identical && settings_.identical_by_first ? 1 : static_cast<int>(settings_.stages.size());
    bool complete = list(stages, candidates_);
    const bool proven = similar ? aligner_->align_similar(candidates_, hypothesis.words.size(), chosen_)
                                : aligner_->align(candidates_, hypothesis.words.size(), chosen_);
    for (int stage = 0; stage < stages; ++stage) {
      if (settings_.stages[static_cast<std::size_t>(stage)].kind == StageKind::letters)
        complete &= letters_.add(stage, hypothesis.words, reference.words, chosen_);
    }
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
  LetterMatcher letters_;
  std::unique_ptr<Aligner> aligner_;
  const StatisticsLayout layout_;
  const bool diagonal_is_best_;
  Candidates candidates_;
  std::vector<Match> chosen_;
};

}  // namespace bolide
