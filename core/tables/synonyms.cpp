#include "tables/synonyms.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/offsets.hpp"

namespace bolide {

namespace {

bool fit(const SynonymArrays& a) {
  const auto size = [](const WordIndex& index) { return static_cast<std::size_t>(index.size()); };
  return are_offsets(a.offsets, size(a.words), a.ids.size()) &&
         are_offsets(a.exception_offsets, size(a.exceptions), a.exception_bases.size()) &&
         std::all_of(a.exception_bases.begin(), a.exception_bases.end(),
                     [&](std::int32_t base) { return base >= 0 && base < a.bases.size(); });
}

std::size_t count_characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

}  // namespace

Synonyms::Synonyms(const SynonymArrays& arrays, Inflections inflections)
    : arrays_(arrays), inflections_(std::move(inflections)) {
  if (!fit(arrays)) throw std::invalid_argument("the arrays do not form a WordNet");
  for (const auto& [ending, base] : inflections_.rules) {
    if (ending.empty()) throw std::invalid_argument("an ending is empty");
    ends_inflected_[static_cast<unsigned char>(ending.back())] = true;
  }
}

std::span<const std::int32_t> Synonyms::irregular_bases(std::int32_t exception) const {
  const std::uint32_t start = arrays_.exception_offsets[exception];
  return arrays_.exception_bases.subspan(start, arrays_.exception_offsets[exception + 1] - start);
}

bool Synonyms::is_inflected(std::string_view word) const {
  return !word.empty() && ends_inflected_[static_cast<unsigned char>(word.back())] &&
         count_characters(word) >= inflections_.shortest &&
         std::none_of(inflections_.without.begin(), inflections_.without.end(),
                      [&](const std::string& ending) { return word.ends_with(ending); });
}

// The first rule that makes a known word counts.
std::int32_t Synonyms::regular_base(std::string_view word, std::int32_t near) const {
  if (!is_inflected(word)) return -1;
  std::string base;
  for (const auto& [ending, replacement] : inflections_.rules) {
    if (!word.ends_with(ending)) continue;
    base.assign(word.substr(0, word.size() - ending.size())).append(replacement);
    if (const std::int32_t place = arrays_.words.find(base, near); place >= 0) return place;
  }
  return -1;
}

void Synonyms::append_synsets(std::string_view word, LastFound& place,
                              std::vector<std::int64_t>& synsets) const {
  const auto append = [&](std::int32_t entry) {
    if (entry < 0) return;
    const auto ids = arrays_.ids.begin();
    synsets.insert(synsets.end(), ids + arrays_.offsets[entry], ids + arrays_.offsets[entry + 1]);
  };
  append(arrays_.words.find(word, place.word));
  const std::int32_t exception = arrays_.exceptions.find(word, place.exception);
  if (exception < 0) return append(regular_base(word, place.word));
  for (std::int32_t base : irregular_bases(exception)) append(arrays_.words.find(arrays_.bases.word(base)));
}

std::vector<std::string_view> Synonyms::base_forms(std::string_view word) const {
  std::vector<std::string_view> forms;
  if (const std::int32_t exception = arrays_.exceptions.find(word); exception >= 0) {
    for (std::int32_t base : irregular_bases(exception)) forms.push_back(arrays_.bases.word(base));
  } else if (const std::int32_t entry = regular_base(word, 0); entry >= 0) {
    forms.push_back(arrays_.words.word(entry));
  }
  return forms;
}

}  // namespace bolide
