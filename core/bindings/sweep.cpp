#include "tuning/sweep.hpp"

#include <algorithm>

#include "bindings/convert.hpp"
#include "support/offsets.hpp"

namespace bolide::python {

namespace {

// Checks sets of pairs or ratings: all arrays have the same length, and all `segments` exist in the table.
void check_sets(const SweepTable& table, std::size_t size, Ends ends,
                std::initializer_list<std::span<const std::int32_t>> segments) {
  bool fit = !ends.empty() && ends.front() >= 0 && std::is_sorted(ends.begin(), ends.end()) &&
             ends.back() == static_cast<std::int64_t>(size);
  for (const auto& column : segments) {
    fit = fit && column.size() == size && std::all_of(column.begin(), column.end(), [&](std::int32_t k) {
            return k >= 0 && static_cast<std::size_t>(k) < table.segments();
          });
  }
  if (!fit) throw nb::value_error("the judgments do not fit the segments, or their ends");
}

void make_table(SweepTable* self, Table<double> statistics, Array<std::int64_t> offsets,
                const Formula& formula, const Powers& powers) {
  layout_of(statistics.shape(1));
  if (!are_offsets(view(offsets), statistics.shape(0)) || !are_filled(view(offsets)))
    throw nb::value_error("the offsets of the segments do not fit the statistics");
  new (self)
      SweepTable({statistics.data(), statistics.size()}, statistics.shape(1), view(offsets), formula, powers);
}

nb::object rankings(const SweepTable& table, Table<double> points, Array<std::int32_t> better,
                    Array<std::int32_t> worse, Array<std::int64_t> ends, int decimals, int threads) {
  const Points given({points.data(), points.size()}, points.shape(1));
  check_sets(table, better.size(), view(ends), {view(better), view(worse)});
  if (decimals > 15) throw nb::value_error("scores have at most 15 decimals");
  auto found = without_gil([&] {
    return sweep_rankings(table, given, {view(better), view(worse), view(ends), decimals}, threads);
  });
  return to_numpy(std::move(found), {given.size(), ends.size(), 2});
}

nb::object ratings(const SweepTable& table, Table<double> points, Array<std::int32_t> segments,
                   Array<double> ratings, Array<double> weights, Array<std::int64_t> ends,
                   const std::string& coefficient, int threads) {
  const Points given({points.data(), points.size()}, points.shape(1));
  check_sets(table, segments.size(), view(ends), {view(segments)});
  if (ratings.size() != segments.size() || weights.size() != segments.size())
    throw nb::value_error("every rated segment has a rating and a weight");
  static constexpr std::pair<std::string_view, Coefficient> coefficients[] = {
      {"pearson", Coefficient::pearson}, {"spearman", Coefficient::spearman}};
  const Coefficient kind = named(coefficients, coefficient, "a coefficient is pearson or spearman");
  auto found = without_gil([&] {
    return sweep_ratings(table, given, {view(segments), view(ratings), view(weights), view(ends), kind},
                         threads);
  });
  return to_numpy(std::move(found), {given.size(), ends.size()});
}

nb::object comparisons(const SweepTable& table, Table<double> points, Array<std::int32_t> first,
                       Array<std::int32_t> second, Array<std::int8_t> human, Array<double> weights,
                       Array<std::int64_t> ends, int threads) {
  const Points given({points.data(), points.size()}, points.shape(1));
  check_sets(table, first.size(), view(ends), {view(first), view(second)});
  if (human.size() != first.size() || weights.size() != first.size())
    throw nb::value_error("every pair has a judgment and a weight");
  auto found = without_gil([&] {
    return sweep_comparisons(table, given,
                             {view(first), view(second), view(human), view(weights), view(ends)}, threads);
  });
  return to_numpy(std::move(found), {given.size(), ends.size(), 2});
}

}  // namespace

void bind_sweep(nb::module_& m) {
  nb::class_<SweepTable>(m, "Sweep")
      .def("__init__", &make_table, "statistics"_a, "offsets"_a, "formula"_a, "powers"_a,
           nb::keep_alive<1, 5>())
      .def_prop_ro("distinct", &SweepTable::distinct)
      .def("rankings", &rankings, "points"_a, "better"_a, "worse"_a, "ends"_a, "decimals"_a, "threads"_a)
      .def("ratings", &ratings, "points"_a, "segments"_a, "ratings"_a, "weights"_a, "ends"_a, "coefficient"_a,
           "threads"_a)
      .def("comparisons", &comparisons, "points"_a, "first"_a, "second"_a, "human"_a, "weights"_a, "ends"_a,
           "threads"_a);
}

}  // namespace bolide::python
