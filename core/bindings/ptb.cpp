#include <algorithm>

#include "bindings/convert.hpp"
#include "text/byte_blocks.hpp"
#include "text/ptb/lexer.hpp"

namespace bolide::python {

namespace {

// Calls visit(run) for each run of tokens that have characters outside ASCII.
template <typename Visit>
void for_each_run(std::string_view tokens, Visit&& visit) {
  constexpr std::string_view separators = " \n";
  std::size_t begin = 0, end = 0;  // of the last run
  for_each_block<ByteRange{0x80, 0xFF}>(tokens, [&](std::size_t start, ByteBits bits) {
    while (bits != 0) {
      const std::size_t at = start + take_lowest(bits);
      if (at < end) continue;
      const std::size_t token = tokens.find_last_of(separators, at) + 1;  // npos + 1 is 0
      if (token > end + 1) {
        if (end > 0) visit(tokens.substr(begin, end - begin));
        begin = token;
      }
      end = std::min(tokens.find_first_of(separators, at), tokens.size());
    }
  });
  if (end > 0) visit(tokens.substr(begin, end - begin));
}

// The pieces at odd positions have characters outside ASCII.
nb::list pieces_of(std::string_view tokens) {
  nb::list pieces;
  std::size_t done = 0;
  for_each_run(tokens, [&](std::string_view run) {
    const auto begin = static_cast<std::size_t>(run.data() - tokens.data());
    pieces.append(to_str(tokens.substr(done, begin - done)));
    pieces.append(to_str(run));
    done = begin + run.size();
  });
  pieces.append(to_str(tokens.substr(done)));
  return pieces;
}

nb::list ptb_tokenize(const nb::str& text, bool punctuation) {
  const std::string_view whole = utf8(text);
  const auto marks = punctuation ? ptb::Punctuation::kept : ptb::Punctuation::removed;
  return pieces_of(without_gil([&] { return ptb::Lexer::shared().tokenize(whole, marks); }));
}

}  // namespace

void bind_ptb(nb::module_& m) {
  m.def("ptb_tokenize", &ptb_tokenize, "text"_a, "punctuation"_a);
}

}  // namespace bolide::python
