// Word lists, phrase tables and vectors over NumPy's arrays, which they keep alive.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "match/near_pairs.hpp"
#include "tables/phrase_table.hpp"
#include "tables/synonyms.hpp"
#include "tables/word_index.hpp"

namespace bolide::python {

class PyWordIndex {
 public:
  PyWordIndex(Array<std::uint8_t> bytes, Array<std::uint32_t> offsets)
      : bytes_(bytes), offsets_(offsets), index_(view(bytes), view(offsets)) {
    if (!index_.valid()) throw nb::value_error("the arrays do not form a word index");
  }
  const WordIndex& get() const { return index_; }

  nb::object find(const nb::list& words) const {
    std::vector<std::int32_t> places;
    places.reserve(words.size());
    std::int32_t near = 0;
    for (nb::handle word : words) places.push_back(index_.find(utf8(word), near));
    return to_numpy(std::move(places));
  }
  nb::str word(std::int32_t k) const {
    if (k < 0 || k >= index_.size()) throw nb::index_error("no such word");
    return to_str(index_.word(k));
  }

 private:
  Array<std::uint8_t> bytes_;
  Array<std::uint32_t> offsets_;
  WordIndex index_;
};

// METEOR's WordNet (bolide.wordnet).
class PySynonyms {
 public:
  using Uints = Array<std::uint32_t>;
  using Ints = Array<std::int32_t>;
  using Rules = std::vector<std::pair<std::string, std::string>>;

  PySynonyms(const PyWordIndex& words, Uints offsets, Ints ids, const PyWordIndex& exceptions,
             Uints exception_offsets, Ints exception_bases, const PyWordIndex& bases, std::size_t shortest,
             const std::vector<std::string>& without, const Rules& rules)
      : indexes_(words, exceptions, bases),
        arrays_(offsets, ids, exception_offsets, exception_bases),
        synonyms_({words.get(), view(offsets), view(ids), exceptions.get(), view(exception_offsets),
                   view(exception_bases), bases.get()},
                  {shortest, without, rules}) {}

  nb::tuple synsets(const nb::list& words) const;
  nb::list base_forms(const nb::list& words) const;

 private:
  std::tuple<PyWordIndex, PyWordIndex, PyWordIndex> indexes_;  // these own what is borrowed
  std::tuple<Uints, Ints, Uints, Ints> arrays_;
  Synonyms synonyms_;
};

class PyPhraseTable {
 public:
  PyPhraseTable(Array<std::uint8_t> bytes, Array<std::uint32_t> offsets, Array<std::uint64_t> nodes,
                Array<std::uint32_t> starts,
                nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu> entries)
      : words_(bytes, offsets),
        nodes_(nodes),
        starts_(starts),
        entries_(entries),
        table_(words_.get(), view(nodes), view(starts), view_entries(entries)) {}
  const PhraseTable& get() const { return table_; }
  const PyWordIndex& words() const { return words_; }

 private:
  static PhraseTable::Entries view_entries(
      const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>& entries) {
    if (entries.dtype() == nb::dtype<std::uint16_t>()) {
      return std::span(static_cast<const std::uint16_t*>(entries.data()), entries.size());
    }
    if (entries.dtype() == nb::dtype<std::uint32_t>()) {
      return std::span(static_cast<const std::uint32_t*>(entries.data()), entries.size());
    }
    throw nb::value_error("the arrays do not form a phrase table");
  }

  PyWordIndex words_;
  Array<std::uint64_t> nodes_;
  Array<std::uint32_t> starts_;
  nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu> entries_;
  PhraseTable table_;
};

class PyVectors {
 public:
  PyVectors(Table<float> table, float threshold)
      : table_(table), vectors_{table.data(), table.shape(0), table.shape(1), threshold} {}
  const Vectors& get() const { return vectors_; }

  float cosine(std::size_t a, std::size_t b) const {
    if (a >= vectors_.rows || b >= vectors_.rows) throw nb::index_error("no such vector");
    return bolide::cosine(vectors_, a, b);
  }

 private:
  Table<float> table_;
  Vectors vectors_;
};

}  // namespace bolide::python
