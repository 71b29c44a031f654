#include "align/exact/problem.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace bolide {

namespace {

auto spans_of(const Item& item) {
  return std::tie(item.reference_start, item.hypothesis_start, item.reference_end, item.hypothesis_end);
}

}  // namespace

bool ExactProblem::set(const Candidates& candidates, std::size_t hypothesis_length,
                       const AlignerSettings& settings) {
  settings_ = &settings;
  positions = static_cast<std::int32_t>(candidates.starts.size()) - 1;
  std::size_t covered = 0;
  for (const Match& match : candidates.matches) covered += static_cast<std::size_t>(match.hypothesis_length);
  if (covered > most_covered || !set_scales(hypothesis_length)) return false;
  list_items(candidates);
  required_gain = none;
  link_items();
  list_words(hypothesis_length);
  drop_uncontended();
  return true;
}

bool ExactProblem::set_scales(std::size_t hypothesis_length) {
  const auto length = static_cast<std::size_t>(positions);
  const std::size_t shorter = std::min(hypothesis_length, length),
                    longer = std::max(hypothesis_length, length);
  const double words = static_cast<double>(shorter + longer);
  const double stages = static_cast<double>(settings_->gain_weights.size()) * words + 1;
  const double distances = static_cast<double>(shorter) * static_cast<double>(longer) + 1;
  const double chunks = static_cast<double>(shorter) + 1;
  double gain = 1;
  for (double weight : settings_->gain_weights) gain = std::max(gain, weight);
  if (stages * distances * chunks * (gain * words + 1) >= static_cast<double>(no_cost / 16)) return false;
  one_distance = static_cast<Cost>(stages);
  one_chunk = one_distance * static_cast<Cost>(distances);
  one_gain = one_chunk * static_cast<Cost>(chunks);
  return true;
}

std::int32_t ExactProblem::gain_of(const Match& match) const {
  const double weight = settings_->gain_weights[match.stage];
  return static_cast<std::int32_t>(weight * match.hypothesis_length) +
         static_cast<std::int32_t>(weight * match.reference_length);
}

Cost ExactProblem::cost_of(const Match& match) const {
  return match.stage * (match.reference_length + match.hypothesis_length) +
         std::abs(match.reference_start - match.hypothesis_start) * one_distance - gain_of(match) * one_gain;
}

Cost ExactProblem::cost_of(const std::vector<Match>& chosen) const {
  Cost cost = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    cost += cost_of(chosen[k]) + (k > 0 && continues(chosen[k - 1], chosen[k]) ? 0 : one_chunk);
  }
  return cost;
}

bool ExactProblem::is_better(const std::vector<Match>& chosen, const std::vector<Match>& other) const {
  const auto gain = [&](const std::vector<Match>& matches) {
    return std::accumulate(matches.begin(), matches.end(), 0,
                           [&](std::int32_t sum, const Match& match) { return sum + gain_of(match); });
  };
  const std::int32_t more = gain(chosen) - gain(other);
  return more != 0 ? more > 0 : cost_of(chosen) < cost_of(other);
}

void ExactProblem::list_items(const Candidates& candidates) {
  items.clear();
  starts.assign(1, 0);
  for (std::int32_t position = 0; position < positions; ++position) {
    const auto first = static_cast<std::ptrdiff_t>(items.size());
    for (std::int32_t k = candidates.starts[position]; k < candidates.starts[position + 1]; ++k) {
      const Match& match = candidates.matches[k];
      items.push_back({match.reference_start, match.reference_start + match.reference_length,
                       match.hypothesis_start, match.hypothesis_start + match.hypothesis_length, 0, 0, none,
                       gain_of(match), cost_of(match), k, 0});
    }
    // If several matches have the same spans, only the cheapest can be in the best alignment. The first of
    // equal ones is kept, whatever the library's order of equal elements.
    std::sort(items.begin() + first, items.end(), [](const Item& a, const Item& b) {
      if (spans_of(a) != spans_of(b)) return spans_of(a) < spans_of(b);
      return a.cost != b.cost ? a.cost < b.cost : a.match < b.match;
    });
    items.erase(std::unique(items.begin() + first, items.end(),
                            [](const Item& a, const Item& b) { return spans_of(a) == spans_of(b); }),
                items.end());
    starts.push_back(static_cast<std::int32_t>(items.size()));
  }
  for (std::size_t k = 0; k < items.size(); ++k) items[k].number = static_cast<std::int32_t>(k);
}

