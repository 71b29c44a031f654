#include "text/token_cache.hpp"

namespace bolide {

bool TokenCache::line(std::string_view text, std::string& line,
                      const std::function<void(PiecePlace, std::string_view)>& unknown) const {
  line.clear();
  // A text needs at least two pieces, and no space at either end.
  if (text.find(' ') == std::string_view::npos || text.front() == ' ' || text.back() == ' ') return false;
  bool complete = true;
  PiecePlace place = text.front() == '"' || text.front() == '\'' ? PiecePlace::first : PiecePlace::within;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = text.find(' ', at);
    const std::string_view piece = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (end == std::string_view::npos) place = PiecePlace::last;
    if (!piece.empty()) {
      const Tokens* tokens = find(place, piece);
      if (!tokens) unknown(place, piece);
      if (tokens && *tokens) {
        line.append(**tokens) += ' ';
      } else {
        complete = false;
      }
    }
    if (place == PiecePlace::last) break;
    place = PiecePlace::within;
    at = end + 1;
  }
  if (!line.empty()) line.pop_back();
  return complete;
}

}  // namespace bolide
