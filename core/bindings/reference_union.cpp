#include "score/reference_union.hpp"

#include <tuple>

#include "bindings/convert.hpp"
#include "support/offsets.hpp"

namespace bolide::python {

namespace {

// The words of texts as Engine.count_words returns them: sizes, function words, offsets.
using PyWords = std::tuple<Array<std::int32_t>, Array<std::uint8_t>, Array<std::int64_t>>;

class WordsOfTexts {
 public:
  WordsOfTexts(const PyWords& words, std::size_t texts)
      : sizes_(view(std::get<0>(words))),
        functions_(view(std::get<1>(words))),
        offsets_(view(std::get<2>(words))) {
    const bool fit = are_offsets(offsets_, texts, sizes_.size()) && sizes_.size() == functions_.size();
    if (!fit) throw nb::value_error("the words do not fit the texts");
  }
  CountedWords operator[](std::size_t text) const {
    const auto start = static_cast<std::size_t>(offsets_[text]);
    const auto count = static_cast<std::size_t>(offsets_[text + 1]) - start;
    return {sizes_.subspan(start, count), functions_.subspan(start, count)};
  }

 private:
  std::span<const std::int32_t> sizes_;
  std::span<const std::uint8_t> functions_;
  std::span<const std::int64_t> offsets_;
};

nb::object unite_all(Table<std::int32_t> statistics, Array<std::int32_t> counts, Array<std::int64_t> best,
                     Table<std::int32_t> matches, Array<std::int64_t> offsets,
                     const PyWords& hypothesis_words, const PyWords& reference_words) {
  const std::size_t rows = statistics.shape(0), columns = statistics.shape(1), segments = counts.size();
  const std::span<const std::int64_t> ends = view(offsets);
  std::int64_t total = 0;
  bool fit = StatisticsLayout::is_width(columns) && matches.shape(1) == 6 && best.size() == segments &&
             are_offsets(ends, rows, matches.shape(0));
  for (std::size_t k = 0; k < segments && fit; ++k) {
    fit = counts(k) > 0 && best(k) >= total && best(k) < total + counts(k);
    total += counts(k);
  }
  if (!fit || total != static_cast<std::int64_t>(rows)) throw nb::value_error("the arrays do not fit");
  const WordsOfTexts hypotheses(hypothesis_words, segments), references(reference_words, rows);
  const std::vector<Match> all = matches_in(matches);
  std::vector<std::int32_t> united;
  united.reserve(segments * columns);
  std::vector<std::span<const Match>> alignments;
  const auto layout = StatisticsLayout::of_width(columns);
  for (std::size_t k = 0, first = 0; k < segments; ++k) {
    const auto base = static_cast<std::size_t>(best(k)), count = static_cast<std::size_t>(counts(k));
    const std::int32_t* row = statistics.data() + base * columns;
    united.insert(united.end(), row, row + columns);
    alignments.clear();
    for (std::size_t pair = first; pair < first + count; ++pair) {
      alignments.push_back(std::span(all).subspan(static_cast<std::size_t>(ends[pair]),
                                                  static_cast<std::size_t>(ends[pair + 1] - ends[pair])));
    }
    unite(hypotheses[k], references[base], alignments, base - first, layout, &united[k * columns]);
    first += count;
  }
  return to_numpy(std::move(united), {segments, columns});
}

}  // namespace

void bind_union(nb::module_& m) {
  m.def("unite", &unite_all, "statistics"_a, "counts"_a, "best"_a, "matches"_a, "offsets"_a,
        "hypothesis_words"_a, "reference_words"_a);
}

}  // namespace bolide::python
