// Tokenizes a text like PTBTokenizer. Plain words must become the same tokens with and without the fast way.
#include <algorithm>

#include "require.hpp"
#include "text/lines.hpp"
#include "text/ptb/lexer.hpp"

using namespace bolide;

FUZZ_TARGET(input) {
  const auto punctuation = input.PickValueInArray({ptb::Punctuation::kept, ptb::Punctuation::removed});
  const std::string text = input.ConsumeRemainingBytesAsString();
  if (!is_utf8(text)) return;
  const ptb::Lexer& lexer = ptb::Lexer::shared();
  const std::string tokens = lexer.tokenize(text, punctuation);
  require(tokens == lexer.tokenize(text, punctuation, ptb::PlainWords::by_rules),
          "plain words are copied as the rules say");
  require(is_utf8(tokens), "tokens are UTF-8");

  const ptb::Decisions decisions = lexer.decisions(text);
  const auto breaks = std::count(decisions.rules.begin(), decisions.rules.end(), "line break");
  require(std::count(tokens.begin(), tokens.end(), '\n') == breaks, "line breaks stay");
  require(decisions.bytes_read <= 256 * text.size(), "the time is linear");
}
