// The candidates of all pairs of some hypotheses with some references: a tile of the matrix of all pairs.
//
// What does not depend on the pair is done once per tile: which word types match which, and which paraphrases
// occur at all. For a pair, only positions remain to be combined, as sets of bits. The candidates are those
// of Matcher, in the same order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "match/matcher.hpp"
#include "match/postings.hpp"
#include "model.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Hold a shared lock of the vocabulary during all calls; between calls, other threads may add words. The
// sentences must live until the next tile.
class TileMatcher {
 public:
  static constexpr std::size_t most_texts = 64;  // of each side

  TileMatcher(const Vocabulary& vocabulary, std::span<const Stage> stages);

  void set(std::span<const Sentence> hypotheses, std::span<const Sentence> references);
  // Chooses the hypothesis of the pairs that follow.
  void begin(std::size_t hypothesis);
  // As Matcher::list, for this hypothesis and a reference of the tile.
  bool list(std::size_t reference, int stages, Candidates& out);

 private:
  // The distinct words of one side, and where they are. Word types have numbers within the tile.
  struct Side {
    std::span<const Sentence> texts;
    std::vector<std::int32_t> types;          // by number: the word in the vocabulary
    std::vector<std::int32_t> number_of;      // by word of the vocabulary: its number, or -1
    std::vector<std::int32_t> numbers;        // of all words of all texts
    std::vector<std::size_t> starts;          // of each text in `numbers`
    std::array<bool, most_texts> is_short{};  // whether masks have room for the text
    void set(std::span<const Sentence> sentences);
    std::span<const std::int32_t> words(std::size_t text) const {
      return std::span(numbers).subspan(starts[text], starts[text + 1] - starts[text]);
    }
  };

  // The hypothesis words that a stage matches to one word type of the references: a slot. The types of slot k
  // are partners_[ends[k - 1] .. ends[k]).
  struct Slots {
    std::vector<std::int32_t> partners;
    std::vector<std::size_t> ends;
    void clear() { partners.clear(), ends.clear(); }
  };
  // A word of a reference that a stage matches to some word of some hypothesis.
  struct ReferenceWord {
    std::int32_t position, stage, slot;
  };
  // A left phrase of a text, with one of its paraphrases that occurs in some text of the other side.
  struct Paraphrase {
    std::int32_t start, length, other_length, stage;
    std::uint32_t sought;  // number of the right phrase
  };
  // The paraphrases of all texts of one side, and where they occur on the other side.
  struct Paraphrases {
    std::vector<Paraphrase> all;
    std::vector<std::size_t> ends;      // by stage of phrases and text
    std::vector<std::uint64_t> places;  // by right phrase and text of the other side
  };
  // A paraphrase of the current hypothesis that occurs in a reference.
  struct Found {
    Paraphrase paraphrase;
    std::uint64_t places;
  };

  void find_slots();
  void find_paraphrases(const Side& lefts, const Side& rights, Paraphrases& found);
  template <typename Number>
  void find_rights(const PhraseTable& phrases, std::span<const Number> entries, std::uint32_t start,
                   std::size_t texts, Paraphrases& found);
  bool occurs(std::size_t texts, std::uint64_t* places) const;
  void list_phrases(std::size_t reference, std::size_t table);

  const Vocabulary& vocabulary_;
  std::vector<Stage> stages_;  // without those of letters at the end
  int all_stages_;
  bool fits_;               // whether the stages are word stages, followed by phrase stages
  std::size_t tables_ = 0;  // number of phrase stages
  std::size_t word_stages_ = 0;
  Matcher matcher_;  // of the pairs that do not fit
  Postings postings_;
  Side hypotheses_, references_;
  Slots slots_;
  std::vector<ReferenceWord> reference_words_;
  std::vector<std::size_t> reference_word_ends_;  // by reference
  Paraphrases in_references_, in_hypotheses_;     // by the side of the left phrase

  // Of the current hypothesis.
  std::size_t hypothesis_ = 0;
  std::vector<std::uint64_t> places_;      // by type
  std::vector<std::uint64_t> met_;         // by slot: the places of its words
  std::vector<std::uint32_t> met_counts_;  // by slot: the number of these places
  std::vector<std::uint64_t> sought_;      // by right phrase of in_references_
  std::vector<std::vector<Found>> found_;  // by stage of phrases and reference

  // Memory of find_paraphrases.
  std::vector<std::int32_t> row_of_;  // by word of the table: its row in rows_, or -1
  std::vector<std::uint64_t> rows_;   // by word and text: its places
  struct Known {
    std::uint32_t start, first, count;  // where the paraphrases begin in the table, and in live_
  };
  struct Live {
    std::uint32_t sought;
    std::int32_t length;
  };
  std::vector<std::uint32_t> lefts_;
  std::vector<Known> known_;
  std::vector<Live> live_;
  std::vector<const std::uint64_t*> phrase_rows_;

  std::vector<Match> phrases_out_;
  std::vector<std::int32_t> places_out_;
};

}  // namespace bolide
