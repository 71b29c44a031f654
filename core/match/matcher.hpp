// Candidate matches: everything that each stage could tie together, before any choice is made.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "match/key_masks.hpp"
#include "match/near_pairs.hpp"
#include "match/paraphrase_filter.hpp"
#include "match/postings.hpp"
#include "model.hpp"
#include "tables/phrase_table.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Bounds for hostile pairs (thousands of equal words). Ordinary text stays far below.
struct MatchLimits {
  std::size_t matches = 1u << 20;  // more than this are not listed in full
  std::size_t nearest = 32;        // then each position lists, in each stage, at most so many, nearest first
};

// Lists candidates; keeps its memory from pair to pair, so every thread has its own.
class Matcher {
 public:
  Matcher(const Vocabulary& vocabulary, std::span<const Stage> stages)
      : vocabulary_(vocabulary), stages_(stages.begin(), stages.end()), postings_(stages.size()) {}

  // Asks for the memory that `list` will need for a pair. The resources are larger than the caches: asked for
  // while the pair before is being aligned, it is there in time.
  void prefetch(const Sentence& hypothesis, const Sentence& reference) const;

  // Lists the matches of the first `stages` stages; false if MatchLimits made it leave some out.
  bool list(const Sentence& hypothesis, const Sentence& reference, int stages, Candidates& out);

 private:
  // What the vocabulary knows of the words of a sentence, side by side.
  struct SideWords {
    std::vector<Vocabulary::WordKeys> keys;
    std::vector<std::int32_t> identities;  // with room for some more, to be compared sixteen at a time
    void look_up(Words words, const Vocabulary& vocabulary);
  };

  bool list_stages(const Sentence& hypothesis, const Sentence& reference, int stages);
  void word_stages(Words hypothesis, Words reference, int first, int last);
  void word_stage(std::size_t hypothesis, std::size_t reference, int stage);
  void short_word_stage(std::size_t hypothesis, std::size_t reference, int stage);
  void find_equal_words(std::size_t hypothesis, std::size_t reference);
  void tie(std::int32_t position, std::span<const std::int32_t> keys, int stage);
  void sort_partners(std::size_t positions);
  void keep_nearest(std::int32_t position);
  void near_stage(Words hypothesis, Words reference, int stage);
  void phrase_pass(const PhraseView& left, const PhraseView& right, bool from_reference, int stage);
  void place_words(std::span<const std::int32_t> words, std::int32_t limit, int stage);
  template <typename Paraphrase>
  std::uint64_t places_of(const Paraphrase& paraphrase) const;
  template <typename Number>
  void keep_begun(const PhraseTable& phrases, std::span<const Number> entries,
                  std::span<const LeftPhrase> lefts);
  template <typename Paraphrase>
  void find_paraphrase(const LeftPhrase& left, const Paraphrase& paraphrase,
                       std::span<const std::int32_t> right, bool from_reference, int stage);
  // Whether a sentence in which things are looked for is short enough for masks; all but a few are.
  bool is_short(std::size_t words) const { return cap_ == unlimited && words <= KeyMasks::most_positions; }
  bool too_many() const { return cap_ == unlimited && (found_.size() > limits_.matches || too_many_near_); }
  void group_by_reference_start(std::size_t positions, Candidates& out);

  const Vocabulary& vocabulary_;
  std::vector<Stage> stages_;
  MatchLimits limits_;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t cap_ = unlimited;                // matches a position may list in a stage
  FlatKeys hypothesis_keys_, reference_keys_;  // of a word stage
  FlatKeys right_words_;                       // of a phrase stage, where paraphrases are looked for
  KeyMasks masks_;                             // of short sentences
  std::vector<Postings> postings_;             // of others, by stage
  SideWords hypothesis_, reference_;
  std::vector<std::uint64_t> equal_, met_;  // by reference position: places in the hypothesis
  std::vector<Match> found_;
  ParaphraseFilter filter_;
  std::vector<LikelyParaphrase> likely_;
  std::vector<std::int32_t> partners_;
  std::vector<bool> marked_;
  NearPairs near_;
  bool too_many_near_ = false;
};

}  // namespace bolide
