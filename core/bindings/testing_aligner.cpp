#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/convert.hpp"
#include "bindings/settings.hpp"
#include "bindings/testing.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

// Chooses among candidates: rows of reference start, reference length, hypothesis start, hypothesis length,
// stage.
nb::tuple choose(Table<std::int32_t> matches, int hypothesis_length, int reference_length,
                 const std::string& aligner, std::vector<double> gain_weights, int width, std::int64_t budget,
                 const std::optional<std::string>& instructions) {
  Candidates candidates;
  const std::int32_t* numbers = matches.data();
  if (matches.shape(1) != 5) throw nb::value_error("a match has five columns");
  for (std::size_t k = 0; k < matches.shape(0); ++k, numbers += 5) {
    const Match match{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    const bool fits = hypothesis_length >= 0 && reference_length >= 0 &&
                      inside(match, static_cast<std::size_t>(hypothesis_length),
                             static_cast<std::size_t>(reference_length));
    if (!fits || match.stage < 0 || match.stage >= static_cast<std::int32_t>(gain_weights.size())) {
      throw nb::value_error("a match lies outside of the sentences or stages");
    }
    candidates.matches.push_back(match);
  }
  std::stable_sort(candidates.matches.begin(), candidates.matches.end(),
                   [](const Match& a, const Match& b) { return a.reference_start < b.reference_start; });
  for (std::int32_t position = 0, k = 0; position <= reference_length; ++position) {
    const auto count = static_cast<std::int32_t>(candidates.matches.size());
    while (k < count && candidates.matches[k].reference_start < position) ++k;
    candidates.starts.push_back(k);
  }
  AlignerSettings settings = aligner_settings(aligner, std::move(gain_weights), width);
  settings.instructions = instructions_named(instructions);
  settings.budget = budget;
  std::vector<Match> chosen;
  const bool proven =
      make_aligner(settings)->align(candidates, static_cast<std::size_t>(hypothesis_length), chosen);
  std::vector<std::int32_t> rows;
  for (const Match& m : chosen) {
    rows.insert(rows.end(),
                {m.reference_start, m.reference_length, m.hypothesis_start, m.hypothesis_length, m.stage});
  }
  return nb::make_tuple(to_numpy(std::move(rows), {chosen.size(), 5}), proven);
}

}  // namespace

void bind_testing_aligner(nb::module_& m) {
  m.def("choose", &choose, "matches"_a, "hypothesis_length"_a, "reference_length"_a, "aligner"_a,
        "gain_weights"_a, "beam"_a = 40, "budget"_a = 0, "instructions"_a = nb::none());
}

}  // namespace bolide::python
