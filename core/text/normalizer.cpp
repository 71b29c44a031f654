// The steps of the normalizer. A line goes through them in order; `separate_words` at the end of this file
// lists them. Each rule is one pass from left to right. Matches do not overlap: if two candidates share a
// character, only the first is rewritten. The Java release does the same, and its scores depend on it:
//
//     a,,b    "a,," is rewritten, so the second comma has no left neighbour:    a , ,b
//     a-b-c   "a-b" is rewritten, so the second hyphen has no left neighbour:   a b-c
//
// Why it is fast: the first step records which marks the line has, and passes for other marks are skipped. A
// pass jumps from one mark to the next with memchr. Marks that share no neighbour need one pass for all their
// rules. A pass that changes nothing copies nothing. tests/support/oracle/normalizer.py is the same
// normalizer with one regular expression per rule.
#include "text/normalizer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

#include "text/byte_blocks.hpp"
#include "text/characters.hpp"

namespace bolide {
namespace {

using namespace characters;

bool contains(std::string_view text, Kinds kinds) {
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (c.kind() & kinds) return true;
    at += c.size;
  }
  return false;
}

// -----------------------------------------------------------------------------------------------------------
// Passes

// One pass over `text`. Replacements come from left to right; the changed line is built in `scratch`.
class Pass {
 public:
  Pass(std::string& text, std::string& scratch) : text_(text), scratch_(scratch) { scratch_.clear(); }

  void replace(std::size_t first, std::size_t last, std::string_view replacement) {
    scratch_.append(text_, kept_, first - kept_).append(replacement);
    kept_ = last;
  }
  void replace_with_copies(std::size_t first, std::size_t last, std::size_t count, char c) {
    replace(first, last, {});
    scratch_.append(count, c);
  }
  void finish() {
    if (kept_ == 0) return;  // nothing was replaced
    scratch_.append(text_, kept_);
    text_.swap(scratch_);
  }

 private:
  std::string& text_;
  std::string& scratch_;
  std::size_t kept_ = 0;  // everything before this position is in scratch_
};

void replace_all(std::string& text, std::string& scratch, std::string_view old,
                 std::string_view replacement) {
  Pass pass(text, scratch);
  for (std::size_t at = 0; (at = text.find(old, at)) != text.npos; at += old.size()) {
    pass.replace(at, at + old.size(), replacement);
  }
  pass.finish();
}

// A mark that is rewritten if its neighbours have the given kinds. The neighbours are part of the match.
struct MarkRule {
  char mark;
  Kinds left, right;
  std::string_view replacement;
};

// A mark with its neighbours. Up to step 9 the line begins and ends with a space, so every mark has two
// neighbours.
struct Neighbourhood {
  Character left, right;
  std::size_t begin, end;

  Neighbourhood(std::string_view text, std::size_t at)
      : left(character_before(text, at)),
        right(character_at(text, at + 1)),
        begin(at - left.size),
        end(at + 1 + right.size) {}
  bool fits(const MarkRule& rule) const { return (left.kind() & rule.left) && (right.kind() & rule.right); }
};

void apply(const MarkRule& rule, std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  std::size_t matched = 0;  // end of the last match
  for (std::size_t at = 0; (at = text.find(rule.mark, at + 1)) != text.npos;) {
    const Neighbourhood here(text, at);
    if (here.begin < matched || !here.fits(rule)) continue;
    pass.replace(at, at + 1, rule.replacement);
    matched = here.end;
  }
  pass.finish();
}

// Applies all rules in one pass: to each mark the first rule that fits. If no two marks share a neighbour,
// this gives the same result as one pass per rule, because a rewritten mark fits no later rule of its table.
// If two marks share a neighbour, returns false and changes nothing.
bool apply_at_once(std::span<const MarkRule> rules, std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  std::size_t seen = 0;  // end of the last neighbourhood
  for (std::size_t at = 0; (at = text.find(rules.front().mark, at + 1)) != text.npos;) {
    const Neighbourhood here(text, at);
    if (here.begin < seen) return false;
    seen = here.end;
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const auto& r) { return here.fits(r); });
    if (rule != rules.end()) pass.replace(at, at + 1, rule->replacement);
  }
  pass.finish();
  return true;
}

// All rules of a table are for the same mark.
void apply_in_order(std::span<const MarkRule> rules, std::string& text, std::string& scratch) {
  if (apply_at_once(rules, text, scratch)) return;
  for (const MarkRule& rule : rules) apply(rule, text, scratch);
}

// -----------------------------------------------------------------------------------------------------------
// Steps 1 and 2: spaces at both ends of the line and around every symbol.
//
// The one-to-one replacements of steps 5 and 6 (quotes, dash) are made here too, because no rule in between
// distinguishes the old character from the new one. For the same reason, all white space at which step 9
// splits becomes a space.

