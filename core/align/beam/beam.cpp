// The alignment search of Java Meteor 1.5: a beam search over reference positions, with the same results.
//
//     beam.cpp                        chooses the search for a sentence pair
//     search.hpp                      the portable search
//     vector.hpp, vector_search.hpp   the search with vectors, compiled in avx512.cpp, avx2.cpp, sse2.cpp and
//                                     neon.cpp
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "align/beam/search.hpp"
#include "align/beam/vector.hpp"

namespace bolide {

namespace {

// Whether the narrow layout has room for the settings.
bool is_narrow(const AlignerSettings& settings) {
  return settings.width <= NarrowLayout::widest &&
         std::all_of(settings.gain_weights.begin(), settings.gain_weights.end(),
                     [](double weight) { return weight >= 0 && weight <= 2; });
}

// Whether it has room for all numbers of a sentence pair.
bool is_narrow(const Candidates& candidates, std::size_t hypothesis_length) {
  constexpr std::size_t longest = 127;
  const std::size_t positions = candidates.starts.size() - 1, count = candidates.matches.size();
  if (hypothesis_length > longest || positions > longest) return false;
  // Of nearly all pairs, the number of candidates is enough to know.
  if (count < NarrowLayout::most_candidates && count * longest < NarrowLayout::farthest) return true;
  std::uint64_t distance = 0;
  std::int32_t most = 0;
  for (const Match& match : candidates.matches) {
    distance += static_cast<std::uint64_t>(std::abs(match.reference_start - match.hypothesis_start));
  }
  for (std::size_t j = 0; j < positions; ++j)
    most = std::max(most, candidates.starts[j + 1] - candidates.starts[j]);
  return distance < NarrowLayout::farthest && most < NarrowLayout::most_candidates;
}

// Which words matches cover once and more than once, as bits: for sentences of up to 64 words.
class CoverageBits {
 public:
  static constexpr std::size_t most_words = 64;

  void add(std::int32_t start, std::int32_t length) {
    const std::uint64_t covered = bits(start, length);
    twice_ |= once_ & covered;
    once_ |= covered;
  }
  bool covers_once(std::int32_t start, std::int32_t length) const {
    return (twice_ & bits(start, length)) == 0;
  }

 private:
  static std::uint64_t bits(std::int32_t start, std::int32_t length) {
    return (~std::uint64_t{0} >> (64 - length)) << start;
  }
  std::uint64_t once_ = 0, twice_ = 0;
};

// The same for sentences of any length.
class CoverageCounts {
 public:
  explicit CoverageCounts(std::size_t words) : counts_(words) {}
  void add(std::int32_t start, std::int32_t length) {
    for (std::int32_t k = 0; k < length; ++k) ++counts_[start + k];
  }
  bool covers_once(std::int32_t start, std::int32_t length) const {
    return std::all_of(counts_.begin() + start, counts_.begin() + start + length,
                       [](int n) { return n == 1; });
  }

