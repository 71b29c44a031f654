// Text as Python gives it: the normalizer's rules, and texts that are lists of words.
#pragma once

#include <string>
#include <vector>

#include "bindings/convert.hpp"
#include "text/normalizer.hpp"

namespace bolide::python {

class Tokenizer {
 public:
  Tokenizer(const std::string& style, const std::vector<std::string>& prefixes,
            const std::vector<std::string>& numeric_prefixes, bool punctuation);
  const NormalizerRules& rules() const { return rules_; }

  nb::str normalized(const nb::str& text) const;

 private:
  NormalizerRules rules_;
};

// Joins a list or tuple of words into one line. Returns false if `text` is something else, or if an item may
// not be a single word.
bool join_text(nb::handle text, std::string& line);

}  // namespace bolide::python
