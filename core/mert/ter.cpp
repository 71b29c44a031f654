#include "mert/ter.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace bolide {

namespace {

// The limits of sacrebleu.
constexpr int longest_shift = 10, farthest_shift = 50, beam_width = 25, most_checked = 1000;
constexpr int unreachable = 1 << 29;

}  // namespace

bool EditCounter::Shift::operator>(const Shift& other) const {
  return std::tuple(gain, length, -start, -target) >
         std::tuple(other.gain, other.length, -other.start, -other.target);
}

// Row 0 is complete. Neighbouring rows read a row too, and their columns may begin earlier or end later.
void EditCounter::Band::shape(int rows, int columns) {
  const double ratio = static_cast<double>(columns) / rows;
  const int width = beam_width < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + beam_width)) : beam_width;
  low_.assign(1, 0);
  high_.assign(1, columns + 1);
  for (int k = 1; k <= rows; ++k) {
    const int diagonal = static_cast<int>(std::floor(k * ratio));
    low_.push_back(std::max(0, diagonal - width));
    high_.push_back(k == rows ? columns + 1 : std::min(columns + 1, diagonal + width));
  }
  origin_.clear();
  std::ptrdiff_t start = 0;
  for (int k = 0; k <= rows; ++k) {
    const int first = low_[std::max(k - 1, 0)] - 1;
    const int last = k == 0 ? columns + 1 : std::max(high_[k], high_[std::min(k + 1, rows)]);
    origin_.push_back(start - first);
    start += last - first + 1;
  }
  cells_ = static_cast<std::size_t>(start);
}

// Computes the rows first + 1 .. last of the matrix from row `first`.
void EditCounter::fill_forward(Cells& cells, const WordIds& words, int first, int last) {
  const int* reference = reference_->data();
  for (int k = first + 1; k <= last; ++k) {
    const int* above = row(k - 1 == first ? forward_ : cells, k - 1);
    int* here = row(cells, k);
    const int word = words[k - 1];
    int j = band_.low(k);
    if (j == 0) {
      here[0] = above[0] + 1;
      ++j;
    }
    for (; j < band_.high(k); ++j) {
      const int kept = above[j - 1] + (word != reference[j - 1]);
      here[j] = std::min(kept, std::min(above[j], here[j - 1]) + 1);
    }
  }
}

// Computes, for each cell, the cost from there to the last cell.
void EditCounter::fill_backward() {
  const int rows = static_cast<int>(words_.size()), columns = static_cast<int>(reference_->size());
  const int* reference = reference_->data();
  int* last = row(backward_, rows);
  for (int j = columns; j >= band_.low(rows); --j) last[j] = columns - j;
  for (int k = rows - 1; k >= 1; --k) {
    const int* below = row(backward_, k + 1);
    int* here = row(backward_, k);
    const int word = words_[k];
    for (int j = band_.high(k) - 1; j >= band_.low(k); --j) {
      int best = below[j] + 1;
      if (j < columns) {
        best = std::min(best, below[j + 1] + (word != reference[j]));
        best = std::min(best, here[j + 1] + 1);
      }
      here[j] = best;
    }
  }
}

// Follows the path of least cost. It prefers substitutions to deletions, and deletions to insertions.
void EditCounter::trace() {
  int k = static_cast<int>(words_.size()), j = static_cast<int>(reference_->size());
  wrong_words_.assign(k + 1, 0);
  wrong_references_.assign(j + 1, 0);
  beside_.assign(j, -1);
  while (k > 0 || j > 0) {
    const int cost = row(forward_, k)[j];
    const bool both = k > 0 && j > 0;
    const bool wrong = both && words_[k - 1] != (*reference_)[j - 1];
    if (both && cost == row(forward_, k - 1)[j - 1] + wrong) {
      beside_[--j] = --k;
      wrong_words_[k + 1] = wrong_references_[j + 1] = wrong;
    } else if (k > 0 && (j == 0 || cost == row(forward_, k - 1)[j] + 1)) {
      wrong_words_[k--] = 1;
    } else {
      beside_[--j] = k - 1;
      wrong_references_[j + 1] = 1;
    }
  }
  for (std::size_t m = 1; m < wrong_words_.size(); ++m) wrong_words_[m] += wrong_words_[m - 1];
  for (std::size_t m = 1; m < wrong_references_.size(); ++m) wrong_references_[m] += wrong_references_[m - 1];
}

