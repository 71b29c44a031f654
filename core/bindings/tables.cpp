#include "bindings/tables.hpp"

#include <variant>

#include "tables/phrase_text.hpp"

namespace bolide::python {

namespace {

using Int32s = Array<std::int32_t>;
using Uint32s = Array<std::uint32_t>;
using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

PyWordIndex word_index(Array<std::uint8_t> bytes, Uint32s offsets) {
  const WordIndex index(view(bytes), view(offsets));
  if (!index.valid()) throw nb::value_error("the arrays do not form a word index");
  return {index, std::tuple(bytes, offsets)};
}

nb::object find_words(const PyWordIndex& index, const nb::list& words) {
  std::vector<std::int32_t> places;
  places.reserve(words.size());
  std::int32_t near = 0;
  for (nb::handle word : words) places.push_back(index.table.find(utf8(word), near));
  return to_numpy(std::move(places));
}

nb::str word(const PyWordIndex& index, std::int32_t k) {
  if (k < 0 || k >= index.table.size()) throw nb::index_error("no such word");
  return to_str(index.table.word(k));
}

void make_synonyms(PySynonyms* self, const PyWordIndex& words, Uint32s offsets, Int32s ids,
                   const PyWordIndex& exceptions, Uint32s exception_offsets, Int32s exception_bases,
                   const PyWordIndex& bases, std::size_t shortest, const std::vector<std::string>& without,
                   const std::vector<std::pair<std::string, std::string>>& rules) {
  new (self)
      PySynonyms{Synonyms({words.table, view(offsets), view(ids), exceptions.table, view(exception_offsets),
                           view(exception_bases), bases.table},
                          {shortest, without, rules}),
                 std::tuple(words, offsets, ids, exceptions, exception_offsets, exception_bases, bases)};
}

nb::tuple synsets(const PySynonyms& synonyms, const nb::list& words) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int64_t> synsets;
  offsets.reserve(words.size() + 1);
  Synonyms::LastFound place;
  for (nb::handle word : words) {
    synonyms.table.append_synsets(utf8(word), place, synsets);
    offsets.push_back(static_cast<std::int32_t>(synsets.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(synsets)));
}

nb::list base_forms(const PySynonyms& synonyms, const nb::list& words) {
  nb::list result;
  for (nb::handle word : words) {
    nb::list forms;
    for (std::string_view form : synonyms.table.base_forms(utf8(word))) forms.append(to_str(form));
    result.append(nb::tuple(forms));
  }
  return result;
}

void make_dictionary(PyDictionary* self, const PyWordIndex& words, Uint32s offsets, Int32s ids,
                     const PyWordIndex& exceptions, Uint32s exception_offsets, Int32s exception_bases,
                     Array<std::uint8_t> exception_parts, const PyWordIndex& bases, Int32s part_starts,
                     const PyWordIndex& names, Uint32s member_offsets, Int32s members,
                     const std::vector<std::tuple<std::string, std::string, unsigned>>& rules) {
  std::vector<Detachment> detachments;
  for (const auto& [ending, base, parts] : rules) detachments.push_back({ending, base, parts});
  new (self) PyDictionary{
      Dictionary({words.table, view(offsets), view(ids), exceptions.table, view(exception_offsets),
                  view(exception_bases), view(exception_parts), bases.table, view(part_starts), names.table,
                  view(member_offsets), view(members)},
                 std::move(detachments)),
      std::tuple(words, offsets, ids, exceptions, exception_offsets, exception_bases, exception_parts, bases,
                 part_starts, names, member_offsets, members)};
}

nb::tuple senses(const PyDictionary& dictionary, const nb::list& words) {
  std::vector<std::int32_t> offsets{0}, entries;
  std::vector<std::int64_t> synsets;
  std::vector<Sense> senses;
  for (nb::handle word : words) {
    dictionary.table.find(utf8(word), senses);
    for (const Sense& sense : senses) {
      synsets.push_back(sense.synset);
      entries.push_back(sense.entry);
    }
    offsets.push_back(static_cast<std::int32_t>(synsets.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(synsets)),
                        to_numpy(std::move(entries)));
}

nb::tuple names(const PyDictionary& dictionary, const nb::list& words) {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int64_t> names;
  std::vector<Sense> senses;
  for (nb::handle word : words) {
    dictionary.table.find(utf8(word), senses);
    for (const Sense& sense : senses) {
      const std::span<const std::int32_t> members = dictionary.table.members(sense.synset);
      names.insert(names.end(), members.begin(), members.end());
    }
    offsets.push_back(static_cast<std::int32_t>(names.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(names)));
}

PhraseTable::Entries view_entries(const AnyArray& entries) {
  if (entries.dtype() == nb::dtype<std::uint16_t>())
    return std::span(static_cast<const std::uint16_t*>(entries.data()), entries.size());
  if (entries.dtype() == nb::dtype<std::uint32_t>())
    return std::span(static_cast<const std::uint32_t*>(entries.data()), entries.size());
  throw nb::value_error("the arrays do not form a phrase table");
}

void make_phrase_table(PyPhraseTable* self, Array<std::uint8_t> bytes, Uint32s offsets,
                       Array<std::uint64_t> nodes, Uint32s starts, AnyArray entries) {
  const PyWordIndex words = word_index(bytes, offsets);
  const PhraseTable table(words.table, view(nodes), view(starts), view_entries(entries));
  new (self) PyPhraseTable{words, table, std::tuple(nodes, starts, entries)};
}

// Keeps the GIL, as `feed` and `add` do: it protects the builder from other threads. Without a GIL,
// nb::lock_self() below does.
nb::dict finish(PhraseTableBuilder& builder) {
  auto arrays = builder.finish();
  nb::dict result;
  result["words.bytes"] = to_numpy(std::move(arrays.word_bytes));
  result["words.offsets"] = to_numpy(std::move(arrays.word_offsets));
  result["nodes"] = to_numpy(std::move(arrays.nodes));
  result["starts"] = to_numpy(std::move(arrays.starts));
  result["entries"] =
      std::visit([](auto&& entries) { return to_numpy(std::move(entries)); }, std::move(arrays.entries));
  return result;
}

float cosine_of(const PyVectors& vectors, std::size_t a, std::size_t b) {
  if (a >= vectors.table.rows || b >= vectors.table.rows) throw nb::index_error("no such vector");
  return cosine(vectors.table, a, b);
}

}  // namespace

void bind_tables(nb::module_& m) {
  nb::class_<PyWordIndex>(m, "WordIndex")
      .def(
          "__init__",
          [](PyWordIndex* self, Array<std::uint8_t> bytes, Uint32s offsets) {
            new (self) PyWordIndex(word_index(bytes, offsets));
          },
          "bytes"_a, "offsets"_a)
      .def("find", &find_words, "words"_a)
      .def("word", &word, "index"_a)
      .def("__len__", [](const PyWordIndex& index) { return index.table.size(); });

  nb::class_<PySynonyms>(m, "Synonyms")
      .def("__init__", &make_synonyms, "words"_a, "offsets"_a, "ids"_a, "exceptions"_a, "exception_offsets"_a,
           "exception_bases"_a, "bases"_a, "shortest"_a, "without"_a, "rules"_a)
      .def("synsets", &synsets, "words"_a)
      .def("base_forms", &base_forms, "words"_a);

  nb::class_<PyDictionary>(m, "Dictionary")
      .def("__init__", &make_dictionary, "words"_a, "offsets"_a, "ids"_a, "exceptions"_a,
           "exception_offsets"_a, "exception_bases"_a, "exception_parts"_a, "bases"_a, "part_starts"_a,
           "names"_a, "member_offsets"_a, "members"_a, "rules"_a)
      .def("synsets", &senses, "words"_a)
      .def("names", &names, "words"_a);

  nb::class_<PyPhraseTable>(m, "PhraseTable")
      .def("__init__", &make_phrase_table, "word_bytes"_a, "word_offsets"_a, "nodes"_a, "starts"_a,
           "entries"_a)
      .def_ro("words", &PyPhraseTable::words);

  nb::class_<PhraseTableBuilder>(m, "PhraseTableBuilder")
      .def(nb::init<>())
      .def(
          "feed",
          [](PhraseTableBuilder& builder, const nb::bytes& chunk) {
            builder.feed({chunk.c_str(), chunk.size()});
          },
          "chunk"_a, nb::lock_self())
      .def(
          "add",
          [](PhraseTableBuilder& builder, const nb::str& left, const nb::str& right) {
            builder.add(utf8(left), utf8(right));
          },
          "left"_a, "right"_a, nb::lock_self())
      .def_prop_ro("entries", &PhraseTableBuilder::entries, nb::lock_self())
      .def("finish", &finish, nb::lock_self());

  nb::class_<PhraseTableReader>(m, "PhraseTableReader")
      .def(
          "__init__",
          [](PhraseTableReader* self, const PyPhraseTable& table) {
            new (self) PhraseTableReader(table.table);
          },
          "table"_a, nb::keep_alive<1, 2>())
      .def(
          "read",
          [](PhraseTableReader& reader, std::size_t size) {
            const std::string text = reader.read(size);
            return nb::bytes(text.data(), text.size());
          },
          "size"_a, nb::lock_self());

  nb::class_<PhraseFilter>(m, "PhraseFilter")
      .def(nb::init<>())
      .def(
          "add", [](PhraseFilter& filter, const nb::str& text) { filter.add(utf8(text)); }, "text"_a,
          nb::lock_self())
      .def(
          "keep",
          [](PhraseFilter& filter, const nb::bytes& entries) {
            // Keeps the GIL, or the lock: it protects the filter from other threads.
            const std::string kept = filter.keep({entries.c_str(), entries.size()});
            return nb::bytes(kept.data(), kept.size());
          },
          "entries"_a, nb::lock_self());

  nb::class_<PyVectors>(m, "Vectors")
      .def(
          "__init__",
          [](PyVectors* self, Table<float> table, float threshold) {
            new (self) PyVectors{{table.data(), table.shape(0), table.shape(1), threshold}, table};
          },
          "table"_a, "threshold"_a)
      .def("cosine", &cosine_of, "a"_a, "b"_a);
}

}  // namespace bolide::python
