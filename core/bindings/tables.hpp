// Word lists, dictionaries, phrase tables and vectors over NumPy arrays.
#pragma once

#include <any>

#include "bindings/convert.hpp"
#include "match/near_pairs.hpp"
#include "tables/dictionary.hpp"
#include "tables/phrase_table.hpp"
#include "tables/synonyms.hpp"
#include "tables/word_index.hpp"

namespace bolide::python {

// A table, and the arrays that it borrows, which must live as long.
template <typename Table>
struct Borrowing {
  Table table;
  std::any arrays;
};
using PyWordIndex = Borrowing<WordIndex>;
using PySynonyms = Borrowing<Synonyms>;
using PyDictionary = Borrowing<Dictionary>;
using PyVectors = Borrowing<Vectors>;

struct PyPhraseTable {
  PyWordIndex words;
  PhraseTable table;
  std::any arrays;
};

}  // namespace bolide::python
