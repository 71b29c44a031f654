#include "tuning/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace bolide {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Products of squares below this limit have lost digits by underflow.
constexpr double vanishing = 1e-250;

// The largest difference from the mean, of the values with a weight.
double spread(std::span<const double> x, std::span<const double> weights, double mean) {
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (weights[k] > 0) largest = std::max(largest, std::abs(x[k] - mean));
  }
  return largest;
}

bool varies(std::span<const double> x, std::span<const double> weights) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    low = std::min(low, x[k]);
    high = std::max(high, x[k]);
  }
  return high > low;
}

}  // namespace

double pearson(std::span<const double> x, std::span<const double> y, std::span<const double> weights) {
  if (!varies(x, weights) || !varies(y, weights)) return nan;
  double total = 0, x_sum = 0, y_sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    total += weights[k];
    x_sum += weights[k] * x[k];
    y_sum += weights[k] * y[k];
  }
  const double x_mean = x_sum / total, y_mean = y_sum / total;
  const auto correlation = [&](double x_scale, double y_scale) {
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!(weights[k] > 0)) continue;  // its difference may be larger than any scale
      const double dx = (x[k] - x_mean) / x_scale, dy = (y[k] - y_mean) / y_scale;
      xx += weights[k] * dx * dx;
      yy += weights[k] * dy * dy;
      xy += weights[k] * dx * dy;
    }
    // The order of these operations is that of Java's Trainer; another order would change the last digit.
    const double squares = (xx / total) * (yy / total);
    return std::pair((xy / total) / std::sqrt(squares), squares);
  };
  auto [r, squares] = correlation(1, 1);
  if (!(squares > vanishing)) r = correlation(spread(x, weights, x_mean), spread(y, weights, y_mean)).first;
  return std::clamp(r, -1.0, 1.0);
}

void Agreement::rank(std::span<const double> values, std::vector<double>& ranks) {
  order_.resize(values.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  ranks.resize(values.size());
  for (std::size_t first = 0, last; first < order_.size(); first = last) {
    for (last = first + 1; last < order_.size() && values[order_[last]] == values[order_[first]];) ++last;
    const double mean = static_cast<double>(first + last + 1) / 2;
    for (std::size_t k = first; k < last; ++k) ranks[order_[k]] = mean;
  }
}

double Agreement::spearman(std::span<const double> x, std::span<const double> y) {
  rank(x, x_ranks_);
  rank(y, y_ranks_);
  ones_.assign(x.size(), 1.0);
  return pearson(x_ranks_, y_ranks_, ones_);
}

CalibratedAccuracy Agreement::calibrated(std::span<const double> differences,
                                         std::span<const std::int8_t> human,
                                         std::span<const double> weights) {
  order_.resize(differences.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto size = [&](std::size_t k) { return std::abs(differences[k]); };
  // A total order: weights are added up in this order.
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(size(a), a) < std::pair(size(b), b); });
  const auto agrees = [&](std::size_t k) { return differences[k] * human[k] > 0; };
  double right = 0, total = 0;
  for (std::size_t k = 0; k < differences.size(); ++k) {
    total += weights[k];
    if (agrees(k)) right += weights[k];
  }
  if (!(total > 0)) return {nan, 0};
  // When epsilon reaches the difference of a pair, the pair becomes a tie: correct if the judgment is a tie,
  // and wrong otherwise. Pairs with equal differences change together.
  double best = -1, epsilon = 0;
  const double slack = 1e-12 * total;  // sums that differ only by rounding are equal
  const auto consider = [&](double value, double at) {
    if (value > best + slack) best = value, epsilon = at;
  };
  if (order_.empty() || size(order_[0]) > 0) consider(right, 0);
  for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
    for (; last < order_.size() && size(order_[last]) == size(order_[first]); ++last) {
      const std::size_t k = order_[last];
      if (human[k] == 0) right += weights[k];
      if (agrees(k)) right -= weights[k];
    }
    consider(right, size(order_[first]));
  }
  return {best / total, epsilon};
}

}  // namespace bolide
