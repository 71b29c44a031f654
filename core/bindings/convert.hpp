// Conversion of arrays and texts between Python and the core, for all files of this folder.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model.hpp"
#include "score/statistics_layout.hpp"
#include "text/lines.hpp"

namespace bolide::python {

namespace nb = nanobind;
using namespace nb::literals;

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// Makes a NumPy array of a vector without a copy.
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

// Returns work(), which runs without the GIL.
template <typename Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release release;
  return work();
}

// An object that changes while the GIL is released, and the lock for it. The GIL and nb::lock_self() do not
// protect such an object: without a GIL, Python suspends the locks of nb::lock_self() in the same place. A
// thread with this lock must not wait for the GIL; a thread with the GIL may wait for this lock.
template <typename Object>
class Locked {
 public:
  template <typename... Arguments>
  explicit Locked(Arguments... arguments) : object_(arguments...) {}

  // Returns use(object), which may change the object. No other thread uses it at the same time.
  template <typename Use>
  auto change(const Use& use) {
    const std::unique_lock lock(mutex_);
    return use(object_);
  }
  // Returns use(object), which must not change the object.
  template <typename Use>
  auto read(const Use& use) const {
    const std::shared_lock lock(mutex_);
    return use(object_);
  }

 private:
  Object object_;
  mutable std::shared_mutex mutex_;
};

// The UTF-8 text of a str, valid as long as the str. A lone surrogate raises Python's UnicodeEncodeError.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char* data = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
  if (!data) {
    if (!PyErr_Occurred()) throw nb::type_error("expected str");
    throw nb::python_error();
  }
  return {data, static_cast<std::size_t>(size)};
}

// The strings of a list, or Lines, kept alive while the GIL is released.
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

// Returns the layout of statistics with `width` columns. Raises ValueError if no layout has that width.
inline StatisticsLayout layout_of(std::size_t width) {
  if (!StatisticsLayout::is_width(width)) throw nb::value_error("not the number of columns of statistics");
  return StatisticsLayout::of_width(width);
}

// Looks up a name in a table. Raises ValueError with `message` if the table does not have it.
template <typename Value, std::size_t size>
Value named(const std::pair<std::string_view, Value> (&table)[size], std::string_view name,
            const std::string& message) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  throw nb::value_error(message.c_str());
}

// The matches in rows of reference start, reference length, hypothesis start, hypothesis length, stage. There
// may be more columns.
inline std::vector<Match> matches_in(const Table<std::int32_t>& rows) {
  if (rows.shape(1) < 5) throw nb::value_error("a match has five columns");
  std::vector<Match> matches;
  for (std::size_t k = 0; k < rows.shape(0); ++k) {
    const std::int32_t* row = rows.data() + k * rows.shape(1);
    matches.push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  return matches;
}

inline nb::str to_str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

// The parts of the module `_core`, each in the file of its name.
void bind_analyst(nb::module_& m);
void bind_engine(nb::module_& m);
void bind_instructions(nb::module_& m);
void bind_lines(nb::module_& m);
void bind_mapped_file(nb::module_& m);
void bind_mert(nb::module_& m);
void bind_phrase_pairs(nb::module_& m);
void bind_ptb(nb::module_& m);
void bind_score(nb::module_& m);
void bind_statistics_layout(nb::module_& m);
void bind_suffix_rules(nb::module_& m);
void bind_sweep(nb::module_& m);
void bind_tables(nb::module_& m);
void bind_text(nb::module_& m);
void bind_token_cache(nb::module_& m);
void bind_union(nb::module_& m);
void bind_vocabulary(nb::module_& m);

}  // namespace bolide::python
