// A table of statistics that is scored at many points, as Python holds it.
#pragma once

#include "bindings/convert.hpp"
#include "tuning/sweep.hpp"

namespace bolide::python {

class PySweep {
 public:
  PySweep(Table<double> statistics, Array<std::int64_t> offsets, const Formula& formula, nb::object powers);
  const SweepTable& table() const { return table_; }

 private:
  nb::object owner_;  // of the powers
  SweepTable table_;
};

// Points in rows of alpha, beta, gamma, delta, weights.
inline Points points_of(const Table<double>& points) {
  if (points.shape(1) < 4) throw nb::value_error("a point is alpha, beta, gamma, delta and weights");
  const Points given{{points.data(), points.size()}, points.shape(1)};
  for (const double number : given.numbers)
    if (number != number) throw nb::value_error("a point is made of numbers");
  return given;
}

}  // namespace bolide::python
