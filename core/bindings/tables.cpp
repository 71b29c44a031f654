#include "bindings/tables.hpp"

#include <variant>

#include "tables/phrase_text.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

nb::dict finish(PhraseTableBuilder& builder) {
  PhraseTableBuilder::Arrays arrays;
  {
    nb::gil_scoped_release release;
    arrays = builder.finish();
  }
  nb::dict result;
  result["words.bytes"] = to_numpy(std::move(arrays.word_bytes));
  result["words.offsets"] = to_numpy(std::move(arrays.word_offsets));
  result["nodes"] = to_numpy(std::move(arrays.nodes));
  result["starts"] = to_numpy(std::move(arrays.starts));
  result["entries"] =
      std::visit([](auto&& entries) { return to_numpy(std::move(entries)); }, std::move(arrays.entries));
  return result;
}

}  // namespace

nb::tuple PySynonyms::synsets(const nb::list& words) const {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int64_t> synsets;
  offsets.reserve(words.size() + 1);
  Synonyms::LastFound place;
  for (nb::handle word : words) {
    synonyms_.append_synsets(utf8(word), place, synsets);
    offsets.push_back(static_cast<std::int32_t>(synsets.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(synsets)));
}

nb::list PySynonyms::base_forms(const nb::list& words) const {
  nb::list result;
  for (nb::handle word : words) {
    nb::list forms;
    for (std::string_view form : synonyms_.base_forms(utf8(word))) forms.append(to_str(form));
    result.append(nb::tuple(forms));
  }
  return result;
}

void bind_tables(nb::module_& m) {
  nb::class_<PyWordIndex>(m, "WordIndex")
      .def(nb::init<Array<std::uint8_t>, Array<std::uint32_t>>(), "bytes"_a, "offsets"_a)
      .def("find", &PyWordIndex::find, "words"_a)
      .def("word", &PyWordIndex::word, "index"_a)
      .def("__len__", [](const PyWordIndex& index) { return index.get().size(); });

  nb::class_<PySynonyms>(m, "Synonyms")
      .def(nb::init<const PyWordIndex&, PySynonyms::Uints, PySynonyms::Ints, const PyWordIndex&,
                    PySynonyms::Uints, PySynonyms::Ints, const PyWordIndex&, std::size_t,
                    const std::vector<std::string>&, const PySynonyms::Rules&>(),
           "words"_a, "offsets"_a, "ids"_a, "exceptions"_a, "exception_offsets"_a, "exception_bases"_a,
           "bases"_a, "shortest"_a, "without"_a, "rules"_a)
      .def("synsets", &PySynonyms::synsets, "words"_a)
      .def("base_forms", &PySynonyms::base_forms, "words"_a);

  nb::class_<PyPhraseTable>(m, "PhraseTable")
      .def(nb::init<Array<std::uint8_t>, Array<std::uint32_t>, Array<std::uint64_t>, Array<std::uint32_t>,
                    nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(),
           "word_bytes"_a, "word_offsets"_a, "nodes"_a, "starts"_a, "entries"_a)
      .def_prop_ro("words", &PyPhraseTable::words, nb::rv_policy::reference_internal);

  nb::class_<PhraseTableBuilder>(m, "PhraseTableBuilder")
      .def(nb::init<>())
      .def(
          "feed",
          [](PhraseTableBuilder& builder, const nb::bytes& chunk) {
            nb::gil_scoped_release release;
            builder.feed({chunk.c_str(), chunk.size()});
          },
          "chunk"_a)
      .def(
          "add",
          [](PhraseTableBuilder& builder, const nb::str& left, const nb::str& right) {
            builder.add(utf8(left), utf8(right));
          },
          "left"_a, "right"_a)
      .def_prop_ro("entries", &PhraseTableBuilder::entries)
      .def("finish", &finish);

  nb::class_<PhraseTableReader>(m, "PhraseTableReader")
      .def(
          "__init__",
          [](PhraseTableReader* self, const PyPhraseTable& table) {
            new (self) PhraseTableReader(table.get());
          },
          "table"_a, nb::keep_alive<1, 2>())
      .def(
          "read",
          [](PhraseTableReader& reader, std::size_t size) {
            const std::string text = reader.read(size);
            return nb::bytes(text.data(), text.size());
          },
          "size"_a);

  nb::class_<PhraseFilter>(m, "PhraseFilter")
      .def(nb::init<>())
      .def(
          "add", [](PhraseFilter& filter, const nb::str& text) { filter.add(utf8(text)); }, "text"_a)
      .def(
          "keep",
          [](PhraseFilter& filter, const nb::bytes& entries) {
            std::string kept;
            {
              nb::gil_scoped_release release;
              kept = filter.keep({entries.c_str(), entries.size()});
            }
            return nb::bytes(kept.data(), kept.size());
          },
          "entries"_a);

  nb::class_<PyVectors>(m, "Vectors")
      .def(nb::init<Table<float>, float>(), "table"_a, "threshold"_a)
      .def("cosine", &PyVectors::cosine, "a"_a, "b"_a);
}

}  // namespace bolide::python
