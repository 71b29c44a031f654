#include "bindings/sweep.hpp"
#include "bindings/testing.hpp"

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

}  // namespace

void bind_testing_sweep(nb::module_& m) {
  m.def("sweep_scores", &scores, "sweep"_a, "points"_a, "threads"_a);
}

}  // namespace bolide::python
