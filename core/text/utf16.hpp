// Decodes UTF-8 into code points, and into UTF-16 code units as in Java strings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/characters.hpp"

namespace bolide {

inline bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Calls visit(point) for each code point of valid UTF-8 text.
template <typename Visit>
void for_each_code_point(std::string_view text, Visit&& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const characters::Character character = characters::character_at(text, at);
    at += character.size;
    visit(character.code);
  }
}

inline void append_utf8(std::uint32_t point, std::string& text) {
  if (point < 0x80) {
    text += static_cast<char>(point);
    return;
  }
  const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xFF00u >> (more + 1) & 0xFFu) | point >> (6 * more));
  for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80u | (point >> (6 * k) & 0x3Fu));
}

// Calls visit(unit) for each UTF-16 code unit of valid UTF-8 text.
template <typename Visit>
void for_each_utf16_unit(std::string_view text, Visit&& visit) {
  for_each_code_point(text, [&](std::uint32_t point) {
    if (point < 0x10000) {
      visit(point);
    } else {
      visit(0xD800 + ((point - 0x10000) >> 10));
      visit(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
  });
}

inline std::int32_t utf16_length(std::string_view text) {
  std::int32_t length = 0;
  for_each_utf16_unit(text, [&](std::uint32_t) { ++length; });
  return length;
}

// Java's String.hashCode, by which the Java release compares words.
inline std::int32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for_each_utf16_unit(text, [&](std::uint32_t unit) { hash = 31 * hash + unit; });
  return static_cast<std::int32_t>(hash);
}

}  // namespace bolide
