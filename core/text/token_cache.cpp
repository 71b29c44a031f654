#include "text/token_cache.hpp"

#include <utility>

namespace bolide {

std::size_t TokenCache::size() const {
  std::size_t sum = 0;
  for (const auto& table : tables_) sum += table.size();
  return sum;
}

void TokenCache::clear() {
  for (auto& table : tables_) table.clear();
}

void TokenCache::set(PiecePlace place, std::string_view piece, Tokens tokens) {
  tables_[static_cast<std::size_t>(place)].insert_or_assign(std::string(piece), std::move(tokens));
}

const TokenCache::Tokens* TokenCache::find(PiecePlace place, std::string_view piece) const {
  const StringMap<Tokens>& table = tables_[static_cast<std::size_t>(place)];
  const auto found = table.find(piece);
  return found == table.end() ? nullptr : &found->second;
}

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
