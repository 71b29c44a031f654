// The alignment that the Meteor 1.3 paper defines, with a proof that it is the best.
//
// Of all sets of candidate matches that use every word at most once, it is the one with
//   1. the largest gain,
//   2. the fewest chunks,
//   3. the least sum of |reference start - hypothesis start|,
//   4. the least sum of stage number * covered words of both sides, so that earlier stages are preferred,
//   5. at the first difference from left to right in the reference: a match rather than none; then the
//      smaller hypothesis start; then the shorter phrase in the reference, then in the hypothesis.
//
// The problem contains minimum common string partition, which is NP-hard, so there is a budget.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "align/aligner.hpp"
#include "align/exact/gain.hpp"
#include "align/exact/packing.hpp"
#include "align/exact/prices.hpp"
#include "align/exact/search.hpp"

namespace bolide {

namespace {

// After this many steps the proof is given up. A step takes about a nanosecond.
constexpr std::int64_t default_budget = 20'000'000;

// These constants were tuned on 147,147 segments of WMT12. The first three are widths of searches: how many
// partial alignments are kept at a position.
constexpr std::size_t narrow = 2;   // in the first search
constexpr std::size_t medium = 50;  // if the largest gain is known
constexpr std::size_t wide = 3000;  // within the bound
// How much work is done before a problem is split.
struct Effort {
  int adjustments;     // how often prices are adjusted; a power of two
  std::int64_t steps;  // of a search
};
constexpr Effort at_first = {64, 20'000}, at_root = {256, 200'000}, in_parts = {512, 100'000};
constexpr std::int32_t gain_in_chunks = 4;  // the value of a unit of gain, in chunks, if a gain is required
constexpr double whole = 0.1;               // numbers that differ less than this from an integer are integers

// Rule 5 for complete alignments.
bool comes_before(const Items& a, const Items& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return in_a != a.end() && (in_b == b.end() || *in_a < *in_b);
}

// Branch and bound. The bound is so close that one node is nearly always enough:
//   1. A linear program over gains alone gives the first prices of words (packing.hpp). With these, a narrow
//      search (search.hpp) finds a good alignment, and sometimes proves that it is the best.
//   2. Otherwise the prices are adjusted, so that they also take chunks and distances into account. If a
//      shortest path with these prices is an alignment, it is the best (prices.hpp).
//   3. Otherwise a search within the bound finds the best alignment, or proves that none is better than the
//      best known one. Steps 2 and 3 are first done with little effort, which is nearly always enough.
//   4. If that takes too long, the problem is split at a word that the shortest paths use early in the
//      reference half of the time, and late half of the time. In one part the word may be used early only, in
//      the other part late only. Each part continues with step 2.
//
// If the bound of all paths through an item is worse than the best known alignment, the item is dropped. Then
// fewer words are contended, and for fewer positions.
//
// The linear program may take fractions of items, with a larger gain than whole items can have. Then the
// bound is too low by a fraction of a gain, which outweighs many chunks. In this case the largest gain is
// found first (gain.hpp), and then required.
class ExactAligner : public Aligner {
 public:
  explicit ExactAligner(const AlignerSettings& settings)
      : settings_(settings), beam_(make_beam_aligner(settings)) {}

  // Returns false if the budget is used up. Then `chosen` is the best alignment found; by rules 1 to 4 it is
  // not worse than that of the beam search.
  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override {
    budget_.left = settings_.budget > 0 ? settings_.budget : default_budget;
    best_.clear();
    best_matches_.clear();
    best_cost_ = no_cost;
    const bool proven =
        problem_.set(candidates, hypothesis_length, settings_) && solve(candidates, hypothesis_length);
    chosen.clear();
    for (std::int32_t match : best_matches_) chosen.push_back(candidates.matches[match]);
    if (proven) return true;
    beam_->align(candidates, hypothesis_length, rival_);
    if (best_cost_ == no_cost || problem_.is_better(rival_, chosen)) chosen.swap(rival_);
    return false;
  }

 private:
  // Returns, like all functions below that return bool, whether it is proven that no alignment is better than
  // the best one found.
  bool solve(const Candidates& candidates, std::size_t hypothesis_length) {
    prices_.start(problem_, budget_);
    Cost bound = prices_.solve();
    if (take_path(bound)) return true;
    const bool priced = set_gain_prices();
    if (!search_.start(problem_, budget_)) return false;
    bound = prices_.solve();
    if (take_path(bound)) return true;
    if (search({bound + problem_.one_gain / 2, narrow, no_cost}).open > best_cost_) return true;
    if (settle(at_first)) return true;

    bool divided = false;  // whether the linear program takes fractions of items
    if (priced && is_far(bound) && set_gain_prices()) {
      const double most = packing_.most_gain(problem_);
      divided = most - std::floor(most + whole) > whole;
      if (divided && require_gain(candidates, hypothesis_length)) return true;
    }
    if (settle(at_root)) return true;
    if (priced && !divided && is_far(bound) && set_gain_prices() &&
        require_gain(candidates, hypothesis_length))
      return true;
    return solve_node();
  }

  // Whether a bound is so low that the gain may be wrong.
  bool is_far(Cost bound) const { return best_cost_ - bound > problem_.one_gain / 4; }

  // Finds the largest gain of an alignment, and requires it if the linear program has a larger one.
  bool require_gain(const Candidates& candidates, std::size_t hypothesis_length) {
    if (!gains_.solve(problem_, candidates, hypothesis_length, settings_, budget_)) return false;
    path_ = gains_.path();
    keep_path(problem_.cost_of(path_));
    if (packing_.most_gain(problem_) > gains_.gain() + whole)
      best_cost_ += problem_.require(gains_.gain(), gain_in_chunks);
    prices_.set(packing_.worths());
    prices_.solve();
    if (!search_.start(problem_, budget_)) return false;
    return search({best_cost_, medium, no_cost}).open > best_cost_;
  }

  // Steps 2 and 3.
  bool settle(const Effort& effort) {
    taken_.assign(problem_.items.size(), 0);
    forget_items();
    Cost bound = prices_.solve();
    if (bound > best_cost_ || take_path(bound) || adjust_prices(bound, effort.adjustments)) return true;
    forget_items();
    bound = prices_.solve();
    return search_.start(problem_, budget_) && search_within(bound, effort.steps);
  }

  // Step 4.
  bool solve_node() {
    if (problem_.required_gain == ExactProblem::none && is_far(prices_.solve())) set_gain_prices();
    if (settle(in_parts)) return true;
    if (budget_.spent()) return false;
    const ExactProblem problem = problem_;
    const Prices::PriceList prices = prices_.get();
    const auto solve_with = [&](const auto& condition) {
      problem_ = problem;
      prices_.set(prices);
      kept_.clear();
      for (std::int32_t k = 0; k < static_cast<std::int32_t>(problem.items.size()); ++k)
        if (condition(k)) kept_.push_back(k);
      prices_.keep(problem_.keep(kept_));
      return solve_node();
    };
    const Split split = best_split();
    if (split.word != ExactProblem::none) {
      const auto early = [&](std::int32_t k) { return k <= split.last || !problem.covers(k, split.word); };
      const auto late = [&](std::int32_t k) { return k > split.last || !problem.covers(k, split.word); };
      return solve_with(early) && solve_with(late);
    }
    const std::int32_t item = most_undecided();
    if (item == ExactProblem::none) return false;
    const auto fits = [&](std::int32_t k) {
      return k == item || !exclude(problem.items[k], problem.items[item]);
    };
    return solve_with(fits) && solve_with([&](std::int32_t k) { return k != item; });
  }

  // Drops items that are in no alignment as good as the best known one.
  void forget_items() {
    if (prices_.solve() > best_cost_) return;
    prices_.list_items(best_cost_, kept_);
    if (kept_.size() == problem_.items.size()) return;
    for (std::size_t k = 0; k < kept_.size(); ++k) taken_[k] = taken_[kept_[k]];
    taken_.resize(kept_.size());
    prices_.keep(problem_.keep(kept_));
  }

  // Sets prices by gain alone; all are 0 if the linear program takes too long.
  bool set_gain_prices() {
    const bool solved = packing_.solve(problem_, budget_);
    prices_.set(solved ? packing_.worths() : std::vector<double>(problem_.words.size(), 0));
    return solved;
  }

  // Raises the bound by a subgradient method, and counts how often each item is taken.
  bool adjust_prices(Cost bound, int adjustments) {
    Prices::PriceList best = prices_.get();
    // The first adjustment is as large as could matter, the last is half a unit of distance.
    const auto chunk = static_cast<double>(problem_.one_chunk),
               distance = static_cast<double>(problem_.one_distance);
    double size = std::clamp(static_cast<double>(best_cost_ - bound), 4 * distance, chunk);
    const double last = 0.5 * distance;
    // factor^adjustments = last / size. Square roots give the same result with every library.
    double factor = last / size;
    for (int k = 1; k < adjustments; k *= 2) factor = std::sqrt(factor);
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
    return false;
  }

  // A word, and the last item that uses it early; none if no word was used both early and late.
  struct Split {
    std::int32_t word = ExactProblem::none, last = ExactProblem::none;
  };
  Split best_split() {
    uses_.assign(problem_.words.size(), 0);
    early_uses_.assign(problem_.words.size(), 0);
    const auto add = [&](std::vector<int>& uses, const auto& look) {
      for (std::int32_t k = 0; k < static_cast<std::int32_t>(problem_.items.size()); ++k) {
        for (std::int32_t w = problem_.items[k].first_word; w < problem_.items[k].last_word; ++w) {
          const std::int32_t word = problem_.item_words[w];
          uses[word] += taken_[k];
          look(k, word);
        }
      }
    };
    Split best;
    int most = 0;
    add(uses_, [](std::int32_t, std::int32_t) {});
    add(early_uses_, [&](std::int32_t k, std::int32_t word) {
      const int both = std::min(early_uses_[word], uses_[word] - early_uses_[word]);
      if (both <= most) return;
      most = both;
      best = {word, k};
    });
    return best;
  }

  // If there is no word to split at: an item that some of the shortest paths took; or one that the best
  // alignment has, but no shortest path.
  std::int32_t most_undecided() const {
    std::int32_t item = ExactProblem::none;
    int least = in_parts.adjustments;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      const int decided = std::abs(2 * taken_[k] - in_parts.adjustments);
      if (decided >= least) continue;
      least = decided;
      item = static_cast<std::int32_t>(k);
    }
    for (std::size_t k = 0; k < taken_.size() && item == ExactProblem::none; ++k) {
      if (taken_[k] == 0 && std::binary_search(best_.begin(), best_.end(), problem_.items[k].number))
        item = static_cast<std::int32_t>(k);
    }
    return item;
  }

  // Searches with a limit that starts at the bound and is raised until something is found. A limit that is
  // higher than necessary makes the search much longer.
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

  ExactSearch::SearchResult search(const ExactSearch::SearchLimits& limits) {
    const auto found = search_.run(prices_, limits, path_);
    if (found.cost < no_cost) keep_path(found.cost);
    return found;
  }

  bool take_path(Cost cost) {
    if (!prices_.take_path(path_)) {
      // All alignments of this cost are shortest paths, and this is the first of them by rule 5.
      return cost == best_cost_ && !comes_before(numbers_of_path(), best_);
    }
    keep_path(cost);
    return true;
  }

  const Items& numbers_of_path() {
    numbers_.clear();
    for (std::int32_t k : path_) numbers_.push_back(problem_.items[k].number);
    return numbers_;
  }

  void keep_path(Cost cost) {
    if (cost > best_cost_ || (cost == best_cost_ && !comes_before(numbers_of_path(), best_))) return;
    best_cost_ = cost;
    best_ = numbers_of_path();
    best_matches_.clear();
    for (std::int32_t k : path_) best_matches_.push_back(problem_.items[k].match);
  }

  const AlignerSettings& settings_;
  std::unique_ptr<Aligner> beam_;
  ExactProblem problem_;
  Prices prices_;
  Packing packing_;
  ExactSearch search_;
  GainSearch gains_;
  Budget budget_;
  Items path_, numbers_;                    // the last path, and the original numbers of its items
  Items best_;                              // the original numbers of the items of the best alignment
  std::vector<std::int32_t> best_matches_;  // its matches
  Cost best_cost_ = no_cost;
  std::vector<int> taken_;              // by item: how many shortest paths took it
  std::vector<int> uses_, early_uses_;  // by word
  Items kept_;
  std::vector<Match> rival_;
};

}  // namespace

std::unique_ptr<Aligner> make_exact_aligner(const AlignerSettings& settings) {
  return std::make_unique<ExactAligner>(settings);
}

}  // namespace bolide
