// Stemmers made of rules, such as Porter's. Snowball stemmers are in src/bolide/language/stemmers.py.
#include "vocabulary/suffix_rules.hpp"

#include <bit>

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

// The code points of a str, including lone surrogates, which rules may test.
void read_code_points(nb::handle text, std::u32string& points) {
  if (!PyUnicode_Check(text.ptr())) throw nb::type_error("expected str");
  const Py_ssize_t length = PyUnicode_GetLength(text.ptr());
  points.resize(static_cast<std::size_t>(length));
  auto* data = reinterpret_cast<Py_UCS4*>(points.data());
  if (!PyUnicode_AsUCS4(text.ptr(), data, length, 0)) throw nb::python_error();
}
std::u32string code_points(nb::handle text) {
  std::u32string points;
  read_code_points(text, points);
  return points;
}

// The stable ABI makes a str of code points by a decoder, which accepts lone surrogates with "surrogatepass".
nb::object to_str(std::u32string_view points) {
  int order = std::endian::native == std::endian::little ? -1 : 1;
  PyObject* text = PyUnicode_DecodeUTF32(reinterpret_cast<const char*>(points.data()),
                                         static_cast<Py_ssize_t>(points.size() * sizeof(char32_t)),
                                         "surrogatepass", &order);
  if (!text) throw nb::python_error();
  return nb::steal(text);
}

SuffixCondition condition_of(const std::string& name) {
  static constexpr std::pair<std::string_view, SuffixCondition> conditions[] = {
      {"any", SuffixCondition::any},
      {"measure-above-0", SuffixCondition::measure_above_0},
      {"measure-above-1", SuffixCondition::measure_above_1},
      {"has-vowel", SuffixCondition::has_vowel},
      {"ends-consonant", SuffixCondition::ends_consonant},
      {"ends-short", SuffixCondition::ends_short},
      {"vowel-consonant", SuffixCondition::vowel_consonant},
      {"one-letter", SuffixCondition::one_letter},
      {"doubled", SuffixCondition::doubled}};
  return named(conditions, name, "no such condition: " + name);
}

std::vector<SuffixStep> steps_of(const nb::list& steps) {
  std::vector<SuffixStep> result;
  for (nb::handle step : steps) {
    result.push_back({nb::cast<bool>(step[0]), {}});
    for (nb::handle rule : step[1]) {
      result.back().rules.push_back({code_points(rule[0]), nb::cast<std::size_t>(rule[1]),
                                     code_points(rule[2]), condition_of(nb::cast<std::string>(rule[3])),
                                     nb::cast<bool>(rule[4])});
    }
  }
  return result;
}

SuffixExceptions exceptions_of(const nb::dict& stems, std::size_t shortest) {
  SuffixExceptions result{{}, shortest};
  for (const auto& [word, stem] : stems) result.stems.emplace(code_points(word), code_points(stem));
  return result;
}

nb::list stem_all(const SuffixStemmer& stemmer, const nb::list& words) {
  nb::list stems;
  std::u32string text;
  for (nb::handle word : words) {
    read_code_points(word, text);
    if (stemmer.stem(text)) {
      stems.append(to_str(text));
    } else {
      stems.append(word);
    }
  }
  return stems;
}

}  // namespace

void bind_suffix_rules(nb::module_& m) {
  nb::class_<SuffixStemmer>(m, "SuffixStemmer")
      .def(
          "__init__",
          [](SuffixStemmer* self, const std::string& vowels, const std::string& semivowels,
             const std::string& long_consonants, const nb::list& steps, const nb::dict& irregular,
             std::size_t shortest) {
            new (self) SuffixStemmer({vowels, semivowels, long_consonants}, steps_of(steps),
                                     exceptions_of(irregular, shortest));
          },
          "vowels"_a, "semivowels"_a, "long_consonants"_a, "steps"_a, "irregular"_a = nb::dict(),
          "shortest"_a = 0)
      .def("stem", &stem_all, "words"_a);
}

}  // namespace bolide::python
