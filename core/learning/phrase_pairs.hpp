// Phrase pairs of word-aligned sentences, and their lexical weights (Och & Ney 2004; Koehn, Och & Marcu
// 2003).
//
//     das haus ist klein        links 0-0 1-1 3-3      das haus | the house    haus ist | house
//     the house is small                               ist klein | is small    …
//
// A pair of phrases, each a run of words, is extracted if at least one link is inside of it and no link leads
// out of it: so unlinked words at its edges may be in it or not, and every such pair is extracted.
//
// The lexical weight of a phrase given the other is the product, over its words, of the mean probability
// w(word | linked word) over its links, or w(word | none) if it has no link. Since no link leads out of a
// phrase pair, that mean belongs to the word in its sentence, whatever the phrase.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "learning/word_links.hpp"
#include "support/quick_hash.hpp"
#include "text/normalizer.hpp"

namespace bolide {

// Words on each side of a phrase pair, at most: its links must fit into the bits of one number.
constexpr int longest_phrase = 8;

// One sentence pair: words separated by single spaces, and links between them.
struct AlignedPair {
  std::string_view source, target;
  std::string_view links;
};

// Texts, one after the other: text k is bytes[offsets[k] .. offsets[k + 1]).
struct TextColumn {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int32_t> offsets{0};
  void add(std::string_view text);
};

// Phrase pairs, a row for each time that one is extracted.
struct PhrasePairs {
  TextColumn source, target;
  std::vector<std::uint64_t> links;  // bit s * longest_phrase + t: words s and t are linked
  std::vector<double> source_weight, target_weight;
};

// Numbers of words, from 1; 0 is no word. `number` of one that was not added is std::invalid_argument.
class WordNumbers {
 public:
  std::uint32_t add(std::string_view word);
  std::uint32_t number(std::string_view word) const;

 private:
  StringMap<std::uint32_t> numbers_;
};

class PhraseExtractor {
 public:
  explicit PhraseExtractor(int longest);

  // First all sentence pairs must be counted, for the lexical weights; then they can be extracted from.
  // Malformed links, or links of words that are not there, are std::invalid_argument.
  void count(const AlignedPair& pair);
  void extract(const AlignedPair& pair, PhrasePairs& found) const;

 private:
  std::uint64_t together(std::uint32_t source, std::uint32_t target) const;

  int longest_;
  WordNumbers source_words_, target_words_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;  // of source << 32 | target
  std::vector<std::uint64_t> source_counts_, target_counts_;
};

// Links as `PhrasePairs` has them, as text.
void append_links(std::uint64_t links, std::string& text);

}  // namespace bolide
