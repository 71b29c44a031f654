#include "bindings/sweep.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bindings/score.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

// Sets of pairs or ratings, as arrays of equal lengths; every one of `segments` lies in the table.
void check_sets(const SweepTable& table, std::size_t size, Ends ends,
                std::initializer_list<std::span<const std::int32_t>> segments) {
  const bool fit = !ends.empty() && ends.front() >= 0 && std::is_sorted(ends.begin(), ends.end()) &&
                   ends.back() == static_cast<std::int64_t>(size);
  bool inside = fit;
  for (const auto& column : segments) {
    inside =
        inside && column.size() == size && std::all_of(column.begin(), column.end(), [&](std::int32_t k) {
          return k >= 0 && static_cast<std::size_t>(k) < table.segments();
        });
  }
  if (!inside) throw nb::value_error("the judgments do not fit the segments, or their ends");
}

std::span<const double> rows_of(const Table<double>& statistics, const Array<std::int64_t>& offsets) {
  layout_of(statistics.shape(1));
  const auto ends = view(offsets);
  bool fit =
      !ends.empty() && ends.front() == 0 && ends.back() == static_cast<std::int64_t>(statistics.shape(0));
  for (std::size_t k = 1; k < ends.size(); ++k) fit = fit && ends[k] > ends[k - 1];
  if (!fit) throw nb::value_error("the offsets of the segments do not fit the statistics");
  return {statistics.data(), statistics.size()};
}

nb::object rankings(const PySweep& sweep, Table<double> points, Array<std::int32_t> better,
                    Array<std::int32_t> worse, Array<std::int64_t> ends, int decimals, int threads) {
  const Points given = points_of(points);
  check_sets(sweep.table(), better.size(), view(ends), {view(better), view(worse)});
  if (decimals > 15) throw nb::value_error("scores have at most 15 decimals");
  std::vector<std::int64_t> found;
  {
    const nb::gil_scoped_release release;
    found = sweep_rankings(sweep.table(), given, {view(better), view(worse), view(ends), decimals}, threads);
  }
  return to_numpy(std::move(found), {given.size(), ends.size(), 2});
}

nb::object ratings(const PySweep& sweep, Table<double> points, Array<std::int32_t> segments,
                   Array<double> ratings, Array<double> weights, Array<std::int64_t> ends,
                   const std::string& coefficient, int threads) {
  const Points given = points_of(points);
  check_sets(sweep.table(), segments.size(), view(ends), {view(segments)});
  if (ratings.size() != segments.size() || weights.size() != segments.size())
    throw nb::value_error("every rated segment has a rating and a weight");
  if (coefficient != "pearson" && coefficient != "spearman")
    throw nb::value_error("a coefficient is pearson or spearman");
  const auto kind = coefficient == "pearson" ? Coefficient::pearson : Coefficient::spearman;
  std::vector<double> found;
  {
    const nb::gil_scoped_release release;
    found = sweep_ratings(sweep.table(), given,
                          {view(segments), view(ratings), view(weights), view(ends), kind}, threads);
  }
  return to_numpy(std::move(found), {given.size(), ends.size()});
}

nb::object comparisons(const PySweep& sweep, Table<double> points, Array<std::int32_t> first,
                       Array<std::int32_t> second, Array<std::int8_t> human, Array<double> weights,
                       Array<std::int64_t> ends, int threads) {
  const Points given = points_of(points);
  check_sets(sweep.table(), first.size(), view(ends), {view(first), view(second)});
  if (human.size() != first.size() || weights.size() != first.size())
    throw nb::value_error("every pair has a judgment and a weight");
  std::vector<double> found;
  {
    const nb::gil_scoped_release release;
    found = sweep_comparisons(sweep.table(), given,
                              {view(first), view(second), view(human), view(weights), view(ends)}, threads);
  }
  return to_numpy(std::move(found), {given.size(), ends.size(), 2});
}

}  // namespace

PySweep::PySweep(Table<double> statistics, Array<std::int64_t> offsets, const Formula& formula,
                 nb::object powers)
    : owner_(powers),
      table_(rows_of(statistics, offsets), statistics.shape(1), view(offsets), formula,
             nb::cast<const Powers&>(powers)) {}

void bind_sweep(nb::module_& m) {
  nb::class_<PySweep>(m, "Sweep")
      .def(nb::init<Table<double>, Array<std::int64_t>, const Formula&, nb::object>(), "statistics"_a,
           "offsets"_a, "formula"_a, "powers"_a)
      .def_prop_ro("distinct", [](const PySweep& sweep) { return sweep.table().distinct(); })
      .def("rankings", &rankings, "points"_a, "better"_a, "worse"_a, "ends"_a, "decimals"_a, "threads"_a)
      .def("ratings", &ratings, "points"_a, "segments"_a, "ratings"_a, "weights"_a, "ends"_a, "coefficient"_a,
           "threads"_a)
      .def("comparisons", &comparisons, "points"_a, "first"_a, "second"_a, "human"_a, "weights"_a, "ends"_a,
           "threads"_a);
}

}  // namespace bolide::python
