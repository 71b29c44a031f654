// The dictionary over the arrays of a pack, and the analyst, which adds words to a vocabulary without Python.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/convert.hpp"
#include "bindings/tables.hpp"
#include "tables/dictionary.hpp"
#include "vocabulary/analyst.hpp"

namespace bolide::python {

class PyDictionary {
 public:
  using Uints = Array<std::uint32_t>;
  using Ints = Array<std::int32_t>;
  using Rules = std::vector<std::tuple<std::string, std::string, unsigned>>;

  PyDictionary(const PyWordIndex& words, Uints offsets, Ints ids, const PyWordIndex& exceptions,
               Uints exception_offsets, Ints exception_bases, Array<std::uint8_t> exception_parts,
               const PyWordIndex& bases, Ints part_starts, const PyWordIndex& names, Uints member_offsets,
               Ints members, const Rules& rules);
  const Dictionary& get() const { return dictionary_; }

  nb::tuple synsets(const nb::list& words) const;
  nb::tuple names(const nb::list& words) const;

 private:
  std::tuple<PyWordIndex, PyWordIndex, PyWordIndex, PyWordIndex> indexes_;  // these keep the arrays alive
  std::tuple<Uints, Ints, Uints, Ints, Array<std::uint8_t>, Ints, Uints, Ints> arrays_;
  Dictionary dictionary_;
};

class PyAnalyst {
 public:
  PyAnalyst(const std::vector<std::string>& sources, nb::object stemmer, nb::object dictionary);

  // Adds tokens to the vocabulary. Called without the GIL, which it acquires only for tokens that are not
  // ASCII.
  void learn(std::span<const std::string_view> tokens, Vocabulary& vocabulary);

 private:
  nb::object stemmer_, dictionary_;  // keep alive what analyst_ points to
  Analyst analyst_;
};

}  // namespace bolide::python
