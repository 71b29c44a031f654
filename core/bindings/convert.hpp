// What the files that know Python share: how arrays and texts cross over.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/lines.hpp"

namespace bolide::python {

namespace nb = nanobind;

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector over to NumPy without a copy.
template <typename T>
nb::object to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}
template <typename T>
nb::object to_numpy(std::vector<T>&& values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

// The UTF-8 text of a str, valid while the str lives. A lone surrogate is Python's UnicodeEncodeError.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char* data = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
  if (!data) {
    if (!PyErr_Occurred()) throw nb::type_error("expected str");
    throw nb::python_error();
  }
  return {data, static_cast<std::size_t>(size)};
}

// The strings of a list, or lines, kept alive while the GIL is released.
struct Texts {
  std::vector<nb::object> owners;
  std::vector<std::string_view> views;
  explicit Texts(const nb::object& texts) {
    const Lines* lines;
    if (nb::try_cast(texts, lines)) {
      owners.push_back(texts);
      for (std::size_t k = 0; k < lines->size(); ++k) views.push_back((*lines)[k]);
      return;
    }
    for (nb::handle item : nb::cast<nb::list>(texts)) {
      views.push_back(utf8(item));
      owners.push_back(nb::borrow(item));
    }
  }
};

inline nb::str to_str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

// The parts of the module `_core`, each in the file of its name.
void bind_alignments(nb::module_& m);
void bind_analyst(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_instructions(nb::module_& m);
void bind_lines(nb::module_& m);
void bind_mert(nb::module_& m);
void bind_phrase_pairs(nb::module_& m);
void bind_score(nb::module_& m);
void bind_statistics_layout(nb::module_& m);
void bind_stemmer(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_text(nb::module_& m);
void bind_token_cache(nb::module_& m);
void bind_union(nb::module_& m);
void bind_vocabulary(nb::module_& m);

}  // namespace bolide::python
