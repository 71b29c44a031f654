#include "match/letter_runs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

namespace bolide {

namespace {

// If more pairs of words than this are left over, not all are compared.
constexpr std::size_t most_pairs = 1u << 16;
// Then each reference word is compared with the words at most so far from its own position.
constexpr std::int32_t farthest = 32;

// A part of two words.
struct Part {
  std::int32_t one, one_end, two, two_end;
};

CommonRun longest_run(Letters one, Letters two, const Part& part) {
  CommonRun longest{0, 0, 0};
  std::array<std::int32_t, Letters::longest + 1> lengths{};  // of the runs that end here, for the last letter
  for (std::int32_t i = part.one; i < part.one_end; ++i) {
    for (std::int32_t j = part.two_end - 1; j >= part.two; --j) {
      const std::int32_t length = one[i] == two[j] ? lengths[static_cast<std::size_t>(j)] + 1 : 0;
      lengths[static_cast<std::size_t>(j) + 1] = length;
      const CommonRun run{i - length + 1, j - length + 1, length};
      if (std::tuple(-run.length, run.one, run.two) < std::tuple(-longest.length, longest.one, longest.two))
        longest = run;
    }
  }
  return longest;
}

template <typename Use>
void for_each_run(Letters one, Letters two, const Part& part, const Use& use) {
  if (part.one_end - part.one < shortest_run || part.two_end - part.two < shortest_run) return;
  const CommonRun run = longest_run(one, two, part);
  if (run.length < shortest_run) return;
  for_each_run(one, two, {part.one, run.one, part.two, run.two}, use);
  use(run);
  for_each_run(one, two, {run.one + run.length, part.one_end, run.two + run.length, part.two_end}, use);
}

template <typename Use>
void for_each_run(Letters one, Letters two, const Use& use) {
  for_each_run(one, two, {0, one.size(), 0, two.size()}, use);
}

std::uint64_t twos_of(Letters letters) {
  std::uint64_t twos = 0;
  for (std::int32_t k = 1; k < letters.size(); ++k) {
    const auto both = static_cast<std::uint32_t>(letters[k - 1]) * 0x9E3779B1u ^
                      static_cast<std::uint32_t>(letters[k]) * 0x85EBCA77u;
    twos |= std::uint64_t{1} << (both >> 26);
  }
  return twos;
}

}  // namespace

void find_common_runs(Letters one, Letters two, std::vector<CommonRun>& runs) {
  for_each_run(one, two, [&](const CommonRun& run) { runs.push_back(run); });
}

std::int32_t common_letters(Letters one, Letters two) {
  std::int32_t letters = 0;
  for_each_run(one, two, [&](const CommonRun& run) { letters += run.length; });
  return letters;
}

void LetterMatcher::mark_taken(std::size_t hypothesis, std::size_t reference,
                               const std::vector<Match>& chosen) {
  constexpr std::int32_t none = -1;
  taken_hypothesis_.assign(hypothesis, false);
  taken_reference_.assign(reference, false);
  start_at_.assign(reference + 1, none);
  end_at_.assign(reference + 1, none);
  for (const Match& match : chosen) {
    const std::int32_t hypothesis_end = match.hypothesis_start + match.hypothesis_length,
                       reference_end = match.reference_start + match.reference_length;
    for (std::int32_t i = match.hypothesis_start; i < hypothesis_end; ++i) taken_hypothesis_[i] = true;
    for (std::int32_t j = match.reference_start; j < reference_end; ++j) taken_reference_[j] = true;
    start_at_[match.reference_start] = match.hypothesis_start;
    end_at_[reference_end] = hypothesis_end;
  }
}

void LetterMatcher::find_free(int column, Words words, const std::vector<bool>& taken,
                              std::vector<FreeWord>& free) const {
  free.clear();
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (taken[k]) continue;
    const Letters letters(vocabulary_.keys(column, words[k]));
    const std::uint64_t twos = twos_of(letters);
    if (twos != 0) free.push_back({static_cast<std::int32_t>(k), letters, twos});
  }
}

void LetterMatcher::compare(const FreeWord& reference, const FreeWord& hypothesis) {
  if ((reference.twos & hypothesis.twos) == 0) return;
  const std::int32_t common = common_letters(hypothesis.letters, reference.letters);
  if (common == 0) return;
  const std::int32_t i = hypothesis.position, j = reference.position;
  const std::int32_t neighbours = (end_at_[j] == i) + (start_at_[j + 1] == i + 1);
  pairs_.push_back({common, hypothesis.letters.size() + reference.letters.size(), neighbours, j, i});
}

// 2 * common / letters + neighbours / 5, as integers; then the smaller distance, then the first positions.
bool LetterMatcher::is_closer(const LetterPair& a, const LetterPair& b) {
  const std::int32_t of_a = (10 * a.common + a.neighbours * a.letters) * b.letters,
                     of_b = (10 * b.common + b.neighbours * b.letters) * a.letters;
  return std::tuple(-of_a, std::abs(a.reference - a.hypothesis), a.reference, a.hypothesis) <
         std::tuple(-of_b, std::abs(b.reference - b.hypothesis), b.reference, b.hypothesis);
}

bool LetterMatcher::add(int stage, Words hypothesis, Words reference, std::vector<Match>& chosen) {
  const int column = vocabulary_.columns(stage).reference;
  mark_taken(hypothesis.size(), reference.size(), chosen);
  find_free(column, hypothesis, taken_hypothesis_, free_hypothesis_);
  find_free(column, reference, taken_reference_, free_reference_);
  const bool all = free_hypothesis_.size() * free_reference_.size() <= most_pairs;
  pairs_.clear();
  for (const FreeWord& word : free_reference_) {
    auto other = free_hypothesis_.begin(), end = free_hypothesis_.end();
    if (!all) {
      const auto before = [](const FreeWord& a, std::int32_t position) { return a.position < position; };
      other = std::lower_bound(other, end, word.position - farthest, before);
      end = std::lower_bound(other, end, word.position + farthest + 1, before);
    }
    for (; other != end; ++other) compare(word, *other);
  }
  std::sort(pairs_.begin(), pairs_.end(), is_closer);
  const std::size_t old = chosen.size();
  for (const LetterPair& pair : pairs_) {
    if (taken_reference_[pair.reference] || taken_hypothesis_[pair.hypothesis]) continue;
    taken_reference_[pair.reference] = taken_hypothesis_[pair.hypothesis] = true;
    chosen.push_back({pair.reference, 1, pair.hypothesis, 1, stage});
  }
  const auto by_reference = [](const Match& a, const Match& b) {
    return a.reference_start < b.reference_start;
  };
  const auto added = chosen.begin() + static_cast<std::ptrdiff_t>(old);
  std::sort(added, chosen.end(), by_reference);
  std::inplace_merge(chosen.begin(), added, chosen.end(), by_reference);
  return all;
}

}  // namespace bolide
