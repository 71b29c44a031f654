#include "match.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace bolide {

void Matcher::Postings::add(std::int32_t key, std::int32_t at) {
  if (head[key] < 0) used.push_back(key);
  next.push_back(head[key]);
  position.push_back(at);
  head[key] = static_cast<std::int32_t>(next.size()) - 1;
}

void Matcher::Postings::clear() {
  for (std::int32_t key : used) head[key] = -1;
  used.clear();
  next.clear();
  position.clear();
}

bool Matcher::list(Words hypothesis, Words reference, int stages, Candidates& out) {
  cap_ = unlimited;
  const bool complete = list_stages(hypothesis, reference, stages);
  if (!complete) {
    cap_ = limits_.nearest;
    list_stages(hypothesis, reference, stages);
  }
  group_by_reference_start(reference.size(), out);
  return complete;
}

// False as soon as there are too many.
bool Matcher::list_stages(Words hypothesis, Words reference, int stages) {
  found_.clear();
  for (int stage = 0; stage < stages && !too_many(); ++stage) {
    if (kinds_[stage] == StageKind::phrase) {
      phrase_stage(hypothesis, reference, stage);
    } else {
      word_stage(hypothesis, reference, stage);
    }
  }
  return !too_many();
}

// Order: by reference position, then hypothesis position. A pair that shares several keys is listed once.
void Matcher::word_stage(Words hypothesis, Words reference, int stage) {
  postings_.reserve(vocabulary_.key_limit(stage));
  // Added from the last word to the first, so that each key's list ascends.
  for (auto i = static_cast<std::int32_t>(hypothesis.size()) - 1; i >= 0; --i) {
    for (std::int32_t key : vocabulary_.keys(stage, hypothesis[i])) postings_.add(key, i);
  }
  const bool only_different = kinds_[stage] == StageKind::related;
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(reference.size()) && !too_many(); ++j) {
    const std::span<const std::int32_t> keys = vocabulary_.keys(stage, reference[j]);
    const std::int32_t identity = vocabulary_.type(reference[j]).identity;
    partners_.clear();
    for (std::int32_t key : keys) {
      for (std::int32_t at = postings_.head[key]; at >= 0; at = postings_.next[at]) {
        const std::int32_t i = postings_.position[at];
        if (!only_different || vocabulary_.type(hypothesis[i]).identity != identity) partners_.push_back(i);
      }
    }
    if (keys.size() > 1 && partners_.size() > 1) {
      std::sort(partners_.begin(), partners_.end());
      partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    }
    if (partners_.size() > cap_) keep_nearest(j);
    for (std::int32_t i : partners_) found_.push_back({j, 1, i, 1, stage});
  }
  postings_.clear();
}

void Matcher::keep_nearest(std::int32_t position) {
  std::nth_element(partners_.begin(), partners_.begin() + static_cast<std::ptrdiff_t>(cap_), partners_.end(),
                   [&](std::int32_t a, std::int32_t b) {
                     return std::pair(std::abs(a - position), a) < std::pair(std::abs(b - position), b);
                   });
  partners_.resize(cap_);
  std::sort(partners_.begin(), partners_.end());
}

// Pass one: left phrases in the reference, their paraphrases in the hypothesis; pass two: the other way round.
// What both find is listed twice, as Java does: it counts in the coverage that decides what is unambiguous.
void Matcher::phrase_stage(Words hypothesis, Words reference, int stage) {
  const auto table_words = [&](Words words, std::vector<std::int32_t>& out) {
    out.clear();
    for (std::int32_t word : words) out.push_back(vocabulary_.type(word).phrase_word);
  };
  table_words(reference, left_words_);
  table_words(hypothesis, right_words_);
  phrase_pass(left_words_, right_words_, true, stage);
  phrase_pass(right_words_, left_words_, false, stage);
}

// Order: left position, then length of the left phrase, then order in the table, then right position.
void Matcher::phrase_pass(std::span<const std::int32_t> left, std::span<const std::int32_t> right,
                          bool from_reference, int stage) {
  postings_.reserve(phrases_->words().size());
  for (auto i = static_cast<std::int32_t>(right.size()) - 1; i >= 0; --i) {
    if (right[i] >= 0) postings_.add(right[i], i);
  }
  const auto size = static_cast<std::int32_t>(left.size());
  for (std::int32_t start = 0; start < size && !too_many(); ++start) {
    const std::size_t before = found_.size();
    std::uint64_t node = PhraseTable::root;
    for (std::int32_t end = start; end < size && left[end] >= 0; ++end) {
      node = phrases_->child(node, left[end]);
      if (node == 0) break;
      const std::int32_t length = end - start + 1;
      phrases_->for_each_paraphrase(node, [&](const std::uint32_t* words, std::uint32_t count) {
        const std::uint32_t first = words[0] & PhraseTable::word_mask;
        for (std::int32_t at = postings_.head[first]; at >= 0; at = postings_.next[at]) {
          const std::int32_t i = postings_.position[at];
          if (i + count > right.size()) break;
          if (!std::equal(words + 1, words + count, right.begin() + i + 1,
                          [](std::uint32_t a, std::int32_t b) { return static_cast<std::int32_t>(a) == b; })) {
            continue;
          }
          const auto other = static_cast<std::int32_t>(count);
          if (from_reference) {
            found_.push_back({start, length, i, other, stage});
          } else {
            found_.push_back({i, other, start, length, stage});
          }
        }
      });
    }
    if (found_.size() - before > cap_) found_.resize(before + cap_);
  }
  postings_.clear();
}

// A stable counting sort: within a reference start the order of finding stays.
void Matcher::group_by_reference_start(std::size_t positions, Candidates& out) {
  out.starts.assign(positions + 1, 0);
  for (const Match& match : found_) ++out.starts[match.reference_start + 1];
  for (std::size_t j = 0; j < positions; ++j) out.starts[j + 1] += out.starts[j];
  out.matches.resize(found_.size());
  for (const Match& match : found_) out.matches[out.starts[match.reference_start]++] = match;
  // Filling moved every start to its end, that is, to the next start: move back.
  for (std::size_t j = positions; j > 0; --j) out.starts[j] = out.starts[j - 1];
  if (!out.starts.empty()) out.starts[0] = 0;
}

}  // namespace bolide
