// METEOR 2005's alignment.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/aligner.hpp"
#include "align/staged/bipartite.hpp"
#include "align/staged/search.hpp"

namespace bolide {

// Stages run one after the other; a stage ties only words that no earlier one tied. Of all one-to-one subsets
// of what a stage could tie, it takes
//   1. one of the largest;
//   2. of those, one with the fewest crosses, among all mappings made so far, those of earlier stages
//      included: (i, j) and (i', j') cross if (i - i') * (j - j') < 0;
//   3. of those, one with the fewest chunks of all mappings made so far;
//   4. of those the leftmost: the hypothesis positions of the reference words, in their order, are
//      lexicographically smallest, where a word without mapping counts as after all others.
// Single words only: throws std::invalid_argument if there is a longer match.
//
// A word that matches one other only is tied to it, and words of which both sides have as many are tied in
// their order. What that leaves open is chosen by a descent, then searched for (staged_search.hpp) within a
// budget of work. Where that ends, the answer is the best found (still one of the largest sets, but for
// relations of hundreds of thousands of pairs), and not proven.
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
  struct Component {  // of a connected component of the stage's relation
    std::int32_t pairs = 0, references = 0, hypotheses = 0;
    std::int32_t end = 0;  // of its pairs in sorted_
  };
  // A component that leaves a choice.
  struct WordGroup {
    StageProblem::GroupShape shape;
    std::int32_t first = 0, end = 0;  // in members_ and in grid_
  };
  struct GroupEdge {
    std::int32_t reference, hypothesis;
    std::int32_t group, place;  // in the group's grid
  };

  bool run_stage(const Candidates& candidates, std::int32_t stage);
  void list_pairs(const Candidates& candidates, std::int32_t stage);
  bool split_pairs();
  std::int32_t root(std::int32_t node);
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
  std::int64_t budget_, left_ = 0;                          // of work: for a pair; of that, what is left
  std::vector<std::int32_t> of_reference_, of_hypothesis_;  // mappings made so far: the partner, -1: none
  std::vector<std::int32_t> stage_of_;                      // by reference position
  std::vector<WordPair> pairs_, sorted_;  // what the stage could tie: by reference; by component
  std::vector<std::int32_t> parent_, component_;
  std::vector<Component> counts_;
  std::vector<char> seen_;
  std::vector<WordGroup> groups_;
  std::vector<GroupEdge> edges_;                        // by reference, then hypothesis
  std::vector<std::int32_t> members_, grid_;            // each group's edges by reference; by row
  std::vector<char> must_reference_, must_hypothesis_;  // by position: every largest set ties them

  Bipartite bipartite_;
  std::vector<std::int32_t> hypotheses_, local_, starts_, targets_;
  std::vector<std::int32_t> before_, tree_;  // how many words before each are tied: in all; in a sweep so far
  std::vector<std::int64_t> prices_, sums_;
  std::vector<std::int32_t> from_, old_, new_, all_, word_;
  std::int64_t cross_ = 1, work_ = 0;
  StageProblem problem_;
  StageSearch search_;
};

}  // namespace bolide
