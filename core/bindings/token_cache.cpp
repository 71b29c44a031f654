#include "text/token_cache.hpp"

#include <array>
#include <unordered_set>

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

PiecePlace place_of(int place) {
  if (place < 0 || place > 2) throw nb::value_error("a place is 0, 1 or 2");
  return static_cast<PiecePlace>(place);
}

// The lines of texts (None if the table does not have all pieces of a text), and the missing pieces by place.
nb::tuple lines(const TokenCache& table, const nb::list& texts) {
  nb::list found;
  std::array<std::unordered_set<std::string_view>, 3> lacking;
  const auto unknown = [&](PiecePlace place, std::string_view piece) {
    lacking[static_cast<std::size_t>(place)].insert(piece);
  };
  std::string line;
  const nb::tuple kept(texts);  // `lacking` has views of them, and without a GIL the list may change
  for (nb::handle text : kept) {
    Py_ssize_t size;
    const char* data = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
    if (!data) PyErr_Clear();  // there is a lone surrogate
    if (data && table.line({data, static_cast<std::size_t>(size)}, line, unknown)) {
      found.append(to_str(line));
    } else {
      found.append(nb::none());
    }
  }
  nb::list pieces;
  for (const auto& some : lacking) {
    nb::list listed;
    for (std::string_view piece : some) listed.append(to_str(piece));
    pieces.append(listed);
  }
  return nb::make_tuple(found, pieces);
}

}  // namespace

void bind_token_cache(nb::module_& m) {
  nb::class_<TokenCache>(m, "TokenCache")
      .def(nb::init<>())
      .def("__len__", &TokenCache::size, nb::lock_self())
      .def("clear", &TokenCache::clear, nb::lock_self())
      .def(
          "set",
          [](TokenCache& table, int place, const nb::str& piece, std::optional<std::string> tokens) {
            table.set(place_of(place), utf8(piece), std::move(tokens));
          },
          "place"_a, "piece"_a, "tokens"_a.none(), nb::lock_self())
      .def(
          "get",
          [](const TokenCache& table, int place, const nb::str& piece) -> std::optional<std::string> {
            const TokenCache::Tokens* found = table.find(place_of(place), utf8(piece));
            return found ? *found : std::nullopt;
          },
          "place"_a, "piece"_a, nb::lock_self())
      .def("lines", &lines, "texts"_a, nb::lock_self());
}

}  // namespace bolide::python
