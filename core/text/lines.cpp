#include "text/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "text/characters.hpp"

namespace bolide {

Lines Lines::part(std::size_t first, std::size_t last) const {
  Lines part = *this;
  part.first_ = first_ + std::min(first, size());
  part.last_ = std::max(part.first_, first_ + std::min(last, size()));
  return part;
}

void LineBuffer::feed(std::string_view block) {
  bytes_.erase(0, begin_);
  ends_.erase(ends_.begin(), ends_.begin() + static_cast<std::ptrdiff_t>(first_));
  for (End& end : ends_) end = {end.end - begin_, end.next - begin_};
  next_ -= begin_;
  searched_ -= begin_;
  first_ = begin_ = 0;
  bytes_.append(block);
  find_lines();
}

void LineBuffer::close() {
  closed_ = true;
  find_lines();
}

void LineBuffer::find_lines() {
  // Few files contain CR, and searching for one character is several times faster than searching for two.
  returns_ = java_ends_ && bytes_.find('\r', searched_) != std::string::npos;
  while (const std::optional<End> end = find_end()) {
    ends_.push_back(*end);
    next_ = searched_ = end->next;
  }
  searched_ = bytes_.empty() || bytes_.back() != '\r' ? bytes_.size() : bytes_.size() - 1;
}

// Finds the end of the line that begins at next_.
std::optional<LineBuffer::End> LineBuffer::find_end() const {
  if (next_ == bytes_.size()) return std::nullopt;
  const std::size_t end = returns_ ? bytes_.find_first_of("\r\n", searched_) : bytes_.find('\n', searched_);
  const bool at_end = end == std::string::npos || (bytes_[end] == '\r' && end + 1 == bytes_.size());
  if (at_end && !closed_) return std::nullopt;
  if (end == std::string::npos) return End{bytes_.size(), bytes_.size()};
  if (bytes_[end] == '\r')
    return End{end, end + (end + 1 < bytes_.size() && bytes_[end + 1] == '\n' ? 2 : 1)};
  const bool after_return = !java_ends_ && end > next_ && bytes_[end - 1] == '\r';
  return End{after_return ? end - 1 : end, end + 1};
}

Lines LineBuffer::take(std::size_t count) {
  const auto taken = std::span(ends_).subspan(first_, std::min(count, available()));
  const std::size_t end = taken.empty() ? begin_ : taken.back().next;
  auto storage = std::make_shared<Lines::Storage>();
  storage->bytes.assign(bytes_, begin_, end - begin_);
  storage->lines.reserve(taken.size());
  std::size_t start = begin_;
  for (const End& line : taken) {
    storage->lines.push_back(std::string_view(storage->bytes).substr(start - begin_, line.end - start));
    start = line.next;
  }
  if (!is_utf8(storage->bytes)) {
    const auto bad = std::find_if_not(storage->lines.begin(), storage->lines.end(), is_utf8);
    taken_ += static_cast<std::size_t>(bad - storage->lines.begin());
    throw BadLine(bad == storage->lines.end() ? storage->bytes : *bad);
  }
  begin_ = end;
  first_ += taken.size();
  taken_ += taken.size();
  Lines lines;
  lines.last_ = taken.size();
  lines.storage_ = std::move(storage);
  return lines;
}

namespace {

using characters::byte;

// The length in bytes of the character at `at`, which is not ASCII; 0 if the bytes are not valid UTF-8.
// Overlong forms, surrogates and code points above U+10FFFF are invalid, so the bounds of the second byte
// depend on the first.
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte(text[at]);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  const unsigned char second = byte(text[at + 1]);
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (second < low || second > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if ((byte(text[at + k]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + 8 <= text.size()) {  // most text is ASCII
      std::uint64_t eight;
      std::memcpy(&eight, text.data() + at, 8);
      if ((eight & 0x8080808080808080) == 0) {
        at += 8;
        continue;
      }
    }
    const std::size_t length = byte(text[at]) < 0x80 ? 1 : character_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace bolide
