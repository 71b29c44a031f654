// Paraphrase tables: phrase pairs (left, right), read-only over borrowed arrays, and their builder.
//
// Layout. Words are numbered by a WordIndex. The left phrases form a trie whose nodes are numbers: word w as
// the first word of a phrase is node w + 1; a longer beginning is a slot of one open-addressing hash table,
// nodes[slot] holding the key parent << 32 | (word + 1), 0 in empty slots, and its number is words + slot
// + 1. (0 is no node.) starts[node - 1] is where the node's paraphrases begin in `entries`, or `no_entries`.
// There stand their number; then, in file order, their first words; then their second words (where there is
// none, the first again); then the numbers of their words; then all other words. Entries are 16-bit numbers
// where these suffice, which they do for the official tables: half the memory, half the cache misses.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "tables/word_index.hpp"

namespace bolide {

class PhraseTable {
 public:
  static constexpr std::uint32_t no_entries = 0xFFFFFFFF;
  using Entries = std::variant<std::span<const std::uint16_t>, std::span<const std::uint32_t>>;
  using Node = std::uint64_t;

  PhraseTable() = default;
  PhraseTable(WordIndex words, std::span<const std::uint64_t> nodes, std::span<const std::uint32_t> starts,
              Entries entries)
      : words_(words), nodes_(nodes), starts_(starts), entries_(entries) {
    entries_size_ = std::visit([](auto span) { return span.size(); }, entries_);
    const bool power_of_two = !nodes.empty() && (nodes.size() & (nodes.size() - 1)) == 0;
    if (!power_of_two || starts.size() != nodes.size() + words.size()) {
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

  // Where a node's paraphrases begin, or no_entries.
  std::uint32_t paraphrases(Node node) const {
    const std::uint32_t start = starts_[node - 1];
    return start < entries_size_ ? start : no_entries;
  }

  // Nodes are numbers from 1 on.
  Node node_count() const { return starts_.size(); }

  // The words of a left phrase, or of the beginning of one.
  std::vector<std::uint32_t> left_phrase(Node node) const {
    std::vector<std::uint32_t> words;
    const auto single = static_cast<Node>(words_.size());
    for (; node > single; node = nodes_[node - single - 1] >> 32) {
      const auto word = static_cast<std::uint32_t>(nodes_[node - single - 1]);
      const bool fine = word != 0 && word <= single && words.size() < 255;
      if (!fine || nodes_[node - single - 1] >> 32 > node_count()) {
        throw std::runtime_error("damaged phrase table");
      }
      words.push_back(word - 1);
    }
    if (node == 0) throw std::runtime_error("damaged phrase table");
    words.push_back(static_cast<std::uint32_t>(node - 1));
    std::reverse(words.begin(), words.end());
    return words;
  }

  // A right phrase: two words (the first twice, if it is the only one), and those after them.
  template <typename Number>
  struct Right {
    std::uint32_t first, second, length;
    std::span<const Number> others;
  };

  // Calls use(entries), of whatever width they are: so that it is asked for once, not for each phrase.
  template <typename Use>
  void with_entries(const Use& use) const {
    std::visit(use, entries_);
  }

  // The right phrases that stand at one place of the entries.
  template <typename Number>
  class Rights {
   public:
    Rights(std::span<const Number> entries, std::size_t words) : entries_(entries), words_(words) {
      if (1 + 3 * count() > entries.size()) throw std::runtime_error("damaged phrase table");
      others_ = 1 + 3 * count();
    }
    std::size_t count() const { return entries_[0]; }
    const Number* firsts() const { return entries_.data() + 1; }
    const Number* seconds() const { return firsts() + count(); }
    const Number* lengths() const { return seconds() + count(); }

    // Right phrase k, but for its other words.
    Right<Number> beginning(std::size_t k) const {
      const Right<Number> right{firsts()[k], seconds()[k], lengths()[k], {}};
      if (right.length == 0 || std::max(right.first, right.second) >= words_)
        throw std::runtime_error("damaged phrase table");
      return right;
    }
    // The whole of it; must be asked for in ascending order.
    Right<Number> at(std::size_t k) {
      Right<Number> right = beginning(k);
      if (right.length <= 2) return right;
      const std::size_t more = beyond_two(right.length);
      for (; counted_ < k; ++counted_) others_ += beyond_two(lengths()[counted_]);
      if (others_ + more > entries_.size()) throw std::runtime_error("damaged phrase table");
      right.others = entries_.subspan(others_, more);
      return right;
    }

   private:
    static std::size_t beyond_two(std::size_t length) { return length > 2 ? length - 2 : 0; }

    std::span<const Number> entries_;
    std::size_t words_;
    std::size_t counted_ = 0, others_;  // where the other words of right phrase `counted_` begin
  };

  template <typename Number>
  Rights<Number> rights(std::span<const Number> entries, std::uint32_t start) const {
    return {entries.subspan(start), static_cast<std::size_t>(words_.size())};
  }

  // Calls visit(right) for each right phrase at `start`.
  template <typename Number, typename Visit>
  void for_each_paraphrase(std::span<const Number> entries, std::uint32_t start, const Visit& visit) const {
    Rights<Number> found = rights(entries, start);
    for (std::size_t k = 0; k < found.count(); ++k) visit(found.at(k));
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
  std::span<const std::uint32_t> starts_;
  Entries entries_;
  std::size_t entries_size_ = 0;
};

// Reads a Meteor paraphrase file (three lines an entry: probability, left phrase, right phrase) in chunks of
// any size and makes the arrays of a PhraseTable. Malformed data: std::invalid_argument that names the line.
class PhraseTableBuilder {
 public:
  struct Arrays {
    std::vector<std::uint8_t> word_bytes;
    std::vector<std::uint32_t> word_offsets, starts;
    std::variant<std::vector<std::uint16_t>, std::vector<std::uint32_t>> entries;
    std::vector<std::uint64_t> nodes;
  };

  void feed(std::string_view chunk);
  void add(std::string_view left, std::string_view right);
  std::uint64_t entries() const { return rights_.size(); }
  Arrays finish();

 private:
  struct RightSpan {
    std::uint32_t left, start, length;  // words pool_[start .. start + length)
  };

  void line(std::string_view text);
  std::uint32_t intern(std::string_view word);
  std::uint32_t append_words(std::string_view phrase);  // to pool_; returns their number
  std::vector<std::uint32_t> sort_words(Arrays& arrays) const;
  std::vector<PhraseTable::Node> insert_lefts(const std::vector<std::uint32_t>& renumbered,
                                              Arrays& arrays) const;
  std::size_t most_paraphrases() const;
  template <typename Number>
  std::vector<Number> write_entries(const std::vector<std::uint32_t>& renumbered,
                                    const std::vector<PhraseTable::Node>& node_of_left, Arrays& arrays) const;

  std::string rest_;
  std::uint64_t line_number_ = 0;
  std::string left_text_;
  std::unordered_map<std::string, std::uint32_t> word_ids_, left_ids_;
  std::vector<const std::string*> words_;                       // by id; the strings live in word_ids_
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lefts_;  // start and length in pool_
  std::vector<RightSpan> rights_;
  std::vector<std::uint32_t> pool_;
};

}  // namespace bolide
