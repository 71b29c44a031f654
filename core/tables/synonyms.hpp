// METEOR's WordNet, which knows no parts of speech: bolide.wordnet tells how words are looked up in it. Over
// borrowed arrays.
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

// The arrays of a pack. List k is values[offsets[k] .. offsets[k + 1]).
struct SynonymArrays {
  WordIndex words;
  std::span<const std::uint32_t> offsets;
  std::span<const std::int32_t> ids;
  WordIndex exceptions;
  std::span<const std::uint32_t> exception_offsets;
  std::span<const std::int32_t> exception_bases;
  WordIndex bases;
};

// How base forms are made of forms that are not listed as irregular.
struct Inflections {
  std::size_t shortest = 0;                                // shorter forms, in characters, have no base form,
  std::vector<std::string> without;                        // nor have those with one of these endings
  std::vector<std::pair<std::string, std::string>> rules;  // an ending, and what to put in its place
};

class Synonyms {
 public:
  // Where the last look-ups ended: words that come in their order are found near by.
  struct LastFound {
    std::int32_t word = 0, exception = 0;
  };

  // Throws std::invalid_argument if the arrays do not fit together.
  Synonyms(const SynonymArrays& arrays, Inflections inflections);

  // Appends the synsets of a word: its own, then those of its base forms. One may come twice.
  void append_synsets(std::string_view word, LastFound& place, std::vector<std::int64_t>& synsets) const;
  // The base forms of a word, without itself unless it is listed as its own; views into the arrays.
  std::vector<std::string_view> base_forms(std::string_view word) const;

 private:
  std::span<const std::int32_t> irregular_bases(std::int32_t exception) const;
  // The entry of a regular form's base form, or -1; looked for from `near` on.
  std::int32_t regular_base(std::string_view word, std::int32_t near) const;
  bool is_inflected(std::string_view word) const;

  SynonymArrays arrays_;
  Inflections inflections_;
  std::array<bool, 256> ends_inflected_{};  // whether an ending of a rule has this last byte
};

}  // namespace bolide
