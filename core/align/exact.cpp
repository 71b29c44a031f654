#include "exact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "beam.hpp"
#include "exact_packing.hpp"
#include "exact_prices.hpp"
#include "exact_search.hpp"

namespace bolide {

namespace {

// Steps before the proof is given up: about so many nanoseconds.
constexpr std::int64_t default_budget = 20'000'000;

// What follows was tuned on 147,147 segments of WMT12.
constexpr std::size_t narrow = 16;            // partial alignments at a position in the first search,
constexpr std::size_t wide = 3000;            // and in those within the bound
constexpr std::int64_t root_steps = 200'000;  // of a search before the problem is split,
constexpr std::int64_t node_steps = 100'000;  // and in its parts
constexpr int adjustments = 60;               // of the prices, from half a chunk down to half a distance

// Rule 5, between whole alignments.
bool comes_before(const Items& a, const Items& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return in_a != a.end() && (in_b == b.end() || *in_a < *in_b);
}

}  // namespace

// Branch and bound, with a bound so close that one node is enough nearly always. In a node:
//   1. Gains alone give first prices (exact_packing.hpp).
//   2. The prices are adjusted until they also tell where chunks and distances make words scarce. If a
//   shortest
//      path with these prices is an alignment, it is the best.
//   3. Else a search within the bound (exact_search.hpp) finds the best, or that there is none as good as one
//      known already.
//   4. If that takes too long, an item that the shortest paths took half of the time is decided: once with it
//      and without all that it excludes, and once without it.
class ExactAligner::Solver {
 public:
  explicit Solver(const AlignerSettings& settings) : settings_(settings), beam_(settings) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen) {
    budget_.left = settings_.budget > 0 ? settings_.budget : default_budget;
    best_.clear();
    best_cost_ = no_cost;
    const bool proven = problem_.set(candidates, hypothesis_length, settings_) && solve();
    chosen.clear();
    for (std::int32_t k : best_) chosen.push_back(candidates.matches[problem_.items[k].match]);
    if (proven) return true;
    beam_.align(candidates, hypothesis_length, rival_);
    if (best_cost_ == no_cost || problem_.cost_of(rival_) < best_cost_) chosen.swap(rival_);
    return false;
  }

 private:
  // Like the others below: true if no alignment is better than the best one found, as far as items are not
  // banned.
  bool solve() {
    prices_.start(problem_, budget_);
    const Cost bound = prices_.solve();
    if (take_path(bound)) return true;
    set_gain_prices();
    if (!search_.start(problem_, budget_)) return false;
    const Cost priced = prices_.solve();
    if (take_path(priced)) return true;
    // Nearly all of what is left is easy, and what is not wants an alignment to compare with.
    const auto found = search({std::min(priced + problem_.one_gain / 2, no_cost - 1), narrow, no_cost});
    return found.open > best_cost_ || solve_node(root_steps);
  }

  bool solve_node(std::int64_t search_steps) {
    Cost bound = prices_.solve();
    if (best_cost_ - bound > problem_.one_gain / 4 && search_steps != root_steps) {
      const std::size_t words = problem_.words.size();
      set_gain_prices();
      if (problem_.words.size() > words && !search_.start(problem_, budget_)) return false;
      bound = prices_.solve();
    }
    if (bound > best_cost_ || take_path(bound)) return true;
    if (adjust_prices(bound)) return true;
    const std::int32_t item = most_undecided();
    if (search_within(bound, search_steps)) return true;
    if (item == Problem::none || budget_.spent()) return false;

    const std::vector<Cost> prices = prices_.get();
    const auto excluded = [&](std::int32_t k) {
      return k != item && exclude(problem_.items[k], problem_.items[item]);
    };
    if (!solve_without(excluded)) return false;
    prices_.set(prices);
    return solve_without([&](std::int32_t k) { return k == item; });
  }

  template <typename Unwanted>
  bool solve_without(const Unwanted& is_unwanted) {
    std::vector<std::pair<std::int32_t, Item>> banned;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(problem_.items.size()); ++k) {
      if (!problem_.is_banned(k) && is_unwanted(k)) banned.emplace_back(k, problem_.ban(k));
    }
    const bool proven = solve_node(node_steps);
    for (const auto& [k, item] : banned) problem_.allow(k, item);
    return proven;
  }

  // Prices by gain alone; none if that takes too long.
  void set_gain_prices() {
    std::vector<Cost> prices;
    if (packing_.solve(problem_, budget_)) {
      for (double worth : packing_.worths())
        prices.push_back(static_cast<Cost>(worth * static_cast<double>(problem_.one_gain)));
    }
    prices_.set(prices);
  }

  // Makes the bound as high as it gets in some steps (a subgradient method); counts which items are taken.
  bool adjust_prices(Cost& bound) {
    std::vector<Cost> best = prices_.get();
    double size = 0.5 * static_cast<double>(problem_.one_chunk);
    const double last = 0.5 * static_cast<double>(problem_.one_distance);
    const double factor = std::pow(last / size, 1.0 / adjustments);
    taken_.assign(problem_.items.size(), 0);
    for (int k = 0; k < adjustments; ++k, size *= factor) {
      prices_.adjust(static_cast<Cost>(size) + 1);
      const Cost found = prices_.solve();
      if (found > best_cost_ || take_path(found)) return true;
      for (std::int32_t item : path_) ++taken_[item];
      if (found <= bound) continue;
      bound = found;
      best = prices_.get();
    }
    prices_.set(best);
    prices_.solve();
    return false;
  }

  std::int32_t most_undecided() const {
    std::int32_t item = Problem::none;
    int least = adjustments;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      const int decided = std::abs(2 * taken_[k] - adjustments);
      if (decided >= least) continue;
      least = decided;
      item = static_cast<std::int32_t>(k);
    }
    return item;
  }

  // Searches with a limit that starts at the bound and rises until something is found: a higher one than
  // needed makes the search much longer.
  bool search_within(Cost bound, std::int64_t steps) {
    Cost limit = bound;
    for (Cost more = problem_.one_distance;; more *= 2) {
      limit = std::min(limit, best_cost_);
      const auto found = search({limit, wide, steps});
      if (found.open > best_cost_) return true;
      if (found.open <= limit) return false;
      limit = std::max(found.open, bound + more);
    }
  }

  ExactSearch::Found search(const ExactSearch::Limits& limits) {
    const auto found = search_.run(prices_, limits, path_);
    if (found.cost < no_cost) keep_path(found.cost);
    return found;
  }

  bool take_path(Cost cost) {
    if (!prices_.take_path(path_)) return false;
    keep_path(cost);
    return true;
  }

  void keep_path(Cost cost) {
    if (cost > best_cost_ || (cost == best_cost_ && !comes_before(path_, best_))) return;
    best_cost_ = cost;
    best_ = path_;
  }

  const AlignerSettings& settings_;
  BeamAligner beam_;
  Problem problem_;
  Prices prices_;
  Packing packing_;
  ExactSearch search_;
  Budget budget_;
  Items best_, path_;  // the best alignment found, and the path last looked at
  Cost best_cost_ = no_cost;
  std::vector<int> taken_;  // by item: how many shortest paths took it
  std::vector<Match> rival_;
};

ExactAligner::ExactAligner(const AlignerSettings& settings) : solver_(std::make_unique<Solver>(settings)) {}

ExactAligner::~ExactAligner() = default;

bool ExactAligner::align(const Candidates& candidates, std::size_t hypothesis_length,
                         std::vector<Match>& chosen) {
  return solver_->align(candidates, hypothesis_length, chosen);
}

}  // namespace bolide
