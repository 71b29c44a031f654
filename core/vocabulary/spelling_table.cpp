#include "vocabulary/spelling_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "support/compiler.hpp"
#include "support/quick_hash.hpp"

namespace bolide {

namespace {

// The sixteen bytes at `kept_bytes + 16 - n` are a mask for the first n of sixteen bytes.
constexpr std::array<unsigned char, 32> kept_bytes = [] {
  std::array<unsigned char, 32> bytes{};
  std::fill(bytes.begin(), bytes.begin() + 16, static_cast<unsigned char>(0xFF));
  return bytes;
}();

constexpr std::size_t words_for(std::size_t bytes) {
  return (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
}

// Loads up to eight bytes as a number, the first byte lowest, by loads of fixed sizes that may overlap.
std::uint64_t load_short(const char* at, std::size_t size) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(at[k])) << 8 * k;
  };
  const auto four = [&](std::size_t k) {
    std::uint32_t bytes;
    std::memcpy(&bytes, at + k, sizeof bytes);
    return static_cast<std::uint64_t>(bytes) << 8 * k;
  };
  if (size >= 4) return four(0) | four(size - 4);
  return size == 0 ? 0 : byte(0) | byte(size / 2) | byte(size - 1);
}

}  // namespace

// A short spelling is loaded together with the bytes after it, if these may be read, and then masked.
SpellingTable::Prefix SpellingTable::head_of(std::string_view spelling, const char* readable_end) {
  const std::size_t size = std::min(spelling.size(), head_size);
  Prefix head{0, 0};
  if (static_cast<std::size_t>(readable_end - spelling.data()) >= head_size) {
    Prefix kept;
    std::memcpy(&head, spelling.data(), head_size);
    std::memcpy(&kept, kept_bytes.data() + head_size - size, head_size);
    head.first &= kept.first;
    head.second &= kept.second;
  } else if (std::endian::native == std::endian::little) {
    const std::size_t first = std::min<std::size_t>(size, 8);
    head = {load_short(spelling.data(), first), load_short(spelling.data() + first, size - first)};
  } else if (size > 0) {
    std::memcpy(&head, spelling.data(), size);
  }
  return head;
}

SpellingTable::Query SpellingTable::query(std::string_view spelling, const char* readable_end) {
  const Prefix head = head_of(spelling, readable_end);
  std::uint64_t hash =
      mix_hash(head.first ^ (0x9E3779B97F4A7C15 + spelling.size()), head.second ^ 0xD1B54A32D192ED03);
  if (spelling.size() > head_size) hash ^= quick_hash(spelling.substr(head_size));
  return {head, static_cast<std::uint32_t>(hash)};
}

bool SpellingTable::is_at(std::uint32_t place, std::string_view spelling, const Prefix& head) const {
  Record record;
  std::memcpy(&record, &records_[place], sizeof record);
  if (((record.size ^ spelling.size()) | (record.head.first ^ head.first) |
       (record.head.second ^ head.second)) != 0) {
    return false;
  }
  return spelling.size() <= head_size ||
         std::memcmp(&records_[place + record_size], spelling.data() + head_size,
                     spelling.size() - head_size) == 0;
}

std::size_t SpellingTable::slot_of(std::string_view spelling, const Query& query) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = query.hash & mask;
  while (slots_[slot].record != 0) {
    if (slots_[slot].hash == query.hash && is_at(slots_[slot].record, spelling, query.head)) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::int32_t SpellingTable::number_in(const HashSlot& slot) const {
  if (slot.record == 0) return -1;
  std::int32_t number;
  std::memcpy(&number, &records_[slot.record], sizeof number);
  return number;
}

std::int32_t SpellingTable::find(std::string_view spelling) const {
  return number_in(slots_[slot_of(spelling, query(spelling))]);
}

void SpellingTable::find_all(std::span<const std::string_view> spellings,
                             std::vector<std::int32_t>& numbers) const {
  if (spellings.empty()) return;
  const char* const end = spellings.back().data() + spellings.back().size();
  const std::size_t mask = slots_.size() - 1;
  // A few at a time, so that several memory accesses overlap.
  constexpr std::size_t together = 32;
  std::array<Query, together> queries;
  for (std::size_t start = 0; start < spellings.size(); start += together) {
    const auto some = spellings.subspan(start, std::min(together, spellings.size() - start));
    for (std::size_t k = 0; k < some.size(); ++k) {
      queries[k] = query(some[k], end);
      prefetch(&slots_[queries[k].hash & mask]);
    }
    for (std::size_t k = 0; k < some.size(); ++k) {
      prefetch(&records_[slots_[queries[k].hash & mask].record]);
    }
    for (std::size_t k = 0; k < some.size(); ++k) {
      numbers.push_back(number_in(slots_[slot_of(some[k], queries[k])]));
    }
  }
}

std::int32_t SpellingTable::find_or_add(std::string_view spelling, std::int32_t number) {
  const Query wanted = query(spelling);
  const std::size_t slot = slot_of(spelling, wanted);
  if (slots_[slot].record != 0) return number_in(slots_[slot]);
  const std::size_t place = records_.size();
  const std::size_t rest = spelling.size() - std::min(spelling.size(), head_size);
  if (place > std::numeric_limits<std::uint32_t>::max() ||
      spelling.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("too many or too long words");
  }
  const Record record{number, static_cast<std::uint32_t>(spelling.size()), wanted.head};
  records_.resize(place + record_size + words_for(rest));
  std::memcpy(&records_[place], &record, sizeof record);
  if (rest > 0) std::memcpy(&records_[place + record_size], spelling.data() + head_size, rest);
  slots_[slot] = {wanted.hash, static_cast<std::uint32_t>(place)};
  if (2 * ++size_ > slots_.size()) grow();
  return number;
}

void SpellingTable::grow() {
  std::vector<HashSlot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const HashSlot& moved : old) {
    if (moved.record == 0) continue;
    std::size_t slot = moved.hash & mask;
    while (slots_[slot].record != 0) slot = (slot + 1) & mask;
    slots_[slot] = moved;
  }
}

}  // namespace bolide