// ASCII characters that are not changed.
constexpr std::array<bool, 0x80> stays = [] {
  std::array<bool, 0x80> table{};
  for (char32_t c = 0; c < 0x80; ++c) table[c] = find_kind(c) != symbol;
  for (const unsigned char changed : {'`', '\t', '\n', '\f', '\r'}) table[changed] = false;
  return table;
}();

// The marks that later steps look for, as bits.
using Marks = std::uint8_t;
constexpr Marks comma = 1, hyphen = 2, apostrophe = 4, period = 8, beyond_ascii = 16;

constexpr Marks mark_of(char32_t code) {
  switch (code) {
    case U',':
      return comma;
    case U'-':
    case en_dash:
      return hyphen;
    case U'\'':
    case U'`':
    case left_quote:
    case right_quote:
      return apostrophe;
    case U'.':
      return period;
    default:
      return 0;
  }
}

// The end of the run of non-ASCII letters that begins at `at`; `at` if there is none.
std::size_t end_of_letters(std::string_view line, std::size_t at) {
  while (at < line.size() && byte(line[at]) >= 0x80) {
    const Character c = character_at(line, at);
    if (c.kind() != letter) break;
    at += c.size;
  }
  return at;
}

void append_changed(std::string& out, char32_t code, std::string_view bytes) {
  switch (code) {
    case U'\t':
    case U'\n':
    case U'\f':
    case U'\r':
      out.push_back(' ');
      return;
    case U'`':
    case left_quote:
    case right_quote:
      out.push_back('\'');
      return;
    case left_double_quote:
    case right_double_quote:
      bytes = "\"";
      break;
    case en_dash:
      bytes = "-";
      break;
    default:
      break;
  }
  out.append(1, ' ').append(bytes).append(1, ' ');
}

// Returns the marks that the line has afterwards.
Marks separate_symbols(std::string_view line, std::string& out) {
  out.assign(1, ' ');
  Marks marks = 0;
  std::size_t kept = 0, next = 0;  // everything before `kept` is in `out`, before `next` has been read
  for_each_block<ByteRange{'a', 'z'}, ByteRange{'A', 'Z'}, ByteRange{'0', '9'}, ByteRange{' ', ' '}>(
      line, [&](std::size_t start, ByteBits plain) {
        for (ByteBits others = ~plain; others != 0;) {
          const std::size_t at = start + take_lowest(others);
          if (at < next) {
            others &= next - start < block_bytes ? ~ByteBits{0} << (next - start) : 0;
            continue;
          }
          const Character c = character_at(line, at);
          marks |= mark_of(c.code);
          if (c.size > 1) {
            marks |= beyond_ascii;
            next = end_of_letters(line, at);
            if (next > at) continue;
            next = at + c.size;
          } else if (stays[c.code]) {
            continue;
          }
          out.append(line, kept, at - kept);
          append_changed(out, c.code, line.substr(at, c.size));
          kept = at + c.size;
        }
      });
  out.append(line, kept).push_back(' ');
  return marks;
}

// -----------------------------------------------------------------------------------------------------------
// Steps 3 and 10: a run of two or more dots is one token.
//
// In step 3, Java replaces a run of n dots by the escape word DOT...DOTMULTI (n times DOT), and in step 10 it
// restores the dots. Here the run stays as it is, between spaces. The difference shows only if the line
// itself contains an escape word. The two functions about escape words treat it as Java does.

constexpr std::string_view escape_word = "DOTMULTI";

void separate_dot_runs(std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  for (std::size_t at = 0; (at = text.find("..", at)) != text.npos;) {
    const std::size_t end = text.find_first_not_of('.', at);
    pass.replace(at, at, " ");
    pass.replace(end, end, " ");
    at = end;
  }
  pass.finish();
}

// If DOTMULTI in the line is followed by one dot, Java takes it for a run of two dots: it becomes DOTDOTMULTI
// and a space. The space is missing if the word directly follows another match: a DOTMULTI that got its
// space, or a run of exactly two dots.
void hide_dots_after_escape_words(std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  const auto is_dot = [&](std::size_t k) { return text[k] == '.'; };
  std::size_t matched = 0;  // end of the last word that got a space
  for (std::size_t at = 1; (at = text.find(escape_word, at)) != text.npos;) {
    const std::size_t begin = at, end = begin + escape_word.size();
    at = end;
    if (!is_dot(end) || is_dot(end + 1)) continue;
    const bool behind_two_dots = begin >= 3 && is_dot(begin - 1) && is_dot(begin - 2) && !is_dot(begin - 3);
    const bool taken = behind_two_dots || begin == matched;
    pass.replace(begin, end + 1, taken ? "DOTDOTMULTI" : "DOTDOTMULTI ");
    if (!taken) matched = end + 1;
  }
  pass.finish();
}

