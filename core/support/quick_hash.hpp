// A hash of short strings, faster than the standard library's. Its values differ between architectures, so
// they are never written to a file.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "support/compiler.hpp"

namespace bolide {

inline std::uint64_t mix_hash(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = Uint128{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint64_t quick_hash(std::string_view text) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  const auto read = [](const char* at, std::size_t size) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, size);
    return bytes;
  };
  std::uint64_t hash = text.size() * odd;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left > 8; left -= 8, at += 8) hash = mix_hash(hash ^ read(at, 8), odd);
  // The last eight bytes. Of a shorter text, the first and the last four, which may overlap.
  std::uint64_t last = 0;
  if (text.size() >= 8) {
    last = read(at + left - 8, 8);
  } else if (left >= 4) {
    last = read(at, 4) << 32 | read(at + left - 4, 4);
  } else if (left > 0) {
    const auto byte = [&](std::size_t k) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(at[k]));
    };
    last = byte(0) << 16 | byte(left / 2) << 8 | byte(left - 1);
  }
  return mix_hash(hash ^ last, odd ^ 0x5851F42D4C957F2D);
}

// Containers of strings that are searched by string_view, without making a string. The hash is not noexcept,
// so that libstdc++ stores hashes and does not compute them again.
struct QuickHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return quick_hash(text); }
};
template <typename Value>
using StringMap = std::unordered_map<std::string, Value, QuickHash, std::equal_to<>>;
using StringSet = std::unordered_set<std::string, QuickHash, std::equal_to<>>;

// The number of a text. New texts get the next number: first, first + 1, ...
template <typename Number>
Number number_of(StringMap<Number>& numbers, std::string_view text, Number first) {
  if (const auto known = numbers.find(text); known != numbers.end()) return known->second;
  return numbers.emplace(text, first + static_cast<Number>(numbers.size())).first->second;
}

}  // namespace bolide
