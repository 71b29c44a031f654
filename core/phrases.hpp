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

#include "word_index.hpp"

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
  void prefetch_paraphrases(std::uint32_t start) const {
    std::visit([&](auto entries) { __builtin_prefetch(&entries[start]); }, entries_);
  }

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

  // A set of words of the table. What a damaged table may have for a word, but is none, is always in the set,
  // so that it will be looked at. A byte a word: bits would be fewer, but take longer to be asked for.
  class WordSet {
   public:
    explicit WordSet(const PhraseTable& table)
        : limit_(static_cast<std::uint32_t>(table.words_.size())),
          has_(std::max<std::size_t>(limit_, 0xFFFF) + 1, 1) {
      std::fill_n(has_.begin(), limit_, 0);
    }
    void insert(std::uint32_t word) { has_[word] = 1; }
    void erase(std::uint32_t word) { has_[word] = 0; }
    std::uint8_t has(std::uint16_t word) const { return has_[word]; }
    std::uint8_t has(std::uint32_t word) const { return has_[std::min(word, limit_)]; }

   private:
    std::uint32_t limit_;
    std::vector<std::uint8_t> has_;
  };

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

  // Calls visit(right) for each right phrase at `start` both of whose first words are wanted (in a WordSet,
  // or whatever has `has`). Nearly all are not: they are asked about in groups, without a branch for each.
  template <typename Number, typename Words, typename Visit>
  void for_each_paraphrase(std::span<const Number> entries, std::uint32_t start, const Words& wanted,
                           const Visit& visit) const {
    constexpr std::size_t group = 8;
    entries = entries.subspan(start);
    const std::size_t count = entries[0];
    if (1 + 3 * count > entries.size()) throw std::runtime_error("damaged phrase table");
    const Number *firsts = entries.data() + 1, *seconds = firsts + count, *lengths = seconds + count;
    std::size_t counted = 0, others = 1 + 3 * count;  // where the other words of right phrase `counted` begin
    for (std::size_t from = 0; from < count; from += group) {
      // Behind the first and second words stand other numbers, so a whole group can be read, and all but what
      // is meant be forgotten: a loop of varying length would be foretold wrongly each time.
      std::uint32_t met = 0;
      if (count + from + group < entries.size()) {
        for (std::size_t i = 0; i < group; ++i) met |= both(wanted, firsts[from + i], seconds[from + i]) << i;
        if (count - from < group) met &= (1u << (count - from)) - 1;
      } else {
        for (std::size_t i = 0; i < std::min(group, count - from); ++i)
          met |= both(wanted, firsts[from + i], seconds[from + i]) << i;
      }
      for (; met != 0; met &= met - 1) {
        const std::size_t k = from + static_cast<std::size_t>(std::countr_zero(met));
        for (; counted < k; ++counted) others += beyond_two(lengths[counted]);
        const std::size_t more = beyond_two(lengths[k]);
        if (others + more > entries.size() ||
            std::max(firsts[k], seconds[k]) >= static_cast<std::uint32_t>(words_.size())) {
          throw std::runtime_error("damaged phrase table");
        }
        visit(Right<Number>{firsts[k], seconds[k], lengths[k], entries.subspan(others, more)});
      }
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
  template <typename Number, typename Words>
  static std::uint32_t both(const Words& wanted, Number first, Number second) {
    return static_cast<std::uint32_t>(wanted.has(first) & wanted.has(second));
  }
  static std::size_t beyond_two(std::size_t length) { return length > 2 ? length - 2 : 0; }

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
  using Phrase = std::vector<std::uint32_t>;
  struct Right {
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
  std::vector<Right> rights_;
  std::vector<std::uint32_t> pool_;
};

}  // namespace bolide
