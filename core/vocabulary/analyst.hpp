// Analyzes new words without calling Python. This is possible if all keys of the stages come from the sources
// below. Otherwise Python does it (bolide.matching.lexicon).
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/quick_hash.hpp"
#include "tables/dictionary.hpp"
#include "tables/synonyms.hpp"
#include "tables/word_index.hpp"
#include "text/utf16.hpp"
#include "vocabulary/suffix_rules.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Where the keys of a stage come from.
enum class KeySource : std::uint8_t {
  spelling,  // one key: the word itself
  stem,      // one key: the stem of the word
  synsets,   // the synsets of the word and of its base forms
  phrases,   // of a phrase stage: the number of the word in the phrase table
  names,     // of a directed stage. Hypothesis: the stem and all names in its synsets; reference: the stem
};

// What an analyst looks words up in. The tables are borrowed. They may be null if no source needs them.
struct AnalystTables {
  const SuffixStemmer* stemmer = nullptr;  // if it is null, `learn` needs stems
  const Dictionary* dictionary = nullptr;
  const Synonyms* synonyms = nullptr;
  const WordIndex* phrase_words = nullptr;
};

// Several threads may use it at once.
class Analyst {
 public:
  struct Rules {
    bool java_hashes = false;    // words are equal if Java's hash codes are; otherwise, if the spellings are
    bool english_stems = false;  // the core stems words of ASCII characters
    StringSet function_words;
  };

  Analyst(std::vector<KeySource> sources, const AnalystTables& tables, Rules rules);

  // Adds tokens to the vocabulary, which must be the same in all calls. words[k] is tokens[k] in lower case.
  // If the analyst needs stems, stems[k] is the stem of words[k], or null for a word that stems_itself.
  void learn(std::span<const std::string_view> tokens, std::span<const std::string_view> words,
             std::span<const std::string_view> stems, Vocabulary& vocabulary);

  // Whether `learn` needs stems, and whether not for this word.
  bool needs_stems() const { return has_stems_ && !tables_.stemmer; }
  bool stems_itself(std::string_view word) const { return rules_.english_stems && is_ascii(word); }
  // The letters of all words so far, as UTF-16 units.
  std::uint64_t letters() const { return letters_; }

 private:
  struct OwnedColumn {
    std::vector<std::int32_t> offsets;
    std::vector<std::int64_t> keys;
    void clear();
    void close() { offsets.push_back(static_cast<std::int32_t>(keys.size())); }
  };
  // Where the last look-ups ended. Words in sorted order are found quickly from there.
  struct LastFound {
    Synonyms::LastFound synonym;
    std::int32_t phrase_word = 0;
  };

  std::int64_t number(std::string_view spelling);
  void add_keys(std::int64_t identity, std::string_view word, std::string_view stem, LastFound& place);
  void add_names(std::string_view stem, std::int64_t stem_number, OwnedColumn& hypothesis,
                 OwnedColumn& reference);

  std::vector<KeySource> sources_;
  AnalystTables tables_;
  Rules rules_;
  bool has_stems_ = false;
  std::mutex mutex_;
  std::atomic<std::uint64_t> letters_ = 0;
  // Spellings are numbered in the order in which they come.
  StringMap<std::int64_t> numbers_;
  std::vector<OwnedColumn> columns_;
  std::vector<std::int64_t> identities_;
  std::vector<std::int32_t> sizes_;  // in letters
  std::vector<std::uint8_t> functions_;
  std::vector<Sense> senses_;
};

}  // namespace bolide
