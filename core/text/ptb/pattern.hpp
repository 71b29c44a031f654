// Patterns of the PTB rules: a small regular-expression language, parsed into a nondeterministic automaton.
//
//     a  [abc]  [a-z]  [^,]  \.  \u00AD  (ab|cd)  (?i:ab)  a?  a*  a+  a{2,3}  {LETTER}
//
// `{NAME}` stands for a named pattern or a named set of characters. `$` is the end of the text. A pattern
// matches characters of the text; it has no captures, anchors or back-references, so it can be compiled into
// a table that reads each character once (table.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bolide::ptb {

struct Interval {
  char32_t first, last;  // both included
  bool operator==(const Interval&) const = default;
};
using CharacterSet = std::vector<Interval>;  // sorted, disjoint

constexpr char32_t end_of_text = 0x110000;  // what `$` matches: no character
constexpr char32_t last_symbol = end_of_text;

// A pattern with a name, for use in other patterns.
struct Definition {
  std::string_view name, pattern;
};

// The states of a nondeterministic automaton. A state reads a character of a set, or has up to two free
// moves.
struct Nfa {
  static constexpr std::int32_t none = -1;
  struct State {
    std::int32_t set = none;      // number of the set that it reads
    std::int32_t next = none;     // the state after that, or a free move
    std::int32_t other = none;    // a second free move
    std::int32_t accepts = none;  // number of the rule that ends here
  };
  std::vector<State> states;
  std::vector<CharacterSet> sets;

  std::int32_t add(State state) {
    states.push_back(state);
    return static_cast<std::int32_t>(states.size()) - 1;
  }
};

// Parses patterns into one automaton.
class PatternParser {
 public:
  PatternParser(Nfa& nfa, std::map<std::string_view, CharacterSet> sets, std::vector<Definition> definitions);

  // Adds a pattern. Returns its first state; a match of it ends in `rule`.
  std::int32_t add(std::string_view pattern, std::string_view context, std::int32_t rule);

 private:
  struct Fragment {
    std::int32_t first, last;  // `last` has no moves yet
  };
  Fragment parse(std::string_view pattern);
  Fragment alternatives();
  Fragment sequence();
  Fragment repeated();
  Fragment atom();
  Fragment braces();
  Fragment empty();
  Fragment reading(CharacterSet set);
  Fragment joined(Fragment left, Fragment right);
  Fragment optional(Fragment inner);
  Fragment at_least_one(Fragment inner);
  Fragment counted(std::size_t begin, std::size_t end, Fragment first);
  CharacterSet brackets();
  static CharacterSet with_other_case(CharacterSet set);
  char32_t character();
  bool at_end() const { return at_ == pattern_.size(); }
  bool next_is(char c) const { return !at_end() && pattern_[at_] == c; }

  Nfa& nfa_;
  std::map<std::string_view, CharacterSet> sets_;
  std::map<std::string_view, std::string_view> definitions_;
  std::string_view pattern_;
  std::size_t at_ = 0;
  bool ignore_case_ = false;
};

CharacterSet complement(const CharacterSet& set);
// Sorts and joins intervals.
CharacterSet tidy(CharacterSet set);

}  // namespace bolide::ptb
