#include "vocabulary/vocabulary.hpp"

#include <shared_mutex>
#include <utility>

#include "bindings/convert.hpp"
#include "bindings/settings.hpp"

namespace bolide::python {

namespace {

std::vector<StageKind> kinds_of(const std::vector<std::string>& stages) {
  std::vector<StageKind> kinds;
  for (const std::string& stage : stages) kinds.push_back(kind_of(stage));
  return kinds;
}

using KeyArrays = std::vector<std::pair<Array<std::int32_t>, Array<std::int64_t>>>;

void add_words(Vocabulary& vocabulary, const nb::list& words, Array<std::int64_t> identities,
               Array<std::uint8_t> functions, Array<std::int32_t> sizes, const nb::list& columns) {
  Texts texts(words);
  KeyArrays keys;
  Analysis analysis{view(identities), view(functions), view(sizes), {}};
  for (nb::handle pair : columns) {
    keys.emplace_back(nb::cast<Array<std::int32_t>>(pair[0]), nb::cast<Array<std::int64_t>>(pair[1]));
    analysis.columns.push_back({view(keys.back().first), view(keys.back().second)});
  }
  nb::gil_scoped_release release;
  vocabulary.add(texts.views, analysis);
}

nb::list lacking(const Vocabulary& vocabulary, const nb::list& words) {
  Texts texts(words);
  std::vector<std::size_t> unknown;
  {
    nb::gil_scoped_release release;
    std::shared_lock lock(vocabulary.mutex());
    for (std::size_t k = 0; k < texts.views.size(); ++k) {
      if (vocabulary.find(texts.views[k]) < 0) unknown.push_back(k);
    }
  }
  nb::list result;
  for (std::size_t k : unknown) result.append(texts.owners[k]);
  return result;
}

}  // namespace

void bind_vocabulary(nb::module_& m) {
  nb::class_<Vocabulary>(m, "Vocabulary")
      .def(
          "__init__",
          [](Vocabulary* self, const std::vector<std::string>& stages) {
            new (self) Vocabulary(kinds_of(stages));
          },
          "stages"_a)
      .def("__len__",
           [](const Vocabulary& vocabulary) {
             nb::gil_scoped_release release;
             std::shared_lock lock(vocabulary.mutex());
             return vocabulary.size();
           })
      .def("lacking", &lacking, "words"_a)
      .def("add", &add_words, "words"_a, "identities"_a, "functions"_a, "sizes"_a, "columns"_a);
}

}  // namespace bolide::python
