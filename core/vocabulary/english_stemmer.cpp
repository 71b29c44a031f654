#include "vocabulary/english_stemmer.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace bolide {

namespace {

// The last eight characters of a text as a number, the last one in the lowest byte. Comparing such numbers is
// faster than comparing texts.
constexpr std::uint64_t ending_of(std::string_view text) {
  std::uint64_t ending = 0;
  for (const char letter : text.substr(text.size() - std::min<std::size_t>(text.size(), 8)))
    ending = ending << 8 | static_cast<unsigned char>(letter);
  return ending;
}

// A set of letters has one bit for each of them. Some other characters share these bits.
constexpr std::uint32_t letter_bit(char letter) {
  return std::uint32_t{1} << (static_cast<unsigned char>(letter) & 31u);
}
constexpr bool one_of(char letter, std::string_view letters) {
  std::uint32_t set = 0;
  for (const char each : letters) set |= letter_bit(each);
  return letter >= 'a' && letter <= 'z' && (letter_bit(letter) & set);
}

// In a word that is being stemmed, a y that is a consonant is written Y.
constexpr bool is_vowel(char letter) {
  return one_of(letter, "aeiouy");
}

// R1 is the part of a word after the first consonant that follows a vowel, R2 is the same part of R1.
enum class Region : std::uint8_t { word, r1, r2 };

// A condition on the place of a suffix, or on the letters before it.
enum Condition : std::uint8_t {
  always,
  never,  // for suffixes that only keep shorter ones from being found
  in_r1,
  in_r2,
  after_two_letters,
  after_vowel,          // anywhere before it
  after_earlier_vowel,  // anywhere before it, except directly before it
  after_consonant,      // directly before it, but not the first letter
  after_l,
  after_l_in_r2,  // the suffix is in R2
  after_s_or_t,
  after_li_ending,  // a letter that li may follow
  after_no_short_syllable,
  short_word,  // it ends in a short syllable, and R1 is empty
};

struct Rule {
  std::uint64_t ending, mask;
  std::size_t length;
  std::string_view replacement;
  Condition condition;

  constexpr Rule(std::string_view suffix, std::string_view replaced_by = "", Condition holds = always)
      : ending(ending_of(suffix)),
        mask(suffix.empty() ? 0 : ~std::uint64_t{0} >> (64 - 8 * suffix.size())),
        length(suffix.size()),
        replacement(replaced_by),
        condition(holds) {}
};

// Rules, those with the longest suffix first. A step looks for the longest suffix of the word. If it is in
// the region, the first of its rules whose condition holds is applied.
struct Step {
  Region region;
  std::span<const Rule> rules;
  std::uint32_t last_letters = 0;  // of the suffixes; most words have another one

