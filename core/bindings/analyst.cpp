#include "bindings/analyst.hpp"

#include <algorithm>

#include "bindings/tables.hpp"

namespace bolide::python {

namespace {

std::vector<KeySource> sources_of(const std::vector<std::string>& names) {
  static constexpr std::pair<std::string_view, KeySource> sources[] = {
      {"spelling", KeySource::spelling}, {"stem", KeySource::stem}, {"names", KeySource::names}};
  std::vector<KeySource> result;
  for (const std::string& name : names)
    result.push_back(named(sources, name, "a source of keys is spelling, stem or names"));
  return result;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

void learn(Analyst& analyst, std::span<const std::string_view> tokens, Vocabulary& vocabulary) {
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
  analyst.learn(tokens, words, vocabulary);
}

void bind_analyst(nb::module_& m) {
  nb::class_<Analyst>(m, "Analyst")
      .def(
          "__init__",
          [](Analyst* self, const std::vector<std::string>& sources, const SuffixStemmer* stemmer,
             const PyDictionary* dictionary) {
            new (self) Analyst(sources_of(sources), stemmer, dictionary ? &dictionary->table : nullptr);
          },
          "sources"_a, "stemmer"_a.none(), "dictionary"_a.none(), nb::keep_alive<1, 3>(),
          nb::keep_alive<1, 4>());
}

}  // namespace bolide::python
