// The rules of the PTB tokenizer: what a token is, and how it is written.
//
// At each position of the text, the rule with the longest match decides; the first one if several match the
// same text. A match includes the context: the text that must follow the token.
#pragma once

#include <span>
#include <string_view>

#include "text/ptb/pattern.hpp"

namespace bolide::ptb {

// How a token is written.
enum class Writing {
  as_is,         // as in the text
  word,          // without soft hyphens; & instead of &amp;
  fixed,         // as `replacement`
  quotes,        // quotation marks in ASCII: `` '' ` '
  one_token,     // with no-break spaces instead of spaces
  brackets,      // the same, and -LRB- and -RRB- instead of parentheses
  line_break,    // as a line break
  skipped,       // not at all
  period_twice,  // as in the text; its period is also the next token
};

struct Rule {
  std::string_view name = {};
  std::string_view pattern = {};
  std::string_view context = {};  // must follow; not a part of the token
  Writing writing = Writing::as_is;
  std::string_view replacement = {};
  std::string_view example = {}, tokens = {};  // a text in which this rule decides, and its tokens
};

std::span<const Definition> definitions();
std::span<const Rule> rules();

}  // namespace bolide::ptb
