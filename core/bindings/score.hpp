// The parameters of scores as Python holds them.
#pragma once

#include <vector>

#include "bindings/convert.hpp"
#include "score/score.hpp"

namespace bolide::python {

// The layout of statistics with this many columns; ValueError if there is none.
inline StatisticsLayout layout_of(std::size_t width) {
  if (!StatisticsLayout::is_width(width)) throw nb::value_error("not the number of columns of statistics");
  return StatisticsLayout::of_width(width);
}

class PyParameters {
 public:
  PyParameters(double alpha, double beta, double gamma, double delta, std::vector<double> weights,
               const Formula& formula, nb::object powers)
      : parameters_{alpha, beta, gamma, delta, std::move(weights), formula},
        owner_(powers),
        powers_(nb::cast<const Powers&>(powers)) {}
  const Parameters& get() const { return parameters_; }
  const Powers& powers() const { return powers_; }

 private:
  Parameters parameters_;
  nb::object owner_;  // of powers_
  const Powers& powers_;
};

}  // namespace bolide::python
