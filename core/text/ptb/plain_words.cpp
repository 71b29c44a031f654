#include "text/ptb/plain_words.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "text/byte_blocks.hpp"

namespace bolide::ptb {
namespace {

// Words that other rules split, in any case. All other words of ASCII letters are plain: a test goes through
// all states of the automaton.
constexpr std::string_view split_words[] = {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"};

constexpr bool is_same(char letter, char other) {
  return (letter | 0x20) == (other | 0x20);
}

// Each has five or six letters, and the third is the fourth. Few other words are like this.
static_assert(std::all_of(std::begin(split_words), std::end(split_words), [](std::string_view word) {
  return (word.size() == 5 || word.size() == 6) && word[2] == word[3];
}));

// Whether the text begins with one of these words, and a character that is not a letter.
bool begins_with_split_word(const char* text) {
  if (!is_same(text[2], text[3])) return false;
  return std::any_of(std::begin(split_words), std::end(split_words), [&](std::string_view word) {
    return std::equal(word.begin(), word.end(), text, is_same);
  });
}

struct Stretch {
  std::size_t size = 0;  // in bytes; the last one is a space
  ByteBits commas = 0;
  bool fills_block = false;  // so there may be more plain words behind it
};

// The plain words at the beginning of a block.
Stretch plain_words(const char* block) {
  const ByteBits letters = bytes_in<ByteRange{'A', 'Z'}, ByteRange{'a', 'z'}>(block);
  const ByteBits spaces = bytes_in<ByteRange{' ', ' '}>(block);
  const ByteBits commas = bytes_in<ByteRange{',', ','}>(block) & letters << 1 & spaces >> 1;
  const ByteBits word_ends = (spaces | commas) & letters << 1;
  const ByteBits gaps = spaces & (letters | commas) << 1;
  const ByteBits others = ~(letters | commas | gaps);
  ByteBits usable = (others - 1) & ~others;  // the bytes before the first other one
  for (ByteBits starts = (gaps << 1 | 1) & (word_ends >> 5 | word_ends >> 6) & usable; starts != 0;) {
    const std::size_t start = take_lowest(starts);
    if (begins_with_split_word(block + start)) {
      usable &= (ByteBits{1} << start) - 1;
      break;
    }
  }
  const auto size = block_bytes - static_cast<std::size_t>(std::countl_zero(gaps & usable));
  return {size, commas & usable, ~usable == 0};
}

bool is_letter(char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

}  // namespace

std::size_t copy_plain_words(std::string_view text, std::size_t at, Punctuation punctuation,
                             std::string& out) {
  const std::string_view comma = punctuation == Punctuation::kept ? " ," : "";
  std::size_t end_of_words = at;
  while (text.size() - at >= block_bytes && is_letter(text[at])) {
    Stretch found = plain_words(text.data() + at);
    std::size_t begin = 0;
    while (found.commas != 0) {
      const std::size_t end = take_lowest(found.commas);
      out += text.substr(at + begin, end - begin);
      out += comma;
      begin = end + 1;
    }
    if (found.size == 0) break;
    out += text.substr(at + begin, found.size - begin);
    at += found.size;
    end_of_words = at - 1;
    if (!found.fills_block) break;
  }
  return end_of_words;
}

std::size_t behind_space(std::string_view text, std::size_t at) {
  const bool is_alone = at + 1 < text.size() && text[at] == ' ' && text[at + 1] > ' ' && text[at + 1] < 0x7F;
  return at + is_alone;
}

}  // namespace bolide::ptb
