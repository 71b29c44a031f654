// Kinds of characters for the normalizer. A character has exactly one kind; a class of characters is a sum of
// kinds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bolide::characters {

using Kinds = std::uint8_t;
constexpr Kinds letter = 1;    // of the alphabets below, except s
constexpr Kinds letter_s = 2;  // s, for the English genitive: 1990's
constexpr Kinds digit = 4;     // 0-9
constexpr Kinds dot = 8;
constexpr Kinds mark = 16;  // ' ` , - and the single quotes, which have rules
constexpr Kinds space = 32;
constexpr Kinds symbol = 64;  // anything else: always a token

constexpr Kinds alpha = letter | letter_s;
constexpr Kinds alnum = alpha | digit;
constexpr Kinds others_than(Kinds kinds) {
  return static_cast<Kinds>(~kinds);
}

constexpr char32_t left_quote = 0x2018, right_quote = 0x2019;  // single
constexpr char32_t left_double_quote = 0x201C, right_double_quote = 0x201D;
constexpr char32_t en_dash = 0x2013;

struct Range {
  char32_t first, last;
};
// Letters outside ASCII: Latin-1, Latin Extended-A, Cyrillic, its extensions, and phonetic extensions.
inline constexpr Range letters[] = {{0x00C0, 0x00D6}, {0x00D8, 0x00F6}, {0x00F8, 0x017E}, {0x0400, 0x0527},
                                    {0x1D00, 0x1D7F}, {0xA640, 0xA66E}, {0xA67E, 0xA697}};

constexpr Kinds find_kind(char32_t c) {
  constexpr std::u32string_view marks = U"'`,-\u2018\u2019", spaces = U" \t\n\v\f\r";
  if (c == U's') return letter_s;
  if ((c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z')) return letter;
  if (c >= U'0' && c <= U'9') return digit;
  if (c == U'.') return dot;
  if (marks.find(c) != marks.npos) return mark;
  if (spaces.find(c) != spaces.npos) return space;
  for (const Range& range : letters) {
    if (c >= range.first && c <= range.last) return letter;
  }
  return symbol;
}

constexpr char32_t table_size = 0x800;  // all characters of one or two bytes
inline constexpr std::array<Kinds, table_size> kind_table = [] {
  std::array<Kinds, table_size> table{};
  for (char32_t c = 0; c < table_size; ++c) table[c] = find_kind(c);
  return table;
}();

struct Character {
  char32_t code;
  std::size_t size;  // in bytes

  Kinds kind() const { return code < table_size ? kind_table[code] : find_kind(code); }
};

inline unsigned char byte(char c) {
  return static_cast<unsigned char>(c);
}

inline Character character_at(std::string_view text, std::size_t at) {
  const auto rest = [&](std::size_t k) { return static_cast<char32_t>(byte(text[at + k]) & 0x3F); };
  const char32_t lead = byte(text[at]);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | rest(1), 2};
  if (lead < 0xF0) return {(lead & 0x0F) << 12 | rest(1) << 6 | rest(2), 3};
  return {(lead & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3), 4};
}

inline Character character_before(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while ((byte(text[at]) & 0xC0) == 0x80) --at;
  return character_at(text, at);
}

}  // namespace bolide::characters
