#include "exact_packing.hpp"

#include <algorithm>
#include <numeric>

namespace bolide {

namespace {

constexpr double tiny = 1e-9;
constexpr double whole = 0.02;  // what differs less than this from 0 or 1 is 0 or 1
constexpr std::size_t largest_table = 1u << 18;
constexpr int most_rounds = 5;

}  // namespace

bool Packing::solve(Problem& problem, Budget& budget) {
  // A bit more of every word than there is makes the prices as low as they may be; a bit less, as high.
  constexpr double more = 1e-4;
  for (int round = 0;; ++round) {
    worths_.assign(problem.words.size(), 0);
    if (!solve_with(problem, more, budget)) return false;
    if (round == most_rounds || !find_cliques(problem)) break;
    problem.add_words(cliques_);
  }
  if (!solve_with(problem, -more, budget)) return false;
  for (double& worth : worths_) worth /= 2;
  return true;
}

// Rows are contended words, then reference words that more than one item covers; columns are items.
bool Packing::set(const Problem& problem, double more) {
  covered_.assign(problem.positions, 0);
  for (const Item& item : problem.items)
    for (std::int32_t p = item.reference_start; p < item.reference_end; ++p) ++covered_[p];
  rows_ = problem.words.size();
  reference_rows_.assign(problem.positions, Problem::none);
  for (std::int32_t p = 0; p < problem.positions; ++p)
    if (covered_[p] > 1) reference_rows_[p] = static_cast<std::int32_t>(rows_++);
  columns_ = problem.items.size();
  const std::size_t width = columns_ + 1;
  if ((rows_ + 1) * width > largest_table) return false;

  table_.assign((rows_ + 1) * width, 0);
  column_variables_.resize(columns_);
  std::iota(column_variables_.begin(), column_variables_.end(), 0);
  row_variables_.resize(rows_);
  std::iota(row_variables_.begin(), row_variables_.end(), static_cast<std::int32_t>(columns_));
  for (std::size_t k = 0; k < columns_; ++k) {
    const Item& item = problem.items[k];
    bool competes = false;
    const auto use = [&](std::int32_t row) {
      table_[static_cast<std::size_t>(row) * width + k] = 1;
      competes = true;
    };
    for (std::int32_t w = item.first_word; w < item.last_word; ++w) use(problem.item_words[w]);
    for (std::int32_t p = item.reference_start; p < item.reference_end; ++p)
      if (reference_rows_[p] != Problem::none) use(reference_rows_[p]);
    if (competes) table_[rows_ * width + k] = -item.gain;
  }
  for (std::size_t row = 0; row < rows_; ++row) {
    // Slightly different supplies keep the method from going in circles.
    const double extra = row < problem.words.size() ? more * (1 + 0.01 * static_cast<double>(row)) : 0;
    table_[row * width + columns_] = 1 + extra;
  }
  return true;
}

bool Packing::solve_with(const Problem& problem, double more, Budget& budget) {
  if (!set(problem, more)) return false;
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
    pivot(row, column);
    budget.spend(rows_ * width / 4);
    if (budget.spent()) return false;
  }
  const auto items = static_cast<std::int32_t>(columns_),
             words = static_cast<std::int32_t>(problem.words.size());
  for (std::size_t k = 0; k < columns_; ++k) {
    const std::int32_t word = column_variables_[k] - items;
    if (word >= 0 && word < words) worths_[word] += std::max(0.0, gains[k]);
  }
  parts_.assign(columns_, 0);
  for (std::size_t r = 0; r < rows_; ++r)
    if (row_variables_[r] < items) parts_[row_variables_[r]] = table_[r * width + columns_];
  return true;
}

void Packing::pivot(std::size_t row, std::size_t column) {
  const std::size_t width = columns_ + 1;
  double* pivot_row = table_.data() + row * width;
  const double inverse = 1 / pivot_row[column];
  for (std::size_t k = 0; k < width; ++k) pivot_row[k] *= inverse;
  pivot_row[column] = inverse;
  for (std::size_t r = 0; r <= rows_; ++r) {
    double* other = table_.data() + r * width;
    const double factor = other[column];
    if (r == row || factor == 0) continue;
    other[column] = 0;
    for (std::size_t k = 0; k < width; ++k) other[k] -= factor * pivot_row[k];
  }
  std::swap(row_variables_[row], column_variables_[column]);
}

// Items may exclude each other, each two by another word; of such a clique halves of three can be taken where
// only one whole can. Finds those of which the solution takes too much: each is as good as a word.
bool Packing::find_cliques(const Problem& problem) {
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

void Packing::try_clique(const Problem& problem, std::int32_t first) {
  clique_.assign(1, first);
  double sum = parts_[first];
  for (std::int32_t k : order_) {
    if (parts_[k] < whole && sum < 1 + whole) return;
    const bool fits = std::all_of(clique_.begin(), clique_.end(), [&](std::int32_t other) {
      return k != other && exclude(problem.items[k], problem.items[other]);
    });
    if (!fits) continue;
    clique_.push_back(k);
    sum += parts_[k];
  }
  if (sum < 1 + whole) return;
  std::sort(clique_.begin(), clique_.end());
  if (std::find(cliques_.begin(), cliques_.end(), clique_) == cliques_.end()) cliques_.push_back(clique_);
}

}  // namespace bolide