// Applies a shift. Returns the range of positions that may have changed.
std::pair<int, int> EditCounter::moved(const Shift& shift, const WordIds& from, WordIds& to) {
  const auto [gain, length, start, target] = shift;
  to = from;
  const auto at = [&](int k) { return to.begin() + std::min<std::ptrdiff_t>(k, std::ssize(to)); };
  if (target < start) {
    std::rotate(at(target), at(start), at(start + length));
    return {target, start + length};
  }
  const int end = target > start + length ? target : length + target;
  std::rotate(at(start), at(start + length), at(end));
  return {start, static_cast<int>(std::min<std::ptrdiff_t>(end, std::ssize(to)))};
}

int EditCounter::distance_after(const Shift& shift) {
  const auto [first, last] = moved(shift, words_, shifted_);
  fill_forward(scratch_, shifted_, first, last);
  const int* here = row(scratch_, last);
  const int* rest = row(backward_, last);
  int best = unreachable;
  for (int j = band_.low(last); j < band_.high(last); ++j) best = std::min(best, here[j] + rest[j]);
  return best;
}

// Words are shifted only if one of them is wrong at its position, and only to reference words that are not
// all matched.
bool EditCounter::is_of_use(int start, int reference_start, int length) const {
  const int beside = beside_[reference_start];
  return wrong_words_[start + length] != wrong_words_[start] &&
         wrong_references_[reference_start + length] != wrong_references_[reference_start] &&
         !(start <= beside && beside < start + length);
}

bool EditCounter::find_shift(int& checked, Shift& best) {
  const int rows = static_cast<int>(words_.size()), columns = static_cast<int>(reference_->size());
  const int before = row(forward_, rows)[columns];
  bool found = false;
  for (int start = 0; start < rows; ++start) {
    const int end = std::min(columns, start + farthest_shift + 1);
    for (int there = std::max(0, start - farthest_shift); there < end; ++there) {
      const int limit = std::min({longest_shift, rows - start, columns - there});
      for (int length = 1; length <= limit; ++length) {
        if (words_[start + length - 1] != (*reference_)[there + length - 1]) break;
        if (!is_of_use(start, there, length)) continue;
        int last_target = -1;
        for (int offset = -1; offset < length; ++offset) {
          const int target = there + offset < 0 ? 0 : beside_[there + offset] + 1;
          if (target == last_target) continue;
          last_target = target;
          Shift shift{0, length, start, target};
          shift.gain = before - distance_after(shift);
          ++checked;
          if (!found || shift > best) best = shift;
          found = true;
        }
        if (checked >= most_checked) return found;
      }
    }
  }
  return found;
}

std::int64_t EditCounter::count(const WordIds& hypothesis, const WordIds& reference) {
  if (reference.empty() || hypothesis.empty())
    return static_cast<std::int64_t>(std::max(hypothesis.size(), reference.size()));
  reference_ = &reference;
  words_ = hypothesis;
  const int rows = static_cast<int>(words_.size()), columns = static_cast<int>(reference.size());
  band_.shape(rows, columns);
  for (Cells* cells : {&forward_, &backward_, &scratch_}) cells->assign(band_.cells(), unreachable);
  for (int j = 0; j <= columns; ++j) row(forward_, 0)[j] = j;
  for (int shifts = 0, checked = 0;; ++shifts) {
    fill_forward(forward_, words_, 0, rows);
    fill_backward();
    trace();
    Shift best{};
    const bool found = find_shift(checked, best);
    if (!found || checked >= most_checked || best.gain <= 0) return shifts + row(forward_, rows)[columns];
    moved(best, words_, shifted_);
    words_ = shifted_;
  }
}

}  // namespace bolide
