// Synonyms from METEOR's WordNet files, which have no parts of speech. bolide.language.wordnet describes the
// look-up. The arrays are borrowed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/word_index.hpp"

namespace bolide {

// The arrays of a language pack. List k is values[offsets[k] .. offsets[k + 1]).
struct SynonymArrays {
  WordIndex words;
  std::span<const std::uint32_t> offsets;
  std::span<const std::int32_t> ids;
  WordIndex exceptions;
  std::span<const std::uint32_t> exception_offsets;
  std::span<const std::int32_t> exception_bases;
  WordIndex bases;
};

// How base forms are made from regular forms.
struct Inflections {
  std::size_t shortest = 0;                                // shorter forms, in characters, have no base form
  std::vector<std::string> without;                        // forms with these endings have no base form
  std::vector<std::pair<std::string, std::string>> rules;  // an ending, and its replacement
};

class Synonyms {
 public:
  // Where the last look-ups ended. Words in sorted order are found quickly from there.
  struct LastFound {
    std::int32_t word = 0, exception = 0;
  };

  // Throws std::invalid_argument if the arrays do not fit together.
  Synonyms(const SynonymArrays& arrays, Inflections inflections);

  // Appends the synsets of a word, then those of its base forms. A synset may occur twice.
  void append_synsets(std::string_view word, LastFound& place, std::vector<std::int64_t>& synsets) const;
  // The base forms of a word, as views into the arrays. The word itself is included only if the exception
  // list says so.
  std::vector<std::string_view> base_forms(std::string_view word) const;

 private:
  std::span<const std::int32_t> irregular_bases(std::int32_t exception) const;
  // The entry of the base form of a regular form, or -1. The search starts at `near`.
  std::int32_t regular_base(std::string_view word, std::int32_t near) const;
  bool is_inflected(std::string_view word) const;

  SynonymArrays arrays_;
  Inflections inflections_;
  std::array<bool, 256> ends_inflected_{};  // by byte: whether it is the last byte of a rule's ending
};

}  // namespace bolide
