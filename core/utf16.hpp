// Java's view of a word: UTF-16 code units.
#pragma once

#include <cstdint>
#include <string_view>

namespace bolide {

// Calls visit(unit) for each UTF-16 code unit of valid UTF-8 text.
template <typename Visit>
void for_each_utf16_unit(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const int length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (int k = 1; k < length; ++k) point = point << 6 | (static_cast<unsigned char>(text[at + k]) & 0x3Fu);
    at += static_cast<std::size_t>(length);
    if (point < 0x10000) {
      visit(point);
    } else {
      visit(0xD800 + ((point - 0x10000) >> 10));
      visit(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
  }
}

inline std::int32_t utf16_length(std::string_view text) {
  std::int32_t length = 0;
  for_each_utf16_unit(text, [&](std::uint32_t) { ++length; });
  return length;
}

// String.hashCode, by which the Java release compares words.
inline std::int32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for_each_utf16_unit(text, [&](std::uint32_t unit) { hash = 31 * hash + unit; });
  return static_cast<std::int32_t>(hash);
}

}  // namespace bolide
