#include "score/score.hpp"

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

nb::object score_rows(Table<double> statistics, const Parameters& parameters) {
  const std::size_t rows = statistics.shape(0), columns = layout_of(statistics.shape(1)).width();
  std::vector<double> scores;
  scores.reserve(rows * 6);
  {
    const nb::gil_scoped_release release;
    FragmentationPower power(parameters);
    for (std::size_t k = 0; k < rows; ++k) {
      const Scores s = score({statistics.data() + k * columns, columns}, parameters, power);
      scores.insert(scores.end(), {s.precision, s.recall, s.f1, s.fmean, s.penalty, s.score});
    }
  }
  return to_numpy(std::move(scores), {rows, 6});
}

nb::object aggregate_rows(Table<double> statistics, const Formula& formula) {
  const StatisticsLayout layout = layout_of(statistics.shape(1));
  std::vector<double> sum(layout.width(), 0);
  aggregate({statistics.data(), statistics.size()}, layout, formula, sum);
  return to_numpy(std::move(sum));
}

}  // namespace

void bind_score(nb::module_& m) {
  nb::class_<Formula>(m, "Formula")
      .def(
          "__init__",
          [](Formula* self, bool ratio, bool library_power, bool whole_unpenalised) {
            new (self) Formula{ratio, library_power, whole_unpenalised};
          },
          "ratio"_a, "library_power"_a, "whole_unpenalised"_a);

  nb::class_<Powers>(m, "Powers")
      .def(
          "__init__",
          [](Powers* self, const nb::list& rows) {
            new (self) Powers();
            for (nb::handle row : rows) {
              (*self)[{nb::cast<double>(row[0]), nb::cast<double>(row[1])}] = nb::cast<double>(row[2]);
            }
          },
          "rows"_a);

  nb::class_<Parameters>(m, "Parameters")
      .def(
          "__init__",
          [](Parameters* self, double alpha, double beta, double gamma, double delta,
             std::vector<double> weights, const Formula& formula, const Powers& powers) {
            new (self) Parameters{alpha, beta, gamma, delta, std::move(weights), formula, &powers};
          },
          "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "weights"_a, "formula"_a, "powers"_a,
          nb::keep_alive<1, 8>());

  m.def("score", &score_rows, "statistics"_a, "parameters"_a);
  m.def("aggregate", &aggregate_rows, "statistics"_a, "formula"_a);
}

}  // namespace bolide::python
