#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/convert.hpp"
#include "bindings/tables.hpp"
#include "bindings/testing.hpp"
#include "match/paraphrase_filter.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

// Which of the paraphrases at these places of the entries may occur among the words.
template <typename Number>
std::vector<std::pair<std::uint32_t, std::uint32_t>> likely(Array<Number> entries,
                                                            const std::vector<std::uint32_t>& places,
                                                            Array<std::int32_t> words,
                                                            const std::optional<std::string>& instructions) {
  std::vector<LeftPhrase> lefts;
  for (const std::uint32_t place : places) {
    if (place >= entries.size()) throw nb::index_error("a place behind the entries");
    lefts.push_back({place, 0, 1});
  }
  ParaphraseFilter filter(instructions_named(instructions));
  filter.set(view(words));
  std::vector<LikelyParaphrase> found;
  filter.list(view(entries), lefts, found);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [left, right] : found) pairs.emplace_back(left, right);
  return pairs;
}

// The paraphrases of a phrase, in file order.
nb::list paraphrases(const PyPhraseTable& phrases, const nb::list& phrase) {
  const PhraseTable& table = phrases.get();
  const PyWordIndex& words = phrases.words();
  nb::list found;
  PhraseTable::Node node = 0;
  for (std::size_t k = 0; k < phrase.size(); ++k) {
    const std::int32_t word = words.get().find(utf8(phrase[k]));
    if (word < 0) return found;
    node = k == 0 ? table.first(word) : table.child(node, word);
    if (node == 0) return found;
  }
  const std::uint32_t start = node == 0 ? PhraseTable::no_entries : table.paraphrases(node);
  if (start == PhraseTable::no_entries) return found;
  const auto list = [&](const auto& right) {
    nb::list paraphrase;
    const auto append = [&](std::uint32_t word) {
      paraphrase.append(words.word(static_cast<std::int32_t>(word)));
    };
    append(right.first);
    if (right.length > 1) append(right.second);
    for (auto word : right.others) append(word);
    found.append(paraphrase);
  };
  table.with_entries([&](auto entries) { table.for_each_paraphrase(entries, start, list); });
  return found;
}

}  // namespace

void bind_testing_paraphrases(nb::module_& m) {
  m.def("likely_paraphrases", &likely<std::uint16_t>, "entries"_a, "places"_a, "words"_a,
        "instructions"_a = nb::none());
  m.def("likely_paraphrases", &likely<std::uint32_t>, "entries"_a, "places"_a, "words"_a,
        "instructions"_a = nb::none());
  m.def("paraphrases", &paraphrases, "table"_a, "phrase"_a);
}

}  // namespace bolide::python
