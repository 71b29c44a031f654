// Word alignments of sentence pairs: reads and writes links between source and target words ("0-0 1-2",
// source first), and combines the alignments of two directions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bolide {

struct Link {
  std::int32_t source, target;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// Appends the links of a line. Throws std::invalid_argument if the line is malformed.
void parse_links(std::string_view line, std::vector<Link>& links);

// Appends the links as text.
void append_links(const std::vector<Link>& links, std::string& line);

// Grow-diag-final-and (Koehn, Och & Marcu 2003; the algorithm of Moses). Starts with the links that both
// directions have. Then adds neighbouring links of either direction, as long as one of the two words has no
// link yet. Finally adds links of each direction, `first` before `second`, if both words have no link. Links
// are visited by target position, then source position. The result is sorted.
std::vector<Link> grow_diag_final_and(const std::vector<Link>& first, const std::vector<Link>& second);

}  // namespace bolide
