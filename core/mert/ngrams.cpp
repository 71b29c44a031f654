#include "mert/ngrams.hpp"

#include <algorithm>
#include <cstdlib>

namespace bolide {

namespace {

constexpr std::int32_t root = 0, none = -1;

std::uint64_t key_of(std::int32_t prefix, std::int32_t word) {
  return static_cast<std::uint64_t>(prefix) << 32 | static_cast<std::uint32_t>(word);
}

}  // namespace

ReferenceNgrams::ReferenceNgrams(std::span<const WordIds> references) : most_(1, 0) {
  std::vector<std::int32_t> times;
  for (const WordIds& reference : references) {
    lengths_.push_back(static_cast<std::int64_t>(reference.size()));
    times.assign(most_.size(), 0);
    for (std::size_t start = 0; start < reference.size(); ++start) {
      std::int32_t node = root;
      const std::size_t end = std::min(start + ngram_orders, reference.size());
      for (std::size_t k = start; k < end; ++k) {
        const auto [found, is_new] =
            nodes_.try_emplace(key_of(node, reference[k]), static_cast<std::int32_t>(most_.size()));
        node = found->second;
        if (is_new) {
          most_.push_back(0);
          times.push_back(0);
        }
        ++times[node];
      }
    }
    for (std::size_t k = 0; k < most_.size(); ++k) most_[k] = std::max(most_[k], times[k]);
  }
  seen_.assign(most_.size(), 0);
}

std::int32_t ReferenceNgrams::find(std::int32_t prefix, std::int32_t word) const {
  const auto found = nodes_.find(key_of(prefix, word));
  return found == nodes_.end() ? none : found->second;
}

// If two lengths are equally near, the shorter one.
std::int64_t ReferenceNgrams::nearest_length(std::int64_t length) const {
  return *std::min_element(lengths_.begin(), lengths_.end(), [&](std::int64_t a, std::int64_t b) {
    return std::pair(std::abs(a - length), a) < std::pair(std::abs(b - length), b);
  });
}

std::array<std::int64_t, ngram_columns> ReferenceNgrams::count(const WordIds& hypothesis) {
  const auto length = static_cast<std::int64_t>(hypothesis.size());
  std::array<std::int64_t, ngram_columns> row{length, nearest_length(length)};
  std::vector<std::int32_t> touched;
  for (std::size_t start = 0; start < hypothesis.size(); ++start) {
    std::int32_t node = root;
    const std::size_t end = std::min(start + ngram_orders, hypothesis.size());
    for (std::size_t k = start; k < end; ++k) {
      node = find(node, hypothesis[k]);
      if (node == none) break;
      touched.push_back(node);
      if (++seen_[node] <= most_[node]) ++row[2 + (k - start)];
    }
  }
  for (std::int32_t node : touched) seen_[node] = 0;
  for (std::int64_t order = 0; order < ngram_orders; ++order)
    row[2 + ngram_orders + order] = std::max<std::int64_t>(length - order, 0);
  return row;
}

}  // namespace bolide
