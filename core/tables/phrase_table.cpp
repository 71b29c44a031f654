#include "tables/phrase_table.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace bolide {

namespace {

constexpr std::uint32_t max_phrase_length = 255;
constexpr std::size_t most_words = 1 << 30;

std::invalid_argument at_line(std::uint64_t number, const std::string& what) {
  return std::invalid_argument("line " + std::to_string(number) + ": " + what);
}

bool looks_like_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

// The phrase with single spaces between its words. Nearly all phrases are so already.
std::string single_spaced(std::string_view phrase) {
  if (!phrase.starts_with(' ') && !phrase.ends_with(' ') && phrase.find("  ") == std::string_view::npos) {
    return std::string(phrase);
  }
  std::string found;
  for (const char c : phrase) {
    if (c != ' ' || (!found.empty() && found.back() != ' ')) found += c;
  }
  if (found.ends_with(' ')) found.pop_back();
  return found;
}

// Finds the slot of a trie node by its key, or adds it.
std::uint64_t insert_node(std::vector<std::uint64_t>& nodes, PhraseTable::Node parent, std::uint32_t word) {
  const std::uint64_t key = PhraseTable::make_key(parent, static_cast<std::int32_t>(word));
  const std::uint64_t mask = nodes.size() - 1;
  std::uint64_t slot = PhraseTable::first_slot(key, mask);
  while (nodes[slot] != 0 && nodes[slot] != key) slot = (slot + 1) & mask;
  nodes[slot] = key;
  return slot;
}

}  // namespace

void PhraseTableBuilder::feed(std::string_view chunk) {
  std::size_t start = 0;
  for (std::size_t end; (end = chunk.find('\n', start)) != std::string_view::npos; start = end + 1) {
    if (rest_.empty()) {
      line(chunk.substr(start, end - start));
    } else {
      rest_.append(chunk.substr(start, end - start));
      line(rest_);
      rest_.clear();
    }
  }
  rest_.append(chunk.substr(start));
}

void PhraseTableBuilder::line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  switch (line_number_++ % 3) {
    case 0:
      if (!looks_like_number(text)) {
        throw at_line(line_number_,
                      "expected a probability, found '" + std::string(text.substr(0, 40)) + "'");
      }
      break;
    case 1:
      left_text_ = text;
      break;
    default:
      add(left_text_, text);
  }
}

void PhraseTableBuilder::add(std::string_view left, std::string_view right) {
  auto [position, is_new] =
      left_ids_.try_emplace(single_spaced(left), static_cast<std::uint32_t>(lefts_.size()));
  if (is_new) {
    const auto start = static_cast<std::uint32_t>(pool_.size());
    lefts_.emplace_back(start, append_words(left));
  }
  const auto start = static_cast<std::uint32_t>(pool_.size());
  rights_.push_back({position->second, start, append_words(right)});
}

std::uint32_t PhraseTableBuilder::append_words(std::string_view phrase) {
  // A table written as text would lose it at the end of a line.
  if (phrase.find('\r') != std::string_view::npos) {
    throw at_line(line_number_, "a carriage return within a line");
  }
  std::uint32_t length = 0;
  for (std::size_t start = phrase.find_first_not_of(' '); start != std::string_view::npos; ++length) {
    const std::size_t end = std::min(phrase.find(' ', start), phrase.size());
    pool_.push_back(intern(phrase.substr(start, end - start)));
    start = phrase.find_first_not_of(' ', end);
  }
  if (length == 0) throw at_line(line_number_, "empty phrase");
  if (length > max_phrase_length) throw at_line(line_number_, "phrase of more than 255 words");
  return length;
}

std::uint32_t PhraseTableBuilder::intern(std::string_view word) {
  auto [position, is_new] =
      word_ids_.try_emplace(std::string(word), static_cast<std::uint32_t>(words_.size()));
  if (is_new) {
    if (words_.size() >= most_words) throw at_line(line_number_, "more than a billion words");
    words_.push_back(&position->first);
  }
  return position->second;
}

// Fills the word arrays, sorted by bytes. Returns the new id of each old id.
std::vector<std::uint32_t> PhraseTableBuilder::sort_words(Arrays& arrays) const {
  std::vector<std::uint32_t> order(words_.size()), renumbered(words_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return *words_[a] < *words_[b]; });
  arrays.word_offsets.push_back(0);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    const std::string& word = *words_[order[rank]];
    renumbered[order[rank]] = rank;
    arrays.word_bytes.insert(arrays.word_bytes.end(), word.begin(), word.end());
    arrays.word_offsets.push_back(static_cast<std::uint32_t>(arrays.word_bytes.size()));
  }
  return renumbered;
}

