// The alignment of METEOR 2005 (Banerjee & Lavie): stage by stage the largest set of matches with the fewest
// crosses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/aligner.hpp"
#include "align/staged/bipartite.hpp"
#include "align/staged/search.hpp"
#include "support/union_find.hpp"

namespace bolide {

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
             std::vector<Match>& chosen) override;

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

  bool run_stage(const Candidates& candidates, std::int32_t stage);
  void list_pairs(const Candidates& candidates, std::int32_t stage);
  bool split_pairs();
  void add_band(std::span<const WordPair> pairs, std::int32_t references, std::int32_t hypotheses);
  bool add_relation(std::span<const WordPair> pairs);
  void arrange_edges();

  void tie(const WordPair& pair);
  void untie(const WordGroup& group);
  void price(std::span<const std::int32_t> edges, std::vector<std::int64_t>& prices);
  void choose_band(const WordGroup& group, const std::vector<std::int64_t>& prices);
  bool improve(const WordGroup& group);
  void descend();
  bool search();
  void make_problem();

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

}  // namespace bolide
