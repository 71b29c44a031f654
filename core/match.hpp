// Candidate matches: everything that each stage could tie together, before any choice is made.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "left_phrases.hpp"
#include "near.hpp"
#include "phrases.hpp"
#include "vocabulary.hpp"

namespace bolide {

// A phrase of the reference tied to a phrase of the hypothesis by a stage.
struct Match {
  std::int32_t reference_start, reference_length;
  std::int32_t hypothesis_start, hypothesis_length;
  std::int32_t stage;
};

// Whether both phrases lie in sentences of these lengths.
inline bool inside(const Match& match, std::size_t hypothesis, std::size_t reference) {
  const auto within = [](std::int32_t start, std::int32_t length, std::size_t words) {
    return start >= 0 && length > 0 &&
           static_cast<std::size_t>(start) + static_cast<std::size_t>(length) <= words;
  };
  return within(match.reference_start, match.reference_length, reference) &&
         within(match.hypothesis_start, match.hypothesis_length, hypothesis);
}

using Words = std::span<const std::int32_t>;  // a sentence as word numbers of the vocabulary

// A sentence as a phrase table sees it.
struct PhraseSide {
  std::span<const std::int32_t> words;       // as the table numbers them, or -1
  std::span<const LeftPhrase> left_phrases;  // by start, then length
};

// A sentence as matching needs it.
struct Sentence {
  Words words;
  std::span<const PhraseSide> phrases;  // for each phrase stage
};

// A stage with what it looks things up in, which is borrowed.
struct Stage {
  StageKind kind;
  const PhraseTable* phrases = nullptr;  // of a phrase stage
  Vectors vectors;                       // of a near stage
};

// The matches of one sentence pair, grouped by reference start: those of position j are
// matches[starts[j] .. starts[j + 1]), in the order of the stages, each stage in its own order (see
// match.cpp).
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
  Matcher(const Vocabulary& vocabulary, std::span<const Stage> stages)
      : vocabulary_(vocabulary), stages_(stages.begin(), stages.end()), postings_(stages.size()) {
    for (const Stage& stage : stages) {
      if (stage.kind == StageKind::phrase) right_words_.emplace_back(*stage.phrases);
    }
  }

  // Asks for the memory that `list` will need for a pair. The resources are larger than the caches: asked for
  // while the pair before is being aligned, it is there in time.
  void prefetch(const Sentence& hypothesis, const Sentence& reference) const;

  // Lists the matches of the first `stages` stages; false if MatchLimits made it leave some out.
  bool list(const Sentence& hypothesis, const Sentence& reference, int stages, Candidates& out);

 private:
  // Positions by key: a linked list per key through `next`, ascending.
  class Postings {
   public:
    Postings() {
      if (spares().empty()) return;
      heads_ = std::move(spares().back().heads);
      round_ = spares().back().round;
      spares().pop_back();
    }
    ~Postings() {
      clear();
      spares().push_back({std::move(heads_), round_});
    }
    Postings(const Postings&) = delete;
    Postings& operator=(const Postings&) = delete;
    // Makes room for keys below `keys`.
    void reserve(std::int32_t keys) {
      if (static_cast<std::int32_t>(heads_.size()) < keys) heads_.resize(static_cast<std::size_t>(keys));
    }
    // Positions of a key must be added from the last to the first.
    void add(std::int32_t key, std::int32_t position) {
      Head& head = heads_[key];
      items_.push_back({key, position, head.round == round_ ? head.at : -1});
      head = {round_, static_cast<std::int32_t>(items_.size()) - 1};
    }
    bool has(std::int32_t key) const { return heads_[key].round == round_; }
    template <typename Visit>
    void for_each(std::int32_t key, Visit&& visit) const {
      if (!has(key)) return;
      for (std::int32_t at = heads_[key].at; at >= 0; at = items_[at].next) visit(items_[at].position);
    }
    // The lists laid out as arrays, so that the middle of one can be reached: only `nearest` may be asked
    // after this.
    void flatten();
    // A stretch of the key's positions around `to` that holds the nearest `count`.
    std::span<const std::int32_t> nearest(std::int32_t key, std::int32_t to, std::size_t count) const;
    void clear();

   private:
    struct Head {
      std::uint32_t round = 0;  // the head is set if this is the present round
      std::int32_t at = -1;
    };
    struct Item {
      std::int32_t key, position, next;
    };
    // Heads that nobody uses. There is one for every key of the vocabulary: to make them anew would be most
    // of the work where segments come one by one.
    struct Spare {
      std::vector<Head> heads;
      std::uint32_t round;
    };
    static std::vector<Spare>& spares() {
      thread_local std::vector<Spare> found;
      return found;
    }
    std::uint32_t round_ = 1;
    std::vector<Head> heads_;
    std::vector<Item> items_;
    std::vector<std::int32_t> flat_;
    std::vector<std::pair<std::int32_t, std::int32_t>> ranges_;
  };

  bool list_stages(const Sentence& hypothesis, const Sentence& reference, int stages);
  using Keys = std::span<const std::int32_t>;
  void word_stages(Words hypothesis, Words reference, int first, int last);
  void tie(Words hypothesis, std::int32_t word, std::int32_t position, Keys keys, int stage);
  void sort_partners(std::size_t positions);
  void keep_nearest(std::int32_t position);
  void near_stage(Words hypothesis, Words reference, int stage);
  void phrase_pass(const PhraseSide& left, const PhraseSide& right, bool from_reference, int stage,
                   PhraseTable::WordSet& right_words);
  template <typename Paraphrase>
  void find_paraphrase(const LeftPhrase& left, const Paraphrase& paraphrase,
                       std::span<const std::int32_t> right, bool from_reference, int stage);
  bool too_many() const { return cap_ == unlimited && (found_.size() > limits_.matches || too_many_near_); }
  void group_by_reference_start(std::size_t positions, Candidates& out);

  const Vocabulary& vocabulary_;
  std::vector<Stage> stages_;
  MatchLimits limits_;
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t cap_ = unlimited;     // matches a position may list in a stage
  std::vector<Postings> postings_;  // by stage
  std::vector<Match> found_;
  std::vector<PhraseTable::WordSet> right_words_;  // of each phrase stage: which words the right sentence has
  std::vector<std::int32_t> partners_;
  std::vector<bool> marked_;
  NearPairs near_;
  bool too_many_near_ = false;
};

}  // namespace bolide
