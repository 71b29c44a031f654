// Extracts phrase pairs with lexical weights from word-aligned sentences (Och & Ney 2004; Koehn, Och & Marcu
// 2003).
//
//     das haus ist klein        links 0-0 1-1 3-3      das haus | the house    haus ist | house
//     the house is small                               ist klein | is small    …
//
// A pair of phrases is extracted if at least one link is inside of the pair, and no link connects a word
// inside with a word outside. Words without links at the edges may belong to the phrase or not; all variants
// are extracted.
//
// The lexical weight of a phrase given the other phrase is a product over its words. The factor of a word is
// the mean of w(word | linked word) over its links, or w(word | none) if it has no link. All links of a word
// are inside of the phrase pair, so the factor of a word is the same in all phrases of a sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "learning/word_links.hpp"
#include "support/quick_hash.hpp"

namespace bolide {

// The largest number of words of a phrase: the links of a phrase pair are the bits of one number.
constexpr int longest_phrase = 8;

// A sentence pair: words separated by single spaces, and the links between them.
struct AlignedPair {
  std::string_view source, target;
  std::string_view links;
};

// Texts in one array: text k is bytes[offsets[k] .. offsets[k + 1]).
struct TextColumn {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int32_t> offsets{0};
  void add(std::string_view text);
};

// Extracted phrase pairs, one row per occurrence.
struct PhrasePairs {
  TextColumn source, target;
  std::vector<std::uint64_t> links;  // bit s * longest_phrase + t: words s and t are linked
  std::vector<double> source_weight, target_weight;
};

class PhraseExtractor {
 public:
  explicit PhraseExtractor(int longest);

  // Count all sentence pairs first: the lexical weights need the counts. Both functions throw
  // std::invalid_argument if links are malformed or refer to missing words.
  void count(const AlignedPair& pair);
  void extract(const AlignedPair& pair, PhrasePairs& found) const;

 private:
  std::uint64_t together(std::uint32_t source, std::uint32_t target) const;

  int longest_;
  StringMap<std::uint32_t> source_words_, target_words_;     // numbers from 1 on; 0 is no word
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // of source << 32 | target
  std::vector<std::uint64_t> source_counts_, target_counts_;
};

// Appends links, given as in `PhrasePairs`, as text.
void append_links(std::uint64_t links, std::string& text);

}  // namespace bolide