 private:
  std::vector<std::int32_t> counts_;
};

}  // namespace

template <typename Coverage>
void FixedMatches::find(const Candidates& candidates, Coverage hypothesis, Coverage reference) {
  for (const Match& match : candidates.matches) {
    hypothesis.add(match.hypothesis_start, match.hypothesis_length);
    reference.add(match.reference_start, match.reference_length);
  }
  const std::size_t positions = candidates.starts.size() - 1;
  fixed_.assign(positions, none);
  for (std::size_t j = 0; j < positions; ++j) {
    if (candidates.starts[j + 1] - candidates.starts[j] != 1) continue;
    const Match& match = candidates.matches[candidates.starts[j]];
    if (reference.covers_once(match.reference_start, match.reference_length) &&
        hypothesis.covers_once(match.hypothesis_start, match.hypothesis_length)) {
      fixed_[j] = candidates.starts[j];
    }
  }
}

void FixedMatches::find(const Candidates& candidates, std::size_t hypothesis_length) {
  const std::size_t positions = candidates.starts.size() - 1;
  if (std::max(hypothesis_length, positions) <= CoverageBits::most_words) {
    find(candidates, CoverageBits(), CoverageBits());
  } else {
    find(candidates, CoverageCounts(hypothesis_length), CoverageCounts(positions));
  }
}

void FixedMatches::list(const Candidates& candidates, std::vector<Match>& chosen) const {
  chosen.resize(candidates.matches.empty() ? 0 : fixed_.size() + 1);
  if (chosen.empty()) return;
  std::size_t count = 0;
  for (const std::int32_t index : fixed_) {
    // No branch, because processors cannot predict it: write a match in any case, and overwrite it if there
    // was none.
    chosen[count] = candidates.matches[static_cast<std::size_t>(std::max(index, 0))];
    count += index != none;
  }
  chosen.resize(count);
}

namespace {

#ifdef BOLIDE_VECTOR_BEAM
// The vector search for one set of instructions, in both sizes.
template <Instructions set>
class VectorSearches : public Aligner {
 public:
  explicit VectorSearches(const AlignerSettings& settings) : brief_(settings), narrow_(settings) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override {
    if (hypothesis_length > VectorBeam<set, 1>::most_words) {
      narrow_.align(candidates, hypothesis_length, chosen);
    } else {
      brief_.align(candidates, hypothesis_length, chosen);
    }
    return true;
  }
  bool align_similar(Candidates& candidates, std::size_t hypothesis_length,
                     std::vector<Match>& chosen) override {
    if (hypothesis_length > VectorBeam<set, 1>::most_words) {
      narrow_.align_similar(candidates, hypothesis_length, chosen);
    } else {
      brief_.align_similar(candidates, hypothesis_length, chosen);
    }
    return true;
  }

 private:
  VectorBeam<set, 1> brief_;
  VectorBeam<set, 2> narrow_;
};
#endif

// The vector search for the instructions of the settings; null if there is none.
std::unique_ptr<Aligner> vector_searches([[maybe_unused]] const AlignerSettings& settings) {
#ifdef BOLIDE_VECTOR_BEAM
  if (settings.width > widest_vector_beam) return nullptr;
#endif
#ifdef BOLIDE_X86
  if (settings.instructions == Instructions::avx512)
    return std::make_unique<VectorSearches<Instructions::avx512>>(settings);
  if (settings.instructions == Instructions::avx2)
    return std::make_unique<VectorSearches<Instructions::avx2>>(settings);
#endif
#ifdef BOLIDE_SSE2
  if (settings.instructions == Instructions::portable)
    return std::make_unique<VectorSearches<Instructions::portable>>(settings);
#endif
#ifdef BOLIDE_NEON
  if (settings.instructions == Instructions::neon)
    return std::make_unique<VectorSearches<Instructions::neon>>(settings);
#endif
  return nullptr;
}

class BeamAligner : public Aligner {
 public:
  explicit BeamAligner(const AlignerSettings& settings)
      : fits_narrow_(is_narrow(settings)),
        vectors_(vector_searches(settings)),
        brief_(settings),
        narrow_(settings),
        wide_(settings) {}

  bool align(const Candidates& candidates, std::size_t hypothesis_length,
             std::vector<Match>& chosen) override {
    if (!fits_narrow_ || !is_narrow(candidates, hypothesis_length)) {
      wide_.align(candidates, hypothesis_length, chosen);
    } else if (vectors_) {
      vectors_->align(candidates, hypothesis_length, chosen);
    } else if (hypothesis_length > UsedBits<std::uint64_t>::most_words) {
      narrow_.align(candidates, hypothesis_length, chosen);
    } else {
      brief_.align(candidates, hypothesis_length, chosen);
    }
    return true;
  }
  bool align_similar(Candidates& candidates, std::size_t hypothesis_length,
                     std::vector<Match>& chosen) override {
    return vectors_ && fits_narrow_ && is_narrow(candidates, hypothesis_length)
               ? vectors_->align_similar(candidates, hypothesis_length, chosen)
               : align(candidates, hypothesis_length, chosen);
  }

 private:
  const bool fits_narrow_;
  std::unique_ptr<Aligner> vectors_;
  BeamSearch<NarrowLayout, UsedBits<std::uint64_t>> brief_;
  BeamSearch<NarrowLayout, UsedBits<Uint128>> narrow_;
  BeamSearch<WideLayout, UsedRows> wide_;
};

}  // namespace

std::unique_ptr<Aligner> make_beam_aligner(const AlignerSettings& settings) {
  return std::make_unique<BeamAligner>(settings);
}

}  // namespace bolide
