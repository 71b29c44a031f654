// The vocabulary: numbers every distinct token (a word type) and stores what matching and counting need to
// know about it.
//
// The core has no linguistic knowledge. The caller analyzes each word type once: its keys in each stage,
// whether it is a function word, and so on. Two words match in a stage if they share a key of that stage.
#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <vector>

#include "model.hpp"
#include "support/compiler.hpp"
#include "vocabulary/key_numbers.hpp"
#include "vocabulary/spelling_table.hpp"

namespace bolide {

// The analysis of new words. All spans are indexed by word, `keys` through `offsets`.
struct Analysis {
  struct KeyColumn {
    std::span<const std::int32_t> offsets;  // words + 1
    std::span<const std::int64_t> keys;     // any numbers; in phrase and near stages at most one per word; in
                                            // letters stages the letters of the word, in order
  };
  std::span<const std::int64_t> identities;  // of 32 bits; words with equal identities are equal
  std::span<const std::uint8_t> functions;   // 1 = function word
  std::span<const std::int32_t> sizes;       // what statistics count if they count sizes, not words
  std::vector<KeyColumn> columns;
};

struct WordType {
  std::int32_t identity;
  std::int32_t size;
  bool function;
};

// Readers hold a shared lock of `mutex`; `add` locks it exclusively. Word numbers never change.
class Vocabulary {
 public:
  // This many numbers can be read from where the keys of a word begin, even if it has fewer keys: matching
  // copies keys in steps of this size.
  static constexpr std::size_t readable_keys = 8;

  explicit Vocabulary(const std::vector<StageKind>& kinds);

  int stages() const { return static_cast<int>(sides_.size()); }
  std::int32_t size() const { return static_cast<std::int32_t>(types_.size()); }
  std::shared_mutex& mutex() const { return mutex_; }
  // A number that no other vocabulary of the process has, from 1 on.
  std::uint64_t id() const { return id_; }

  // The number of a word; -1 if it is not in the vocabulary.
  std::int32_t find(std::string_view word) const { return spellings_.find(word); }
  // Appends the numbers of tokens. This is faster than one by one. The tokens must be views into one text, in
  // its order.
  void find_all(std::span<const std::string_view> tokens, std::vector<std::int32_t>& words) const {
    spellings_.find_all(tokens, words);
  }

  // Adds new words. Known words are skipped, so that two threads may add the same word.
  void add(std::span<const std::string_view> words, const Analysis& analysis);

  const WordType& type(std::int32_t word) const { return types_[word]; }
  void prefetch(std::int32_t word) const {
    bolide::prefetch(&types_[word]);
    bolide::prefetch(&arena_[blocks_[word]]);
  }
  // The columns of a stage. A directed stage has one for each side; for other stages both are the same.
  struct SideColumns {
    int hypothesis, reference;
  };
  SideColumns columns(int stage) const { return sides_[stage]; }
  StageKind kind(int stage) const { return columns_[sides_[stage].hypothesis].kind; }
  // The keys of a word in a column: different numbers from 0 on. For stages of kind `related`, only keys that
  // another word has too are listed, because the others (most of them) cannot match anything. In phrase and
  // near stages it is the number from the analysis: of the word in the phrase table, or of its vector. In
  // letters stages they are the numbers of the letters from the analysis.
  std::span<const std::int32_t> keys(int column, std::int32_t word) const { return keys(word).of(column); }
  // The same for several columns of one word.
  struct WordKeys {
    const std::int32_t* block;
    std::span<const std::int32_t> of(int column) const {
      return {block + block[column], block + block[column + 1]};
    }
  };
  WordKeys keys(std::int32_t word) const { return {arena_.data() + blocks_[word]}; }
  // Whether no word has several keys in a column.
  bool has_single_keys(int column) const { return columns_[column].single; }
  // Whether each word has one key in a stage, its identity: words share it exactly if they are equal.
  bool is_identity(int stage) const { return columns_[sides_[stage].reference].identity; }
  // All keys of a stage are below this number.
  std::int32_t key_limit(int stage) const { return numbers_[stage].given(); }

 private:
  struct StageColumn {
    StageKind kind;
    std::size_t stage;
    bool single = true, identity = true;  // see has_single_keys, is_identity
  };

  static void compare(StageColumn& column, const Analysis& analysis, const Analysis::KeyColumn& keys);
  void add_keys(std::int32_t word, std::size_t number_in_analysis, const Analysis& analysis);
  void prefetch_keys(std::size_t number_in_analysis, const Analysis& analysis) const;
  void give_key(std::int32_t word, std::size_t column, std::int32_t key);
  void store(std::int32_t word, std::span<const std::int32_t> block);
  std::span<const std::int32_t> block_of(std::int32_t word) const;
  void compact();

  mutable std::shared_mutex mutex_;
  const std::uint64_t id_;
  std::vector<StageColumn> columns_;
  std::vector<SideColumns> sides_;   // per stage
  std::vector<KeyNumbers> numbers_;  // per stage
  std::vector<WordType> types_;
  // The keys of a word are one block of arena_: columns + 1 offsets into the block, then the keys by column.
  // A word that gets another key later gets a new block. The old block is waste; if half of the arena is
  // waste, it is compacted.
  std::vector<std::uint32_t> blocks_;
  std::vector<std::int32_t> arena_ = std::vector<std::int32_t>(readable_keys);
  std::size_t waste_ = 0;
  std::vector<std::int32_t> block_;  // memory for the block that is being built
  SpellingTable spellings_;
};

}  // namespace bolide
