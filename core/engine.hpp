// A batch of texts -> statistics, on several threads: the one way in for callers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "align/aligner.hpp"
#include "model.hpp"
#include "sentences/sentences.hpp"
#include "text/normalizer.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

struct Settings {
  std::vector<Stage> stages;
  AlignerSettings aligner;
  bool characters = false;
  bool identical_by_first = false;         // on identical sentences only the first stage is run, as Java does
  const NormalizerRules* rules = nullptr;  // null: texts are only split
  int threads = 1;
};

// counts[k] references belong to hypothesis k; they stand in `references` one after the other.
struct Batch {
  std::span<const std::string_view> hypotheses, references;
  std::span<const std::int32_t> counts;
};

constexpr std::uint8_t flag_bounded = 1;  // the pair exceeded MatchLimits: not all candidates were considered
constexpr std::uint8_t flag_unproven = 2;  // the aligner met its budget: there may be a better alignment

// One row per (hypothesis, reference) pair, in the order of `references`.
struct Result {
  std::vector<std::int32_t> statistics;
  std::vector<std::uint8_t> flags;  // per pair, of the two below
  // Only if asked for: chosen matches of pair k are matches[offsets[k] .. offsets[k + 1]).
  std::vector<Match> matches;
  std::vector<std::int32_t> chunks;  // chunk number of each match
  std::vector<std::int64_t> offsets;
};

// Throws std::length_error if a text has more than longest_sentence words.
Result run(const Batch& batch, const Settings& settings, Vocabulary& vocabulary, const Analyse& analyse,
           bool with_matches);

// The statistics of alignments that somebody else has chosen: row k is of hypothesis k with reference k,
// whose matches are matches[offsets[k] .. offsets[k + 1]), ascending by reference start. Throws
// std::invalid_argument if a match lies outside of the sentences or the stages.
std::vector<std::int32_t> count_alignments(const Batch& batch, std::span<const Match> matches,
                                           std::span<const std::int64_t> offsets, const Settings& settings,
                                           Vocabulary& vocabulary, const Analyse& analyse);

// The words of texts as statistics count them: those of text k are [offsets[k] .. offsets[k + 1]).
struct Counted {
  std::vector<std::int32_t> sizes;
  std::vector<std::uint8_t> functions;
  std::vector<std::int64_t> offsets;
};
Counted count_words(std::span<const std::string_view> texts, const Settings& settings, Vocabulary& vocabulary,
                    const Analyse& analyse);

}  // namespace bolide
