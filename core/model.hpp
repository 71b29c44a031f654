// The types that the stages of the pipeline share: kinds of matching, sentences and matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bolide {

class PhraseTable;

// How a stage of matching decides which words match. A word has keys in each stage (see Vocabulary).
enum class StageKind : std::uint8_t {
  exact,           // words that share a key
  related,         // different words that share a key: stems, synonyms, custom matchers
  directed_exact,  // words such that a hypothesis key of one is a reference key of the other
  directed,        // the same, but different words only
  phrase,          // phrase pairs of a table
  near,            // different words whose vectors are close
  letters,         // words that no other stage matches, by runs of letters that they have in common
};

constexpr bool ties_equal_words(StageKind kind) {
  return kind == StageKind::exact || kind == StageKind::directed_exact;
}
constexpr bool is_word_stage(StageKind kind) {
  return kind != StageKind::phrase && kind != StageKind::near && kind != StageKind::letters;
}
constexpr bool is_directed(StageKind kind) {
  return kind == StageKind::directed || kind == StageKind::directed_exact;
}

// A borrowed table of word vectors. Rows need not have unit length: only the rows that are used are scaled,
// so that a table mapped from a file is never read as a whole.
struct Vectors {
  const float* data = nullptr;
  std::size_t rows = 0, dimensions = 0;
  float threshold = 1;  // words match if the cosine of their vectors is at least this
};

// A stage with its resource, which is borrowed.
struct Stage {
  StageKind kind;
  const PhraseTable* phrases = nullptr;  // of a phrase stage
  Vectors vectors;                       // of a near stage
};

using Words = std::span<const std::int32_t>;  // a sentence as word numbers of the vocabulary

// A phrase of a sentence that has paraphrases in a phrase table.
struct LeftPhrase {
  std::uint32_t paraphrases;  // where they begin in the table
  std::uint32_t start : 24;
  std::uint32_t length : 8;
};

// A sentence as a phrase table sees it.
struct PhraseView {
  std::span<const std::int32_t> words;       // as the table numbers them, or -1
  std::span<const LeftPhrase> left_phrases;  // by start, then length
};

// A sentence as matching needs it.
struct Sentence {
  Words words;
  std::span<const PhraseView> phrases;  // one per phrase stage
};

// A phrase of the reference that a stage matches to a phrase of the hypothesis.
struct Match {
  std::int32_t reference_start, reference_length;
  std::int32_t hypothesis_start, hypothesis_length;
  std::int32_t stage;
  bool operator==(const Match&) const = default;
};

// Whether a phrase lies within a sentence of `words` words.
inline bool within(std::int32_t start, std::int32_t length, std::size_t words) {
  return start >= 0 && length > 0 &&
         static_cast<std::size_t>(start) + static_cast<std::size_t>(length) <= words;
}

// Whether both phrases lie within sentences of these lengths, and the stage is one of `stages`.
inline bool inside(const Match& match, std::size_t hypothesis, std::size_t reference, std::size_t stages) {
  return within(match.reference_start, match.reference_length, reference) &&
         within(match.hypothesis_start, match.hypothesis_length, hypothesis) &&
         within(match.stage, 1, stages);
}

// Whether the next match starts, on both sides, where the last one ended: then both are in one chunk.
inline bool continues(const Match& last, const Match& next) {
  return next.reference_start == last.reference_start + last.reference_length &&
         next.hypothesis_start == last.hypothesis_start + last.hypothesis_length;
}

// All matches that are possible in one sentence pair, grouped by reference start: those of position j are
// matches[starts[j] .. starts[j + 1]). Within a position they are in the order of the stages, and within a
// stage in the order described in match/matcher.cpp.
struct Candidates {
  std::vector<Match> matches;
  std::vector<std::int32_t> starts;
};

}  // namespace bolide
