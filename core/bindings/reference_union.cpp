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
  WordSizes operator[](std::size_t text) const {
    const auto start = static_cast<std::size_t>(offsets_[text]);
    const auto count = static_cast<std::size_t>(offsets_[text + 1]) - start;
    return {sizes_.subspan(start, count), functions_.subspan(start, count)};
  }

 private:
  std::span<const std::int32_t> sizes_;
  std::span<const std::uint8_t> functions_;
  std::span<const std::int64_t> offsets_;
};

// The matches of pairs of sentences. Those of pair k begin at offsets[k].
class MatchesOfPairs {
 public:
  MatchesOfPairs(Table<std::int32_t> matches, Array<std::int64_t> offsets, std::size_t pairs)
      : offsets_(view(offsets)) {
    if (matches.shape(1) != 6 || !are_offsets(offsets_, pairs, matches.shape(0)))
      throw nb::value_error("the arrays do not fit");
    matches_ = matches_in(matches);
  }
  // The alignments of `count` pairs.
  const std::vector<std::span<const Match>>& operator()(std::size_t first, std::size_t count) {
    found_.clear();
    for (std::size_t pair = first; pair < first + count; ++pair) {
      found_.push_back(
          std::span(matches_).subspan(static_cast<std::size_t>(offsets_[pair]),
                                      static_cast<std::size_t>(offsets_[pair + 1] - offsets_[pair])));
    }
    return found_;
  }

 private:
  std::span<const std::int64_t> offsets_;
  std::vector<Match> matches_;
  std::vector<std::span<const Match>> found_;
};

nb::object unite_all(Table<std::int32_t> statistics, Array<std::int32_t> counts, Array<std::int64_t> best,
                     Table<std::int32_t> matches, Array<std::int64_t> offsets,
                     const PyWords& hypothesis_words, const PyWords& reference_words) {
  const std::size_t rows = statistics.shape(0), columns = statistics.shape(1), segments = counts.size();
  std::int64_t total = 0;
  bool fit = StatisticsLayout::is_width(columns) && best.size() == segments;
  for (std::size_t k = 0; k < segments && fit; ++k) {
    fit = counts(k) > 0 && best(k) >= total && best(k) < total + counts(k);
    total += counts(k);
  }
  if (!fit || total != static_cast<std::int64_t>(rows)) throw nb::value_error("the arrays do not fit");
  const WordsOfTexts hypotheses(hypothesis_words, segments), references(reference_words, rows);
  MatchesOfPairs alignments(matches, offsets, rows);
  std::vector<std::int32_t> united;
  united.reserve(segments * columns);
  const auto layout = StatisticsLayout::of_width(columns);
  for (std::size_t k = 0, first = 0; k < segments; ++k) {
    const auto base = static_cast<std::size_t>(best(k)), count = static_cast<std::size_t>(counts(k));
    const std::int32_t* row = statistics.data() + base * columns;
    united.insert(united.end(), row, row + columns);
    unite(hypotheses[k], references[base], alignments(first, count), base - first, layout,
          &united[k * columns]);
    first += count;
  }
  return to_numpy(std::move(united), {segments, columns});
}

nb::object pool_all(Table<std::int64_t> summed, Array<std::int32_t> counts, Table<std::int32_t> matches,
                    Array<std::int64_t> offsets, const PyWords& hypothesis_words) {
  const std::size_t segments = summed.shape(0), columns = summed.shape(1);
  std::size_t pairs = 0;
  bool fit = StatisticsLayout::is_width(columns) && counts.size() == segments;
  for (std::size_t k = 0; k < segments && fit; ++k) {
    fit = counts(k) > 0;
    pairs += static_cast<std::size_t>(counts(k));
  }
  if (!fit) throw nb::value_error("the arrays do not fit");
  const WordsOfTexts hypotheses(hypothesis_words, segments);
  MatchesOfPairs alignments(matches, offsets, pairs);
  std::vector<std::int64_t> pooled(summed.data(), summed.data() + segments * columns);
  const auto layout = StatisticsLayout::of_width(columns);
  for (std::size_t k = 0, first = 0; k < segments; ++k) {
    const auto count = static_cast<std::size_t>(counts(k));
    pool(hypotheses[k], alignments(first, count), layout, &pooled[k * columns]);
    first += count;
  }
  return to_numpy(std::move(pooled), {segments, columns});
}

}  // namespace

void bind_union(nb::module_& m) {
  m.def("unite", &unite_all, "statistics"_a, "counts"_a, "best"_a, "matches"_a, "offsets"_a,
        "hypothesis_words"_a, "reference_words"_a);
  m.def("pool", &pool_all, "summed"_a, "counts"_a, "matches"_a, "offsets"_a, "hypothesis_words"_a);
}

}  // namespace bolide::python
