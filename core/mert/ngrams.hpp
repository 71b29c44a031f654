// The counts of BLEU, as in sacrebleu: n-grams of a hypothesis that occur in its references.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace bolide {

using WordIds = std::vector<std::int32_t>;

constexpr int ngram_orders = 4;
// Length of the hypothesis, length of the reference nearest in length; matched n-grams for each order; all
// n-grams for each order.
constexpr std::size_t ngram_columns = 2 + 2 * ngram_orders;

// The n-grams of all references of a sentence, each with its largest count in one reference. They are nodes
// of a trie: an n-gram is found from the one that is shorter by a word.
class ReferenceNgrams {
 public:
  explicit ReferenceNgrams(std::span<const WordIds> references);
  std::array<std::int64_t, ngram_columns> count(const WordIds& hypothesis);

 private:
  std::int32_t find(std::int32_t prefix, std::int32_t word) const;
  std::int64_t nearest_length(std::int64_t length) const;

  std::unordered_map<std::uint64_t, std::int32_t> nodes_;  // by prefix and word
  std::vector<std::int32_t> most_, seen_;                  // by node; seen_ is 0 between calls
  std::vector<std::int64_t> lengths_;
};

}  // namespace bolide
