// What contended words are worth in gain alone: the first prices.
#pragma once

#include <vector>

#include "exact_problem.hpp"

namespace bolide {

// Items, or parts of items, for the largest gain, no word being used more than once: a linear program, solved
// by the simplex method on a dense table. Its dual says what more of a word would be worth.
class Packing {
 public:
  // Solves the program; false if the table would be too large or the budget ended. Words of which any price
  // in a range is right get the middle of it. The problem may get more words: see `find_cliques`.
  bool solve(Problem& problem, Budget& budget);

  // By word.
  const std::vector<double>& worths() const { return worths_; }

 private:
  bool solve_with(const Problem& problem, double more, Budget& budget);
  bool set(const Problem& problem, double more);
  void pivot(std::size_t row, std::size_t column);
  bool find_cliques(const Problem& problem);
  void try_clique(const Problem& problem, std::int32_t first);

  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> table_;  // rows and the gains, by columns and the supplies
  // What rows and columns stand for: an item, or, from columns_ on, what is left of a word.
  std::vector<std::int32_t> row_variables_, column_variables_;
  std::vector<std::int32_t> reference_rows_, covered_;
  std::vector<double> worths_;
  std::vector<double> parts_;  // of items that are taken
  Items order_, clique_;
  std::vector<Items> cliques_;
};

}  // namespace bolide
