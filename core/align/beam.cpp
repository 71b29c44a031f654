#include "beam.hpp"

#include <algorithm>
#include <cstdlib>

#include "beam_search.hpp"

namespace bolide {

namespace {

// Whether all numbers of a pair fit the narrow layout.
bool is_narrow(const Candidates& candidates, std::size_t hypothesis_length, const AlignerSettings& settings) {
  const std::size_t positions = candidates.starts.size() - 1;
  if (hypothesis_length > 127 || positions > 127 || settings.width > NarrowLayout::widest) return false;
  std::uint64_t distance = 0;
  std::int32_t most = 0;
  for (const Match& match : candidates.matches) {
    distance += static_cast<std::uint64_t>(std::abs(match.reference_start - match.hypothesis_start));
  }
  for (std::size_t j = 0; j < positions; ++j)
    most = std::max(most, candidates.starts[j + 1] - candidates.starts[j]);
  const bool plain_gains = std::all_of(settings.gain_weights.begin(), settings.gain_weights.end(),
                                       [](double weight) { return weight >= 0 && weight <= 1; });
  return distance < NarrowLayout::farthest && most < NarrowLayout::most_candidates && plain_gains;
}

}  // namespace

struct BeamAligner::Searches {
  explicit Searches(const AlignerSettings& settings)
      : settings(settings), brief(settings), narrow(settings), wide(settings) {}
  const AlignerSettings& settings;
  BeamSearch<NarrowLayout, UsedBits<std::uint64_t>> brief;
  BeamSearch<NarrowLayout, UsedBits<Key128>> narrow;
  BeamSearch<WideLayout, UsedRows> wide;
};

BeamAligner::BeamAligner(const AlignerSettings& settings) : searches_(std::make_unique<Searches>(settings)) {}

BeamAligner::~BeamAligner() = default;

bool BeamAligner::align(const Candidates& candidates, std::size_t hypothesis_length,
                        std::vector<Match>& chosen) {
  if (!is_narrow(candidates, hypothesis_length, searches_->settings)) {
    searches_->wide.align(candidates, hypothesis_length, chosen);
  } else if (hypothesis_length > UsedBits<std::uint64_t>::most_words) {
    searches_->narrow.align(candidates, hypothesis_length, chosen);
  } else {
    searches_->brief.align(candidates, hypothesis_length, chosen);
  }
  return true;
}

}  // namespace bolide
