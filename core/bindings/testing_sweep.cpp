#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cmath>

#include "bindings/sweep.hpp"
#include "bindings/testing.hpp"
#include "tuning/compare_scores.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

nb::object scores(const PySweep& sweep, Table<double> points, int threads) {
  const Points given = points_of(points);
  std::vector<double> found;
  {
    const nb::gil_scoped_release release;
    found = sweep_scores(sweep.table(), given, threads);
  }
  return to_numpy(std::move(found), {given.size(), sweep.table().segments()});
}

// Pairs in rows of the better segment's Fmean and power, and the worse one's.
nb::tuple compare(Table<double> pairs, double gamma, int decimals,
                  const std::optional<std::string>& instructions) {
  PairBlock block;
  if (pairs.shape(0) > PairBlock::most || pairs.shape(1) != 4)
    throw nb::value_error("at most 512 pairs, with four columns");
  block.size = pairs.shape(0);
  for (std::size_t k = 0; k < block.size; ++k) {
    const double* row = pairs.data() + 4 * k;
    block.better_fmean[k] = row[0], block.better_power[k] = row[1];
    block.worse_fmean[k] = row[2], block.worse_power[k] = row[3];
  }
  const CompareScores function = comparison(instructions_named(instructions), decimals >= 0);
  const PairCounts counts = function(block, gamma, std::pow(10.0, decimals));
  return nb::make_tuple(counts.concordant, counts.tied);
}

}  // namespace

void bind_testing_sweep(nb::module_& m) {
  m.def("sweep_scores", &scores, "sweep"_a, "points"_a, "threads"_a);
  m.def("compare_scores", &compare, "pairs"_a, "gamma"_a, "decimals"_a, "instructions"_a = nb::none());
}

}  // namespace bolide::python
