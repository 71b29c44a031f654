#include "text/ptb/writing.hpp"

#include <algorithm>
#include <iterator>

namespace bolide::ptb {
namespace {

struct Replacement {
  std::string_view old, written;
  bool in_any_case = false;  // then `old` is in lower case
};

// Of words: a soft hyphen is removed, and the ampersand of "AT&amp;T" is written as such.
constexpr Replacement soft_hyphens[] = {{"\u00AD", ""}, {"&amp;", "&", true}};
constexpr Replacement quotation_marks[] = {
    {"\u0091", "`"},  {"\u0092", "'"}, {"\u0093", "``"}, {"\u0094", "''"}, {"\u00AB", "``"},
    {"\u00BB", "''"}, {"\u2018", "`"}, {"\u2019", "'"},  {"\u201B", "`"},  {"\u201C", "``"},
    {"\u201D", "''"}, {"\u2039", "`"}, {"\u203A", "'"},  {"&apos;", "'"},  {"&quot;", "''"},
};
constexpr Replacement inner_spaces[] = {{" ", "\u00A0"}};
constexpr Replacement inner_brackets[] = {{" ", "\u00A0"}, {"(", "-lrb-"}, {")", "-rrb-"}};

bool begins_with(std::string_view text, const Replacement& each) {
  const auto same = [&](char expected, char c) {
    return c == expected || (each.in_any_case && c >= 'A' && c <= 'Z' && (c | 0x20) == expected);
  };
  return text.size() >= each.old.size() && std::equal(each.old.begin(), each.old.end(), text.begin(), same);
}

template <std::size_t size>
void append_replaced(std::string_view text, const Replacement (&table)[size], std::string& out) {
  while (!text.empty()) {
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Replacement& each) { return begins_with(text, each); });
    if (found != std::end(table)) {
      out += found->written;
      text.remove_prefix(found->old.size());
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
}

// A word of soft hyphens only is a hyphen.
void append_word(std::string_view token, std::string& out) {
  const std::size_t before = out.size();
  append_replaced(token, soft_hyphens, out);
  if (out.size() == before) out += '-';
}

}  // namespace

void write_token(const Rule& rule, std::string_view token, std::string& out) {
  switch (rule.writing) {
    case Writing::word:
      if (std::any_of(token.begin(), token.end(), [](char c) { return c == '&' || c == '\xAD'; })) {
        return append_word(token, out);
      }
      break;
    case Writing::fixed:
      out += rule.replacement;
      return;
    case Writing::quotes:
      return append_replaced(token, quotation_marks, out);
    case Writing::one_token:
      return append_replaced(token, inner_spaces, out);
    case Writing::brackets:
      return append_replaced(token, inner_brackets, out);
    default:
      break;
  }
  out += token;
}

void lower_ascii(std::string& text) {
  for (char& c : text) c = static_cast<char>(c | (c >= 'A' && c <= 'Z') << 5);
}

bool is_punctuation(std::string_view token) {
  constexpr std::string_view marks[] = {".", ",", "'", "''", "``", "`", "?", "!", ":", "-", "--", "...", ";"};
  return token.size() <= 3 && std::find(std::begin(marks), std::end(marks), token) != std::end(marks);
}

}  // namespace bolide::ptb
