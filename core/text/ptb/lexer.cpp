#include "text/ptb/lexer.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "text/characters.hpp"
#include "text/ptb/character_sets.hpp"
#include "text/ptb/plain_words.hpp"
#include "text/ptb/writing.hpp"

namespace bolide::ptb {

using characters::Character;
using characters::character_at;

// Java reads UTF-16, so a character beyond the basic plane (four bytes) is read in two halves.
inline Lexer::Step Lexer::step(std::string_view text, std::size_t at) const {
  const unsigned char lead = characters::byte(text[at]);
  if (lead < 0x80) return {alphabet_->kind_of(lead), 1};
  if (lead >= 0xF0 || lead < 0xC0) return {alphabet_->kind_of(0x10000), 2};
  const Character c = character_at(text, at);
  return {alphabet_->kind_of(c.code), c.size};
}

// Finds the longest match at successive positions. A search may read on far behind the longest match, for
// example from each `<` to the end of a text without `>`. The states of such a long search in vain are
// remembered, and later searches stop there: each pair of state and position is visited in vain only once.
class Lexer::Scan {
 public:
  Scan(const Lexer& lexer, std::string_view text) : lexer_(lexer), text_(text) {}

  FoundToken longest(std::size_t begin) {
    FoundToken match{begin, Nfa::none};
    const std::size_t end = search(begin, [&](Table::State, std::size_t at, std::int32_t rule) {
      if (rule != Nfa::none) match = {at, rule};
    });
    bytes_read_ += end - begin;
    if (end > match.end + long_search) remember(begin, match.end);
    return match;
  }
  std::size_t bytes_read() const { return bytes_read_; }

 private:
  static constexpr std::size_t long_search = 64;       // bytes; shorter ones are not worth remembering
  using Place = std::pair<Table::State, std::size_t>;  // a state and a position

  // Calls visit(state, position, rule) after each character, until no rule can match. Returns the position.
  template <typename Visit>
  std::size_t search(std::size_t at, Visit&& visit) const {
    const Table& table = *lexer_.table_;
    const std::string_view text = text_;  // copies, which the compiler keeps in registers
    const std::size_t known_until = known_until_;
    Table::State state = Table::start;
    while (at < text.size()) {
      const Step step = lexer_.step(text, at);
      state = table.next(state, step.kind);
      if (state == Table::dead) return at;
      at += step.size;
      const std::int32_t rule = table.rule(state);
      if (at < known_until && rule == Nfa::none && is_known(state, at)) return at;
      visit(state, at, rule);
    }
    state = table.next(state, lexer_.alphabet_->kind_of_end());
    if (state != Table::dead) visit(state, at, table.rule(state));
    return at;
  }

  // Most of a long search is in one state, for example within quotation marks. So runs of one state are kept.
  void remember(std::size_t begin, std::size_t match_end) {
    std::vector<std::pair<Place, std::size_t>> runs;
    const std::size_t end = search(begin, [&](Table::State state, std::size_t at, std::int32_t) {
      if (at <= match_end) return;
      if (runs.empty() || runs.back().first.first != state) runs.push_back({{state, at}, at});
      runs.back().second = at;
    });
    known_.insert(runs.begin(), runs.end());
    known_until_ = std::max(known_until_, end + 1);
  }

  bool is_known(Table::State state, std::size_t at) const {
    const auto next = known_.upper_bound({state, at});
    if (next == known_.begin()) return false;
    const auto& [place, last] = *std::prev(next);
    return place.first == state && at <= last;
  }

