// The alignment of METEOR 2005 (Banerjee & Lavie): stage by stage the largest set of matches with the fewest
// crosses.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>

#include "align/aligner.hpp"
#include "align/single_words.hpp"
#include "align/staged/bipartite.hpp"
#include "align/staged/search.hpp"
#include "support/union_find.hpp"

namespace bolide {

namespace {

// Limits for extreme text: steps of the descent, and edges times slots (the least work) of a search.
constexpr std::int64_t most_descent = 1 << 25;
constexpr std::int64_t most_search = 1 << 26;
constexpr int most_rounds = 10;

// Stages run one after the other. A stage matches only words that no earlier stage has matched. Of all
// one-to-one subsets of its candidates, it takes
//   1. one of the largest;
//   2. of those, one with the fewest crosses among all matches so far, including those of earlier stages:
//      (i, j) and (i', j') cross if (i - i') * (j - j') < 0;
//   3. of those, one with the fewest chunks of all matches so far;
//   4. of those, the leftmost: the list of the hypothesis positions of all reference words is the smallest in
//      lexicographical order, where an unmatched word comes after all others.
// Throws std::invalid_argument if a match has more than one word on a side.
//
// If a word has only one partner, they are matched. If equal words occur equally often in both sentences,
// they are matched in order. The rest is first solved by local improvements, then by a search (search.hpp)
// with a budget. If the budget is used up, the answer is the best solution found, and not proven. It is still
// one of the largest sets, except if there are hundreds of thousands of candidates.
class StagedAligner : public Aligner {
 public:
  explicit StagedAligner(const AlignerSettings& settings)
      : budget_(settings.budget > 0 ? settings.budget : default_budget) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override {
    require_single_words(candidates);
    const std::size_t reference_length = candidates.starts.size() - 1;
    of_reference_.assign(reference_length, -1);
    of_hypothesis_.assign(hypothesis_length, -1);
    local_.resize(hypothesis_length);
    stage_of_.assign(reference_length, -1);
    cross_ = static_cast<std::int64_t>(reference_length) + 1;  // a cross costs more than all links save
    left_ = budget_;
    bool proven = true;
    const std::int32_t stages = stage_count(candidates);
    for (std::int32_t stage = 0; stage < stages; ++stage) proven &= run_stage(candidates, stage);
    chosen.clear();
    for (std::size_t j = 0; j < reference_length; ++j) {
      if (of_reference_[j] < 0) continue;
      chosen.push_back({static_cast<std::int32_t>(j), 1, of_reference_[j], 1, stage_of_[j]});
    }
    return proven;
  }

 private:
  struct WordPair {
    std::int32_t reference, hypothesis;
  };
  struct Component {  // a connected component of the candidates of a stage
    std::int32_t pairs = 0, references = 0, hypotheses = 0;
    std::int32_t end = 0;  // where its pairs end in sorted_
  };
  // A component with more than one largest set.
  struct WordGroup {
    StageProblem::GroupShape shape;
    std::int32_t first = 0, end = 0;  // of its edges in members_ and in grid_
  };
  struct GroupEdge {
    std::int32_t reference, hypothesis;
    std::int32_t group, place;  // `place` is in the grid of the group
  };

  bool run_stage(const Candidates& candidates, std::int32_t stage) {
    list_pairs(candidates, stage);
    if (pairs_.empty()) return true;
    bool proven = split_pairs();
    if (!groups_.empty()) {
      arrange_edges();
      descend();
      proven &= search();
    }
    for (std::size_t j = 0; j < stage_of_.size(); ++j) {
      if (of_reference_[j] >= 0 && stage_of_[j] < 0) stage_of_[j] = stage;
    }
    return proven;
  }

