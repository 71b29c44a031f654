// Princeton WordNet with its parts of speech, looked up as NLTK does (bolide.language.dictionary describes
// it). The arrays are borrowed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/word_index.hpp"

namespace bolide {

// The arrays of a language pack. List k is values[offsets[k] .. offsets[k + 1]).
struct DictionaryArrays {
  WordIndex words;
  std::span<const std::uint32_t> offsets;
  std::span<const std::int32_t> ids;
  WordIndex exceptions;
  std::span<const std::uint32_t> exception_offsets;
  std::span<const std::int32_t> exception_bases;
  std::span<const std::uint8_t> exception_parts;
  WordIndex bases;
  std::span<const std::int32_t> part_starts;
  WordIndex names;
  std::span<const std::uint32_t> member_offsets;
  std::span<const std::int32_t> members;
};

// An ending, its replacement, and the parts of speech that the rule is for, as bits.
struct Detachment {
  std::string ending, base;
  unsigned parts;
};

// A synset of a form, and the entry (in `words`) through which it was found.
struct Sense {
  std::int32_t synset, entry;
};

class Dictionary {
 public:
  // Throws std::invalid_argument if the arrays do not fit together.
  Dictionary(const DictionaryArrays& arrays, std::vector<Detachment> rules);

  const WordIndex& names() const { return arrays_.names; }

  // The synsets of a form: first those of its own entry, then by part of speech. A synset may occur twice.
  void find(std::string_view form, std::vector<Sense>& senses) const;
  // The words of a synset, as numbers in `names`.
  std::span<const std::int32_t> members(std::int32_t synset) const;

 private:
  struct FoundEntry {
    unsigned parts;  // parts of speech whose synsets count
    std::int32_t number;
  };
  void add_entries(std::string_view form, std::vector<FoundEntry>& entries) const;
  unsigned part_of(std::int32_t synset) const;

  DictionaryArrays arrays_;
  std::vector<Detachment> rules_;
};

}  // namespace bolide
