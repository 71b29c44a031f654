// The PTB tokenizer: what Stanford CoreNLP 3.4.1 gives with `PTBTokenizer -preserveLines`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/rules.hpp"
#include "text/ptb/table.hpp"
#include "text/ptb/writing.hpp"

namespace bolide::ptb {

// How plain words (plain_words.hpp) become tokens. Both ways give the same.
enum class PlainWords { copied, by_rules };

// How a text is tokenized, for tests.
struct Decisions {
  std::vector<std::string_view> rules;  // their names, one for each token and gap
  std::size_t bytes_read = 0;           // by all searches for the longest match
};

class Lexer {
 public:
  // The lexer of all rules. It is built at the first call.
  static const Lexer& shared();

  // The tokens of the text: separated by spaces, with the line breaks of the text. Letters of ASCII become
  // lower-case; the caller lower-cases the others, which needs Unicode tables. The text must be valid UTF-8.
  std::string tokenize(std::string_view utf8, Punctuation punctuation,
                       PlainWords plain_words = PlainWords::copied) const;

  // For tests.
  Decisions decisions(std::string_view utf8) const;  // without the fast way for plain words
  const Alphabet& alphabet() const { return *alphabet_; }
  const Table& table() const { return *table_; }
  void build_all() const;  // all states of all tables

 private:
  struct FoundToken {
    std::size_t end;    // of the token
    std::int32_t rule;  // Nfa::none: no rule
  };
  struct Step {
    std::uint8_t kind;
    std::size_t size;  // in bytes
  };
  class Scan;
  Step step(std::string_view text, std::size_t at) const;
  Lexer();
  // Calls visit(rule, token) for each token and gap. Before each, it goes to the position skip(position).
  // Returns the number of bytes that were read.
  template <typename Skip, typename Visit>
  std::size_t scan(std::string_view text, Skip&& skip, Visit&& visit) const;
  std::size_t end_of_token(std::string_view text, std::size_t begin, std::size_t end,
                           std::int32_t rule) const;

  // Limits of the tables. A test builds all states: there are fewer.
  static constexpr std::size_t max_states = 0x1800, max_part_states = 0x100;

  std::span<const Rule> rules_;
  Nfa nfa_;
  std::unique_ptr<Alphabet> alphabet_;
  std::unique_ptr<Table> table_;
  // Of each rule with a context: an automaton for the token alone, one for the context alone.
  struct Parts {
    std::unique_ptr<Table> token, context;
  };
  std::vector<std::int32_t> parts_of_rule_;
  std::vector<Parts> parts_;
};

}  // namespace bolide::ptb
