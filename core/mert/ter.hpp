// The edits of TER (Snover et al. 2006): insertions, deletions, substitutions and shifts of phrases. The
// search has the limits and preferences of sacrebleu, so that the counts are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "mert/ngrams.hpp"

namespace bolide {

// Counts the edits that turn a hypothesis into a reference. Each thread needs its own counter.
//
// As in sacrebleu, only a band of the matrix of edit distances is computed, and the shift that lowers the
// distance most is applied repeatedly. The distance after a shift is computed from the rows before the moved
// words, which are known; the rows of the moved words; and the distances from there to the end, which are
// known too.
class EditCounter {
 public:
  std::int64_t count(const WordIds& hypothesis, const WordIds& reference);

 private:
  struct Shift {
    int gain, length, start, target;
    bool operator>(const Shift& other) const;
  };
  // The rows of the matrix within the band, with a border of unreachable cells.
  class Band {
   public:
    void shape(int rows, int columns);
    int low(int row) const { return low_[row]; }
    int high(int row) const { return high_[row]; }  // one more than the last column
    std::size_t cells() const { return cells_; }
    std::ptrdiff_t origin(int row) const { return origin_[row]; }  // of column 0

   private:
    std::vector<int> low_, high_;
    std::vector<std::ptrdiff_t> origin_;
    std::size_t cells_ = 0;
  };
  using Cells = std::vector<int>;

  int* row(Cells& cells, int k) { return cells.data() + band_.origin(k); }
  void fill_forward(Cells& cells, const WordIds& words, int first, int last);
  void fill_backward();
  void trace();
  bool find_shift(int& checked, Shift& best);
  bool is_of_use(int start, int reference_start, int length) const;
  int distance_after(const Shift& shift);
  static std::pair<int, int> moved(const Shift& shift, const WordIds& from, WordIds& to);

  const WordIds* reference_ = nullptr;
  WordIds words_, shifted_;
  Band band_;
  Cells forward_, backward_, scratch_;
  // By reference word: the hypothesis word that it is aligned to, or the one before. By word, on both sides:
  // how many words up to it are wrong.
  std::vector<int> beside_, wrong_words_, wrong_references_;
};

}  // namespace bolide
