#include "bindings/analyst.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>

namespace bolide::python {

using namespace nb::literals;

namespace {

std::vector<Detachment> rules_of(const PyDictionary::Rules& rules) {
  std::vector<Detachment> result;
  for (const auto& [ending, base, parts] : rules) result.push_back({ending, base, parts});
  return result;
}

std::vector<KeySource> sources_of(const std::vector<std::string>& names) {
  static const std::map<std::string, KeySource> sources = {
      {"spelling", KeySource::spelling}, {"stem", KeySource::stem}, {"names", KeySource::names}};
  std::vector<KeySource> result;
  for (const std::string& name : names) {
    const auto source = sources.find(name);
    if (source == sources.end()) throw nb::value_error("a source of keys is spelling, stem or names");
    result.push_back(source->second);
  }
  return result;
}

template <typename T>
const T* pointer(const nb::object& object) {
  return object.is_none() ? nullptr : &nb::cast<const T&>(object);
}
const Dictionary* dictionary_in(const nb::object& object) {
  const auto* found = pointer<PyDictionary>(object);
  return found ? &found->get() : nullptr;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

PyDictionary::PyDictionary(const PyWordIndex& words, Uints offsets, Ints ids, const PyWordIndex& exceptions,
                           Uints exception_offsets, Ints exception_bases, Array<std::uint8_t> exception_parts,
                           const PyWordIndex& bases, Ints part_starts, const PyWordIndex& names,
                           Uints member_offsets, Ints members, const Rules& rules)
    : indexes_(words, exceptions, bases, names),
      arrays_(offsets, ids, exception_offsets, exception_bases, exception_parts, part_starts, member_offsets,
              members),
      dictionary_({words.get(), view(offsets), view(ids), exceptions.get(), view(exception_offsets),
                   view(exception_bases), view(exception_parts), bases.get(), view(part_starts), names.get(),
                   view(member_offsets), view(members)},
                  rules_of(rules)) {}

nb::tuple PyDictionary::synsets(const nb::list& words) const {
  std::vector<std::int32_t> offsets{0}, entries;
  std::vector<std::int64_t> synsets;
  std::vector<Sense> senses;
  for (nb::handle word : words) {
    dictionary_.find(utf8(word), senses);
    for (const Sense& sense : senses) {
      synsets.push_back(sense.synset);
      entries.push_back(sense.entry);
    }
    offsets.push_back(static_cast<std::int32_t>(synsets.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(synsets)),
                        to_numpy(std::move(entries)));
}

nb::tuple PyDictionary::names(const nb::list& words) const {
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int64_t> names;
  std::vector<Sense> senses;
  for (nb::handle word : words) {
    dictionary_.find(utf8(word), senses);
    for (const Sense& sense : senses) {
      const std::span<const std::int32_t> members = dictionary_.members(sense.synset);
      names.insert(names.end(), members.begin(), members.end());
    }
    offsets.push_back(static_cast<std::int32_t>(names.size()));
  }
  return nb::make_tuple(to_numpy(std::move(offsets)), to_numpy(std::move(names)));
}

PyAnalyst::PyAnalyst(const std::vector<std::string>& sources, nb::object stemmer, nb::object dictionary)
    : stemmer_(stemmer),
      dictionary_(dictionary),
      analyst_(sources_of(sources), pointer<SuffixStemmer>(stemmer), dictionary_in(dictionary)) {}

void PyAnalyst::learn(std::span<const std::string_view> tokens, Vocabulary& vocabulary) {
  std::vector<std::string> lower(tokens.begin(), tokens.end());
  std::vector<std::string*> others;
  for (std::string& word : lower) {
    if (is_ascii(word)) {
      std::transform(word.begin(), word.end(), word.begin(), &ascii_lower);
    } else {
      others.push_back(&word);
    }
  }
  if (!others.empty()) {
    const nb::gil_scoped_acquire acquire;
    for (std::string* word : others) *word = utf8(to_str(*word).attr("lower")());
  }
  const std::vector<std::string_view> words(lower.begin(), lower.end());
  analyst_.learn(tokens, words, vocabulary);
}

void bind_analyst(nb::module_& m) {
  nb::class_<PyDictionary>(m, "Dictionary")
      .def(nb::init<const PyWordIndex&, PyDictionary::Uints, PyDictionary::Ints, const PyWordIndex&,
                    PyDictionary::Uints, PyDictionary::Ints, Array<std::uint8_t>, const PyWordIndex&,
                    PyDictionary::Ints, const PyWordIndex&, PyDictionary::Uints, PyDictionary::Ints,
                    const PyDictionary::Rules&>(),
           "words"_a, "offsets"_a, "ids"_a, "exceptions"_a, "exception_offsets"_a, "exception_bases"_a,
           "exception_parts"_a, "bases"_a, "part_starts"_a, "names"_a, "member_offsets"_a, "members"_a,
           "rules"_a)
      .def("synsets", &PyDictionary::synsets, "words"_a)
      .def("names", &PyDictionary::names, "words"_a);
  nb::class_<PyAnalyst>(m, "Analyst")
      .def(nb::init<const std::vector<std::string>&, nb::object, nb::object>(), "sources"_a,
           "stemmer"_a.none(), "dictionary"_a.none());
}

}  // namespace bolide::python
