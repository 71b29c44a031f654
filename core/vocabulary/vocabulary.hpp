// Word types: every distinct token, numbered once, with all that matching and counting need to know of it.
//
// The core knows no linguistics: what a word *is* (its keys under each stage, whether it is a function word,
// …) is told once per type from outside. Two words match in a stage if they share a key of that stage.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model.hpp"
#include "vocabulary/key_numbers.hpp"
#include "vocabulary/spelling_table.hpp"

namespace bolide {

// What is told about a batch of new words; all spans are indexed by word, `keys` through `offsets`.
struct Analysis {
  struct KeyColumn {
    std::span<const std::int32_t> offsets;  // words + 1
    std::span<const std::int64_t> keys;     // any numbers; in phrase and near stages at most one a word
  };
  std::span<const std::int64_t> identities;  // of 32 bits; equal number = the same word
  std::span<const std::uint8_t> functions;   // 1 = function word
  std::span<const std::int32_t> lengths;     // in characters (UTF-16 units), for character-based statistics
  std::vector<KeyColumn> columns;
};

struct WordType {
  std::int32_t identity;
  std::int32_t length;
  bool function;
};

// Readers hold `lock_shared`, `add` takes the lock alone. Word numbers never change.
class Vocabulary {
 public:
  // This many numbers can be read from where the keys of a word begin, even if it has fewer keys: matching
  // copies keys in steps of this size.
  static constexpr std::size_t readable_keys = 8;

  explicit Vocabulary(const std::vector<StageKind>& kinds);

  int stages() const { return static_cast<int>(sides_.size()); }
  std::int32_t size() const { return static_cast<std::int32_t>(types_.size()); }
  std::shared_mutex& mutex() const { return mutex_; }
  // Differs from that of every other vocabulary of the process, from 1 on.
  std::uint64_t id() const { return id_; }

  // The word's number, or -1.
  std::int32_t find(std::string_view word) const { return spellings_.find(word); }
  // Appends the numbers of a text's tokens, which must be views into one text, in its order: faster than one
  // by one.
  void find_all(std::span<const std::string_view> tokens, std::vector<std::int32_t>& words) const {
    spellings_.find_all(tokens, words);
  }

  // Adds words that are not there yet (others are passed over, so that two threads may add the same word).
  void add(std::span<const std::string_view> words, const Analysis& analysis);

  const WordType& type(std::int32_t word) const { return types_[word]; }
  void prefetch(std::int32_t word) const {
    __builtin_prefetch(&types_[word]);
    __builtin_prefetch(&arena_[blocks_[word]]);
  }
  // Where a stage's keys stand: in one column, or, if it is directed, in one for each side.
  struct SideColumns {
    int hypothesis, reference;
  };
  SideColumns columns(int stage) const { return sides_[stage]; }
  // The word's keys in a column: numbers from 0 on, none twice. Of a stage that ties different words by keys
  // of one kind, only keys that some other word has too are listed: the rest, most of them, can match
  // nothing. In phrase and near stages the number that was given: of the word in the table, of its vector.
  std::span<const std::int32_t> keys(int column, std::int32_t word) const { return keys(word).of(column); }
  // The same for several columns of one word.
  struct WordKeys {
    const std::int32_t* block;
    std::span<const std::int32_t> of(int column) const {
      return {block + block[column], block + block[column + 1]};
    }
  };
  WordKeys keys(std::int32_t word) const { return {arena_.data() + blocks_[word]}; }
  // One more than the largest key of a stage.
  std::int32_t key_limit(int stage) const { return numbers_[stage].given(); }

 private:
  void add_keys(std::int32_t word, std::size_t number_in_analysis, const Analysis& analysis);
  void prefetch_keys(std::size_t number_in_analysis, const Analysis& analysis) const;
  void give_key(std::int32_t word, std::size_t column, std::int32_t key);
  void store(std::int32_t word, std::span<const std::int32_t> block);
  std::span<const std::int32_t> block_of(std::int32_t word) const;
  void compact();

  struct StageColumn {
    StageKind kind;
    std::size_t stage;
  };

  mutable std::shared_mutex mutex_;
  const std::uint64_t id_;
  std::vector<StageColumn> columns_;
  std::vector<SideColumns> sides_;   // per stage
  std::vector<KeyNumbers> numbers_;  // per stage
  std::vector<WordType> types_;
  // A word's keys are one block of arena_: columns + 1 offsets into the block, then the keys by column.
  // A word that gains a key gets a new block; the old one is left, until half of the arena is such waste.
  std::vector<std::uint32_t> blocks_;
  std::vector<std::int32_t> arena_ = std::vector<std::int32_t>(readable_keys);
  std::size_t waste_ = 0;
  std::vector<std::int32_t> block_;  // being made
  SpellingTable spellings_;
};

}  // namespace bolide
