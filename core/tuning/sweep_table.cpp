// The statistics of a sweep: SweepTable of sweep.hpp.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "support/quick_hash.hpp"
#include "tuning/sweep.hpp"

namespace bolide {

namespace {

// For how many values of beta powers are cached: a grid has few, a random search one per point.
constexpr std::size_t most_betas = 64;

std::string_view bytes_of(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

SweepTable::SweepTable(std::span<const double> rows, std::size_t columns,
                       std::span<const std::int64_t> offsets, const Formula& formula, const Powers& powers)
    : columns_(columns),
      formula_(formula),
      powers_(powers),
      single_(offsets.size() == rows.size() / columns + 1),
      first_(offsets.begin(), offsets.end()) {
  for (std::size_t k = 1; k < offsets.size(); ++k) single_ = single_ && offsets[k] == offsets[k - 1] + 1;
  std::unordered_map<std::string_view, std::int32_t, QuickHash> seen;
  std::map<double, std::int32_t> fragments;
  for (std::size_t start = 0; start < rows.size(); start += columns) {
    const auto row = rows.subspan(start, columns);
    const auto [at, is_new] = seen.try_emplace(bytes_of(row), static_cast<std::int32_t>(seen.size()));
    index_.push_back(at->second);
    if (!is_new) continue;
    rows_.insert(rows_.end(), row.begin(), row.end());
    double value = fragmentation(row, formula_);
    if (value != value) value = -1;  // NaN, because nothing matches: it cannot be a key of a map
    const auto [place, first] = fragments.try_emplace(value, static_cast<std::int32_t>(fragments.size()));
    if (first) fragmentations_.push_back(fragmentation(row, formula_));
    fragment_.push_back(place->second);
  }
}

void SweepTable::fmeans(std::span<const double> point, std::vector<double>& out) const {
  const Parameters parameters{point[0], point[1], point[2], point[3], {point.begin() + 4, point.end()},
                              formula_, &powers_};
  out.resize(distinct());
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = fmean(std::span(rows_).subspan(k * columns_, columns_), parameters);
}

SweepTable::PowersOfFragments SweepTable::powers(double beta) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(beta); known != known_.end()) return known->second;
  }
  const Parameters parameters{0, beta, 0, 0, {}, formula_, &powers_};
  FragmentationPower power(parameters);
  auto made = std::make_shared<std::vector<double>>(fragmentations_.size());
  std::transform(fragmentations_.begin(), fragmentations_.end(), made->begin(),
                 [&](double value) { return power(value); });
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most_betas) known_.clear();
  return known_[beta] = made;
}

}  // namespace bolide