  // Lists the candidates of the stage, sorted by reference position, then hypothesis position.
  void list_pairs(const Candidates& candidates, std::int32_t stage) {
    pairs_.clear();
    for (const Match& match : candidates.matches) {
      const std::int32_t j = match.reference_start, i = match.hypothesis_start;
      if (match.stage == stage && of_reference_[j] < 0 && of_hypothesis_[i] < 0) pairs_.push_back({j, i});
    }
    const auto before = [](const WordPair& a, const WordPair& b) {
      return a.reference != b.reference ? a.reference < b.reference : a.hypothesis < b.hypothesis;
    };
    if (!std::is_sorted(pairs_.begin(), pairs_.end(), before))
      std::sort(pairs_.begin(), pairs_.end(), before);
    const auto same = [](const WordPair& a, const WordPair& b) {
      return a.reference == b.reference && a.hypothesis == b.hypothesis;
    };
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end(), same), pairs_.end());
  }

  // Splits the candidates into connected components; a largest set consists of a largest set of each. Returns
  // whether a largest set of each component is known.
  bool split_pairs() {
    // Numbers are hypothesis positions, then reference positions. A set is always named by a hypothesis
    // position.
    const auto hypotheses = static_cast<std::int32_t>(of_hypothesis_.size());
    joined_.reset(of_hypothesis_.size() + of_reference_.size());
    for (const WordPair& pair : pairs_) joined_.join(hypotheses + pair.reference, pair.hypothesis);
    const auto component_of = [&](const WordPair& pair) { return component_[joined_.find(pair.hypothesis)]; };
    component_.assign(of_hypothesis_.size(), -1);
    components_.clear();
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const std::int32_t top = joined_.find(pairs_[k].hypothesis);
      if (component_[top] < 0) {
        component_[top] = static_cast<std::int32_t>(components_.size());
        components_.push_back({});
      }
      Component& component = components_[component_[top]];
      ++component.pairs;
      component.references += k == 0 || pairs_[k].reference != pairs_[k - 1].reference;
    }
    seen_.assign(of_hypothesis_.size(), false);
    for (const WordPair& pair : pairs_) {
      components_[component_of(pair)].hypotheses += !seen_[pair.hypothesis];
      seen_[pair.hypothesis] = true;
    }
    std::int32_t start = 0;
    for (Component& component : components_) {
      component.end = start;
      start += component.pairs;
    }
    sorted_.resize(pairs_.size());
    for (const WordPair& pair : pairs_) sorted_[components_[component_of(pair)].end++] = pair;

