// Word types: every distinct token, numbered once, with all that matching and counting need to know of it.
//
// The core knows no linguistics: what a word *is* (its keys under each stage, whether it is a function word, …)
// is told once per type from outside. Two words match in a stage if they share a key of that stage.
#pragma once

#include <cstdint>
#include <deque>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bolide {

// What is told about a batch of new words; all spans are indexed by word, `keys` through `offsets`.
struct Analysis {
  struct StageKeys {
    std::span<const std::int32_t> offsets;  // words + 1
    std::span<const std::int64_t> keys;     // any numbers
  };
  std::span<const std::int64_t> identities;    // equal number = the same word
  std::span<const std::uint8_t> functions;     // 1 = function word
  std::span<const std::int32_t> lengths;       // in characters (UTF-16 units), for character-based statistics
  std::span<const std::int32_t> phrase_words;  // number in the phrase table, or -1
  std::vector<StageKeys> stages;
};

struct WordType {
  std::int64_t identity;
  std::int32_t length;
  std::int32_t phrase_word;
  bool function;
};

// Readers hold `lock_shared`, `add` takes the lock alone. Word numbers never change.
class Vocabulary {
 public:
  explicit Vocabulary(int stages) : stages_(static_cast<std::size_t>(stages)), numbers_(stages_), slots_(1024, 0) {}

  int stages() const { return static_cast<int>(stages_); }
  std::int32_t size() const { return static_cast<std::int32_t>(types_.size()); }
  std::shared_mutex& mutex() const { return mutex_; }

  // The word's number, or -1.
  std::int32_t find(std::string_view word) const;

  // Adds words that are not there yet (others are passed over, so that two threads may add the same word).
  void add(std::span<const std::string_view> words, const Analysis& analysis);

  const WordType& type(std::int32_t word) const { return types_[word]; }
  // A word's keys in a stage: numbers from 0 on, ascending, none twice.
  std::span<const std::int32_t> keys(int stage, std::int32_t word) const {
    const std::uint32_t* offset = offsets_.data() + static_cast<std::size_t>(word) * stages_ + static_cast<std::size_t>(stage);
    return {keys_.data() + offset[0], keys_.data() + offset[1]};
  }

 private:
  std::size_t slot_of(std::string_view word, std::uint32_t hash) const;
  void grow();

  mutable std::shared_mutex mutex_;
  std::size_t stages_;
  std::vector<std::unordered_map<std::int64_t, std::int32_t>> numbers_;  // per stage: key -> its number
  std::vector<WordType> types_;
  std::vector<std::uint32_t> offsets_{0};  // keys of word w in stage s: keys_[offsets_[w * stages_ + s] .. the next)
  std::vector<std::int32_t> keys_;
  std::deque<std::string> texts_;      // by word number; a deque never moves them
  std::vector<std::uint32_t> hashes_;  // by word number
  std::vector<std::uint32_t> slots_;   // open addressing: word number + 1, or 0
};

}  // namespace bolide
