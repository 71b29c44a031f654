#include "tuning/compare_scores.hpp"

#include "score/score.hpp"

namespace bolide {

namespace {

// The functions below are this loop, as the compiler vectorizes it for each set of instructions.
template <bool rounding>
BOLIDE_ALWAYS_INLINE PairCounts compare(const PairBlock& pairs, double gamma, double scale) {
  std::int64_t concordant = 0, tied = 0;
  for (std::size_t k = 0; k < pairs.size; ++k) {
    double better = penalised(pairs.better_fmean[k], gamma, pairs.better_power[k]);
    double worse = penalised(pairs.worse_fmean[k], gamma, pairs.worse_power[k]);
    if constexpr (rounding) better = rounded(better, scale), worse = rounded(worse, scale);
    concordant += better > worse;
    tied += better == worse;
  }
  return {concordant, tied};
}

template <bool rounding>
PairCounts compare_portable(const PairBlock& pairs, double gamma, double scale) {
  return compare<rounding>(pairs, gamma, scale);
}

#ifdef BOLIDE_X86
template <bool rounding>
BOLIDE_AVX2 PairCounts compare_avx2(const PairBlock& pairs, double gamma, double scale) {
  return compare<rounding>(pairs, gamma, scale);
}

template <bool rounding>
BOLIDE_AVX512 PairCounts compare_avx512(const PairBlock& pairs, double gamma, double scale) {
  return compare<rounding>(pairs, gamma, scale);
}
#endif

template <bool rounding>
CompareScores comparison([[maybe_unused]] Instructions instructions) {
#ifdef BOLIDE_X86
  if (instructions == Instructions::avx512) return &compare_avx512<rounding>;
  if (instructions == Instructions::avx2) return &compare_avx2<rounding>;
#endif
  return &compare_portable<rounding>;
}

}  // namespace

CompareScores comparison(Instructions instructions, bool rounding) {
  return rounding ? comparison<true>(instructions) : comparison<false>(instructions);
}

}  // namespace bolide
