// Alignments that were chosen elsewhere, as arrays.
#pragma once

#include <span>
#include <vector>

#include "bindings/convert.hpp"
#include "match/matcher.hpp"

namespace bolide::python {

// The matches in rows of reference start, reference length, hypothesis start, hypothesis length, stage.
// `offsets` says where the rows of each alignment begin.
std::vector<Match> given_matches(const Table<std::int32_t>& matches, std::span<const std::int64_t> offsets);

}  // namespace bolide::python
