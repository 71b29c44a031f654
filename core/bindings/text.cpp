#include "bindings/text.hpp"

#include <algorithm>

#include "match/letter_runs.hpp"
#include "text/normalizer.hpp"
#include "text/utf16.hpp"
#include "vocabulary/english_stemmer.hpp"

namespace bolide::python {

namespace {

template <typename T>
nb::object per_word(const nb::list& words, std::int32_t (*function)(std::string_view)) {
  std::vector<T> values;
  values.reserve(words.size());
  for (nb::handle word : words) values.push_back(function(utf8(word)));
  return to_numpy(std::move(values));
}

nb::list split_words(const nb::str& text) {
  std::vector<std::string_view> tokens;
  split(utf8(text), tokens);
  nb::list result;
  for (std::string_view token : tokens) result.append(to_str(token));
  return result;
}

// Counts white space and control characters. Sums of 128 bytes fit a byte, so compilers vectorize the loop.
std::size_t count_below_letters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 128))) {
    std::uint8_t some = 0;
    for (const char c : text.substr(0, 128))
      some = static_cast<std::uint8_t>(some + (static_cast<unsigned char>(c) <= ' '));
    count += some;
  }
  return count;
}

std::size_t count_separators(std::string_view text) {
  const auto is_separator = [](char c) {
    return std::string_view(" \t\n\r\f").find(c) != std::string_view::npos;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_separator));
}

void make_rules(NormalizerRules* self, const std::string& style, const std::vector<std::string>& prefixes,
                const std::vector<std::string>& numeric_prefixes, bool punctuation) {
  const auto apostrophes = style == "english"  ? ApostropheStyle::english
                           : style == "french" ? ApostropheStyle::french
                                               : ApostropheStyle::other_western;
  new (self) NormalizerRules{apostrophes,
                             punctuation,
                             {prefixes.begin(), prefixes.end()},
                             {numeric_prefixes.begin(), numeric_prefixes.end()}};
}

nb::str normalized(const NormalizerRules& rules, const nb::str& text) {
  std::string out, scratch;
  normalize(utf8(text), rules, out, scratch);
  return to_str(out);
}

// Iterators of nanobind own the current item where there is no GIL, so another thread may change the list.
template <typename Items>
bool join_items(const Items& items, std::string& line) {
  line.clear();
  std::size_t words = 0;
  for (nb::handle item : items) {
    Py_ssize_t size;
    const char* data = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
    if (!data) {
      PyErr_Clear();  // it is not a str, or has a lone surrogate
      return false;
    }
    if (size == 0) return false;
    line.append(data, static_cast<std::size_t>(size));
    line += ' ';
    ++words;
  }
  if (count_below_letters(line) != words && count_separators(line) != words) return false;
  if (!line.empty()) line.pop_back();
  return true;
}

// The stems of English words; None for words with characters beyond ASCII.
nb::list english_stems(const nb::list& words) {
  nb::list stems;
  std::string memory;
  for (const nb::handle word : words) {
    const std::string_view text = utf8(word);
    stems.append(is_ascii(text) ? nb::object(to_str(english_stem(text, memory))) : nb::none());
  }
  return stems;
}

// The common runs of two words, which are given as the numbers of their letters.
nb::list common_runs(const std::vector<std::int32_t>& one, const std::vector<std::int32_t>& two) {
  std::vector<CommonRun> runs;
  find_common_runs(Letters(one), Letters(two), runs);
  nb::list found;
  for (const CommonRun& run : runs) found.append(nb::make_tuple(run.one, run.two, run.length));
  return found;
}

nb::object join_words(const nb::list& texts) {
  nb::list lines;
  std::string line;
  for (nb::handle text : texts) {
    if (!join_text(text, line)) return nb::none();
    lines.append(to_str(line));
  }
  return lines;
}

}  // namespace

bool join_text(nb::handle text, std::string& line) {
  if (nb::isinstance<nb::list>(text)) return join_items(nb::borrow<nb::list>(text), line);
  return nb::isinstance<nb::tuple>(text) && join_items(nb::borrow<nb::tuple>(text), line);
}

void bind_text(nb::module_& m) {
  nb::class_<NormalizerRules>(m, "Tokenizer")
      .def("__init__", &make_rules, "style"_a, "prefixes"_a, "numeric_prefixes"_a, "punctuation"_a)
      .def("normalize", &normalized, "text"_a);
  m.def("split", &split_words, "text"_a);
  m.def("join", &join_words, "texts"_a);
  m.def("english_stems", &english_stems, "words"_a);
  m.attr("LONGEST_STEMMED_WORD") = longest_stemmed_word;
  m.def("common_runs", &common_runs, "one"_a, "two"_a);

  m.def(
      "java_hashes", [](const nb::list& words) { return per_word<std::int64_t>(words, &java_hash); },
      "words"_a);
  m.def(
      "utf16_lengths", [](const nb::list& words) { return per_word<std::int32_t>(words, &utf16_length); },
      "words"_a);
}

}  // namespace bolide::python
