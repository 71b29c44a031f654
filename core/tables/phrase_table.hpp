// Paraphrase tables: pairs of a left and a right phrase. PhraseTable looks paraphrases up in borrowed arrays;
// PhraseTableBuilder makes these arrays. sentences/left_phrases.cpp calls PhraseTable for the left phrases of
// sentences.
//
// Layout of the arrays:
//   - A WordIndex numbers the words.
//   - Left phrases form a trie. A node is a number and stands for the beginning of a phrase. The beginning
//     with the single word w is node w + 1; 0 is no node. Longer beginnings are in one hash table with open
//     addressing: nodes[slot] is the key parent << 32 | (word + 1), or 0 if the slot is empty; the number of
//     the node is words + slot + 1.
//   - starts[node - 1] is where the paraphrases of the node begin in `entries`, or `no_entries`.
//   - `entries` has there: the number of paraphrases; their first words, in file order; their second words
//     (the first word again if there is no second); their lengths; and all other words.
// Entries have 16 bits if the numbers fit, as they do for the official tables. This halves the memory and the
// cache misses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "support/compiler.hpp"
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

  // The node of the beginning that is longer by `word`; 0 if no left phrase begins like this.
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

  // A look-up costs one or two cache misses. With these functions, several can overlap.
  void prefetch_child(Node node, std::int32_t word) const {
    bolide::prefetch(&nodes_[first_slot(make_key(node, word), nodes_.size() - 1)]);
  }
  void prefetch_start(Node node) const { bolide::prefetch(&starts_[node - 1]); }

  // Where the paraphrases of a node begin, or no_entries.
  std::uint32_t paraphrases(Node node) const {
    const std::uint32_t start = starts_[node - 1];
    return start < entries_size_ ? start : no_entries;
  }

  // Nodes are numbers from 1 on.
  Node node_count() const { return starts_.size(); }

  // The words of a left phrase, or of the beginning of a left phrase.
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

  // A right phrase: its first two words (twice the first, if there is only one), and the others.
  template <typename Number>
  struct Right {
    std::uint32_t first, second, length;
    std::span<const Number> others;
  };

  // Calls use(entries) with entries of 16 or 32 bits. The width is looked up once, not for each phrase.
  template <typename Use>
  void with_entries(const Use& use) const {
    std::visit(use, entries_);
  }

  // The right phrases of one left phrase.
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

    // Right phrase k without its other words.
    Right<Number> beginning(std::size_t k) const {
      const Right<Number> right{firsts()[k], seconds()[k], lengths()[k], {}};
      if (right.length == 0 || std::max(right.first, right.second) >= words_)
        throw std::runtime_error("damaged phrase table");
      return right;
    }
    // Right phrase k. Must be called with ascending numbers.
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

  // Prefetches two cache lines: the first and second words of the paraphrases at `start` often reach into the
  // second one.
  template <typename Number>
  static void prefetch_rights(std::span<const Number> entries, std::uint32_t start) {
    constexpr std::size_t further = 48 / sizeof(Number);
    bolide::prefetch(entries.data() + start);
    bolide::prefetch(entries.data() + std::min(start + further, entries.size() - 1));
  }

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

// Reads a Meteor paraphrase file (three lines per entry: probability, left phrase, right phrase) in chunks of
// any size, and makes the arrays of a PhraseTable. Malformed data is a std::invalid_argument that names the
// line.
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
    std::uint32_t left, start, length;  // its words are pool_[start .. start + length)
  };

  void line(std::string_view text);
  std::uint32_t intern(std::string_view word);
  std::uint32_t append_words(std::string_view phrase);  // to pool_; returns how many
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
  std::vector<const std::string*> words_;                       // by id; word_ids_ owns the strings
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lefts_;  // start and length in pool_
  std::vector<RightSpan> rights_;
  std::vector<std::uint32_t> pool_;
};

}  // namespace bolide
