#include "align/exact/packing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bolide {

namespace {

constexpr double tiny = 1e-9;
constexpr double whole = 0.02;  // numbers that differ less than this from 0 or 1 count as 0 or 1
constexpr std::size_t largest_table = 1u << 18;
constexpr int most_rounds = 5;

// By how much the supply of a word is raised or lowered. It differs slightly for each word, which prevents
// cycling of the simplex method.
double extra(std::size_t word) {
  return 1e-4 * (1 + 0.01 * static_cast<double>(word));
}

}  // namespace

bool Packing::solve(ExactProblem& problem, Budget& budget) {
  for (int round = 0;; ++round) {
    if (!set(problem) || !maximize(budget)) return false;
    read_parts();
    if (round == most_rounds || !find_cliques(problem)) break;
    problem.add_words(cliques_);
  }
  worths_.assign(problem.words.size(), 0);
  add_worths();
  lower_supplies();
  if (!restore(budget)) return false;
  add_worths();
  for (double& worth : worths_) worth /= 2;
  for (const auto& [word, worth] : known_worths_) worths_[word] = worth;
  return true;
}

// Rows are contended words, then reference words that several items cover. Columns are the items that compete
// for them. Everything that can be decided without the program is left out.
bool Packing::set(const ExactProblem& problem) {
  number_rows(problem);
  items_.clear();
  alone_.clear();
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(problem.items.size()); ++k) {
    if (problem.items[k].gain > 0)
      (first_row(problem.items[k], problem) == ExactProblem::none ? alone_ : items_).push_back(k);
  }
  join_rows(problem);
  settle_groups(problem);
  leave_out_settled(problem);
  return fill_table(problem);
}

void Packing::number_rows(const ExactProblem& problem) {
  covered_.assign(problem.positions, 0);
  for (const Item& item : problem.items)
    for (std::int32_t p = item.reference_start; p < item.reference_end; ++p) ++covered_[p];
  rows_ = problem.words.size();
  reference_rows_.assign(problem.positions, ExactProblem::none);
  for (std::int32_t p = 0; p < problem.positions; ++p)
    if (covered_[p] > 1) reference_rows_[p] = static_cast<std::int32_t>(rows_++);
}

template <typename Visit>
void Packing::for_each_row(const Item& item, const ExactProblem& problem, const Visit& visit) const {
  for (std::int32_t w = item.first_word; w < item.last_word; ++w) visit(problem.item_words[w]);
  for (std::int32_t p = item.reference_start; p < item.reference_end; ++p)
    if (reference_rows_[p] != ExactProblem::none) visit(reference_rows_[p]);
}

std::int32_t Packing::first_row(const Item& item, const ExactProblem& problem) const {
  if (item.first_word < item.last_word) return problem.item_words[item.first_word];
  for (std::int32_t p = item.reference_start; p < item.reference_end; ++p)
    if (reference_rows_[p] != ExactProblem::none) return reference_rows_[p];
  return ExactProblem::none;
}

// The rows of an item belong to one group.
void Packing::join_rows(const ExactProblem& problem) {
  joined_.reset(rows_);
  for (std::int32_t k : items_) {
    const std::int32_t first = first_row(problem.items[k], problem);
    for_each_row(problem.items[k], problem, [&](std::int32_t row) { joined_.join(row, first); });
  }
}

// Settles most groups without the linear program. Most groups consist of equal words. If one sentence has
// fewer of them, its words are worth the whole gain, and those of the other sentence are worth nothing. If
// both have equally many, every distribution of the gain is optimal. Some groups have items for one reference
// word only; then the first item with the largest gain is taken.
void Packing::settle_groups(const ExactProblem& problem) {
  groups_.assign(rows_, {});
  for (std::size_t row = 0; row < rows_; ++row) {
    ItemGroup& group = groups_[joined_.find(static_cast<std::int32_t>(row))];
    ++(row < problem.words.size() ? group.words : group.places);
  }
  for (std::int32_t k : items_) {
    const Item& item = problem.items[k];
    ItemGroup& group = groups_[joined_.find(first_row(item, problem))];
    const std::int32_t words = item.last_word - item.first_word;
    if (group.items++ == 0) group.gain = item.gain;
    if (reference_rows_[item.reference_start] == ExactProblem::none) ++group.places;
    group.is_single &= item.reference_end - item.reference_start == 1;
    group.is_alike &= words == 1 && item.gain == group.gain;
    group.gain = std::max(group.gain, item.gain);
  }
  known_worths_.clear();
  for (std::size_t word = 0; word < problem.words.size(); ++word) {
    const ItemGroup& group = groups_[joined_.find(static_cast<std::int32_t>(word))];
    const double scarce = group.words < group.places ? 1 : group.words > group.places ? 0 : 0.5;
    if (group.is_settled()) known_worths_.emplace_back(word, scarce * group.gain);
  }
}

