// What contended words are worth in gain alone: the first prices.
#pragma once

#include <utility>
#include <vector>

#include "align/exact/problem.hpp"

namespace bolide {

// Items, or parts of items, for the largest gain, no word being used more than once: a linear program, solved
// by the simplex method on a dense table. Its dual says what more of a word would be worth.
class Packing {
 public:
  // Solves the program; false if the table would be too large or the budget ended. Words of which any price
  // in a range is right get the middle of it. The problem may get more words: see `find_cliques`.
  bool solve(ExactProblem& problem, Budget& budget);

  // No alignment has more gain.
  double most_gain(const ExactProblem& problem);
  // The item of which the solution takes a part nearest to a half, or none if it takes whole items only.
  std::int32_t most_divided() const;
  // The items that the solution takes, if it takes whole items only.
  void take_items(Items& items) const;

  // By word.
  const std::vector<double>& worths() const { return worths_; }

 private:
  // Items, of which none has a row in common with an item of another group.
  struct ItemGroup {
    std::int32_t items = 0;
    std::int32_t words = 0, places = 0;  // of the hypothesis and of the reference
    std::int32_t gain = 0;               // the largest
    bool is_single = true;               // of one reference word each
    bool is_alike = true;                // of one contended word each, and of the same gain

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
  std::int32_t group_of(std::int32_t row);
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
  Items items_;                // by column
  Items alone_;                // those that compete for nothing, or win without a program
  std::vector<double> table_;  // rows and the gains, by columns and the supplies
  // What rows and columns stand for: an item's part, or, from columns_ on, what is left of a word.
  std::vector<std::int32_t> row_variables_, column_variables_;
  std::vector<std::int32_t> reference_rows_, covered_;  // by position
  // By row, before those that are settled are left out:
  std::vector<std::int32_t> parent_;
  std::vector<ItemGroup> groups_;  // by the row that stands for it
  std::vector<char> used_;
  std::vector<std::int32_t> row_numbers_;
  std::vector<std::size_t> row_words_;                        // of the rows that are left
  std::vector<std::pair<std::size_t, double>> known_worths_;  // of words whose groups are settled
  std::vector<double> worths_, rest_;
  std::vector<double> parts_;  // of items, by column, that the solution takes
  Items order_, clique_;
  std::vector<Items> cliques_;
};

}  // namespace bolide
