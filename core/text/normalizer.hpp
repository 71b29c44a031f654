// The normalizer: turns a line of text into tokens, as Java METEOR 1.5 does with `-norm`.
//
//     text  --normalize-->  words and marks separated by single spaces  --split-->  tokens
//
//     It's 1,000-odd words, Mr. Smith: "..."     It 's 1,000 odd words , Mr. Smith : " ... "
//
// Lower-casing is not done here but in Python, once per word type, because it needs Unicode tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/quick_hash.hpp"

namespace bolide {

// How an apostrophe between letters is split: it 's (English), l' eau (French), a ' b (others).
enum class ApostropheStyle { english, french, other_western };

struct NormalizerRules {
  ApostropheStyle style = ApostropheStyle::english;
  bool keep_punctuation = true;
  StringSet prefixes;          // words that keep their final dot: Mr.
  StringSet numeric_prefixes;  // words that keep it before a digit only: No. 5
};

// Writes the normalized text to `out`. `utf8` must be valid UTF-8 (it may contain U+0000) and must not be a
// part of `out` or `scratch`. Callers reuse both strings, so that a loop over many lines allocates no memory.
void normalize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch);

// Splits a text at space, tab, LF, FF and CR, as Java's `StringTokenizer` does (not at the vertical tab).
// Tokens are views into the text.
void split(std::string_view text, std::vector<std::string_view>& tokens);

// Gives the same tokens as `normalize` followed by `split`, but faster. Tokens are views into `out`.
void tokenize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch,
              std::vector<std::string_view>& tokens);

}  // namespace bolide
