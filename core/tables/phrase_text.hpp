// Phrase tables as text with three lines per entry (probability, left phrase, right phrase): writes a table
// as text, and filters the entries for a corpus.
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

// Writes the entries of a table, in its order. A table has no probabilities: each is written as 1.
class PhraseTableReader {
 public:
  explicit PhraseTableReader(const PhraseTable& table);

  // The next whole entries: at least `bytes` bytes, fewer at the end, and then none.
  std::string read(std::size_t bytes);

 private:
  template <typename Number>
  void append_block(std::span<const Number> entries, std::uint32_t start, PhraseTable::Node node,
                    std::string& text) const;

  const PhraseTable& table_;
  // Where the entries of each left phrase begin.
  std::vector<std::pair<std::uint32_t, PhraseTable::Node>> blocks_;
  std::size_t next_ = 0;
};

// Knows which phrases occur in texts, by a suffix array over word numbers.
class PhraseFilter {
 public:
  void add(std::string_view text);

  // Returns those of the given whole entries whose left or right phrase occurs in a text. Add all texts
  // first.
  std::string keep(std::string_view entries);

 private:
  static constexpr std::uint32_t end = 0;  // marks the end of a text
  static constexpr std::size_t longest = 255;

  void sort();
  bool occurs(std::string_view phrase);

  StringMap<std::uint32_t> numbers_;
  std::vector<std::uint32_t> text_, order_, phrase_;
};

}  // namespace bolide
