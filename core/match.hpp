// Candidate matches: everything that each stage could tie together, before any choice is made.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "phrases.hpp"
#include "vocabulary.hpp"

namespace bolide {

// A phrase of the reference tied to a phrase of the hypothesis by a stage.
struct Match {
  std::int32_t reference_start, reference_length;
  std::int32_t hypothesis_start, hypothesis_length;
  std::int32_t stage;
};

enum class StageKind : std::uint8_t {
  exact,    // words that share a key
  related,  // different words that share a key: stem, synonym, and matchers of the user's
  phrase,   // phrase pairs of the table
};

using Words = std::span<const std::int32_t>;  // a sentence as word numbers of the vocabulary

// The matches of one sentence pair, grouped by reference start: those of position j are
// matches[starts[j] .. starts[j + 1]), in the order of the stages, each stage in its own order (see match.cpp).
struct Candidates {
  std::vector<Match> matches;
  std::vector<std::int32_t> starts;
};

// Bounds for hostile pairs (thousands of equal words). Ordinary text stays far below.
struct MatchLimits {
  std::size_t matches = 1u << 20;  // more than this are not listed in full
  std::size_t nearest = 32;        // then each position lists, in each stage, at most so many, nearest first
};

// Lists candidates; keeps its memory from pair to pair, so every thread has its own.
class Matcher {
 public:
  // `phrases` may be null if no stage is of kind phrase.
  Matcher(const Vocabulary& vocabulary, const PhraseTable* phrases, std::span<const StageKind> kinds)
      : vocabulary_(vocabulary), phrases_(phrases), kinds_(kinds.begin(), kinds.end()) {}

  // Lists the matches of the first `stages` stages; false if MatchLimits made it leave some out.
  bool list(Words hypothesis, Words reference, int stages, Candidates& out);

 private:
  // Positions by key: a small hash table of keys, and a linked list of positions for each, ascending.
  class Postings {
   public:
    // Empties it, with room for so many.
    void open(std::size_t count);
    // Positions of a key must be added from the last to the first.
    void add(std::int32_t key, std::int32_t position);
    template <typename Visit>
    void for_each(std::int32_t key, Visit&& visit) const {
      for (std::int32_t at = slots_[slot_of(key)].head; at >= 0; at = items_[at].next) visit(items_[at].position);
    }
    // The lists laid out as arrays, so that the middle of one can be reached: only `nearest` may be asked after this.
    void flatten();
    // A stretch of the key's positions around `to` that holds the nearest `count`.
    std::span<const std::int32_t> nearest(std::int32_t key, std::int32_t to, std::size_t count) const;

   private:
    struct Slot {
      std::int32_t key, head;
    };
    struct Item {
      std::int32_t position, next;
    };
    std::size_t slot_of(std::int32_t key) const {
      std::size_t slot = (static_cast<std::uint32_t>(key) * 0x9E3779B1u) >> shift_;
      while (slots_[slot].head >= 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
      return slot;
    }
    std::vector<Slot> slots_;
    int shift_ = 0;
    std::vector<Item> items_;
    std::vector<std::int32_t> flat_;
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges_;
  };

  // A phrase of the table's left side that occurs in a sentence.
  struct LeftPhrase {
    PhraseTable::Node node;
    std::int32_t start, length;
  };

  bool list_stages(Words hypothesis, Words reference, int stages);
  void word_stage(Words hypothesis, Words reference, int stage);
  bool post_shared_keys(Words hypothesis, Words reference, int stage);
  void mark(Words words, int stage, std::uint8_t value);
  void add_partners(std::int32_t key, std::int32_t position);
  void keep_nearest(std::int32_t position);
  void phrase_stage(Words hypothesis, Words reference, int stage);
  void phrase_pass(std::span<const std::int32_t> left, std::span<const std::int32_t> right, bool from_reference,
                   int stage);
  void find_left_phrases(std::span<const std::int32_t> words);
  void find_paraphrases(const LeftPhrase& left, std::span<const std::int32_t> right, bool from_reference, int stage);
  bool too_many() const { return cap_ == unlimited && found_.size() > limits_.matches; }
  void group_by_reference_start(std::size_t positions, Candidates& out);

  const Vocabulary& vocabulary_;
  const PhraseTable* phrases_;
  std::vector<StageKind> kinds_;
  MatchLimits limits_;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t cap_ = unlimited;  // matches a position may list in a stage
  Postings postings_;
  std::vector<Match> found_;
  std::vector<LeftPhrase> left_phrases_;
  // Which keys or words a sentence has, by their last twelve bits: most questions end here, within the first cache.
  std::array<std::uint8_t, 4096> may_occur_{};
  static constexpr std::uint8_t in_reference = 1, in_hypothesis = 2;
  std::vector<std::int32_t> partners_, left_words_, right_words_;
};

}  // namespace bolide