  template <std::size_t count>
  constexpr Step(Region its_region, const Rule (&its_rules)[count]) : region(its_region), rules(its_rules) {
    const auto longer = [](const Rule& a, const Rule& b) { return a.length > b.length; };
    if (!std::is_sorted(rules.begin(), rules.end(), longer)) throw "suffixes are not in order";
    for (const Rule& rule : rules)
      last_letters |= rule.length ? letter_bit(static_cast<char>(rule.ending & 0x7f)) : ~std::uint32_t{0};
  }
};

// Rules without a condition or a replacement delete their suffix.
constexpr Rule rules_0[] = {{"'s'"}, {"'s"}, {"'"}};
constexpr Rule rules_1a[] = {{"sses", "ss"},    {"ied", "i", after_two_letters},
                             {"ied", "ie"},     {"ies", "i", after_two_letters},
                             {"ies", "ie"},     {"us", "", never},
                             {"ss", "", never}, {"s", "", after_earlier_vowel}};
constexpr Rule rules_1b[] = {{"eedly", "ee", in_r1}, {"ingly", "", after_vowel}, {"edly", "", after_vowel},
                             {"eed", "ee", in_r1},   {"ing", "", after_vowel},   {"ed", "", after_vowel}};
// These follow if step 1b has deleted a suffix.
constexpr Rule rules_1b_deleted[] = {
    {"at", "ate"}, {"bl", "ble"}, {"iz", "ize"}, {"bb", "b"}, {"dd", "d"}, {"ff", "f"},          {"gg", "g"},
    {"mm", "m"},   {"nn", "n"},   {"pp", "p"},   {"rr", "r"}, {"tt", "t"}, {"", "e", short_word}};
constexpr Rule rules_1c[] = {{"y", "i", after_consonant}, {"Y", "i", after_consonant}};
constexpr Rule rules_2[] = {
    {"ational", "ate"}, {"fulness", "ful"}, {"iveness", "ive"},     {"ization", "ize"},
    {"ousness", "ous"}, {"biliti", "ble"},  {"lessli", "less"},     {"tional", "tion"},
    {"alism", "al"},    {"aliti", "al"},    {"ation", "ate"},       {"entli", "ent"},
    {"fulli", "ful"},   {"iviti", "ive"},   {"ousli", "ous"},       {"abli", "able"},
    {"alli", "al"},     {"anci", "ance"},   {"ator", "ate"},        {"enci", "ence"},
    {"izer", "ize"},    {"bli", "ble"},     {"ogi", "og", after_l}, {"li", "", after_li_ending}};
constexpr Rule rules_3[] = {{"ational", "ate"},   {"tional", "tion"}, {"alize", "al"},
                            {"ative", "", in_r2}, {"icate", "ic"},    {"iciti", "ic"},
                            {"ical", "ic"},       {"ness"},           {"ful"}};
constexpr Rule rules_4[] = {{"ement"}, {"able"}, {"ance"}, {"ence"}, {"ible"},
                            {"ment"},  {"ant"},  {"ate"},  {"ent"},  {"ion", "", after_s_or_t},
                            {"ism"},   {"iti"},  {"ive"},  {"ize"},  {"ous"},
                            {"al"},    {"er"},   {"ic"}};
constexpr Rule rules_5[] = {{"e", "", in_r2}, {"e", "", after_no_short_syllable}, {"l", "", after_l_in_r2}};

constexpr Step step_0{Region::word, rules_0}, step_1a{Region::word, rules_1a},
    step_1b{Region::word, rules_1b}, step_1b_deleted{Region::word, rules_1b_deleted},
    step_1c{Region::word, rules_1c}, step_2{Region::r1, rules_2}, step_3{Region::r1, rules_3},
    step_4{Region::r2, rules_4}, step_5{Region::r1, rules_5};

// A word with a stem that the rules do not find.
struct Exception {
  std::uint64_t word;  // its length and its letters
  std::string_view stem;

  constexpr Exception(std::string_view its_word, std::string_view its_stem)
      : word(number_of(its_word)), stem(its_stem) {}
  constexpr Exception(std::string_view invariant) : Exception(invariant, invariant) {}

  static constexpr std::size_t longest = 7;
  static constexpr std::uint64_t number_of(std::string_view word) {
    return ending_of(word) | std::uint64_t{word.size()} << 56;
  }
};

constexpr Exception exceptions[] = {
    {"skis", "ski"},    {"skies", "sky"}, {"dying", "die"},    {"lying", "lie"},
    {"tying", "tie"},   {"idly", "idl"},  {"gently", "gentl"}, {"ugly", "ugli"},
    {"early", "earli"}, {"only", "onli"}, {"singly", "singl"}, {"sky"},
    {"news"},           {"howe"},         {"atlas"},           {"cosmos"},
    {"bias"},           {"andes"}};
// Of words that step 1a may have changed.
constexpr Exception exceptions_1a[] = {{"inning"},  {"outing"},  {"canning"}, {"herring"},
                                       {"earring"}, {"proceed"}, {"exceed"},  {"succeed"}};

const Exception* find(std::span<const Exception> listed, std::string_view word) {
  if (word.size() > Exception::longest) return nullptr;
  const std::uint64_t number = Exception::number_of(word);
  const Exception* found = nullptr;
  for (const Exception& each : listed) found = each.word == number ? &each : found;
  return found;
}

// R1 begins after these, because words such as general and generous would get the same stem otherwise.
constexpr std::string_view beginnings_before_r1[] = {"gener", "commun", "arsen"};

class Word {
 public:
  // Takes a word without an apostrophe at the beginning.
  explicit Word(std::string& text) : text_(text) {
    mark_consonants();
    first_vowel_ = next(0, true);
    r1_ = after_syllable(0);
    for (const std::string_view beginning : beginnings_before_r1)
      if (text.starts_with(beginning)) r1_ = beginning.size();
    r2_ = after_syllable(r1_);
    ending_ = ending_of(text);
  }

