// Tells a vocabulary of new words natively, where all that its stages look at is here: spellings, stems by
// rules of suffixes, and names in WordNet. Python tells the rest (bolide.lexicon).
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/quick_hash.hpp"
#include "tables/dictionary.hpp"
#include "vocabulary/suffix_rules.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// The keys of a stage.
enum class KeySource : std::uint8_t {
  spelling,  // one, the word itself
  stem,      // one, its stem
  names,     // of a directed stage: its stem and all names in the synsets of the stem; its stem
};

// Several threads may ask at once.
class Analyst {
 public:
  // The stemmer and the dictionary are borrowed; they may be null if no source needs them.
  Analyst(std::vector<KeySource> sources, const SuffixStemmer* stemmer, const Dictionary* dictionary);

  // Adds tokens to the vocabulary, always the same one; words[k] is the lower-cased tokens[k].
  void learn(std::span<const std::string_view> tokens, std::span<const std::string_view> words,
             Vocabulary& vocabulary);

 private:
  struct OwnedColumn {
    std::vector<std::int32_t> offsets;
    std::vector<std::int64_t> keys;
    void clear();
    void close() { offsets.push_back(static_cast<std::int32_t>(keys.size())); }
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return quick_hash(text); }
  };

  std::int64_t number(std::string_view spelling);
  void add_keys(std::int64_t identity, std::string_view word);
  void add_names(std::string_view stem, std::int64_t stem_number, OwnedColumn& hypothesis,
                 OwnedColumn& reference);

  std::vector<KeySource> sources_;
  const SuffixStemmer* stemmer_;
  const Dictionary* dictionary_;
  std::mutex mutex_;
  // Spellings are numbered as they are first seen.
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> numbers_;
  std::vector<OwnedColumn> columns_;
  std::vector<std::int64_t> identities_;
  std::vector<std::int32_t> lengths_;
  std::vector<std::uint8_t> functions_;
  std::vector<Sense> senses_;
};

}  // namespace bolide
