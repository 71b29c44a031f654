// The alignments of NLTK. They are defined by procedures, not as optima.
#include <algorithm>
#include <memory>
#include <span>
#include <tuple>
#include <utility>

#include "align/aligner.hpp"
#include "align/single_words.hpp"

namespace bolide {

namespace {

// Works stage by stage. In a stage it goes through the hypothesis words from the last to the first; each
// takes the last free reference word that it matches. Throws std::invalid_argument if a match has more than
// one word on a side.
//
// If it `repeats`, only the first stage takes words away: every other stage starts with the words that the
// first has left, so that a word may be in one match per stage. Then `chosen` is in the order of the
// hypothesis words, and of the stages for the same word.
class GreedyAligner : public Aligner {
 public:
  explicit GreedyAligner(bool repeats) : repeats_(repeats) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override {
    require_single_words(candidates);
    const auto stages = static_cast<std::size_t>(stage_count(candidates));
    list_by_hypothesis(candidates, hypothesis_length, stages);
    taken_.assign(candidates.starts.size() - 1, none);
    used_.assign(hypothesis_length, false);
    chosen.clear();
    for (std::size_t stage = 0; stage < stages; ++stage) {
      run_stage(candidates, std::span(lasts_).subspan(stage * hypothesis_length, hypothesis_length));
      if (repeats_) keep_first_stage(candidates, static_cast<std::int32_t>(stage), chosen);
    }
    add_taken(candidates, chosen);
    if (repeats_) {
      std::sort(chosen.begin(), chosen.end(), [](const Match& a, const Match& b) {
        return std::tuple(a.hypothesis_start, a.stage) < std::tuple(b.hypothesis_start, b.stage);
      });
    }
    return true;
  }

 private:
  static constexpr std::int32_t none = -1;

  // Candidates are sorted by reference position, so that each list begins with its last reference word.
  void list_by_hypothesis(const Candidates& candidates, std::size_t hypothesis_length, std::size_t stages) {
    lasts_.assign(stages * hypothesis_length, none);
    before_.resize(candidates.matches.size());
    for (std::size_t k = 0; k < before_.size(); ++k) {
      const Match& match = candidates.matches[k];
      std::int32_t& last = lasts_[static_cast<std::size_t>(match.stage) * hypothesis_length +
                                  static_cast<std::size_t>(match.hypothesis_start)];
      before_[k] = std::exchange(last, static_cast<std::int32_t>(k));
    }
  }

  void run_stage(const Candidates& candidates, std::span<const std::int32_t> lasts) {
    for (std::size_t i = lasts.size(); i-- > 0;) {
      if (used_[i]) continue;
      for (std::int32_t k = lasts[i]; k != none; k = before_[k]) {
        std::int32_t& taken = taken_[candidates.matches[k].reference_start];
        if (taken != none) continue;
        taken = k;
        used_[i] = true;
        break;
      }
    }
  }

  void add_taken(const Candidates& candidates, std::vector<Match>& chosen) const {
    for (std::int32_t match : taken_) {
      if (match != none) chosen.push_back(candidates.matches[match]);
    }
  }

  // Moves the matches of a later stage to `chosen`, and frees their words again.
  void keep_first_stage(const Candidates& candidates, std::int32_t stage, std::vector<Match>& chosen) {
    if (stage == 0) return;
    for (std::int32_t& taken : taken_) {
      if (taken == none || candidates.matches[taken].stage != stage) continue;
      const Match& match = candidates.matches[std::exchange(taken, none)];
      used_[match.hypothesis_start] = false;
      chosen.push_back(match);
    }
  }

  const bool repeats_;
  // These hold numbers of candidates.
  std::vector<std::int32_t> taken_;  // by reference position: the chosen candidate
  // By stage and hypothesis position: the candidate with the last reference word.
  std::vector<std::int32_t> lasts_;
  // By candidate: the one before it with the same stage and hypothesis position.
  std::vector<std::int32_t> before_;
  std::vector<char> used_;  // by hypothesis position
};

}  // namespace

std::unique_ptr<Aligner> make_greedy_aligner(bool repeats) {
  return std::make_unique<GreedyAligner>(repeats);
}

}  // namespace bolide
