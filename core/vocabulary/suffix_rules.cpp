#include "vocabulary/suffix_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "text/utf16.hpp"

namespace bolide {

// The properties of a text that conditions ask for.
struct SuffixStemmer::Shape {
  std::size_t measure = 0;
  bool has_vowel = false;
  unsigned ends = 0;  // one bit per letter, the last letter lowest; 1 = vowel
};

SuffixStemmer::SuffixStemmer(const LetterClasses& letters, std::vector<SuffixStep> steps,
                             SuffixExceptions exceptions)
    : steps_(std::move(steps)), exceptions_(std::move(exceptions)) {
  const std::pair<const std::string&, Class> classes[] = {
      {letters.vowels, vowel}, {letters.semivowels, semivowel}, {letters.long_consonants, long_consonant}};
  for (const auto& [members, bit] : classes) {
    for (const char letter : members) {
      const auto code = static_cast<unsigned char>(letter);
      if (code >= classes_.size()) throw std::invalid_argument("letter classes are of ASCII letters");
      classes_[code] = static_cast<std::uint8_t>(classes_[code] | bit);
    }
  }
  for (SuffixStep& step : steps_) {
    std::stable_sort(step.rules.begin(), step.rules.end(), [](const SuffixRule& a, const SuffixRule& b) {
      return a.suffix.size() > b.suffix.size();
    });
  }
}

SuffixStemmer::Shape SuffixStemmer::shape(std::u32string_view text) const {
  Shape shape;
  bool after_vowel = true;  // so that a semivowel at the beginning is a consonant
  for (const char32_t letter : text) {
    const std::uint8_t its_class = class_of(letter);
    const bool is_vowel = (its_class & vowel) || ((its_class & semivowel) && !after_vowel);
    shape.measure += (shape.ends & 1u) && !is_vowel;
    shape.has_vowel |= is_vowel;
    shape.ends = shape.ends << 1 | (is_vowel ? 1u : 0u);
    after_vowel = is_vowel;
  }
  return shape;
}

bool SuffixStemmer::holds(SuffixCondition condition, std::u32string_view word, std::size_t left) const {
  const std::u32string_view text = word.substr(0, left);
  switch (condition) {
    case SuffixCondition::any:
      return true;
    case SuffixCondition::measure_above_0:
      return shape(text).measure > 0;
    case SuffixCondition::measure_above_1:
      return shape(text).measure > 1;
    case SuffixCondition::has_vowel:
      return shape(text).has_vowel;
    case SuffixCondition::ends_consonant:
      return left > 0 && !(shape(text).ends & 1u);
    case SuffixCondition::ends_short:
      return left > 2 && (shape(text).ends & 7u) == 2u && !(class_of(text.back()) & long_consonant);
    case SuffixCondition::vowel_consonant:
      return left == 2 && shape(text).ends == 2u;
    case SuffixCondition::one_letter:
      return left == 1;
    case SuffixCondition::doubled:
      return left > 0 && left < word.size() && word[left] == text.back() &&
             !(shape(word.substr(0, left + 1)).ends & 1u);
  }
  return false;
}

const SuffixRule* SuffixStemmer::find(const SuffixStep& step, std::u32string_view word) const {
  const std::u32string* longest = nullptr;
  for (const SuffixRule& rule : step.rules) {
    // Most suffixes differ in the last letter.
    if (!rule.suffix.empty() && (word.empty() || rule.suffix.back() != word.back())) continue;
    if (longest ? rule.suffix != *longest : !word.ends_with(rule.suffix)) continue;
    longest = &rule.suffix;
    if (rule.cut <= word.size() && holds(rule.condition, word, word.size() - rule.cut)) return &rule;
  }
  return nullptr;
}

std::string SuffixStemmer::stem(std::string_view word) const {
  std::u32string letters;
  for_each_code_point(word, [&](std::uint32_t point) { letters += static_cast<char32_t>(point); });
  if (!stem(letters)) return std::string(word);
  std::string found;
  for (const char32_t letter : letters) append_utf8(letter, found);
  return found;
}

bool SuffixStemmer::stem(std::u32string& word) const {
  if (word.size() < exceptions_.shortest) return false;
  if (const auto listed = exceptions_.stems.find(word); listed != exceptions_.stems.end()) {
    word = listed->second;
    return true;
  }
  bool changed = false, leads_on = false;
  for (const SuffixStep& step : steps_) {
    if (step.sequel && !leads_on) continue;
    const SuffixRule* rule = find(step, word);
    leads_on = rule && rule->leads_on;
    if (!rule) continue;
    word.replace(word.size() - rule->cut, rule->cut, rule->append);
    changed = true;
  }
  return changed;
}

}  // namespace bolide
