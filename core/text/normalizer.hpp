// From a line of text to tokens, as Java METEOR 1.5 does it with `-norm`.
//
//     text  --normalize-->  words and marks with single spaces between  --split-->  tokens
//
//     It's 1,000-odd words, Mr. Smith: "..."     It 's 1,000 odd words , Mr. Smith : " ... "
//
// Lower-casing is not done here: it is done once per word type, where Unicode tables are at hand.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "support/quick_hash.hpp"

namespace bolide {

// How an apostrophe between words is treated: it 's, l' eau, a ' b.
enum class ApostropheStyle { english, french, other_western };

// Lets a set of strings be asked for a string_view without making a string of it.
struct StringViewHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return quick_hash(text); }
};
using PrefixSet = std::unordered_set<std::string, StringViewHash, std::equal_to<>>;

struct NormalizerRules {
  ApostropheStyle style = ApostropheStyle::english;
  bool keep_punctuation = true;
  PrefixSet prefixes;          // words that keep their final dot: Mr.
  PrefixSet numeric_prefixes;  // words that keep it before a digit only: No. 5
};

// Writes the normalised text to `out`. `utf8` must be valid UTF-8 (any code point, U+0000 too) and must not
// lie in `out` or `scratch`. Both keep their memory between calls, so a loop over many lines soon allocates
// nothing.
void normalize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch);

// The tokens of a text, as views into it: split at space, tab, LF, FF and CR (Java's `StringTokenizer`: the
// vertical tab is not in it).
void split(std::string_view text, std::vector<std::string_view>& tokens);

// The tokens of the normalised text: `split` of what `normalize` gives, in less time. They are views into
// `out`.
void tokenize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch,
              std::vector<std::string_view>& tokens);

}  // namespace bolide