void show_dots_of_escape_words(std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  std::size_t shown = 0;
  for (std::size_t at = 0; (at = text.find(escape_word, at)) != text.npos;) {
    const std::size_t end = at + escape_word.size();
    std::size_t begin = at, dots = 1;
    while (begin >= shown + 3 && text.compare(begin - 3, 3, "DOT") == 0) begin -= 3, ++dots;
    pass.replace_with_copies(begin, end, dots, '.');
    shown = at = end;
  }
  pass.finish();
}

// -----------------------------------------------------------------------------------------------------------
// Step 4: a comma is a token unless it is between digits.

constexpr MarkRule commas[] = {
    {',', others_than(digit), others_than(digit), " , "},
    {',', digit, others_than(digit), " , "},
    {',', others_than(digit), digit, " , "},
};

// Steps 5 and 6, as far as step 2 has not done them.

void join_quotes(std::string& text, std::string& scratch) {
  replace_all(text, scratch, "''", " \" ");
}
void shorten_dashes(std::string& text, std::string& scratch) {
  replace_all(text, scratch, "--", "-");
}

// Step 7: a hyphen within a word becomes a space.

constexpr MarkRule hyphens[] = {{'-', alnum | dot, alnum, " "}};

// Step 8: apostrophes.

constexpr MarkRule english_apostrophes[] = {
    {'\'', others_than(alpha), others_than(alpha), " ' "},
    {'\'', others_than(alnum), alpha, " ' "},
    {'\'', alpha, others_than(alpha), " ' "},
    {'\'', alpha, alpha, " '"},
    {'\'', digit, letter_s, " '"},
};

constexpr MarkRule french_apostrophes[] = {
    {'\'', others_than(alpha), others_than(alpha), " ' "},
    {'\'', others_than(alpha), alpha, " ' "},
    {'\'', alpha, others_than(alpha), " ' "},
    {'\'', alpha, alpha, "' "},
};

void separate_apostrophes(ApostropheStyle style, std::string& text, std::string& scratch) {
  switch (style) {
    case ApostropheStyle::english:
      return apply_in_order(english_apostrophes, text, scratch);
    case ApostropheStyle::french:
      return apply_in_order(french_apostrophes, text, scratch);
    case ApostropheStyle::other_western:
      return replace_all(text, scratch, "'", " ' ");
  }
}

// -----------------------------------------------------------------------------------------------------------
// Step 9: the dot at the end of a word. Since step 2, words are separated by spaces only.

bool keeps_final_dot(std::string_view prefix, char following, const NormalizerRules& rules) {
  if ((following >= 'a' && following <= 'z') || rules.prefixes.contains(prefix)) return true;
  return following >= '0' && following <= '9' && rules.numeric_prefixes.contains(prefix);
}

void remove_dots(Pass& pass, std::string_view text, std::size_t first, std::size_t last) {
  for (std::size_t at = first; at < last; ++at) {
    if (text[at] == '.') pass.replace(at, at + 1, "");
  }
}

void separate_final_dots(const NormalizerRules& rules, std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  const std::string_view line = text;
  for (std::size_t at = 0; (at = line.find(". ", at + 1)) != line.npos;) {
    const std::size_t begin = line.rfind(' ', at) + 1, following = line.find_first_not_of(' ', at + 1);
    const std::string_view prefix = line.substr(begin, at - begin);
    if (prefix.empty() || prefix.back() == '.') continue;  // a dot or a run of dots
    if (prefix.find('.') != prefix.npos && contains(prefix, alpha)) {
      remove_dots(pass, line, begin, at + 1);  // U.S. -> US
    } else if (!keeps_final_dot(prefix, following == line.npos ? ' ' : line[following], rules)) {
      pass.replace(at, at, " ");
    }
  }
  pass.finish();
}

// -----------------------------------------------------------------------------------------------------------
// Step 11: every character that is not a letter or digit becomes a space. Runs become one space, which saves
// work in step 12.

void remove_punctuation(std::string& text, std::string& scratch) {
  scratch.clear();
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    if (c.kind() & alnum) {
      scratch.append(text, at, c.size);
    } else if (!scratch.empty() && scratch.back() != ' ') {
      scratch.push_back(' ');
    }
    at += c.size;
  }
  text.swap(scratch);
}

// -----------------------------------------------------------------------------------------------------------
// Step 12: runs of spaces become one space; characters up to U+0020 are removed from the ends.