    groups_.clear();
    edges_.clear();
    must_reference_.assign(of_reference_.size(), false);
    must_hypothesis_.assign(of_hypothesis_.size(), false);
    bool known = true;
    for (const Component& component : components_) {
      const std::span pairs(sorted_.data() + component.end - component.pairs,
                            static_cast<std::size_t>(component.pairs));
      if (component.pairs != static_cast<std::int64_t>(component.references) * component.hypotheses) {
        known &= add_relation(pairs);
      } else if (component.references != component.hypotheses) {
        add_band(pairs, component.references, component.hypotheses);
      } else {
        for (std::int32_t k = 0; k < component.references; ++k) tie(pairs[k * component.hypotheses + k]);
      }
    }
    return known;
  }

  // For a component whose words all match each other: `pairs` is a full grid, reference by reference.
  void add_band(std::span<const WordPair> pairs, std::int32_t references, std::int32_t hypotheses) {
    const bool by_reference = references < hypotheses;
    const std::int32_t rows = std::min(references, hypotheses), width = std::abs(references - hypotheses) + 1;
    const auto group = static_cast<std::int32_t>(groups_.size());
    const auto order = by_reference ? StageProblem::Order::ascending : StageProblem::Order::lowest;
    groups_.push_back({{order, rows, width}});
    for (std::int32_t row = 0; row < rows; ++row) {
      for (std::int32_t offset = 0; offset < width; ++offset) {
        const std::int32_t column = row + offset;
        const WordPair& pair =
            by_reference ? pairs[row * hypotheses + column] : pairs[column * hypotheses + row];
        edges_.push_back({pair.reference, pair.hypothesis, group, row * width + offset});
        (by_reference ? must_reference_[pair.reference] : must_hypothesis_[pair.hypothesis]) = true;
      }
    }
  }

  // For other components. Takes some largest set as the first solution. Edges that are in no largest set are
  // left out.
  bool add_relation(std::span<const WordPair> pairs) {
    starts_.clear();
    targets_.clear();
    hypotheses_.clear();
    for (const WordPair& pair : pairs) hypotheses_.push_back(pair.hypothesis);
    std::sort(hypotheses_.begin(), hypotheses_.end());
    hypotheses_.erase(std::unique(hypotheses_.begin(), hypotheses_.end()), hypotheses_.end());
    for (std::size_t k = 0; k < hypotheses_.size(); ++k)
      local_[hypotheses_[k]] = static_cast<std::int32_t>(k);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (k == 0 || pairs[k].reference != pairs[k - 1].reference) {
        starts_.push_back(static_cast<std::int32_t>(k));
      }
      targets_.push_back(local_[pairs[k].hypothesis]);
    }
    starts_.push_back(static_cast<std::int32_t>(pairs.size()));
    const bool largest = bipartite_.solve(starts_, targets_, static_cast<std::int32_t>(hypotheses_.size()));
    const auto group = static_cast<std::int32_t>(groups_.size());
    groups_.push_back({{StageProblem::Order::any, 0, 0}});
    for (std::size_t left = 0; left + 1 < starts_.size(); ++left) {
      for (std::int32_t k = starts_[left]; k < starts_[left + 1]; ++k) {
        const WordPair& pair = pairs[k];
        if (bipartite_.right_of[left] == targets_[k]) tie(pair);
        if (!largest || (bipartite_.left_cover[left] && bipartite_.right_cover[targets_[k]])) continue;
        edges_.push_back({pair.reference, pair.hypothesis, group, 0});
        must_reference_[pair.reference] = bipartite_.left_cover[left];
        must_hypothesis_[pair.hypothesis] = bipartite_.right_cover[targets_[k]];
      }
    }
    return largest;
  }

  // Sorts the edges, and lists the edges of each group by reference (members_) and by row (grid_).
  void arrange_edges() {
    std::sort(edges_.begin(), edges_.end(), [](const GroupEdge& a, const GroupEdge& b) {
      return a.reference != b.reference ? a.reference < b.reference : a.hypothesis < b.hypothesis;
    });
    for (WordGroup& group : groups_) group.end = 0;
    for (const GroupEdge& edge : edges_) ++groups_[edge.group].end;
    std::int32_t start = 0;
    for (WordGroup& group : groups_) {
      group.first = start;
      start += group.end;
      group.end = group.first;
    }
    members_.resize(edges_.size());
    grid_.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      WordGroup& group = groups_[edges_[e].group];
      members_[group.end++] = static_cast<std::int32_t>(e);
      grid_[group.first + edges_[e].place] = static_cast<std::int32_t>(e);
    }
  }

  void tie(const WordPair& pair) {
    of_reference_[pair.reference] = pair.hypothesis;
    of_hypothesis_[pair.hypothesis] = pair.reference;
  }

  // Removes the matches of a group. Their edges go to `old_`.
  void untie(const WordGroup& group) {
    old_.clear();
    for (std::int32_t k = group.first; k < group.end; ++k) {
      const GroupEdge& edge = edges_[members_[k]];
      if (of_reference_[edge.reference] != edge.hypothesis) continue;
      old_.push_back(members_[k]);
      of_reference_[edge.reference] = of_hypothesis_[edge.hypothesis] = -1;
    }
  }

  // Computes what edges, sorted by reference, would cost with the current matches.
  void price(std::span<const std::int32_t> edges, std::vector<std::int64_t>& prices) {
    const std::size_t hypotheses = of_hypothesis_.size();
    before_.assign(hypotheses + 1, 0);
    for (std::size_t i = 0; i < hypotheses; ++i) before_[i + 1] = before_[i] + (of_hypothesis_[i] >= 0);
    tree_.assign(hypotheses + 1, 0);  // a Fenwick tree of the words that are matched to earlier references
    std::int32_t passed = 0, reference = 0;
    for (std::int32_t e : edges) {
      const std::int32_t j = edges_[e].reference, i = edges_[e].hypothesis;
      for (; reference < j; ++reference) {
        if (of_reference_[reference] < 0) continue;
        ++passed;
        for (std::size_t k = static_cast<std::size_t>(of_reference_[reference]) + 1; k <= hypotheses;
             k += k & -k) {
          ++tree_[k];
        }
      }
      std::int32_t passed_before = 0;
      for (std::int32_t k = i; k > 0; k &= k - 1) passed_before += tree_[k];
      const std::int64_t crosses = (passed - passed_before) + (before_[i] - passed_before);
      const auto tied = [&](std::int32_t to, std::int32_t from) {
        return to >= 0 && to < static_cast<std::int32_t>(of_reference_.size()) && from >= 0 &&
               of_reference_[to] == from;
      };
      prices[e] = cross_ * crosses - tied(j - 1, i - 1) - tied(j + 1, i + 1);
    }
  }

  // Finds the cheapest choice in a band that keeps the order of the words: for each row and offset the least
  // sum that ends there, where offsets never decrease.
  void choose_band(const WordGroup& group, const std::vector<std::int64_t>& prices) {
    sums_.assign(static_cast<std::size_t>(group.shape.width), 0);
    from_.resize(static_cast<std::size_t>(group.end - group.first));
    std::int32_t at = 0;
    for (std::int32_t row = 0; row < group.shape.rows; ++row) {
      std::int32_t least = 0;
      std::int64_t least_sum = sums_[0];
      for (std::int32_t offset = 0; offset < group.shape.width; ++offset, ++at) {
        if (sums_[offset] < least_sum) {
          least = offset;
          least_sum = sums_[offset];
        }
        from_[at] = least;
        sums_[offset] = least_sum + prices[grid_[group.first + at]];
      }
    }
    auto offset = static_cast<std::int32_t>(std::min_element(sums_.begin(), sums_.end()) - sums_.begin());
    new_.clear();
    for (std::int32_t row = group.shape.rows - 1; row >= 0; --row) {
      new_.push_back(grid_[group.first + row * group.shape.width + offset]);
      offset = from_[row * group.shape.width + offset];
    }
  }

  // Chooses again for one group, while the others stay as they are. Returns whether the new choice is better.
  bool improve(const WordGroup& group) {
    untie(group);
    price(std::span(members_).subspan(group.first, group.end - group.first), prices_);
    work_ +=
        static_cast<std::int64_t>(of_reference_.size() + of_hypothesis_.size()) + (group.end - group.first);
    choose_band(group, prices_);
    const auto sum = [&](const std::vector<std::int32_t>& chosen) {
      std::int64_t total = 0;
      for (std::int32_t e : chosen) total += prices_[e];
      return total;
    };
    const bool better = old_.empty() || sum(new_) < sum(old_);
    for (std::int32_t e : better ? new_ : old_) tie({edges_[e].reference, edges_[e].hypothesis});
    return better;
  }

  // Finds a good first solution: improves one group after the other, until no group can be improved alone.
  void descend() {
    prices_.assign(edges_.size(), 0);
    work_ = 0;
    bool better = true;
    for (int round = 0; round < most_rounds && better && work_ < most_descent; ++round) {
      better = false;
      for (const WordGroup& group : groups_) {
        if (group.shape.order == StageProblem::Order::any) continue;
        if (work_ < most_descent) {
          better |= improve(group);
        } else if (round == 0) {
          choose_band(group, prices_);
          for (std::int32_t e : new_) tie({edges_[e].reference, edges_[e].hypothesis});
        }
      }
    }
  }

  bool search() {
    make_problem();
    const auto slots = static_cast<std::int64_t>(problem_.slots.size());
    if (slots * static_cast<std::int64_t>(edges_.size()) > most_search) return false;
    const bool proven = search_.run(problem_, left_);
    for (const WordGroup& group : groups_) untie(group);
    for (std::int32_t e : problem_.choice) {
      if (e >= 0) tie({edges_[e].reference, edges_[e].hypothesis});
    }
    return proven;
  }

  void make_problem() {
    // Prices refer to the fixed matches only, so the choices of the groups are recorded and removed first.
    problem_.choice.clear();
    problem_.slots.clear();
    problem_.edges.clear();
    problem_.cross = cross_;
    const auto count = static_cast<std::int32_t>(edges_.size());
    word_.assign(of_hypothesis_.size(), -1);
    for (const GroupEdge& edge : edges_) word_[edge.hypothesis] = edge.group;
    problem_.words.clear();
    problem_.groups.clear();
    for (const WordGroup& group : groups_) problem_.groups.push_back(group.shape);
    for (std::size_t i = 0; i < word_.size(); ++i) {
      if (word_[i] < 0) continue;
      problem_.words.push_back({word_[i], must_hypothesis_[i] != 0});
      word_[i] = static_cast<std::int32_t>(problem_.words.size()) - 1;
    }
    for (std::int32_t e = 0; e < count; ++e) {
      const auto& [j, i, group, place] = edges_[e];
      if (e == 0 || j != edges_[e - 1].reference) {
        problem_.slots.push_back({e, e, group, must_reference_[j] != 0});
        problem_.choice.push_back(-1);
      }
      ++problem_.slots.back().end;
      if (of_reference_[j] == i) problem_.choice.back() = e;
      problem_.edges.push_back({static_cast<std::int32_t>(problem_.slots.size()) - 1, word_[i], 0});
    }
    for (const WordGroup& group : groups_) untie(group);
    all_.resize(edges_.size());
    std::iota(all_.begin(), all_.end(), 0);
    price(all_, prices_);
    for (std::int32_t e = 0; e < count; ++e) problem_.edges[e].cost = prices_[e];
    for (std::int32_t e : problem_.choice) {
      if (e >= 0) tie({edges_[e].reference, edges_[e].hypothesis});
    }
    // Finds links between edges of neighbouring slots. Both lists are sorted.
    for (std::size_t s = 0; s + 1 < problem_.slots.size(); ++s) {
      const auto &slot = problem_.slots[s], &next = problem_.slots[s + 1];
      if (edges_[next.first].reference != edges_[slot.first].reference + 1) continue;
      for (std::int32_t e = slot.first, n = next.first; e < slot.end; ++e) {
        while (n < next.end && edges_[n].hypothesis < edges_[e].hypothesis + 1) ++n;
        if (n == next.end) break;
        if (edges_[n].hypothesis != edges_[e].hypothesis + 1) continue;
        problem_.edges[e].next_word = problem_.edges[n].word;
        problem_.edges[n].may_continue = true;
      }
    }
  }

  static constexpr std::int64_t default_budget = 1 << 24;   // steps of work
  std::int64_t budget_, left_ = 0;                          // steps for a pair, and how many are left
  std::vector<std::int32_t> of_reference_, of_hypothesis_;  // matches so far: the partner of a word, or -1
  std::vector<std::int32_t> stage_of_;                      // by reference position
  std::vector<WordPair> pairs_, sorted_;  // the candidates of the stage: sorted by reference; by component
  UnionFind joined_;
  std::vector<std::int32_t> component_;  // by hypothesis position that names a set: its component
  std::vector<Component> components_;
  std::vector<char> seen_;
  std::vector<WordGroup> groups_;
  std::vector<GroupEdge> edges_;                        // sorted by reference, then hypothesis
  std::vector<std::int32_t> members_, grid_;            // the edges of each group, by reference and by row
  std::vector<char> must_reference_, must_hypothesis_;  // by position: whether every largest set matches it

  Bipartite bipartite_;
  std::vector<std::int32_t> hypotheses_, local_, starts_, targets_;
  // By hypothesis position: how many words before it are matched, in all and to earlier references.
  std::vector<std::int32_t> before_, tree_;
  std::vector<std::int64_t> prices_, sums_;
  std::vector<std::int32_t> from_, old_, new_, all_, word_;
  std::int64_t cross_ = 1, work_ = 0;
  StageProblem problem_;
  StageSearch search_;
};

}  // namespace

std::unique_ptr<Aligner> make_staged_aligner(const AlignerSettings& settings) {
  return std::make_unique<StagedAligner>(settings);
}

}  // namespace bolide
