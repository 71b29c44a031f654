#include "vocabulary.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>

namespace bolide {

namespace {

std::uint32_t hash_of(std::string_view word) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>{}(word));
}

void check(const Analysis& analysis, std::size_t words, std::size_t stages) {
  bool fits = analysis.identities.size() == words && analysis.functions.size() == words &&
              analysis.lengths.size() == words && analysis.phrase_words.size() == words &&
              analysis.stages.size() == stages;
  for (const auto& [offsets, keys] : analysis.stages) {
    fits = fits && offsets.size() == words + 1 && offsets.front() == 0 &&
           offsets.back() == static_cast<std::int32_t>(keys.size()) &&
           std::is_sorted(offsets.begin(), offsets.end());
  }
  if (!fits) throw std::invalid_argument("the analysis does not fit the words");
}

}  // namespace

std::size_t Vocabulary::slot_of(std::string_view word, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const std::uint32_t candidate = slots_[slot] - 1;
    if (hashes_[candidate] == hash && texts_[candidate] == word) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::int32_t Vocabulary::find(std::string_view word) const {
  return static_cast<std::int32_t>(slots_[slot_of(word, hash_of(word))]) - 1;
}

void Vocabulary::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t word = 0; word < hashes_.size(); ++word) {
    std::size_t slot = hashes_[word] & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = word + 1;
  }
}

void Vocabulary::add_keys(std::int32_t word, std::size_t number_in_analysis, const Analysis& analysis) {
  const std::size_t stages = kinds_.size();
  std::vector<std::int32_t> block(stages + 1, static_cast<std::int32_t>(stages) + 1);
  for (std::size_t s = 0; s < stages; ++s) {
    const auto& [offsets, keys] = analysis.stages[s];
    const auto start = static_cast<std::ptrdiff_t>(block.size());
    for (std::int32_t at = offsets[number_in_analysis]; at < offsets[number_in_analysis + 1]; ++at) {
      const auto next = static_cast<std::int32_t>(numbers_[s].size());
      const auto [place, is_new] = numbers_[s].try_emplace(keys[at], Key{next, word});
      auto& [number, owner] = place->second;
      const bool alone = owner == word;
      if (alone && kinds_[s] == StageKind::related) continue;
      if (!alone && owner != shared && kinds_[s] == StageKind::related) give_key(owner, s, number);
      if (!alone) owner = shared;
      if (std::find(block.begin() + start, block.end(), number) == block.end()) block.push_back(number);
    }
    block[s + 1] = static_cast<std::int32_t>(block.size());
  }
  blocks_.push_back(static_cast<std::uint32_t>(arena_.size()));
  arena_.insert(arena_.end(), block.begin(), block.end());
}

void Vocabulary::give_key(std::int32_t word, std::size_t stage, std::int32_t key) {
  const auto start = arena_.begin() + blocks_[word];
  std::vector<std::int32_t> block(start, start + start[static_cast<std::ptrdiff_t>(kinds_.size())]);
  block.insert(block.begin() + block[stage + 1], key);
  for (std::size_t s = stage + 1; s <= kinds_.size(); ++s) ++block[s];
  blocks_[word] = static_cast<std::uint32_t>(arena_.size());
  arena_.insert(arena_.end(), block.begin(), block.end());
}

void Vocabulary::add(std::span<const std::string_view> words, const Analysis& analysis) {
  check(analysis, words.size(), kinds_.size());
  std::unique_lock lock(mutex_);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::uint32_t hash = hash_of(words[k]);
    const std::size_t slot = slot_of(words[k], hash);
    if (slots_[slot] != 0) continue;
    texts_.emplace_back(words[k]);
    hashes_.push_back(hash);
    types_.push_back(
        {analysis.identities[k], analysis.lengths[k], analysis.phrase_words[k], analysis.functions[k] != 0});
    slots_[slot] = static_cast<std::uint32_t>(types_.size());
    add_keys(size() - 1, k, analysis);
    if (2 * types_.size() > slots_.size()) grow();
  }
}

}  // namespace bolide
