// A fast way through the usual text: words of ASCII letters, each with a space behind it, or a comma and a
// space.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/ptb/writing.hpp"

namespace bolide::ptb {

// Appends the tokens of the plain words that begin at `at`, the beginning of a token, with a space behind
// each. Returns the position of the space behind the last one, or `at` if there are none. Words near the end
// of the text are left to the rules: a block of 64 bytes is read at a time.
std::size_t copy_plain_words(std::string_view text, std::size_t at, Punctuation punctuation,
                             std::string& out);

// Returns the position behind a space that is the whole gap: a visible character of ASCII follows. The rules
// read longer gaps, for they may contain other spaces.
std::size_t behind_space(std::string_view text, std::size_t at);

}  // namespace bolide::ptb
