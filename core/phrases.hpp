// Paraphrase tables: phrase pairs (left, right), read-only over borrowed arrays, and their builder.
//
// Layout. Words are numbered by a WordIndex. The left phrases form a trie whose nodes are numbers: word w as the
// first word of a phrase is node w + 1; a longer beginning is a slot of one open-addressing hash table, nodes[slot]
// holding the key parent << 32 | (word + 1), 0 in empty slots, and its number is words + slot + 1. (0 is no node.)
// starts[node - 1] is where the node's paraphrases begin in `entries`, or `no_entries`. There stand their number; then, in
// file order, for each right phrase its length and first word, length << 24 | word; then, likewise, their other words.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "word_index.hpp"

namespace bolide {

class PhraseTable {
 public:
  static constexpr std::uint32_t no_entries = 0xFFFFFFFF;
  static constexpr std::uint32_t word_bits = 24;
  static constexpr std::uint32_t word_mask = (1u << word_bits) - 1;
  using Node = std::uint64_t;

  PhraseTable() = default;
  PhraseTable(WordIndex words, std::span<const std::uint64_t> nodes, std::span<const std::uint32_t> starts,
              std::span<const std::uint32_t> entries)
      : words_(words), nodes_(nodes), starts_(starts), entries_(entries) {
    const bool power_of_two = !nodes.empty() && (nodes.size() & (nodes.size() - 1)) == 0;
    if (!power_of_two || starts.size() != nodes.size() + words.size() || words_.size() > static_cast<int>(word_mask)) {
      throw std::invalid_argument("the arrays do not form a phrase table");
    }
  }

  const WordIndex& words() const { return words_; }

  Node first(std::int32_t word) const { return static_cast<Node>(word) + 1; }

  // The node of a phrase longer by `word`, or 0 if no left phrase begins so.
  Node child(Node node, std::int32_t word) const {
    const std::uint64_t key = make_key(node, word);
    const std::uint64_t mask = nodes_.size() - 1;
    std::uint64_t slot = first_slot(key, mask);
    for (std::uint64_t probes = 0; probes <= mask; ++probes, slot = (slot + 1) & mask) {
      if (nodes_[slot] == key) return static_cast<Node>(words_.size()) + slot + 1;
      if (nodes_[slot] == 0) break;
    }
    return 0;
  }

  // A lookup is a cache miss or two; these let several be under way at once.
  void prefetch_child(Node node, std::int32_t word) const {
    __builtin_prefetch(&nodes_[first_slot(make_key(node, word), nodes_.size() - 1)]);
  }
  void prefetch_start(Node node) const { __builtin_prefetch(&starts_[node - 1]); }
  void prefetch_paraphrases(Node node) const {
    if (has_paraphrases(node)) __builtin_prefetch(&entries_[starts_[node - 1]]);
  }
  bool has_paraphrases(Node node) const { return starts_[node - 1] < entries_.size(); }

  // Calls visit(first word, other words, their number) for each right phrase whose first word is wanted.
  template <typename IsWanted, typename Visit>
  void for_each_paraphrase(Node node, IsWanted&& is_wanted, Visit&& visit) const {
    if (!has_paraphrases(node)) return;
    const std::uint32_t* heads = entries_.data() + starts_[node - 1] + 1;
    const std::uint32_t count = heads[-1];
    const std::size_t room = entries_.size() - starts_[node - 1] - 1;
    if (count > room) throw std::runtime_error("damaged phrase table");
    std::uint32_t counted = 0;
    std::size_t others = count;  // where the other words of right phrase `counted` begin, behind heads
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto first = static_cast<std::int32_t>(heads[k] & word_mask);
      if (!is_wanted(first)) continue;
      for (; counted < k; ++counted) others += (heads[counted] >> word_bits) - 1;
      const std::uint32_t length = heads[k] >> word_bits;
      if (length == 0 || others + length - 1 > room || first >= words_.size()) {
        throw std::runtime_error("damaged phrase table");
      }
      visit(first, heads + others, length - 1);
    }
  }

  static std::uint64_t make_key(Node node, std::int32_t word) {
    return node << 32 | (static_cast<std::uint64_t>(word) + 1);
  }
  static std::uint64_t first_slot(std::uint64_t key, std::uint64_t mask) {
    key ^= key >> 29;
    key *= 0x9E3779B97F4A7C15ull;
    return (key >> 32) & mask;
  }

 private:
  WordIndex words_;
  std::span<const std::uint64_t> nodes_;
  std::span<const std::uint32_t> starts_, entries_;
};

// Reads a Meteor paraphrase file (three lines an entry: probability, left phrase, right phrase) in chunks of any
// size and makes the arrays of a PhraseTable. Malformed data: std::invalid_argument that names the line.
class PhraseTableBuilder {
 public:
  struct Arrays {
    std::vector<std::uint8_t> word_bytes;
    std::vector<std::uint32_t> word_offsets, starts, entries;
    std::vector<std::uint64_t> nodes;
  };

  void feed(std::string_view chunk);
  void add(std::string_view left, std::string_view right);
  std::uint64_t entries() const { return rights_.size(); }
  Arrays finish();

 private:
  using Phrase = std::vector<std::uint32_t>;
  struct Right {
    std::uint32_t left, start, length;  // words pool_[start .. start + length)
  };

  void line(std::string_view text);
  std::uint32_t intern(std::string_view word);
  std::uint32_t append_words(std::string_view phrase);  // to pool_; returns their number
  std::vector<std::uint32_t> sort_words(Arrays& arrays) const;

  std::string rest_;
  std::uint64_t line_number_ = 0;
  std::string left_text_;
  std::unordered_map<std::string, std::uint32_t> word_ids_, left_ids_;
  std::vector<const std::string*> words_;  // by id; the strings live in word_ids_
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lefts_;  // start and length in pool_
  std::vector<Right> rights_;
  std::vector<std::uint32_t> pool_;
};

}  // namespace bolide
