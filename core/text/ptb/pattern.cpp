#include "text/ptb/pattern.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/characters.hpp"

namespace bolide::ptb {

CharacterSet tidy(CharacterSet set) {
  std::sort(set.begin(), set.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
  CharacterSet result;
  for (const Interval& each : set) {
    if (!result.empty() && each.first <= result.back().last + 1) {
      result.back().last = std::max(result.back().last, each.last);
    } else {
      result.push_back(each);
    }
  }
  return result;
}

// All characters that are not in the set. The end of the text is no character.
CharacterSet complement(const CharacterSet& set) {
  CharacterSet result;
  char32_t from = 0;
  for (const Interval& each : set) {
    if (each.first > from) result.push_back({from, each.first - 1});
    from = each.last + 1;
  }
  if (from < end_of_text) result.push_back({from, end_of_text - 1});
  return result;
}

PatternParser::PatternParser(Nfa& nfa, std::map<std::string_view, CharacterSet> sets,
                             std::vector<Definition> definitions)
    : nfa_(nfa), sets_(std::move(sets)) {
  for (const Definition& each : definitions) definitions_[each.name] = each.pattern;
}

std::int32_t PatternParser::add(std::string_view pattern, std::string_view context, std::int32_t rule) {
  Fragment whole = parse(pattern);
  if (!context.empty()) whole = joined(whole, parse(context));
  nfa_.states[static_cast<std::size_t>(whole.last)].accepts = rule;
  return whole.first;
}

PatternParser::Fragment PatternParser::parse(std::string_view pattern) {
  const auto outer = std::pair(pattern_, at_);
  pattern_ = pattern, at_ = 0;
  const Fragment result = alternatives();
  if (!at_end()) throw std::logic_error("unbalanced parenthesis in pattern " + std::string(pattern));
  std::tie(pattern_, at_) = outer;
  return result;
}

PatternParser::Fragment PatternParser::alternatives() {
  Fragment result = sequence();
  while (next_is('|')) {
    ++at_;
    const Fragment other = sequence();
    const std::int32_t last = nfa_.add({});
    nfa_.states[static_cast<std::size_t>(result.last)].next = last;
    nfa_.states[static_cast<std::size_t>(other.last)].next = last;
    result = {nfa_.add({.next = result.first, .other = other.first}), last};
  }
  return result;
}

PatternParser::Fragment PatternParser::sequence() {
  Fragment result = empty();
  while (!at_end() && !next_is('|') && !next_is(')')) result = joined(result, repeated());
  return result;
}

PatternParser::Fragment PatternParser::repeated() {
  const std::size_t begin = at_;
  Fragment result = atom();
  const std::size_t end = at_;
  if (at_end()) return result;
  switch (pattern_[at_]) {
    case '?':
      ++at_;
      return optional(result);
    case '+':
      ++at_;
      return at_least_one(result);
    case '*':
      ++at_;
      return optional(at_least_one(result));
    case '{':
      if (at_ + 1 < pattern_.size() && pattern_[at_ + 1] >= '0' && pattern_[at_ + 1] <= '9') {
        return counted(begin, end, result);
      }
      return result;
    default:
      return result;
  }
}

// {m}, {m,} and {m,n}: the text of the atom is parsed again for each repetition.
PatternParser::Fragment PatternParser::counted(std::size_t begin, std::size_t end, Fragment first) {
  const auto number = [&] {
    int value = 0;
    for (; !at_end() && pattern_[at_] >= '0' && pattern_[at_] <= '9'; ++at_) {
      value = 10 * value + (pattern_[at_] - '0');
    }
    return value;
  };
  ++at_;
  const int least = number();
  int most = least;
  bool endless = false;
  if (next_is(',')) {
    ++at_;
    endless = next_is('}');
    most = endless ? least : number();
  }
  ++at_;
  const std::string_view text = pattern_.substr(begin, end - begin);
  Fragment result = least == 0 ? optional(first) : first;
  for (int k = 1; k < most; ++k) {
    const Fragment more = parse(text);
    result = joined(result, k < least ? more : optional(more));
  }
  if (endless) result = joined(result, optional(at_least_one(parse(text))));
  return result;
}

PatternParser::Fragment PatternParser::atom() {
  switch (pattern_[at_]) {
    case '(': {
      ++at_;
      const bool outer = ignore_case_;
      if (pattern_.substr(at_).starts_with("?i:")) {
        ignore_case_ = true;
        at_ += 3;
      }
      const Fragment inner = alternatives();
      ignore_case_ = outer;
      if (!next_is(')')) throw std::logic_error("missing ) in pattern " + std::string(pattern_));
      ++at_;
      return inner;
    }
    case '[':
      return reading(brackets());
    case '{':
      return braces();
    case '$':
      ++at_;
      return reading({{end_of_text, end_of_text}});
    default: {
      const char32_t c = character();
      return reading({{c, c}});
    }
  }
}

PatternParser::Fragment PatternParser::braces() {
  const std::size_t end = pattern_.find('}', at_);
  const std::string_view name = pattern_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  if (const auto set = sets_.find(name); set != sets_.end()) return reading(set->second);
  const auto found = definitions_.find(name);
  if (found == definitions_.end()) throw std::logic_error("no definition of " + std::string(name));
  return parse(found->second);
}

CharacterSet PatternParser::brackets() {
  ++at_;
  const bool negated = next_is('^');
  if (negated) ++at_;
  CharacterSet result;
  while (!next_is(']')) {
    if (next_is('{')) {  // the name of a set
      const std::size_t end = pattern_.find('}', at_);
      const CharacterSet& set = sets_.at(pattern_.substr(at_ + 1, end - at_ - 1));
      result.insert(result.end(), set.begin(), set.end());
      at_ = end + 1;
      continue;
    }
    const char32_t first = character();
    char32_t last = first;
    if (next_is('-') && pattern_[at_ + 1] != ']') {
      ++at_;
      last = character();
    }
    result.push_back({first, last});
  }
  ++at_;
  result = tidy(std::move(result));
  return negated ? complement(result) : result;
}

char32_t PatternParser::character() {
  if (next_is('\\')) {
    ++at_;
    if (next_is('u')) {  // \u and four hexadecimal digits
      const auto code = std::stoul(std::string(pattern_.substr(at_ + 1, 4)), nullptr, 16);
      at_ += 5;
      return static_cast<char32_t>(code);
    }
  }
  const characters::Character c = characters::character_at(pattern_, at_);
  at_ += c.size;
  return c.code;
}

// As in Java: the Turkish i without and with a dot, the long s and the sign of kelvin are forms of letters,
// too.
CharacterSet PatternParser::with_other_case(CharacterSet set) {
  const CharacterSet given = set;
  const auto has = [&](char32_t each) {
    return std::any_of(given.begin(), given.end(),
                       [&](const Interval& part) { return part.first <= each && each <= part.last; });
  };
  for (char32_t lower = U'a'; lower <= U'z'; ++lower) {
    const char32_t upper = lower - U'a' + U'A';
    if (!has(lower) && !has(upper)) continue;
    set.push_back({lower, lower});
    set.push_back({upper, upper});
    if (lower == U'i') set.push_back({0x0130, 0x0131});
    if (lower == U'k') set.push_back({0x212A, 0x212A});
    if (lower == U's') set.push_back({0x017F, 0x017F});
  }
  return tidy(std::move(set));
}

PatternParser::Fragment PatternParser::empty() {
  const std::int32_t state = nfa_.add({});
  return {state, state};
}

PatternParser::Fragment PatternParser::reading(CharacterSet set) {
  const std::int32_t last = nfa_.add({});
  if (ignore_case_) set = with_other_case(set);
  const auto known = std::find(nfa_.sets.begin(), nfa_.sets.end(), set);
  const auto number = static_cast<std::int32_t>(known - nfa_.sets.begin());
  if (known == nfa_.sets.end()) nfa_.sets.push_back(std::move(set));
  return {nfa_.add({.set = number, .next = last}), last};
}

PatternParser::Fragment PatternParser::joined(Fragment left, Fragment right) {
  nfa_.states[static_cast<std::size_t>(left.last)].next = right.first;
  return {left.first, right.last};
}

PatternParser::Fragment PatternParser::optional(Fragment inner) {
  const std::int32_t last = nfa_.add({});
  nfa_.states[static_cast<std::size_t>(inner.last)].next = last;
  return {nfa_.add({.next = inner.first, .other = last}), last};
}

PatternParser::Fragment PatternParser::at_least_one(Fragment inner) {
  const std::int32_t last = nfa_.add({});
  const std::int32_t again = nfa_.add({.next = inner.first, .other = last});
  nfa_.states[static_cast<std::size_t>(inner.last)].next = again;
  return {inner.first, last};
}

}  // namespace bolide::ptb
