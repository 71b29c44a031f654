// Edits as TER counts them: insertions, deletions, substitutions and shifts of phrases (Snover et al. 2006),
// by the search of sacrebleu, whose limits and order of preferences are kept, so that its counts are the
// same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mert/ngrams.hpp"

namespace bolide {

// Counts the edits that turn hypotheses into a reference; one per thread.
//
// Only a band of the matrix of edit distances is looked at, as sacrebleu does. A phrase is shifted where that
// lowers the distance most, again and again. The distance after a shift follows from the rows before the
// words that it moves, which are known, those of the words that it moves, and the ways from there to the end,
// which are known too.
class EditCounter {
 public:
  std::int64_t count(const WordIds& hypothesis, const WordIds& reference);

 private:
  struct Shift {
    int gain, length, start, target;
    bool operator>(const Shift& other) const;
  };
  // Rows of the matrix inside of the band, with a rim of cells that cannot be reached.
  class Band {
   public:
    void shape(int rows, int columns);
    int low(int row) const { return low_[row]; }
    int high(int row) const { return high_[row]; }  // behind the last
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
  // Of each reference word the hypothesis word that it stands beside, or the one before; how many words up to
  // here are wrong, on both sides.
  std::vector<int> beside_, wrong_words_, wrong_references_;
};

}  // namespace bolide
