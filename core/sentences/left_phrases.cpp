#include "sentences/left_phrases.hpp"

namespace bolide {

namespace {

constexpr std::uint32_t longest_phrase = 255;
constexpr std::size_t ahead = 12;  // look-ups that overlap

}  // namespace

// Works by length: all beginnings of one word, then of two words, and so on. A look-up costs one or two cache
// misses, and in this order the next look-ups can be prefetched. Longer beginnings come later, so a stable
// counting sort by start is enough.
void LeftPhraseFinder::find(const PhraseTable& phrases, std::span<const std::int32_t> words,
                            std::span<const std::size_t> ends, std::vector<LeftPhrase>& found,
                            std::vector<std::size_t>& found_ends) {
  following_.assign(words.begin(), words.end());
  following_.push_back(-1);
  for (const std::size_t end : ends) following_[end] = -1;
  const auto next = [after = following_.data() + 1](const Beginning& b) { return after[b.last]; };

  beginnings_.clear();
  for (std::uint32_t start = 0; start < words.size(); ++start) {
    if (words[start] < 0) continue;
    beginnings_.push_back({phrases.first(words[start]), start, start});
  }
  for (std::size_t from = 0, until = beginnings_.size(); from < until;
       from = until, until = beginnings_.size()) {
    if (beginnings_[from].last - beginnings_[from].start + 1 == longest_phrase) break;
    for (std::size_t k = from; k < until; ++k) {
      if (k + ahead < until) {
        const Beginning& coming = beginnings_[k + ahead];
        phrases.prefetch_start(coming.node);
        if (next(coming) >= 0) phrases.prefetch_child(coming.node, next(coming));
      }
      const Beginning b = beginnings_[k];
      if (next(b) < 0) continue;
      if (const PhraseTable::Node node = phrases.child(b.node, next(b)); node != 0)
        beginnings_.push_back({node, b.start, b.last + 1});
    }
  }

  places_.assign(words.size() + 1, 0);
  std::size_t kept = 0;
  for (const Beginning& b : beginnings_) {
    const std::uint32_t paraphrases = phrases.paraphrases(b.node);
    if (paraphrases == PhraseTable::no_entries) continue;
    ++places_[b.start + 1];
    beginnings_[kept++] = {paraphrases, b.start, b.last};  // from here on `node` is where they begin
  }
  for (std::size_t start = 0; start < words.size(); ++start) places_[start + 1] += places_[start];
  const std::size_t before = found.size();
  found.resize(before + kept);
  for (const Beginning& b : std::span(beginnings_).first(kept)) {
    found[before + places_[b.start]++] = {static_cast<std::uint32_t>(b.node), b.start, b.last - b.start + 1};
  }
  // Starts count from the beginning of the sentence. places_[k] is now where the phrases with start k end.
  std::size_t begin = 0, next_found = before;
  for (const std::size_t end : ends) {
    const std::size_t found_end = end == 0 ? before : before + places_[end - 1];
    for (; next_found < found_end; ++next_found) found[next_found].start -= begin;
    found_ends.push_back(found_end);
    begin = end;
  }
}

}  // namespace bolide