void Packing::leave_out_settled(const ExactProblem& problem) {
  used_.assign(rows_, false);
  std::size_t left = 0;
  for (std::int32_t k : items_) {
    const Item& item = problem.items[k];
    const ItemGroup& group = groups_[joined_.find(first_row(item, problem))];
    if (!group.is_settled()) {
      items_[left++] = k;
      continue;
    }
    bool is_free = item.gain == group.gain;
    for_each_row(item, problem, [&](std::int32_t row) { is_free &= !used_[row]; });
    if (!is_free) continue;
    for_each_row(item, problem, [&](std::int32_t row) { used_[row] = true; });
    alone_.push_back(k);
  }
  items_.resize(left);
  // Numbers the remaining rows.
  row_words_.clear();
  row_numbers_.assign(rows_, ExactProblem::none);
  std::int32_t count = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    if (groups_[joined_.find(static_cast<std::int32_t>(row))].is_settled()) continue;
    row_numbers_[row] = count++;
    if (row < problem.words.size()) row_words_.push_back(row);
  }
  rows_ = static_cast<std::size_t>(count);
  words_ = row_words_.size();
  columns_ = items_.size();
}

bool Packing::fill_table(const ExactProblem& problem) {
  const std::size_t width = columns_ + 1;
  if ((rows_ + 1) * width > largest_table) return false;
  table_.assign((rows_ + 1) * width, 0);
  column_variables_.resize(columns_);
  std::iota(column_variables_.begin(), column_variables_.end(), 0);
  row_variables_.resize(rows_);
  std::iota(row_variables_.begin(), row_variables_.end(), static_cast<std::int32_t>(columns_));
  for (std::size_t k = 0; k < columns_; ++k) {
    const Item& item = problem.items[items_[k]];
    for_each_row(item, problem, [&](std::int32_t row) {
      table_[static_cast<std::size_t>(row_numbers_[row]) * width + k] = 1;
    });
    table_[rows_ * width + k] = -item.gain;
  }
  for (std::size_t row = 0; row < rows_; ++row)
    table_[row * width + columns_] = 1 + (row < words_ ? extra(row) : 0);
  return true;
}

// The simplex method.
bool Packing::maximize(Budget& budget) {
  const std::size_t width = columns_ + 1;
  const double* gains = table_.data() + rows_ * width;
  while (columns_ > 0) {
    const auto column = static_cast<std::size_t>(std::min_element(gains, gains + columns_) - gains);
    if (gains[column] > -tiny) break;
    std::size_t row = rows_;
    double least = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (table_[r * width + column] < tiny) continue;
      const double ratio = table_[r * width + columns_] / table_[r * width + column];
      if (row == rows_ || ratio < least) {
        row = r;
        least = ratio;
      }
    }
    if (row == rows_) break;
    budget.spend(rows_ + pivot(row, column) * width / 4);
    if (budget.spent()) return false;
  }
  return true;
}

// Changes the supply of every contended word from slightly more than one to slightly less.
void Packing::lower_supplies() {
  const std::size_t width = columns_ + 1;
  const auto word_of = [&](std::int32_t variable) {
    const auto word = static_cast<std::size_t>(variable) - columns_;  // for an item, larger than all words
    return word < words_ ? word : words_;
  };
  for (std::size_t r = 0; r <= rows_; ++r) {
    double* row = table_.data() + r * width;
    double less = 0;
    for (std::size_t k = 0; k < columns_; ++k) {
      const std::size_t word = word_of(column_variables_[k]);
      if (word < words_) less += 2 * extra(word) * row[k];
    }
    if (r < rows_ && word_of(row_variables_[r]) < words_) less += 2 * extra(word_of(row_variables_[r]));
    row[columns_] -= less;
  }
}

// The dual simplex method, after the supplies have changed.
bool Packing::restore(Budget& budget) {
  const std::size_t width = columns_ + 1;
  const double* gains = table_.data() + rows_ * width;
  for (;;) {
    std::size_t row = rows_;
    double lowest = -tiny;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (table_[r * width + columns_] >= lowest) continue;
      row = r;
      lowest = table_[r * width + columns_];
    }
    if (row == rows_) return true;
    std::size_t column = columns_;
    double least = 0;
    for (std::size_t k = 0; k < columns_; ++k) {
      if (table_[row * width + k] > -tiny) continue;
      const double ratio = -gains[k] / table_[row * width + k];
      if (column == columns_ || ratio < least) {
        column = k;
        least = ratio;
      }
    }
    if (column == columns_) return true;
    budget.spend(rows_ + pivot(row, column) * width / 4);
    if (budget.spent()) return false;
  }
}

