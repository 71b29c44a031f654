// Word alignments of sentence pairs: links between words of the source and words of the target, as text
// ("0-0 1-2", source first) and as points; and two alignments, one in each direction, made into one.
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

// Appends the links of a line; std::invalid_argument if it is none.
void parse_links(std::string_view line, std::vector<Link>& links);

// The links as a line.
void append_links(const std::vector<Link>& links, std::string& line);

// Grow-diag-final-and (Koehn, Och & Marcu 2003, as Koehn writes it down for Moses): from the links that both
// directions have, neighbours that one of them has are added as long as they bring in a word that has no link
// yet; at last links of each direction, `first` before `second`, both of whose words have none. Neighbours
// are looked at from left to right by target, then source position. The result is sorted.
std::vector<Link> grow_diag_final_and(const std::vector<Link>& first, const std::vector<Link>& second);

}  // namespace bolide