PhraseTableBuilder::Arrays PhraseTableBuilder::finish() {
  if (!rest_.empty()) line(std::exchange(rest_, {}));
  if (line_number_ % 3 != 0) throw at_line(line_number_, "the file ends in the middle of an entry");
  Arrays arrays;
  const std::vector<std::uint32_t> renumbered = sort_words(arrays);
  const std::vector<PhraseTable::Node> node_of_left = insert_lefts(renumbered, arrays);
  // The entries of a left phrase become neighbours, in the order of the file.
  std::stable_sort(rights_.begin(), rights_.end(),
                   [](const RightSpan& a, const RightSpan& b) { return a.left < b.left; });
  if (std::max(words_.size(), most_paraphrases()) <= 0xFFFF) {
    arrays.entries = write_entries<std::uint16_t>(renumbered, node_of_left, arrays);
  } else {
    arrays.entries = write_entries<std::uint32_t>(renumbered, node_of_left, arrays);
  }
  return arrays;
}

std::vector<PhraseTable::Node> PhraseTableBuilder::insert_lefts(const std::vector<std::uint32_t>& renumbered,
                                                                Arrays& arrays) const {
  std::vector<PhraseTable::Node> node_of_left;
  const auto insert_all = [&](std::size_t slots) {
    arrays.nodes.assign(slots, 0);
    node_of_left.clear();
    for (const auto& [start, length] : lefts_) {
      PhraseTable::Node node = renumbered[pool_[start]] + 1;
      for (std::uint32_t k = 1; k < length; ++k) {
        node = words_.size() + insert_node(arrays.nodes, node, renumbered[pool_[start + k]]) + 1;
      }
      node_of_left.push_back(node);
    }
  };
  // Phrases share beginnings, so the number of nodes is known only after a first attempt in a table that is
  // large enough. Then twice as many slots as nodes keep the probe sequences short.
  std::size_t most_nodes = 1;
  for (const auto& [start, length] : lefts_) most_nodes += length;
  insert_all(std::bit_ceil(2 * most_nodes));
  const auto empty = std::count(arrays.nodes.begin(), arrays.nodes.end(), 0u);
  insert_all(std::bit_ceil(2 * (arrays.nodes.size() - static_cast<std::size_t>(empty)) + 1));
  return node_of_left;
}

// The largest number of paraphrases of a left phrase. rights_ must be sorted.
std::size_t PhraseTableBuilder::most_paraphrases() const {
  std::size_t most = 0, run = 0;
  for (std::size_t r = 0; r < rights_.size(); ++r) {
    run = r > 0 && rights_[r].left == rights_[r - 1].left ? run + 1 : 1;
    most = std::max(most, run);
  }
  return most;
}

template <typename Number>
std::vector<Number> PhraseTableBuilder::write_entries(const std::vector<std::uint32_t>& renumbered,
                                                      const std::vector<PhraseTable::Node>& node_of_left,
                                                      Arrays& arrays) const {
  std::vector<Number> entries;
  arrays.starts.assign(words_.size() + arrays.nodes.size(), PhraseTable::no_entries);
  const auto word = [&](const RightSpan& right, std::uint32_t k) {
    return static_cast<Number>(renumbered[pool_[right.start + k]]);
  };
  for (std::size_t first = 0, last; first < rights_.size(); first = last) {
    for (last = first; last < rights_.size() && rights_[last].left == rights_[first].left;) ++last;
    if (entries.size() > 0xFFFFFF00u) throw std::invalid_argument("more than 4 billion words");
    arrays.starts[node_of_left[rights_[first].left] - 1] = static_cast<std::uint32_t>(entries.size());
    entries.push_back(static_cast<Number>(last - first));
    const std::span rights(rights_.begin() + static_cast<std::ptrdiff_t>(first), last - first);
    for (const RightSpan& right : rights) entries.push_back(word(right, 0));
    for (const RightSpan& right : rights) entries.push_back(word(right, right.length > 1 ? 1 : 0));
    for (const RightSpan& right : rights) entries.push_back(static_cast<Number>(right.length));
    for (const RightSpan& right : rights) {
      for (std::uint32_t k = 2; k < right.length; ++k) entries.push_back(word(right, k));
    }
  }
  return entries;
}

}  // namespace bolide
