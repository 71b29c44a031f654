#include "score/reference_union.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace bolide {

namespace {

constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

void check(std::span<const Match> alignment, std::size_t words, std::size_t stages) {
  for (const Match& match : alignment) {
    if (!within(match.hypothesis_start, match.hypothesis_length, words) || !within(match.stage, 1, stages))
      throw std::invalid_argument("a match lies outside of the hypothesis or the stages");
  }
}

// Sets, for each hypothesis word, the first stage that matches it.
void mark(std::span<const Match> alignment, std::vector<std::int32_t>& stage_of) {
  for (const Match& match : alignment) {
    for (std::int32_t k = 0; k < match.hypothesis_length; ++k) {
      std::int32_t& stage = stage_of[match.hypothesis_start + k];
      stage = std::min(stage, match.stage);
    }
  }
}

// Sets linked[k] if words k and k + 1 are in one chunk of the alignment.
void link(std::span<const Match> alignment, std::vector<bool>& linked) {
  std::vector<Match> by_hypothesis(alignment.begin(), alignment.end());
  std::sort(by_hypothesis.begin(), by_hypothesis.end(),
            [](const Match& a, const Match& b) { return a.hypothesis_start < b.hypothesis_start; });
  for (std::size_t m = 0; m < by_hypothesis.size(); ++m) {
    const Match& match = by_hypothesis[m];
    const std::int32_t end = match.hypothesis_start + match.hypothesis_length;
    for (std::int32_t k = match.hypothesis_start; k + 1 < end; ++k) linked[k] = true;
    if (m + 1 == by_hypothesis.size()) continue;
    const Match& next = by_hypothesis[m + 1];
    if (next.hypothesis_start == end &&
        next.reference_start == match.reference_start + match.reference_length) {
      linked[end - 1] = true;
    }
  }
}

// The unmatched words of the base, by class: [0] content words, [1] function words.
struct Room {
  std::int32_t words[2] = {}, size[2] = {};

  Room(const WordSizes& base, std::span<const Match> alignment) {
    for (std::size_t k = 0; k < base.sizes.size(); ++k) add(base, k, 1);
    for (const Match& match : alignment) {
      const std::int64_t end = std::int64_t{match.reference_start} + match.reference_length;
      if (match.reference_start < 0 || end > static_cast<std::int64_t>(base.sizes.size())) {
        throw std::invalid_argument("a match lies outside of the reference");
      }
      for (std::int64_t k = match.reference_start; k < end; ++k) add(base, static_cast<std::size_t>(k), -1);
    }
  }

 private:
  void add(const WordSizes& base, std::size_t word, int sign) {
    const bool function = base.functions[word] != 0;
    words[function] += sign;
    size[function] += sign * base.sizes[word];
  }
};

}  // namespace

void unite(const WordSizes& hypothesis, const WordSizes& base_words,
           std::span<const std::span<const Match>> alignments, std::size_t base, StatisticsLayout layout,
           std::int32_t* row) {
  const std::size_t words = hypothesis.sizes.size();
  std::vector<std::int32_t> in_base(words, none), in_any(words, none);
  std::vector<bool> linked(words, false);
  for (std::size_t k = 0; k < alignments.size(); ++k) {
    check(alignments[k], words, layout.stages());
    mark(alignments[k], k == base ? in_base : in_any);
    link(alignments[k], linked);
  }
  Room room(base_words, alignments[base]);
  std::int32_t& chunks = row[layout.chunks()];
  chunks = 0;
  bool in_chunk = false;
  for (std::size_t k = 0; k < words; ++k) {
    const bool added = in_base[k] == none && in_any[k] != none;
    if (added) {
      const bool function = hypothesis.functions[k] != 0;
      const auto count = [&](TextSide side, std::int32_t size) {
        const auto stage = static_cast<std::size_t>(in_any[k]);
        row[function ? layout.function(stage, side) : layout.content(stage, side)] += size;
        ++row[layout.word_matches(side)];
      };
      count(hypothesis_side, hypothesis.sizes[k]);
      if (room.words[function] > 0) {
        const std::int32_t size = std::min(hypothesis.sizes[k], room.size[function]);
        count(reference_side, size);
        room.size[function] -= size;
        --room.words[function];
      }
    }
    const bool matched = added || in_base[k] != none;
    if (matched && !(in_chunk && linked[k - 1])) ++chunks;
    in_chunk = matched;
  }
}

void pool(const WordSizes& hypothesis, std::span<const std::span<const Match>> alignments,
          StatisticsLayout layout, std::int64_t* row) {
  std::vector<std::int32_t> stage_of(hypothesis.sizes.size(), none);
  for (const std::span<const Match> alignment : alignments) {
    check(alignment, stage_of.size(), layout.stages());
    mark(alignment, stage_of);
  }
  for (std::size_t stage = 0; stage < layout.stages(); ++stage)
    row[layout.content(stage, hypothesis_side)] = row[layout.function(stage, hypothesis_side)] = 0;
  for (std::size_t k = 0; k < stage_of.size(); ++k) {
    if (stage_of[k] == none) continue;
    const auto stage = static_cast<std::size_t>(stage_of[k]);
    const bool function = hypothesis.functions[k] != 0;
    row[function ? layout.function(stage, hypothesis_side) : layout.content(stage, hypothesis_side)] +=
        std::int64_t{hypothesis.sizes[k]} * static_cast<std::int64_t>(alignments.size());
  }
}

}  // namespace bolide
