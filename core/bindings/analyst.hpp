// The analyst, which adds words to a vocabulary without Python.
#pragma once

#include "bindings/convert.hpp"
#include "vocabulary/analyst.hpp"

namespace bolide::python {

// An analyst, and the function in Python that stems the words that the core cannot stem.
struct PyAnalyst {
  Analyst analyst;
  nb::object stem_words;  // or None
};

// Adds tokens to the vocabulary. Called without the GIL. It acquires the GIL only for tokens that are not
// ASCII, and for stems that only Python knows.
void learn(PyAnalyst& analyst, std::span<const std::string_view> tokens, Vocabulary& vocabulary);

}  // namespace bolide::python
