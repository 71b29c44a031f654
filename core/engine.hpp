// The engine: turns batches of texts into statistics and alignments, on several threads. It is the only entry
// point for callers of the pipeline.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "align/aligner.hpp"
#include "model.hpp"
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

// Several threads may call an engine at once, each with any vocabulary that has the engine's stages.
// `analyse` adds words that the vocabulary does not have yet. All calls throw std::length_error if a text has
// more than longest_sentence words.
class Engine {
 public:
  explicit Engine(EngineSettings settings) : settings_(std::move(settings)) {}
  const EngineSettings& settings() const { return settings_; }

  BatchResult run(const Batch& batch, Vocabulary& vocabulary, const Analyse& analyse,
                  const RunOptions& options);

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
