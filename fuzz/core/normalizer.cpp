// Normalizes and tokenizes a text. Both ways must give the same tokens.
#include "text/normalizer.hpp"

#include "require.hpp"
#include "text/lines.hpp"

using namespace bolide;

FUZZ_TARGET(input) {
  const NormalizerRules rules{input.PickValueInArray({ApostropheStyle::english, ApostropheStyle::french,
                                                      ApostropheStyle::other_western}),
                              input.ConsumeBool(),
                              {"Mr", "e.g", "ул"},
                              {"No"}};
  const std::string text = input.ConsumeRemainingBytesAsString();
  if (!is_utf8(text)) return;
  std::string normalized, tokenized, scratch;
  std::vector<std::string_view> slow, fast;
  normalize(text, rules, normalized, scratch);
  split(normalized, slow);
  tokenize(text, rules, tokenized, scratch, fast);
  require(is_utf8(normalized), "normalized text is UTF-8");
  require(slow == fast, "both ways give the same tokens");
}
