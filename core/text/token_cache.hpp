// Texts as lines of tokens, by what each piece (what stands between spaces) is known to become at its place.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "support/quick_hash.hpp"

namespace bolide {

enum class PiecePlace : std::uint8_t {
  first,  // in a text, and it begins with a quote
  within,
  last,
};

class TokenCache {
 public:
  // Tokens with spaces between them; nothing, if it takes more than the piece to tell.
  using Tokens = std::optional<std::string>;

  std::size_t size() const;
  void clear();
  void set(PiecePlace place, std::string_view piece, Tokens tokens);
  // What is known of a piece, or null.
  const Tokens* find(PiecePlace place, std::string_view piece) const;

  // The text as a line of tokens; false if not all of its pieces tell. Calls unknown(place, piece) for those
  // that the table lacks.
  bool line(std::string_view text, std::string& line,
            const std::function<void(PiecePlace, std::string_view)>& unknown) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return quick_hash(text); }
  };
  using PieceMap = std::unordered_map<std::string, Tokens, Hash, std::equal_to<>>;
  std::array<PieceMap, 3> tables_;
};

}  // namespace bolide
