#include "bindings/alignments.hpp"

#include <algorithm>

#include "score/statistics.hpp"

namespace bolide::python {

using namespace nb::literals;

namespace {

nb::object chunks_of(Table<std::int32_t> matches, Array<std::int64_t> offsets) {
  const std::span<const std::int64_t> ends = view(offsets);
  const std::vector<Match> given = given_matches(matches, ends);
  std::vector<std::int32_t> all, chunks;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const auto start = static_cast<std::size_t>(ends[k]), end = static_cast<std::size_t>(ends[k + 1]);
    number_chunks(std::span(given).subspan(start, end - start), chunks);
    all.insert(all.end(), chunks.begin(), chunks.end());
  }
  return to_numpy(std::move(all));
}

}  // namespace

std::vector<Match> given_matches(const Table<std::int32_t>& matches, std::span<const std::int64_t> offsets) {
  const bool fit = matches.shape(1) == 5 && !offsets.empty() && offsets.front() == 0 &&
                   offsets.back() == static_cast<std::int64_t>(matches.shape(0)) &&
                   std::is_sorted(offsets.begin(), offsets.end());
  if (!fit) throw nb::value_error("the arrays do not fit");
  std::vector<Match> given;
  const std::int32_t* row = matches.data();
  for (std::size_t k = 0; k < matches.shape(0); ++k, row += 5) {
    given.push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  return given;
}

void bind_alignments(nb::module_& m) {
  m.def("chunks", &chunks_of, "matches"_a, "offsets"_a);
}

}  // namespace bolide::python
