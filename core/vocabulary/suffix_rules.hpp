// Stemmers that are tables of suffixes, such as Porter's (bolide.language.porter). This file knows consonants
// and vowels only; the caller says which letters are vowels, and gives the rules.
//
//     word:  relational     step:  ational -> ate if measure > 0,  al -> (nothing) if measure > 1, ...
//
// Steps are applied one after the other. In a step, only the rules with the longest suffix of the word count,
// and of these the first rule whose condition holds. A letter is a code point. Letters are consonants unless
// LetterClasses says otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bolide {

// A condition on the rest of the word after the cut. The rest has the form [C](VC)^m[V], where C and V are
// runs of consonants and of vowels; m is its measure.
enum class SuffixCondition : std::uint8_t {
  any,
  measure_above_0,
  measure_above_1,
  has_vowel,
  ends_consonant,
  ends_short,       // consonant, vowel, consonant; the last is none of LetterClasses::long_consonants
  vowel_consonant,  // exactly one vowel and one consonant
  one_letter,
  doubled,  // the letter after the rest is the same consonant as its last letter
};

struct SuffixRule {
  std::u32string suffix;
  std::size_t cut;  // how many letters are removed: the suffix, a part of it, or more
  std::u32string append;
  SuffixCondition condition;
  bool leads_on = false;  // the next step, a sequel, is applied
};

struct SuffixStep {
  bool sequel;  // applied only if the last rule has leads_on
  std::vector<SuffixRule> rules;
};

// ASCII letters only.
struct LetterClasses {
  std::string vowels;
  std::string semivowels;  // vowels after a consonant, otherwise consonants
  std::string long_consonants;
};

// Words that are not stemmed by rules.
struct SuffixExceptions {
  std::unordered_map<std::u32string, std::u32string> stems;
  std::size_t shortest = 0;  // shorter words, in letters, are not changed
};

class SuffixStemmer {
 public:
  // Throws std::invalid_argument if a letter in `letters` is not ASCII.
  SuffixStemmer(const LetterClasses& letters, std::vector<SuffixStep> steps, SuffixExceptions exceptions);

  // Replaces the word by its stem. Returns false if no rule applied.
  bool stem(std::u32string& word) const;
  // The stem of a word in UTF-8.
  std::string stem(std::string_view word) const;

 private:
  enum Class : std::uint8_t { vowel = 1, semivowel = 2, long_consonant = 4 };
  struct Shape;

  std::uint8_t class_of(char32_t letter) const { return letter < classes_.size() ? classes_[letter] : 0; }
  Shape shape(std::u32string_view text) const;
  bool holds(SuffixCondition condition, std::u32string_view word, std::size_t left) const;
  const SuffixRule* find(const SuffixStep& step, std::u32string_view word) const;

  std::array<std::uint8_t, 128> classes_{};
  std::vector<SuffixStep> steps_;  // rules with the longest suffixes first
  SuffixExceptions exceptions_;
};

}  // namespace bolide