  const Lexer& lexer_;
  std::string_view text_;
  std::map<Place, std::size_t> known_;  // the first place of a run, and the last position
  std::size_t known_until_ = 0, bytes_read_ = 0;
};

Lexer::Lexer() : rules_(ptb::rules()) {
  PatternParser parser(nfa_, character_sets(), {definitions().begin(), definitions().end()});
  std::vector<std::int32_t> whole;
  struct Beginnings {
    std::int32_t token, context;
  };
  std::vector<Beginnings> beginnings;
  for (const Rule& rule : rules_) {
    const auto number = static_cast<std::int32_t>(whole.size());
    whole.push_back(parser.add(rule.pattern, rule.context, number));
    parts_of_rule_.push_back(rule.context.empty() ? Nfa::none : static_cast<std::int32_t>(beginnings.size()));
    if (!rule.context.empty()) {
      beginnings.push_back({parser.add(rule.pattern, {}, number), parser.add(rule.context, {}, number)});
    }
  }
  alphabet_ = std::make_unique<Alphabet>(nfa_);
  table_ = std::make_unique<Table>(nfa_, *alphabet_, whole, max_states);
  for (const auto& [token, context] : beginnings) {
    parts_.push_back({std::make_unique<Table>(nfa_, *alphabet_, std::vector{token}, max_part_states),
                      std::make_unique<Table>(nfa_, *alphabet_, std::vector{context}, max_part_states)});
  }
}

const Lexer& Lexer::shared() {
  static const Lexer lexer;
  return lexer;
}

// The longest token that is followed by the context up to the end of the match.
std::size_t Lexer::end_of_token(std::string_view text, std::size_t begin, std::size_t end,
                                std::int32_t rule) const {
  const Parts& parts = parts_[static_cast<std::size_t>(parts_of_rule_[static_cast<std::size_t>(rule)])];
  const auto advance = [&](const Table& table, Table::State& state, std::size_t& at) {
    const Step step = this->step(text, at);
    state = table.next(state, step.kind);
    at += step.size;
  };
  const auto context_fits = [&](std::size_t from) {
    Table::State state = Table::start;
    while (from < end && state != Table::dead) advance(*parts.context, state, from);
    if (parts.context->rule(state) != Nfa::none) return true;
    return end == text.size() &&
           parts.context->rule(parts.context->next(state, alphabet_->kind_of_end())) >= 0;
  };
  std::size_t result = begin;
  Table::State state = Table::start;
  for (std::size_t at = begin; at < end && state != Table::dead;) {
    advance(*parts.token, state, at);
    if (parts.token->rule(state) != Nfa::none && context_fits(at)) result = at;
  }
  return result;
}

template <typename Skip, typename Visit>
std::size_t Lexer::scan(std::string_view text, Skip&& skip, Visit&& visit) const {
  Scan scan(*this, text);
  for (std::size_t at = skip(0); at < text.size(); at = skip(at)) {
    const auto [match_end, rule] = scan.longest(at);
    if (rule == Nfa::none) {  // a character that the tokenizer drops
      at += step(text, at).size;
      continue;
    }
    const Rule& each = rules_[static_cast<std::size_t>(rule)];
    const std::size_t end = each.context.empty() ? match_end : end_of_token(text, at, match_end, rule);
    visit(each, text.substr(at, end - at));
    at = each.writing == Writing::period_twice ? end - 1 : end;
  }
  return scan.bytes_read();
}

std::string Lexer::tokenize(std::string_view text, Punctuation punctuation, PlainWords plain_words) const {
  std::string out;
  out.reserve(text.size() + text.size() / 8 + 1);
  const auto end_line = [&] {
    if (!out.empty() && out.back() == ' ') out.pop_back();
  };
  const auto skip_plain_words = [&](std::size_t at) {
    if (plain_words == PlainWords::by_rules) return at;
    return behind_space(text, copy_plain_words(text, behind_space(text, at), punctuation, out));
  };
  scan(text, skip_plain_words, [&](const Rule& rule, std::string_view token) {
    if (rule.writing == Writing::skipped) return;
    if (rule.writing == Writing::line_break) {
      end_line();
      out += '\n';
      return;
    }
    const std::size_t begin = out.size();
    write_token(rule, token, out);
    if (punctuation == Punctuation::removed && is_punctuation(std::string_view(out).substr(begin))) {
      out.resize(begin);
    } else {
      out += ' ';
    }
  });
  end_line();
  lower_ascii(out);
  return out;
}

Decisions Lexer::decisions(std::string_view text) const {
  Decisions result;
  result.bytes_read = scan(
      text, [](std::size_t at) { return at; },
      [&](const Rule& rule, std::string_view) { result.rules.push_back(rule.name); });
  return result;
}

void Lexer::build_all() const {
  table_->build_all();
  for (const Parts& each : parts_) {
    each.token->build_all();
    each.context->build_all();
  }
}

}  // namespace bolide::ptb
