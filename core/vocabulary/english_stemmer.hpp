// The Snowball stemmer for English ("Porter2", https://snowballstem.org/algorithms/english/stemmer.html), as
// it was until Snowball 2. The package py-rust-stemmers, which bolide.language.stemmers calls, has the same
// version and finds the same stems; Snowball 3 has others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bolide {

// A longer word is its own stem, in every language: the time of other stemmers may grow with the square of
// the length.
constexpr std::size_t longest_stemmed_word = 1 << 14;

// The stem of a word of ASCII characters: a view of `word`, of `memory` or of a constant. `word` must not be
// a view of `memory`. The rules know lower-case letters only; all other characters count as consonants.
std::string_view english_stem(std::string_view word, std::string& memory);

}  // namespace bolide