void Packing::add_worths() {
  const double* gains = table_.data() + rows_ * (columns_ + 1);
  for (std::size_t k = 0; k < columns_; ++k) {
    const auto word = static_cast<std::size_t>(column_variables_[k]) - columns_;
    if (word < words_) worths_[row_words_[word]] += std::max(0.0, gains[k]);
  }
}

void Packing::read_parts() {
  parts_.assign(columns_, 0);
  for (std::size_t r = 0; r < rows_; ++r) {
    const auto item = static_cast<std::size_t>(row_variables_[r]);
    if (item < columns_) parts_[item] = table_[r * (columns_ + 1) + columns_];
  }
}

double Packing::most_gain(const ExactProblem& problem) {
  // The best gain if words could be used more than once, at the prices worths_: an upper bound, see Prices.
  rest_.assign(static_cast<std::size_t>(problem.positions) + 1, 0);
  for (std::int32_t p = problem.positions - 1; p >= 0; --p) {
    rest_[p] = rest_[p + 1];
    for (std::int32_t k = problem.starts[p]; k < problem.starts[p + 1]; ++k) {
      const Item& item = problem.items[k];
      double gain = item.gain + rest_[item.reference_end];
      for (std::int32_t w = item.first_word; w < item.last_word; ++w) gain -= worths_[problem.item_words[w]];
      rest_[p] = std::max(rest_[p], gain);
    }
  }
  return std::accumulate(worths_.begin(), worths_.end(), rest_[0]);
}

std::int32_t Packing::most_divided() const {
  std::int32_t item = ExactProblem::none;
  double least = 1 - 2 * whole;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const double decided = std::abs(2 * parts_[k] - 1);
    if (decided >= least) continue;
    least = decided;
    item = items_[k];
  }
  return item;
}

void Packing::take_items(Items& items) const {
  items.clear();
  for (std::size_t k = 0; k < parts_.size(); ++k)
    if (parts_[k] > 0.5) items.push_back(items_[k]);
  items.insert(items.end(), alone_.begin(), alone_.end());
}

// One step of the simplex method. Returns how many rows have changed.
std::size_t Packing::pivot(std::size_t row, std::size_t column) {
  const std::size_t width = columns_ + 1;
  double* pivot_row = table_.data() + row * width;
  const double inverse = 1 / pivot_row[column];
  for (std::size_t k = 0; k < width; ++k) pivot_row[k] *= inverse;
  pivot_row[column] = inverse;
  std::size_t changed = 1;
  for (std::size_t r = 0; r <= rows_; ++r) {
    double* other = table_.data() + r * width;
    const double factor = other[column];
    if (r == row || factor == 0) continue;
    ++changed;
    other[column] = 0;
    for (std::size_t k = 0; k < width; ++k) other[k] -= factor * pivot_row[k];
  }
  std::swap(row_variables_[row], column_variables_[column]);
  return changed;
}

// Three items may exclude each other pairwise, each pair by a different word. Then the program can take a
// half of each, although only one whole item can be taken. Finds such cliques of which the solution takes
// more than one item in all; each becomes an artificial word.
bool Packing::find_cliques(const ExactProblem& problem) {
  cliques_.clear();
  order_.resize(columns_);
  std::iota(order_.begin(), order_.end(), 0);
  const bool in_parts =
      std::any_of(parts_.begin(), parts_.end(), [](double part) { return part > whole && part < 1 - whole; });
  if (!in_parts) return false;
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::int32_t a, std::int32_t b) { return parts_[a] > parts_[b]; });
  for (std::int32_t first : order_) {
    if (parts_[first] < whole) break;
    if (parts_[first] < 1 - whole) try_clique(problem, first);
  }
  return !cliques_.empty();
}

void Packing::try_clique(const ExactProblem& problem, std::int32_t first) {
  clique_.assign(1, first);
  double sum = parts_[first];
  for (std::int32_t k : order_) {
    if (parts_[k] < whole && sum < 1 + whole) return;
    const bool fits = std::all_of(clique_.begin(), clique_.end(), [&](std::int32_t other) {
      return k != other && exclude(problem.items[items_[k]], problem.items[items_[other]]);
    });
    if (!fits) continue;
    clique_.push_back(k);
    sum += parts_[k];
  }
  if (sum < 1 + whole) return;
  for (std::int32_t& k : clique_) k = items_[k];
  std::sort(clique_.begin(), clique_.end());
  if (std::find(cliques_.begin(), cliques_.end(), clique_) == cliques_.end()) cliques_.push_back(clique_);
}

}  // namespace bolide
