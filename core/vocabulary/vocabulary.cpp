#include "vocabulary/vocabulary.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "support/offsets.hpp"

namespace bolide {

namespace {

void check(const Analysis& analysis, std::size_t words, std::size_t columns) {
  bool fits = analysis.identities.size() == words && analysis.functions.size() == words &&
              analysis.sizes.size() == words && analysis.columns.size() == columns;
  for (const auto& [offsets, keys] : analysis.columns) {
    fits = fits && are_offsets(offsets, words, keys.size());
  }
  if (!fits) throw std::invalid_argument("the analysis does not fit the words");
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

bool has_32_bits(std::int64_t number) {
  return number == static_cast<std::int32_t>(number);
}
bool is_number(std::int64_t key) {
  return key >= 0 && has_32_bits(key);
}

}  // namespace

Vocabulary::Vocabulary(const std::vector<StageKind>& kinds) : id_(next_id()), numbers_(kinds.size()) {
  for (std::size_t stage = 0; stage < kinds.size(); ++stage) {
    const auto first = static_cast<int>(columns_.size());
    const int sides = is_directed(kinds[stage]) ? 2 : 1;
    const bool exact = kinds[stage] == StageKind::exact;
    columns_.insert(columns_.end(), static_cast<std::size_t>(sides), {kinds[stage], stage, true, exact});
    sides_.push_back({first, first + sides - 1});
  }
}

// Notes what new words have that earlier ones had not.
void Vocabulary::compare(StageColumn& column, const Analysis& analysis, const Analysis::KeyColumn& added) {
  for (std::size_t k = 0; k + 1 < added.offsets.size(); ++k) {
    const std::int32_t first = added.offsets[k], count = added.offsets[k + 1] - first;
    column.single = column.single && count <= 1;
    column.identity = column.identity && count == 1 && added.keys[first] == analysis.identities[k];
  }
}

void Vocabulary::add_keys(std::int32_t word, std::size_t number_in_analysis, const Analysis& analysis) {
  const std::size_t columns = columns_.size();
  std::vector<std::int32_t>& block = block_;
  block.assign(columns + 1, static_cast<std::int32_t>(columns) + 1);
  for (std::size_t c = 0; c < columns; ++c) {
    const auto& [kind, stage, single, identity] = columns_[c];
    const bool only_shared = kind == StageKind::related;
    const auto& [offsets, keys] = analysis.columns[c];
    const auto start = static_cast<std::ptrdiff_t>(block.size());
    for (std::int32_t at = offsets[number_in_analysis]; at < offsets[number_in_analysis + 1]; ++at) {
      if (!is_word_stage(kind)) {
        block.push_back(static_cast<std::int32_t>(keys[at]));
        continue;
      }
      KeyNumbers::NumberedKey& entry = numbers_[stage].find_or_add(keys[at], word);
      const bool alone = entry.owner == word;
      if (alone && only_shared) continue;
      const std::int32_t number = numbers_[stage].number(entry);
      if (!alone && entry.owner != KeyNumbers::shared && only_shared) give_key(entry.owner, c, number);
      if (!alone) entry.owner = KeyNumbers::shared;
      if (std::find(block.begin() + start, block.end(), number) == block.end()) block.push_back(number);
    }
    block[c + 1] = static_cast<std::int32_t>(block.size());
  }
  blocks_.push_back(0);
  store(word, block);
}

// The numbers of keys are scattered in memory, so they are prefetched a few words ahead.
void Vocabulary::prefetch_keys(std::size_t number_in_analysis, const Analysis& analysis) const {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (!is_word_stage(columns_[c].kind)) continue;
    const auto& [offsets, keys] = analysis.columns[c];
    for (std::int32_t at = offsets[number_in_analysis]; at < offsets[number_in_analysis + 1]; ++at) {
      numbers_[columns_[c].stage].prefetch(keys[at]);
    }
  }
}

std::span<const std::int32_t> Vocabulary::block_of(std::int32_t word) const {
  const std::int32_t* start = arena_.data() + blocks_[word];
  return {start, start + start[columns_.size()]};
}

void Vocabulary::store(std::int32_t word, std::span<const std::int32_t> block) {
  arena_.resize(arena_.size() - readable_keys);
  blocks_[word] = static_cast<std::uint32_t>(arena_.size());
  arena_.insert(arena_.end(), block.begin(), block.end());
  arena_.resize(arena_.size() + readable_keys);
}

void Vocabulary::compact() {
  std::vector<std::int32_t> old = std::move(arena_);
  arena_.clear();
  arena_.reserve(old.size() - waste_);
  for (std::uint32_t& start : blocks_) {
    const auto from = old.begin() + start;
    start = static_cast<std::uint32_t>(arena_.size());
    arena_.insert(arena_.end(), from, from + from[static_cast<std::ptrdiff_t>(columns_.size())]);
  }
  arena_.resize(arena_.size() + readable_keys);
  waste_ = 0;
}

void Vocabulary::give_key(std::int32_t word, std::size_t column, std::int32_t key) {
  const std::size_t old = blocks_[word], size = block_of(word).size(), start = arena_.size() - readable_keys;
  arena_.resize(start + size + 1 + readable_keys);
  std::int32_t* const block = arena_.data() + start;
  const std::int32_t *const from = arena_.data() + old, *const gap = from + from[column + 1];
  *std::copy(from, gap, block) = key;
  std::copy(gap, from + size, block + (gap - from) + 1);
  for (std::size_t c = column + 1; c <= columns_.size(); ++c) ++block[c];
  blocks_[word] = static_cast<std::uint32_t>(start);
  waste_ += size;
  if (waste_ > (1u << 20) && 2 * waste_ > arena_.size()) compact();
}

void Vocabulary::add(std::span<const std::string_view> words, const Analysis& analysis) {
  check(analysis, words.size(), columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::span<const std::int64_t> keys = analysis.columns[c].keys;
    if (!is_word_stage(columns_[c].kind) && !std::all_of(keys.begin(), keys.end(), is_number)) {
      throw std::invalid_argument("a number is negative or too large");
    }
  }
  if (!std::all_of(analysis.identities.begin(), analysis.identities.end(), has_32_bits)) {
    throw std::invalid_argument("an identity has more than 32 bits");
  }
  std::unique_lock lock(mutex_);
  for (std::size_t c = 0; c < columns_.size(); ++c) compare(columns_[c], analysis, analysis.columns[c]);
  constexpr std::size_t ahead = 4;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k + ahead < words.size()) prefetch_keys(k + ahead, analysis);
    if (spellings_.find_or_add(words[k], size()) != size()) continue;
    types_.push_back(
        {static_cast<std::int32_t>(analysis.identities[k]), analysis.sizes[k], analysis.functions[k] != 0});
    add_keys(size() - 1, k, analysis);
  }
}

}  // namespace bolide
