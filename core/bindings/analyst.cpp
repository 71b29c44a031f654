#include "bindings/analyst.hpp"

#include <algorithm>
#include <iterator>

#include "bindings/tables.hpp"

namespace bolide::python {

namespace {

std::vector<KeySource> sources_of(const std::vector<std::string>& names) {
  static constexpr std::pair<std::string_view, KeySource> sources[] = {{"spelling", KeySource::spelling},
                                                                       {"stem", KeySource::stem},
                                                                       {"synsets", KeySource::synsets},
                                                                       {"phrases", KeySource::phrases},
                                                                       {"names", KeySource::names}};
  std::vector<KeySource> result;
  for (const std::string& name : names)
    result.push_back(named(sources, name, "a source of keys is spelling, stem, synsets, phrases or names"));
  return result;
}

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The tokens in lower case.
std::vector<std::string> lowered(std::span<const std::string_view> tokens) {
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
  return lower;
}

// The stems of words, by the function in Python.
std::vector<std::string> stems_of(std::span<const std::string_view> words, const nb::object& stem_words) {
  if (words.empty()) return {};
  const nb::gil_scoped_acquire acquire;
  nb::list list;
  for (const std::string_view word : words) list.append(to_str(word));
  std::vector<std::string> stems;
  stems.reserve(words.size());
  for (nb::handle stem : nb::list(stem_words(list))) stems.emplace_back(utf8(stem));
  if (stems.size() != words.size()) throw nb::value_error("a stemmer must return one stem per word");
  return stems;
}

void make_analyst(PyAnalyst* self, const std::vector<std::string>& sources, const SuffixStemmer* stemmer,
                  const PyDictionary* dictionary, const PySynonyms* synonyms, const PyWordIndex* phrase_words,
                  nb::object stem_words, bool english_stems, bool java_hashes,
                  const std::vector<std::string>& function_words) {
  const auto table_of = [](const auto* borrowing) { return borrowing ? &borrowing->table : nullptr; };
  const std::vector<KeySource> found = sources_of(sources);
  if (std::find(found.begin(), found.end(), KeySource::stem) != found.end() && !stemmer &&
      stem_words.is_none())
    throw nb::value_error("stems need a stemmer");
  new (self)
      PyAnalyst{Analyst(found, {stemmer, table_of(dictionary), table_of(synonyms), table_of(phrase_words)},
                        {java_hashes, english_stems, {function_words.begin(), function_words.end()}}),
                std::move(stem_words)};
}

}  // namespace

void learn(PyAnalyst& analyst, std::span<const std::string_view> tokens, Vocabulary& vocabulary) {
  const std::vector<std::string> lower = lowered(tokens);
  const std::vector<std::string_view> words(lower.begin(), lower.end());
  if (!analyst.analyst.needs_stems()) return analyst.analyst.learn(tokens, words, {}, vocabulary);
  std::vector<std::string_view> others, stems(words.size());
  std::copy_if(words.begin(), words.end(), std::back_inserter(others),
               [&](std::string_view word) { return !analyst.analyst.stems_itself(word); });
  const std::vector<std::string> found = stems_of(others, analyst.stem_words);
  auto next = found.begin();
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!analyst.analyst.stems_itself(words[k])) stems[k] = *next++;
  }
  analyst.analyst.learn(tokens, words, stems, vocabulary);
}

void bind_analyst(nb::module_& m) {
  nb::class_<PyAnalyst>(m, "Analyst")
      .def("__init__", &make_analyst, "sources"_a, nb::kw_only(), "stemmer"_a = nb::none(),
           "dictionary"_a = nb::none(), "synonyms"_a = nb::none(), "phrase_words"_a = nb::none(),
           "stem_words"_a = nb::none(), "english_stems"_a = false, "java_hashes"_a = false,
           "function_words"_a = std::vector<std::string>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
           nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>())
      .def_prop_ro("letters", [](const PyAnalyst& analyst) { return analyst.analyst.letters(); });
}

}  // namespace bolide::python
