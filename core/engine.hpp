// The engine: turns batches of texts into statistics and alignments, on several threads. It is the only entry
// point for callers of the pipeline.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "align/aligner.hpp"
#include "model.hpp"
#include "score/score.hpp"
#include "score/statistics.hpp"
#include "sentences/known_texts.hpp"
#include "sentences/sentences.hpp"
#include "text/normalizer.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

struct EngineSettings {
  std::vector<Stage> stages;
  AlignerSettings aligner;
  Counting counting;                       // what statistics count
  bool identical_by_first = false;         // run only the first stage on identical sentences, as Java does
  const NormalizerRules* rules = nullptr;  // null: texts are only split into words
};

// The options of one call.
struct RunOptions {
  int threads = 1;
  bool pretokenized = false;  // texts are words separated by spaces: they are not normalized
  bool with_matches = false;
};

// counts[k] references belong to hypothesis k; they follow one another in `references`.
struct Batch {
  std::span<const std::string_view> hypotheses, references;
  std::span<const std::int32_t> counts;
};

constexpr std::uint8_t flag_bounded = 1;  // the pair exceeded MatchLimits: not all candidates were considered
constexpr std::uint8_t flag_unproven = 2;  // the aligner used up its budget: there may be a better alignment

// One row per pair of a hypothesis and a reference, in the order of `references`.
struct BatchResult {
  std::vector<std::int32_t> statistics;
  std::vector<std::uint8_t> flags;  // of each pair: flag_bounded, flag_unproven
  // Only with_matches: the chosen matches of pair k are matches[offsets[k] .. offsets[k + 1]).
  std::vector<Match> matches;
  std::vector<std::int32_t> chunks;  // chunk number of each match
  std::vector<std::int64_t> offsets;
};

// The words of texts, as they are counted in statistics. The words of text k are [offsets[k] .. offsets[k +
// 1]).
struct CountedTexts {
  std::vector<std::int32_t> sizes;
  std::vector<std::uint8_t> functions;
  std::vector<std::int64_t> offsets;
};

// All pairs of hypotheses with references, for many sources. The texts of source k are the next
// hypothesis_counts[k] hypotheses and reference_counts[k] references. Its matrix has a row for each
// hypothesis and a column for each reference; the matrices follow one another in the result.
struct PairwiseRequest {
  std::span<const std::string_view> hypotheses, references;
  std::span<const std::int32_t> hypothesis_counts, reference_counts;
  // Only one of two pairs (a, b), (b, a) is aligned: that whose hypothesis comes first in the order of
  // spelling. The other gets the same alignment with the sides exchanged. Then both sides must have the same
  // texts.
  bool symmetric = false;
  // With parameters, the result is scores; otherwise it is rows of statistics.
  const Parameters* parameters = nullptr;
  std::span<double> scores;
  std::span<std::int32_t> statistics;
  // Called on the thread of the caller several times a second, if it is not null. It may throw to end the
  // work.
  std::function<void()> rest;
};

// Several threads may call an engine at once, each with any vocabulary that has the engine's stages.
// `analyse` adds words that the vocabulary does not have yet. All calls throw std::length_error if a text has
// more than longest_sentence words.
class Engine {
 public:
  explicit Engine(EngineSettings settings) : settings_(std::move(settings)) {}
  const EngineSettings& settings() const { return settings_; }

  BatchResult run(const Batch& batch, Vocabulary& vocabulary, const Analyse& analyse,
                  const RunOptions& options);

  // Fills the result of the request. Its memory does not depend on the number of pairs.
  void pairwise(const PairwiseRequest& request, Vocabulary& vocabulary, const Analyse& analyse,
                const RunOptions& options) const;

  // The statistics of given alignments: row k is of hypothesis k with reference k, whose matches are
  // matches[offsets[k] .. offsets[k + 1]), ascending by reference start. Throws std::invalid_argument if a
  // match lies outside of the sentences or the stages.
  std::vector<std::int32_t> count_alignments(const Batch& batch, std::span<const Match> matches,
                                             std::span<const std::int64_t> offsets, Vocabulary& vocabulary,
                                             const Analyse& analyse, const RunOptions& options) const;

  CountedTexts count_words(std::span<const std::string_view> texts, Vocabulary& vocabulary,
                           const Analyse& analyse, const RunOptions& options) const;

 private:
  SentenceSettings sentence_settings(const RunOptions& options, std::span<const Stage> stages) const {
    return {options.pretokenized ? nullptr : settings_.rules, stages, options.threads};
  }

  EngineSettings settings_;
  KnownTexts known_texts_;
};

}  // namespace bolide
