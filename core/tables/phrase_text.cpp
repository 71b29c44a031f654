#include "tables/phrase_text.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace bolide {

namespace {

// Calls use(word) for each word of a text, split as Java's StringTokenizer does.
template <typename Use>
void for_each_word(std::string_view text, const Use& use) {
  constexpr std::string_view space = " \t\n\r\f";
  for (std::size_t start = text.find_first_not_of(space); start != std::string_view::npos;) {
    const std::size_t stop = std::min(text.find_first_of(space, start), text.size());
    use(text.substr(start, stop - start));
    start = text.find_first_not_of(space, stop);
  }
}

}  // namespace

PhraseTableReader::PhraseTableReader(const PhraseTable& table) : table_(table) {
  for (PhraseTable::Node node = 1; node <= table.node_count(); ++node) {
    const std::uint32_t start = table.paraphrases(node);
    if (start != PhraseTable::no_entries) blocks_.emplace_back(start, node);
  }
  std::sort(blocks_.begin(), blocks_.end());
}

std::string PhraseTableReader::read(std::size_t bytes) {
  std::string text;
  table_.with_entries([&](auto entries) {
    for (; next_ < blocks_.size() && text.size() < bytes; ++next_) {
      append_block(entries, blocks_[next_].first, blocks_[next_].second, text);
    }
  });
  return text;
}

template <typename Number>
void PhraseTableReader::append_block(std::span<const Number> entries, std::uint32_t start,
                                     PhraseTable::Node node, std::string& text) const {
  const auto word = [&](std::uint32_t number) {
    return table_.words().word(static_cast<std::int32_t>(number));
  };
  std::string left;
  for (const std::uint32_t number : table_.left_phrase(node))
    (left += left.empty() ? "" : " ") += word(number);
  table_.for_each_paraphrase(entries, start, [&](const auto& right) {
    ((text += "1\n") += left) += '\n';
    text += word(right.first);
    if (right.length > 1) (text += ' ') += word(right.second);
    for (const auto number : right.others) {
      if (number >= static_cast<std::uint32_t>(table_.words().size())) {
        throw std::runtime_error("damaged phrase table");
      }
      (text += ' ') += word(number);
    }
    text += '\n';
  });
}

void PhraseFilter::add(std::string_view text) {
  for_each_word(text, [&](std::string_view word) { text_.push_back(number_of(numbers_, word, end + 1)); });
  text_.push_back(end);
  if (text_.size() > 0xFFFFFF00u) throw std::invalid_argument("more than 4 billion words");
  order_.clear();
}

void PhraseFilter::sort() {
  order_.resize(text_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t k = 0; k < longest && text_[a] == text_[b] && text_[a] != end; ++k) ++a, ++b;
    return text_[a] < text_[b];
  });
}

std::string PhraseFilter::keep(std::string_view entries) {
  if (order_.size() != text_.size()) sort();
  std::string kept;
  for (std::size_t start = 0; start < entries.size();) {
    std::string_view phrases[2];
    std::size_t stop = entries.find('\n', start);
    for (auto& phrase : phrases) {
      if (stop == std::string_view::npos) throw std::invalid_argument("an entry of fewer than three lines");
      const std::size_t first = stop + 1;
      stop = entries.find('\n', first);
      phrase = entries.substr(first, stop - first);
    }
    const std::size_t next = stop == std::string_view::npos ? entries.size() : stop + 1;
    if (occurs(phrases[0]) || occurs(phrases[1])) kept += entries.substr(start, next - start);
    start = next;
  }
  return kept;
}

bool PhraseFilter::occurs(std::string_view phrase) {
  phrase_.clear();
  bool known = true;
  for_each_word(phrase, [&](std::string_view word) {
    const auto found = numbers_.find(word);
    known = known && found != numbers_.end();
    if (known) phrase_.push_back(found->second);
  });
  if (!known || phrase_.empty() || phrase_.size() > longest) return false;
  const auto from = [&](std::uint32_t place) {
    return std::span(text_).subspan(place, std::min(phrase_.size(), text_.size() - place));
  };
  const auto place =
      std::lower_bound(order_.begin(), order_.end(), phrase_, [&](std::uint32_t a, const auto& b) {
        const auto words = from(a);
        return std::lexicographical_compare(words.begin(), words.end(), b.begin(), b.end());
      });
  if (place == order_.end()) return false;
  const auto words = from(*place);
  return std::equal(words.begin(), words.end(), phrase_.begin(), phrase_.end());
}

}  // namespace bolide
