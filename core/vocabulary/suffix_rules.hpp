// A machine for stemmers that are tables of suffixes (bolide.porter has such tables). It knows consonants and
// vowels only; which letters are vowels, and all rules, are told from outside.
//
//     word:  relational     step:  ational -> ate if measure > 0,  al -> (nothing) if measure > 1, ...
//
// Steps follow one another. In a step only the rules with the longest suffix that the word has count, and of
// these the first whose condition holds. A letter is a code point, and a consonant unless told otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bolide {

// On what a rule's cut leaves of the word, [C](VC)^m[V] with C and V for runs of consonants and of vowels; m
// is its measure.
enum class SuffixCondition : std::uint8_t {
  any,
  measure_above_0,
  measure_above_1,
  has_vowel,
  ends_consonant,
  ends_short,       // consonant, vowel, consonant, the last not one of LetterClasses::long_consonants
  vowel_consonant,  // a vowel and a consonant, nothing else
  one_letter,
  doubled,  // its last letter comes again behind it, as a consonant
};

struct SuffixRule {
  std::u32string suffix;
  std::size_t cut;  // so many letters are taken off: all of the suffix, some of it, or more
  std::u32string append;
  SuffixCondition condition;
  bool leads_on = false;  // to the sequel
};

struct SuffixStep {
  bool sequel;  // taken only if the rule that the step before applied leads on
  std::vector<SuffixRule> rules;
};

// ASCII letters only.
struct LetterClasses {
  std::string vowels;
  std::string semivowels;  // vowels behind a consonant, else consonants
  std::string long_consonants;
};

// Words whose stems no rule tells.
struct SuffixExceptions {
  std::unordered_map<std::u32string, std::u32string> stems;
  std::size_t shortest = 0;  // words of fewer letters are their own stems
};

class SuffixStemmer {
 public:
  // Throws std::invalid_argument if a letter of the classes is not ASCII.
  SuffixStemmer(const LetterClasses& letters, std::vector<SuffixStep> steps, SuffixExceptions exceptions);

  // Turns the word into its stem; false if no rule applied.
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
  std::vector<SuffixStep> steps_;  // rules by length of suffix, the longest first
  SuffixExceptions exceptions_;
};

}  // namespace bolide
