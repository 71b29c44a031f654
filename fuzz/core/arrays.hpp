// Arrays of a language pack, made from the input of a target.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "require.hpp"
#include "tables/word_index.hpp"

// Some small numbers, and sometimes any number, so that arrays often fit together.
template <typename Number>
std::vector<Number> numbers(FuzzedDataProvider& input) {
  std::vector<Number> found(input.ConsumeIntegralInRange<std::size_t>(0, 16));
  for (Number& number : found) {
    const auto small = static_cast<Number>(input.ConsumeIntegralInRange<std::uint8_t>(0, 15));
    number = small == 15 ? input.ConsumeIntegral<Number>() : small;
  }
  return found;
}

// A word index, and its arrays. The words are the parts of a text; they may be out of order.
class WordList {
 public:
  explicit WordList(FuzzedDataProvider& input) {
    const std::string text = input.ConsumeRandomLengthString(64);
    for (const char c : text) {
      if (c == ' ') {
        offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
      } else {
        bytes_.push_back(static_cast<std::uint8_t>(c));
      }
    }
    offsets_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  bolide::WordIndex index() const { return {bytes_, offsets_}; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> offsets_{0};
};

// Ascending offsets of `lists` lists of `values` values, unless the input damages them.
inline std::vector<std::uint32_t> offsets(FuzzedDataProvider& input, std::size_t lists, std::size_t values) {
  std::vector<std::uint32_t> found{0};
  for (std::size_t k = 0; k + 1 < lists; ++k) {
    found.push_back(input.ConsumeIntegralInRange(found.back(), static_cast<std::uint32_t>(values)));
  }
  if (lists > 0) found.push_back(static_cast<std::uint32_t>(values));
  if (input.ConsumeBool()) found[input.ConsumeIntegralInRange<std::size_t>(0, lists)] = 9;
  return found;
}
