#include "learning/phrase_pairs.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "text/normalizer.hpp"

namespace bolide {

namespace {

constexpr std::int32_t no_link = -1;

// The first and the last word that a word is linked to.
struct Span {
  std::int32_t first = no_link, last = no_link;
  bool empty() const { return first == no_link; }
  void add(std::int32_t word) {
    first = empty() ? word : std::min(first, word);
    last = std::max(last, word);
  }
  void add(const Span& other) {
    if (other.empty()) return;
    add(other.first);
    add(other.last);
  }
};

// A sentence pair, split into words and links.
struct Parsed {
  std::vector<std::string_view> source, target;
  std::vector<Link> links;
  std::vector<Span> of_source, of_target;  // by word: the words that it is linked to

  explicit Parsed(const AlignedPair& pair) {
    split(pair.source, source);
    split(pair.target, target);
    parse_links(pair.links, links);
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    of_source.resize(source.size());
    of_target.resize(target.size());
    for (const Link& link : links) {
      if (link.source >= static_cast<std::int32_t>(source.size()) ||
          link.target >= static_cast<std::int32_t>(target.size())) {
        throw std::invalid_argument("link " + std::to_string(link.source) + "-" +
                                    std::to_string(link.target) + " of words that are not there: there are " +
                                    std::to_string(source.size()) + " and " + std::to_string(target.size()));
      }
      of_source[link.source].add(link.target);
      of_target[link.target].add(link.source);
    }
  }
};

std::string_view phrase(const std::vector<std::string_view>& words, std::int32_t first, std::int32_t last) {
  const char* begin = words[first].data();
  return {begin, static_cast<std::size_t>(words[last].data() + words[last].size() - begin)};
}

double product(const std::vector<double>& weights, std::int32_t first, std::int32_t last) {
  double found = 1;
  for (std::int32_t k = first; k <= last; ++k) found *= weights[k];
  return found;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The numbers of words that were counted before.
std::vector<std::uint32_t> counted_numbers(const StringMap<std::uint32_t>& numbers,
                                           const std::vector<std::string_view>& words) {
  std::vector<std::uint32_t> found;
  for (const std::string_view word : words) {
    const auto known = numbers.find(word);
    if (known == numbers.end()) throw std::invalid_argument("a word was not counted before");
    found.push_back(known->second);
  }
  return found;
}

std::uint64_t key_of(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

void increment(std::vector<std::uint64_t>& counts, std::uint32_t word) {
  if (word >= counts.size()) counts.resize(std::max<std::size_t>(word + 1, counts.size() * 2));
  ++counts[word];
}

// Turns sums over the links of each word into means; words without links get unlinked(k).
template <typename Unlinked>
void finish(std::vector<double>& weights, const std::vector<int>& links, const Unlinked& unlinked) {
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = links[k] > 0 ? weights[k] / links[k] : unlinked(k);
  }
}

// Extracts the phrase pairs of one sentence pair.
struct PairExtraction {
  const Parsed& parsed;
  std::vector<double> source_weights, target_weights;  // by word: its factor of the lexical weight
  int longest;
  PhrasePairs& found;

  // Adds the pairs of one source phrase: with the target words linked to it, and with unlinked words around
  // them.
  void extract(std::int32_t first, std::int32_t last, const Span& linked) {
    if (linked.last - linked.first >= longest || !closed(first, last, linked)) return;
    for (std::int32_t low = linked.first; low >= 0 && linked.last - low < longest; --low) {
      if (low < linked.first && !parsed.of_target[low].empty()) break;
      const auto size = static_cast<std::int32_t>(parsed.target.size());
      for (std::int32_t high = linked.last; high < size && high - low < longest; ++high) {
        if (high > linked.last && !parsed.of_target[high].empty()) break;
        add(first, last, low, high);
      }
    }
  }

 private:
  // Whether these target words have no links to words outside of the source phrase.
  bool closed(std::int32_t first, std::int32_t last, const Span& linked) const {
    for (std::int32_t t = linked.first; t <= linked.last; ++t) {
      const Span& back = parsed.of_target[t];
      if (!back.empty() && (back.first < first || back.last > last)) return false;
    }
    return true;
  }

  void add(std::int32_t first, std::int32_t last, std::int32_t low, std::int32_t high) {
    found.source.add(phrase(parsed.source, first, last));
    found.target.add(phrase(parsed.target, low, high));
    std::uint64_t bits = 0;
    auto link = std::lower_bound(parsed.links.begin(), parsed.links.end(), Link{first, 0});
    for (; link != parsed.links.end() && link->source <= last; ++link) {
      bits |= std::uint64_t{1} << ((link->source - first) * longest_phrase + (link->target - low));
    }
    found.links.push_back(bits);
    found.source_weight.push_back(product(source_weights, first, last));
    found.target_weight.push_back(product(target_weights, low, high));
  }
};

}  // namespace

void TextColumn::add(std::string_view text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
  offsets.push_back(static_cast<std::int32_t>(bytes.size()));
}

PhraseExtractor::PhraseExtractor(int longest) : longest_(longest) {
  if (longest < 1 || longest > longest_phrase) {
    throw std::invalid_argument("a phrase has from 1 to " + std::to_string(longest_phrase) + " words");
  }
  source_counts_.resize(1);
  target_counts_.resize(1);
}

void PhraseExtractor::count(const AlignedPair& pair) {
  const Parsed parsed(pair);
  std::vector<std::uint32_t> source, target;
  for (std::string_view word : parsed.source) source.push_back(number_of(source_words_, word, 1u));
  for (std::string_view word : parsed.target) target.push_back(number_of(target_words_, word, 1u));
  const auto add = [&](std::uint32_t s, std::uint32_t t) {
    ++counts_[key_of(s, t)];
    increment(source_counts_, s);
    increment(target_counts_, t);
  };
  for (const Link& link : parsed.links) add(source[link.source], target[link.target]);
  for (std::size_t k = 0; k < source.size(); ++k) {
    if (parsed.of_source[k].empty()) add(source[k], 0);
  }
  for (std::size_t k = 0; k < target.size(); ++k) {
    if (parsed.of_target[k].empty()) add(0, target[k]);
  }
}

void PhraseExtractor::extract(const AlignedPair& pair, PhrasePairs& found) const {
  const Parsed parsed(pair);
  const auto source = counted_numbers(source_words_, parsed.source),
             target = counted_numbers(target_words_, parsed.target);
  PairExtraction sentence{parsed, std::vector<double>(source.size()), std::vector<double>(target.size()),
                          longest_, found};
  std::vector<int> source_links(source.size()), target_links(target.size());
  for (const Link& link : parsed.links) {
    const std::uint32_t s = source[link.source], t = target[link.target];
    sentence.source_weights[link.source] += ratio(together(s, t), target_counts_[t]);
    sentence.target_weights[link.target] += ratio(together(s, t), source_counts_[s]);
    ++source_links[link.source];
    ++target_links[link.target];
  }
  finish(sentence.source_weights, source_links,
         [&](std::size_t k) { return ratio(together(source[k], 0), target_counts_[0]); });
  finish(sentence.target_weights, target_links,
         [&](std::size_t k) { return ratio(together(0, target[k]), source_counts_[0]); });
  const auto size = static_cast<std::int32_t>(source.size());
  for (std::int32_t first = 0; first < size; ++first) {
    Span linked;
    for (std::int32_t last = first; last < size && last - first < longest_; ++last) {
      linked.add(parsed.of_source[last]);
      if (!linked.empty()) sentence.extract(first, last, linked);
    }
  }
}

std::uint64_t PhraseExtractor::together(std::uint32_t source, std::uint32_t target) const {
  const auto found = counts_.find(key_of(source, target));
  return found == counts_.end() ? 0 : found->second;
}

void append_links(std::uint64_t links, std::string& text) {
  const char* between = "";
  for (; links != 0; links &= links - 1, between = " ") {
    const int bit = std::countr_zero(links);
    text += between;
    text += std::to_string(bit / longest_phrase);
    text += '-';
    text += std::to_string(bit % longest_phrase);
  }
}

}  // namespace bolide
