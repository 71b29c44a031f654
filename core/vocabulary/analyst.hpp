// Analyzes new words without calling Python. This is possible if all keys of the stages come from spellings,
// from stems by suffix rules, or from names in WordNet. Otherwise Python does it (bolide.matching.lexicon).
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "support/quick_hash.hpp"
#include "tables/dictionary.hpp"
#include "vocabulary/suffix_rules.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Where the keys of a stage come from.
enum class KeySource : std::uint8_t {
  spelling,  // one key: the word itself
  stem,      // one key: the stem of the word
  names,     // of a directed stage. Hypothesis: the stem and all names in its synsets; reference: the stem
};

// Several threads may use it at once.
class Analyst {
 public:
  // The stemmer and the dictionary are borrowed. They may be null if no source needs them.
  Analyst(std::vector<KeySource> sources, const SuffixStemmer* stemmer, const Dictionary* dictionary);

  // Adds tokens to the vocabulary, which must be the same in all calls. words[k] is tokens[k] in lower case.
  void learn(std::span<const std::string_view> tokens, std::span<const std::string_view> words,
             Vocabulary& vocabulary);

 private:
  struct OwnedColumn {
    std::vector<std::int32_t> offsets;
    std::vector<std::int64_t> keys;
    void clear();
    void close() { offsets.push_back(static_cast<std::int32_t>(keys.size())); }
  };

  std::int64_t number(std::string_view spelling) { return number_of<std::int64_t>(numbers_, spelling, 0); }
  void add_keys(std::int64_t identity, std::string_view word);
  void add_names(std::string_view stem, std::int64_t stem_number, OwnedColumn& hypothesis,
                 OwnedColumn& reference);

  std::vector<KeySource> sources_;
  const SuffixStemmer* stemmer_;
  const Dictionary* dictionary_;
  std::mutex mutex_;
  // Spellings are numbered in the order in which they come.
  StringMap<std::int64_t> numbers_;
  std::vector<OwnedColumn> columns_;
  std::vector<std::int64_t> identities_;
  std::vector<std::int32_t> sizes_;  // in characters: UTF-16 units
  std::vector<std::uint8_t> functions_;
  std::vector<Sense> senses_;
};

}  // namespace bolide
