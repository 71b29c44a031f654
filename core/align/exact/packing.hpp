// The first prices of contended words: what one more use of each word would be worth if only gain counted.
#pragma once

#include <utility>
#include <vector>

#include "align/exact/problem.hpp"
#include "support/union_find.hpp"

namespace bolide {

// A linear program: chooses items, or fractions of items, with the largest gain, where no word is used more
// than once. It is solved by the simplex method on a dense table. The dual solution tells how much an
// additional word would be worth.
class Packing {
 public:
  // Solves the program. Returns false if the table would be too large, or the budget is used up. If all
  // prices in a range are optimal for a word, it gets the middle of the range. The problem may get artificial
  // words: see `find_cliques`.
  bool solve(ExactProblem& problem, Budget& budget);

  // An upper bound on the gain of all alignments.
  double most_gain(const ExactProblem& problem);
  // The item whose fraction in the solution is nearest to a half; none if the solution takes whole items
  // only.
  std::int32_t most_divided() const;
  // The items that the solution takes, if it takes whole items only.
  void take_items(Items& items) const;

  // One number per word.
  const std::vector<double>& worths() const { return worths_; }

 private:
  // Items that have no row in common with the items of other groups.
  struct ItemGroup {
    std::int32_t items = 0;
    std::int32_t words = 0, places = 0;  // words of the hypothesis and of the reference
    std::int32_t gain = 0;               // the largest gain of an item
    bool is_single = true;               // all items have one reference word
    bool is_alike = true;                // all items have one contended word, and the same gain

    bool is_settled() const {
      return is_single && ((is_alike && items == words * places) || (words == 0 && places == 1));
    }
  };

  bool set(const ExactProblem& problem);
  void number_rows(const ExactProblem& problem);
  template <typename Visit>
  void for_each_row(const Item& item, const ExactProblem& problem, const Visit& visit) const;
  std::int32_t first_row(const Item& item, const ExactProblem& problem) const;
  void join_rows(const ExactProblem& problem);
  void settle_groups(const ExactProblem& problem);
  void leave_out_settled(const ExactProblem& problem);
  bool fill_table(const ExactProblem& problem);
  bool maximize(Budget& budget);
  void lower_supplies();
  bool restore(Budget& budget);
  void add_worths();
  void read_parts();
  std::size_t pivot(std::size_t row, std::size_t column);
  bool find_cliques(const ExactProblem& problem);
  void try_clique(const ExactProblem& problem, std::int32_t first);

  std::size_t words_ = 0, rows_ = 0, columns_ = 0;
  Items items_;  // by column
  Items alone_;  // taken without the program: they compete for nothing, or their group is settled
  std::vector<double> table_;  // rows, and a last row of gains; columns, and a last column of supplies
  // The variable of each row and column: the fraction of an item, or, from columns_ on, the unused part of a
  // word.
  std::vector<std::int32_t> row_variables_, column_variables_;
  std::vector<std::int32_t> reference_rows_, covered_;  // by position
  // By row, before settled rows are left out:
  UnionFind joined_;
  std::vector<ItemGroup> groups_;  // by the row that names the group
  std::vector<char> used_;
  std::vector<std::int32_t> row_numbers_;
  std::vector<std::size_t> row_words_;                        // by remaining row: its word
  std::vector<std::pair<std::size_t, double>> known_worths_;  // of words in settled groups
  std::vector<double> worths_, rest_;
  std::vector<double> parts_;  // by column: the fraction of the item that the solution takes
  Items order_, clique_;
  std::vector<Items> cliques_;
};

}  // namespace bolide
