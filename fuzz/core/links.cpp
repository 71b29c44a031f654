// Reads word alignments, combines those of two directions, and extracts phrase pairs.
#include <algorithm>
#include <stdexcept>

#include "learning/phrase_pairs.hpp"
#include "learning/word_links.hpp"
#include "require.hpp"

using namespace bolide;

FUZZ_TARGET(input) {
  const int longest = input.ConsumeIntegralInRange(1, longest_phrase);
  const std::string first = input.ConsumeRandomLengthString(), second = input.ConsumeRandomLengthString(),
                    source = input.ConsumeRandomLengthString(),
                    target = input.ConsumeRemainingBytesAsString();
  try {
    std::vector<Link> forward, reverse, again;
    parse_links(first, forward);
    parse_links(second, reverse);
    const std::vector<Link> combined = grow_diag_final_and(forward, reverse);
    require(std::is_sorted(combined.begin(), combined.end()), "links are sorted");
    std::string text;
    append_links(combined, text);
    parse_links(text, again);
    require(again == combined, "written links are read as the same links");
    PhraseExtractor extractor(longest);
    PhrasePairs pairs;
    const AlignedPair pair{source, target, text};
    extractor.count(pair);
    extractor.extract(pair, pairs);
    require(pairs.links.size() + 1 == pairs.source.offsets.size(), "one row per phrase pair");
  } catch (const std::invalid_argument&) {
    // Links that are malformed, or of words that are not there.
  }
}