  // Returns the rule that was applied, if any.
  const Rule* apply(const Step& step);
  // Ends stemming.
  std::string_view finish() {
    if (marked_) std::replace(text_.begin(), text_.end(), 'Y', 'y');
    return text_;
  }

 private:
  void mark_consonants() {
    bool after_vowel = true;
    for (char& letter : text_) {
      if (letter == 'y' && after_vowel) letter = 'Y', marked_ = true;
      after_vowel = is_vowel(letter);
    }
  }

  // The next vowel, or the next letter that is none, or the end of the word.
  std::size_t next(std::size_t place, bool vowel) const {
    while (place < text_.size() && is_vowel(text_[place]) != vowel) ++place;
    return place;
  }
  // The place after the next vowel and the next consonant after it.
  std::size_t after_syllable(std::size_t place) const {
    return std::min(next(next(place, true), false) + 1, text_.size());
  }

  // Whether the first letters end in a vowel between consonants, the last of them none of w, x and Y, or are
  // a vowel and a consonant.
  bool short_syllable(std::size_t count) const {
    if (count < 2 || is_vowel(text_[count - 1]) || !is_vowel(text_[count - 2])) return false;
    const char last = text_[count - 1];
    return count == 2 || (!is_vowel(text_[count - 3]) && last != 'w' && last != 'x' && last != 'Y');
  }

  bool holds(Condition condition, std::size_t before) const {
    const char last = before > 0 ? text_[before - 1] : '\0';
    switch (condition) {
      case always:
        return true;
      case never:
        return false;
      case in_r1:
        return before >= r1_;
      case in_r2:
        return before >= r2_;
      case after_two_letters:
        return before >= 2;
      case after_vowel:
        return before > first_vowel_;
      case after_earlier_vowel:
        return before > first_vowel_ + 1;
      case after_consonant:
        return before > 1 && !is_vowel(last);
      case after_l:
        return last == 'l';
      case after_l_in_r2:
        return last == 'l' && before >= r2_;
      case after_s_or_t:
        return last == 's' || last == 't';
      case after_li_ending:
        return one_of(last, "cdeghkmnrt");
      case after_no_short_syllable:
        return !short_syllable(before);
      case short_word:
        return before == r1_ && short_syllable(before);
    }
    return false;
  }

  std::string& text_;
  bool marked_ = false;  // a y as Y
  std::size_t first_vowel_, r1_, r2_;
  std::uint64_t ending_;
};

const Rule* Word::apply(const Step& step) {
  if (!(step.last_letters & letter_bit(static_cast<char>(ending_ & 0x7f)))) return nullptr;
  const std::size_t region = step.region == Region::word ? 0 : step.region == Region::r1 ? r1_ : r2_;
  auto rule = step.rules.begin();
  const auto end = step.rules.end();
  while (rule != end && (ending_ & rule->mask) != rule->ending) ++rule;
  for (const std::uint64_t longest = rule == end ? 0 : rule->ending; rule != end; ++rule) {
    if (rule->ending != longest) return nullptr;
    const std::size_t before = text_.size() - rule->length;
    if (before < region) return nullptr;
    if (!holds(rule->condition, before)) continue;
    text_.replace(before, rule->length, rule->replacement);
    ending_ = ending_of(text_);
    return &*rule;
  }
  return nullptr;
}

}  // namespace

std::string_view english_stem(std::string_view word, std::string& memory) {
  if (word.size() < 3 || word.size() > longest_stemmed_word) return word;
  if (const Exception* exception = find(exceptions, word)) return exception->stem;
  memory = word.substr(word.front() == '\'' ? 1 : 0);
  Word stem(memory);
  stem.apply(step_0);
  stem.apply(step_1a);
  if (find(exceptions_1a, memory)) return stem.finish();
  const Rule* rule = stem.apply(step_1b);
  if (rule && rule->replacement.empty()) stem.apply(step_1b_deleted);
  stem.apply(step_1c);
  stem.apply(step_2);
  stem.apply(step_3);
  stem.apply(step_4);
  stem.apply(step_5);
  return stem.finish();
}

}  // namespace bolide
