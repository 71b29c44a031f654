// Phrase tables as text, three lines an entry (probability, left phrase, right phrase): read back from the
// arrays, and reduced to the entries that a corpus can need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/quick_hash.hpp"
#include "tables/phrase_table.hpp"

namespace bolide {

// The entries of a table, in its order. Probabilities are not in it: each is written as 1.
class PhraseTableReader {
 public:
  explicit PhraseTableReader(const PhraseTable& table);

  // At least so many bytes of whole entries; fewer only at the end, then nothing.
  std::string read(std::size_t bytes);

 private:
  template <typename Number>
  void append_block(std::span<const Number> entries, std::uint32_t start, PhraseTable::Node node,
                    std::string& text) const;

  const PhraseTable& table_;
  std::vector<std::pair<std::uint32_t, PhraseTable::Node>> blocks_;  // where each left phrase's entries begin
  std::size_t next_ = 0;
};

// The phrases of texts: whether one occurs, word for word, within a text. A suffix array over word numbers.
class PhraseFilter {
 public:
  void add(std::string_view text);

  // Of whole entries, those with a phrase, left or right, that occurs. Not before all texts are there.
  std::string keep(std::string_view entries);

 private:
  static constexpr std::uint32_t end = 0;  // of a text
  static constexpr std::size_t longest = 255;

  void sort();
  bool occurs(std::string_view phrase);

  StringMap<std::uint32_t> numbers_;
  std::vector<std::uint32_t> text_, order_, phrase_;
};

}  // namespace bolide
