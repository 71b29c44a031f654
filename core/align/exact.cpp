#include "exact.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "beam.hpp"
#include "exact_gain.hpp"
#include "exact_packing.hpp"
#include "exact_prices.hpp"
#include "exact_search.hpp"

namespace bolide {

namespace {

// Steps before the proof is given up: about so many nanoseconds.
constexpr std::int64_t default_budget = 20'000'000;

// What follows was tuned on 147,147 segments of WMT12.
constexpr std::size_t narrow = 16;            // partial alignments at a position in the first search,
constexpr std::size_t medium = 50;            // where the largest gain is known,
constexpr std::size_t wide = 3000;            // and within the bound
constexpr std::int64_t root_steps = 200'000;  // of a search before the problem is split,
constexpr std::int64_t node_steps = 100'000;  // and in its parts
constexpr int adjustments = 256;              // of the prices; a power of two
constexpr std::int32_t gain_in_chunks = 4;    // what gain counts where it is required
constexpr double whole = 0.1;                 // gains of whole items are whole numbers, within this

// Rule 5, between whole alignments.
bool comes_before(const Items& a, const Items& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return in_a != a.end() && (in_b == b.end() || *in_a < *in_b);
}

}  // namespace

// Branch and bound, with a bound so close that one node is enough nearly always:
//   1. What words are worth in gain alone gives first prices (exact_packing.hpp). With these a narrow search
//      (exact_search.hpp) finds, and often proves, the best alignment.
//   2. Else the prices are adjusted until they also tell where chunks and distances make words scarce. If a
//      shortest path with these prices is an alignment, it is the best (exact_prices.hpp).
//   3. Else a search within the bound finds the best, or that none is as good as one known already.
//   4. If that takes too long, an item that the shortest paths took half of the time is decided: once with it
//      and without all that it excludes, and once without it; each goes on with step 2.
// Where parts of items have more gain together than whole items can have, the bound is a part of a gain too
// low, which is many chunks. Then the largest gain is found first (exact_gain.hpp), and required from there
// on.
class ExactAligner::Solver {
 public:
  explicit Solver(const AlignerSettings& settings) : settings_(settings), beam_(settings) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen) {
    budget_.left = settings_.budget > 0 ? settings_.budget : default_budget;
    best_.clear();
    best_cost_ = no_cost;
    const bool proven =
        problem_.set(candidates, hypothesis_length, settings_) && solve(candidates, hypothesis_length);
    chosen.clear();
    for (std::int32_t k : best_) chosen.push_back(candidates.matches[problem_.items[k].match]);
    if (proven) return true;
    beam_.align(candidates, hypothesis_length, rival_);
    if (best_cost_ == no_cost || problem_.is_better(rival_, chosen)) chosen.swap(rival_);
    return false;
  }

 private:
  // Like all functions below that return bool: whether it is proven that no alignment is better than the best
  // one found.
  bool solve(const Candidates& candidates, std::size_t hypothesis_length) {
    prices_.start(problem_, budget_);
    Cost bound = prices_.solve();
    if (take_path(bound)) return true;
    const bool priced = set_gain_prices();
    if (!search_.start(problem_, budget_)) return false;
    bound = prices_.solve();
    if (take_path(bound)) return true;
    if (search({bound + problem_.one_gain / 2, narrow, no_cost}).open > best_cost_) return true;

    const auto find_gain = [&] {
      return priced && is_far(bound) && require_gain(candidates, hypothesis_length);
    };
    const double most = priced ? packing_.most_gain(problem_) : 0;
    const bool in_parts = most - std::floor(most + whole) > whole;
    if (in_parts && find_gain()) return true;
    if (settle(root_steps)) return true;
    if (!in_parts && find_gain()) return true;
    return solve_node();
  }

  // Whether a bound is so low that it may miss a gain.
  bool is_far(Cost bound) const { return best_cost_ - bound > problem_.one_gain / 4; }

  // Finds the largest gain of an alignment, and lets no other gain count if the linear program has more.
  bool require_gain(const Candidates& candidates, std::size_t hypothesis_length) {
    if (!gains_.solve(problem_, candidates, hypothesis_length, settings_, budget_)) return false;
    path_ = gains_.path();
    keep_path(problem_.cost_of(path_));
    if (packing_.most_gain(problem_) > gains_.gain() + whole)
      best_cost_ += problem_.require(gains_.gain(), gain_in_chunks);
    prices_.set(packing_.worths());
    prices_.solve();
    return search({best_cost_, medium, no_cost}).open > best_cost_;
  }

  // Steps 2 and 3.
  bool settle(std::int64_t steps) {
    Cost bound = prices_.solve();
    return bound > best_cost_ || take_path(bound) || adjust_prices(bound) || search_within(bound, steps);
  }

  // Step 4.
  bool solve_node() {
    if (problem_.required_gain == Problem::none && is_far(prices_.solve())) {
      const std::size_t words = problem_.words.size();
      set_gain_prices();
      if (problem_.words.size() > words && !search_.start(problem_, budget_)) return false;
    }
    if (settle(node_steps)) return true;
    const std::int32_t item = most_undecided();
    if (item == Problem::none || budget_.spent()) return false;
    const std::vector<Cost> prices = prices_.get();
    const auto excluded = [&](std::int32_t k) {
      return k != item && exclude(problem_.items[k], problem_.items[item]);
    };
    const auto decided = [&](std::int32_t k) { return k == item; };
    const auto solve = [&] {
      prices_.set(prices);
      return solve_node();
    };
    return problem_.without(excluded, solve) && problem_.without(decided, solve);
  }

  // Prices by gain alone; none if that takes too long.
  bool set_gain_prices() {
    const bool solved = packing_.solve(problem_, budget_);
    prices_.set(solved ? packing_.worths() : std::vector<double>(problem_.words.size(), 0));
    return solved;
  }

  // Makes the bound as high as it gets in some steps (a subgradient method); counts which items are taken.
  bool adjust_prices(Cost& bound) {
    std::vector<Cost> best = prices_.get();
    // First by as much as could matter, at last by half a distance.
    const auto chunk = static_cast<double>(problem_.one_chunk),
               distance = static_cast<double>(problem_.one_distance);
    double size = 0.5 * std::clamp(static_cast<double>(best_cost_ - bound), 4 * distance, chunk);
    const double last = 0.5 * distance;
    double factor = last / size;  // to the power of 1 / adjustments, alike with every library
    for (int k = 1; k < adjustments; k *= 2) factor = std::sqrt(factor);
    taken_.assign(problem_.items.size(), 0);
    for (int k = 0; k < adjustments && !budget_.spent(); ++k, size *= factor) {
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
    if (item != Problem::none) return item;
    const auto other =
        std::find_if(best_.begin(), best_.end(), [&](std::int32_t k) { return taken_[k] == 0; });
    return other == best_.end() ? Problem::none : *other;
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
  GainSearch gains_;
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
