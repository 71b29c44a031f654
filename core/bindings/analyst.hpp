// The analyst, which adds words to a vocabulary without Python.
#pragma once

#include "bindings/convert.hpp"
#include "vocabulary/analyst.hpp"

namespace bolide::python {

// Adds tokens to the vocabulary. Called without the GIL, which it acquires only for tokens that are not
// ASCII.
void learn(Analyst& analyst, std::span<const std::string_view> tokens, Vocabulary& vocabulary);

}  // namespace bolide::python
