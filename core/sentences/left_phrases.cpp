#include "sentences/left_phrases.hpp"

namespace bolide {

namespace {

constexpr std::uint32_t longest_phrase = 255;
constexpr std::size_t ahead = 12;  // look-ups that overlap

// The beginning of a left phrase that occurs in a sentence.
struct Beginning {
  PhraseTable::Node node;
  std::uint32_t start, last;  // the positions of its first and its last word
};

struct Memory {
  std::vector<Beginning> beginnings;    // of all lengths, the longest last
  std::vector<std::int32_t> following;  // the next word of the sentence, or -1
  std::vector<std::size_t> places;
};

}  // namespace

// Works by length: all beginnings of one word, then of two words, and so on. A look-up costs one or two cache
// misses, and in this order the next look-ups can be prefetched. Longer beginnings come later, so a stable
// counting sort by start is enough.
void find_left_phrases(const PhraseTable& phrases, std::span<const std::int32_t> words,
                       std::span<const std::size_t> ends, std::vector<LeftPhrase>& found,
                       std::vector<std::size_t>& found_ends) {
  thread_local Memory memory;
  auto& [beginnings, following, places] = memory;  // every use of a thread_local name is a look-up
  following.assign(words.begin(), words.end());
  following.push_back(-1);
  for (const std::size_t end : ends) following[end] = -1;
  const auto next = [after = following.data() + 1](const Beginning& b) { return after[b.last]; };

  beginnings.clear();
  for (std::uint32_t start = 0; start < words.size(); ++start) {
    if (words[start] < 0) continue;
    beginnings.push_back({phrases.first(words[start]), start, start});
  }
  for (std::size_t from = 0, until = beginnings.size(); from < until;
       from = until, until = beginnings.size()) {
    if (beginnings[from].last - beginnings[from].start + 1 == longest_phrase) break;
    for (std::size_t k = from; k < until; ++k) {
      if (k + ahead < until) {
        const Beginning& coming = beginnings[k + ahead];
        phrases.prefetch_start(coming.node);
        if (next(coming) >= 0) phrases.prefetch_child(coming.node, next(coming));
      }
      const Beginning b = beginnings[k];
      if (next(b) < 0) continue;
      if (const PhraseTable::Node node = phrases.child(b.node, next(b)); node != 0)
        beginnings.push_back({node, b.start, b.last + 1});
    }
  }

  places.assign(words.size() + 1, 0);
  std::size_t kept = 0;
  for (const Beginning& b : beginnings) {
    const std::uint32_t paraphrases = phrases.paraphrases(b.node);
    if (paraphrases == PhraseTable::no_entries) continue;
    ++places[b.start + 1];
    beginnings[kept++] = {paraphrases, b.start, b.last};  // from here on `node` is where they begin
  }
  for (std::size_t start = 0; start < words.size(); ++start) places[start + 1] += places[start];
  const std::size_t before = found.size();
  found.resize(before + kept);
  for (const Beginning& b : std::span(beginnings).first(kept)) {
    found[before + places[b.start]++] = {static_cast<std::uint32_t>(b.node), b.start, b.last - b.start + 1};
  }
  // Starts count from the beginning of the sentence. places[k] is now where the phrases with start k end.
  std::size_t begin = 0, next_found = before;
  for (const std::size_t end : ends) {
    const std::size_t found_end = end == 0 ? before : before + places[end - 1];
    for (; next_found < found_end; ++next_found) found[next_found].start -= begin;
    found_ends.push_back(found_end);
    begin = end;
  }
}

}  // namespace bolide