void ExactProblem::link_items() {
  for (Item& item : items) {
    item.next = none;
    if (item.reference_end == positions) continue;
    const auto first = items.begin() + starts[item.reference_end];
    const auto last = items.begin() + starts[item.reference_end + 1];
    const auto next =
        std::lower_bound(first, last, item.hypothesis_end,
                         [](const Item& other, std::int32_t at) { return other.hypothesis_start < at; });
    if (next != last && next->hypothesis_start == item.hypothesis_end)
      item.next = static_cast<std::int32_t>(next - items.begin());
  }
}

void ExactProblem::list_words(std::size_t hypothesis_length) {
  words.resize(hypothesis_length);
  item_words.clear();
  for (Item& item : items) {
    item.first_word = static_cast<std::int32_t>(item_words.size());
    for (std::int32_t h = item.hypothesis_start; h < item.hypothesis_end; ++h) item_words.push_back(h);
    item.last_word = static_cast<std::int32_t>(item_words.size());
  }
}

void ExactProblem::drop_uncontended() {
  first_end_.assign(words.size(), positions + 1);
  words.assign(words.size(), {positions, none});
  for (const Item& item : items) {
    for (std::int32_t w = item.first_word; w < item.last_word; ++w) {
      const std::int32_t word = item_words[w];
      first_end_[word] = std::min(first_end_[word], item.reference_end);
      words[word] = {std::min(words[word].first, item.reference_start), item.reference_start};
    }
  }
  contended_.clear();
  number_.assign(words.size(), none);
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w].last < first_end_[w]) continue;
    number_[w] = static_cast<std::int32_t>(contended_.size());
    words[contended_.size()] = words[w];
    contended_.push_back(static_cast<std::int32_t>(w));
  }
  words.resize(contended_.size());
  std::size_t count = 0;
  for (Item& item : items) {
    const std::int32_t first = item.first_word, last = item.last_word;
    item.first_word = static_cast<std::int32_t>(count);
    for (std::int32_t w = first; w < last; ++w) {
      if (number_[item_words[w]] != none) item_words[count++] = number_[item_words[w]];
    }
    item.last_word = static_cast<std::int32_t>(count);
  }
  item_words.resize(count);
}

const Items& ExactProblem::keep(const Items& kept) {
  for (std::size_t k = 0; k < kept.size(); ++k) items[k] = items[kept[k]];
  items.resize(kept.size());
  starts.assign(1, 0);
  for (std::int32_t position = 0; position < positions; ++position) {
    auto last = static_cast<std::size_t>(starts.back());
    while (last < items.size() && items[last].reference_start == position) ++last;
    starts.push_back(static_cast<std::int32_t>(last));
  }
  link_items();
  drop_uncontended();
  return contended_;
}

void ExactProblem::add_words(const std::vector<Items>& cliques) {
  std::vector<std::vector<std::int32_t>> added(items.size());
  for (const Items& clique : cliques) {
    for (std::int32_t k : clique) added[k].push_back(static_cast<std::int32_t>(words.size()));
    words.push_back({items[clique.front()].reference_start, items[clique.back()].reference_start});
  }
  std::vector<std::int32_t> all;
  for (std::size_t k = 0; k < items.size(); ++k) {
    Item& item = items[k];
    const auto first = static_cast<std::int32_t>(all.size());
    all.insert(all.end(), item_words.begin() + item.first_word, item_words.begin() + item.last_word);
    all.insert(all.end(), added[k].begin(), added[k].end());
    item.first_word = first;
    item.last_word = static_cast<std::int32_t>(all.size());
  }
  item_words.swap(all);
}

Cost ExactProblem::require(std::int32_t gain, std::int32_t chunks) {
  const Cost less = one_gain - chunks * one_chunk;
  for (Item& item : items) item.cost += item.gain * less;
  one_gain -= less;
  required_gain = gain;
  return gain * less;
}

std::int32_t ExactProblem::gain_of(const Items& path) const {
  std::int32_t gain = 0;
  for (std::int32_t k : path) gain += items[k].gain;
  return gain;
}

Cost ExactProblem::cost_of(const Items& path) const {
  Cost cost = 0;
  std::int32_t last = none;
  for (std::int32_t k : path) {
    const bool goes_on = last != none && items[last].reference_end == items[k].reference_start &&
                         items[last].hypothesis_end == items[k].hypothesis_start;
    cost += items[k].cost + (goes_on ? 0 : one_chunk);
    last = k;
  }
  return cost;
}

}  // namespace bolide
