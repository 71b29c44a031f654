// Texts that are lists of words.
#pragma once

#include "bindings/convert.hpp"

namespace bolide::python {

// Joins a list or tuple of words into one line. Returns false if `text` is something else, or if an item may
// not be a single word.
bool join_text(nb::handle text, std::string& line);

}  // namespace bolide::python
