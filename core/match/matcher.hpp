// The matcher: lists the candidate matches of a sentence pair, that is, everything that each stage could
// match. docs/internals/matching.md explains it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "match/key_masks.hpp"
#include "match/near_pairs.hpp"
#include "match/paraphrase_filter.hpp"
#include "match/postings.hpp"
#include "model.hpp"
#include "tables/phrase_table.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Limits for extreme pairs (thousands of equal words). Ordinary text stays far below them.
struct MatchLimits {
  std::size_t matches = 1u << 20;  // if there are more candidates, not all are listed
  std::size_t nearest = 32;        // then each position lists at most this many per stage: the nearest ones
};

// Lists candidates. It reuses its memory for the next pair, so each thread needs its own matcher.
class Matcher {
 public:
  Matcher(const Vocabulary& vocabulary, std::span<const Stage> stages)
      : vocabulary_(vocabulary), stages_(stages.begin(), stages.end()), postings_(stages.size()) {}

  // Prefetches the memory that `list` will need for a pair. The resources are larger than the CPU caches;
  // they are loaded while the previous pair is being aligned.
  void prefetch(const Sentence& hypothesis, const Sentence& reference) const;

  // Lists the candidates of the first `stages` stages. Returns false if some were left out because of
  // MatchLimits.
  bool list(const Sentence& hypothesis, const Sentence& reference, int stages, Candidates& out);

 private:
  // The keys and identities of the words of a sentence.
  struct SideWords {
    std::vector<Vocabulary::WordKeys> keys;
    std::vector<std::int32_t> identities;  // padded, because sixteen are compared at a time
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
  // Whether a sentence is short enough for masks. Nearly all are.
  bool is_short(std::size_t words) const { return cap_ == unlimited && words <= KeyMasks::most_positions; }
  bool too_many() const { return cap_ == unlimited && (found_.size() > limits_.matches || too_many_near_); }
  void group_by_reference_start(std::size_t positions, Candidates& out);

  const Vocabulary& vocabulary_;
  std::vector<Stage> stages_;
  MatchLimits limits_;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t cap_ = unlimited;                // how many matches a position may list in a stage
  FlatKeys hypothesis_keys_, reference_keys_;  // in a word stage
  FlatKeys right_words_;            // in a phrase stage: the sentence that is searched for paraphrases
  KeyMasks masks_;                  // for short sentences
  std::vector<Postings> postings_;  // for other sentences, by stage
  SideWords hypothesis_, reference_;
  std::vector<std::uint64_t> equal_, met_;  // by reference position: set of hypothesis positions
  std::vector<Match> found_;
  ParaphraseFilter filter_;
  std::vector<LikelyParaphrase> likely_;
  std::vector<std::int32_t> partners_;
  std::vector<bool> marked_;
  NearPairs near_;
  bool too_many_near_ = false;
};

}  // namespace bolide
