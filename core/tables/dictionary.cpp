#include "tables/dictionary.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/offsets.hpp"

namespace bolide {

namespace {

constexpr unsigned any_part = 0;  // for the form itself; sorts before all others

bool are_below(std::span<const std::int32_t> numbers, std::size_t limit) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::int32_t number) {
    return number >= 0 && static_cast<std::size_t>(number) < limit;
  });
}

bool fit(const DictionaryArrays& a) {
  const auto size = [](const WordIndex& index) { return static_cast<std::size_t>(index.size()); };
  if (a.part_starts.size() < 2 || a.part_starts.front() != 0 || a.part_starts.back() < 0 ||
      !std::is_sorted(a.part_starts.begin(), a.part_starts.end())) {
    return false;
  }
  const auto synsets = static_cast<std::size_t>(a.part_starts.back());
  const std::size_t parts = a.part_starts.size() - 1;
  return are_offsets(a.offsets, size(a.words), a.ids.size()) && are_below(a.ids, synsets) &&
         are_offsets(a.exception_offsets, size(a.exceptions), a.exception_bases.size()) &&
         are_below(a.exception_bases, size(a.bases)) &&
         a.exception_parts.size() == a.exception_bases.size() &&
         std::all_of(a.exception_parts.begin(), a.exception_parts.end(),
                     [&](std::uint8_t part) { return part < parts; }) &&
         are_offsets(a.member_offsets, synsets, a.members.size()) && are_below(a.members, size(a.names));
}

}  // namespace

Dictionary::Dictionary(const DictionaryArrays& arrays, std::vector<Detachment> rules)
    : arrays_(arrays), rules_(std::move(rules)) {
  if (!fit(arrays)) throw std::invalid_argument("the arrays do not form a WordNet");
}

unsigned Dictionary::part_of(std::int32_t synset) const {
  const auto after = std::upper_bound(arrays_.part_starts.begin() + 1, arrays_.part_starts.end(), synset);
  return 1u << (after - arrays_.part_starts.begin() - 1);
}

// Rules do not apply to a form for the parts of speech in which it is listed as irregular.
void Dictionary::add_entries(std::string_view form, std::vector<FoundEntry>& entries) const {
  std::int32_t near = arrays_.words.size();  // no position yet; base forms are close to their forms
  const auto add = [&](unsigned parts, std::int32_t number) {
    if (number >= 0) entries.push_back({parts, number});
  };
  add(any_part, arrays_.words.find(form, near));
  unsigned irregular = 0;
  if (const std::int32_t listed = arrays_.exceptions.find(form); listed >= 0) {
    for (std::uint32_t k = arrays_.exception_offsets[listed]; k < arrays_.exception_offsets[listed + 1];
         ++k) {
      const unsigned part = 1u << arrays_.exception_parts[k];
      irregular |= part;
      add(part, arrays_.words.find(arrays_.bases.word(arrays_.exception_bases[k])));
    }
  }
  std::string base;
  for (const Detachment& rule : rules_) {
    if (!form.ends_with(rule.ending) || !(rule.parts & ~irregular)) continue;
    base.assign(form.substr(0, form.size() - rule.ending.size())).append(rule.base);
    const std::int32_t number = arrays_.words.find(base, near);
    for (unsigned part = 1; part <= rule.parts; part <<= 1) {
      if (part & rule.parts & ~irregular) add(part, number);
    }
  }
}

void Dictionary::find(std::string_view form, std::vector<Sense>& senses) const {
  senses.clear();
  std::vector<FoundEntry> entries;
  add_entries(form, entries);
  std::sort(entries.begin(), entries.end(), [](const FoundEntry& a, const FoundEntry& b) {
    return std::pair(a.parts, a.number) < std::pair(b.parts, b.number);
  });
  for (const auto& [parts, number] : entries) {
    for (std::uint32_t k = arrays_.offsets[number]; k < arrays_.offsets[number + 1]; ++k) {
      const std::int32_t synset = arrays_.ids[k];
      if (parts == any_part || (parts & part_of(synset))) senses.push_back({synset, number});
    }
  }
}

std::span<const std::int32_t> Dictionary::members(std::int32_t synset) const {
  const std::uint32_t start = arrays_.member_offsets[synset], end = arrays_.member_offsets[synset + 1];
  return arrays_.members.subspan(start, end - start);
}

}  // namespace bolide