constexpr Range wide_spaces[] = {
    {0x00A0, 0x00A0}, {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};

// The bytes with which a space can begin. Other text is skipped quickly.
constexpr char wide_leads[] = {'\xC2', '\xE2', '\xE3'};
constexpr std::array<bool, 256> may_begin_space = [] {
  std::array<bool, 256> table{};
  table[' '] = true;
  for (const char lead : wide_leads) table[static_cast<unsigned char>(lead)] = true;
  return table;
}();

// The end of the run of spaces that begins at `at`; `at` if there is none.
std::size_t end_of_spaces(std::string_view text, std::size_t at) {
  const auto is_space = [](char32_t code) {
    return code == U' ' ||
           std::any_of(std::begin(wide_spaces), std::end(wide_spaces),
                       [&](const Range& range) { return code >= range.first && code <= range.last; });
  };
  while (at < text.size() && may_begin_space[byte(text[at])]) {
    const Character c = character_at(text, at);
    if (!is_space(c.code)) break;
    at += c.size;
  }
  return at;
}

void join_spaces(std::string& text, std::string& scratch) {
  Pass pass(text, scratch);
  const std::string_view line = text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (!may_begin_space[byte(line[at])]) continue;
    const std::size_t end = end_of_spaces(line, at);
    if (end <= at + 1) continue;  // no space, or only one
    pass.replace(at, end, " ");
    at = end - 1;
  }
  pass.finish();
}

// Java's String.trim.
std::string_view trim(std::string_view text) {
  const auto goes = [](char c) { return byte(c) <= ' '; };
  while (!text.empty() && goes(text.back())) text.remove_suffix(1);
  while (!text.empty() && goes(text.front())) text.remove_prefix(1);
  return text;
}

// Steps 1 to 11. Returns the marks that step 2 found.
Marks separate_words(std::string_view utf8, const NormalizerRules& rules, std::string& out,
                     std::string& scratch) {
  const Marks marks = separate_symbols(utf8, out);  // steps 1 and 2, and the single characters of 5 and 6
  if (marks & period) {                             // step 3
    hide_dots_after_escape_words(out, scratch);
    separate_dot_runs(out, scratch);
  }
  if (marks & comma) apply_in_order(commas, out, scratch);  // step 4
  if (marks & apostrophe) join_quotes(out, scratch);        // step 5
  if (marks & hyphen) {
    shorten_dashes(out, scratch);           // step 6
    apply_in_order(hyphens, out, scratch);  // step 7
  }
  if (marks & apostrophe) separate_apostrophes(rules.style, out, scratch);  // step 8
  if (marks & period) separate_final_dots(rules, out, scratch);             // step 9
  show_dots_of_escape_words(out, scratch);                                  // step 10
  if (!rules.keep_punctuation) remove_punctuation(out, scratch);            // step 11
  return marks;
}

}  // namespace

void normalize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch) {
  separate_words(utf8, rules, out, scratch);
  join_spaces(out, scratch);  // step 12
  const std::string_view rest = trim(out);
  const auto begin = static_cast<std::size_t>(rest.data() - out.data());
  out.resize(begin + rest.size());
  out.erase(0, begin);
}

// Step 12 is needed only if there are spaces other than U+0020: `split` skips any number of those.
void tokenize(std::string_view utf8, const NormalizerRules& rules, std::string& out, std::string& scratch,
              std::vector<std::string_view>& tokens) {
  const Marks marks = separate_words(utf8, rules, out, scratch);
  const auto has = [&](char lead) { return std::memchr(out.data(), lead, out.size()) != nullptr; };
  if ((marks & beyond_ascii) && std::any_of(std::begin(wide_leads), std::end(wide_leads), has)) {
    join_spaces(out, scratch);
  }
  split(trim(out), tokens);
}

void split(std::string_view text, std::vector<std::string_view>& tokens) {
  tokens.clear();
  ByteBits before = 1;  // whether the byte before the block is a separator
  bool inside = false;
  std::size_t begin = 0;
  for_each_block<ByteRange{' ', ' '}, ByteRange{'\t', '\n'}, ByteRange{'\f', '\r'}>(
      text, [&](std::size_t start, ByteBits separators) {
        ByteBits changes = separators ^ (separators << 1 | before);
        before = separators >> (block_bytes - 1);
        while (changes != 0) {
          const std::size_t at = start + take_lowest(changes);
          if (inside) tokens.push_back(text.substr(begin, at - begin));
          inside = !inside;
          begin = at;
        }
      });
  if (inside) tokens.push_back(text.substr(begin));
}

}  // namespace bolide
