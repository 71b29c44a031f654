// A cache for a tokenizer that treats most pieces of a text (the parts between spaces) independently: it maps
// a piece to its tokens.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/quick_hash.hpp"

namespace bolide {

// Where a piece is in its text. The tokens may depend on it.
enum class PiecePlace : std::uint8_t {
  first,  // the first piece, if it begins with a quote
  within,
  last,
};

class TokenCache {
 public:
  // Tokens separated by spaces; nothing if the tokens depend on more than the piece.
  using Tokens = std::optional<std::string>;

  std::size_t size() const { return tables_[0].size() + tables_[1].size() + tables_[2].size(); }
  void clear() { tables_ = {}; }
  void set(PiecePlace place, std::string_view piece, Tokens tokens) {
    tables_[static_cast<std::size_t>(place)].insert_or_assign(std::string(piece), std::move(tokens));
  }
  // The tokens of a piece; null if the cache does not have it.
  const Tokens* find(PiecePlace place, std::string_view piece) const {
    const StringMap<Tokens>& table = tables_[static_cast<std::size_t>(place)];
    const auto found = table.find(piece);
    return found == table.end() ? nullptr : &found->second;
  }

  // Makes a line of tokens of a text. Returns false if the tokens of a piece are missing. Calls
  // unknown(place, piece) for the pieces that the cache does not have.
  bool line(std::string_view text, std::string& line,
            const std::function<void(PiecePlace, std::string_view)>& unknown) const;

 private:
  std::array<StringMap<Tokens>, 3> tables_;
};

}  // namespace bolide
