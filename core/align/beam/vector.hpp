// The beam search on eight paths at a time, for processors with AVX-512, AVX2, SSE2 or NEON. It has the same
// rule and the same keys as search.hpp, which serves all other cases. Paths lie in columns, masks make the
// extensions, and a bitonic network merges sorted lanes.
//
// vector_search.hpp has the steps; avx512.cpp, avx2.cpp, sse2.cpp and neon.cpp have the instructions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "align/beam/search.hpp"

#if defined(BOLIDE_X86) || defined(BOLIDE_SSE2) || defined(BOLIDE_NEON)
#define BOLIDE_VECTOR_BEAM 1

namespace bolide {

// Larger than every key, also as a signed integer, and the largest finite number if its bits are read as a
// double. AVX2 can compare signed integers, but not unsigned ones. AVX2, SSE2 and NEON have an instruction
// for the minimum of doubles, but none for 64-bit integers.
constexpr NarrowLayout::Key last_vector_key = 0x7FEFFFFFFFFFFFFF;

// So there the bits of keys are compared as doubles. Positive doubles that are neither denormal nor infinite
// have the same order as their bits. Keys are such numbers: their 9 bits of missing gain are not all zero,
// and the next bit, the highest of chunks, is zero.
static_assert(NarrowLayout::start >> 54 == 511 && NarrowLayout::one_gain == std::uint64_t{1} << 54,
              "missing gain must be the 9 bits below the sign");
static_assert(NarrowLayout::one_gain / NarrowLayout::one_chunk == 256, "and chunks, up to 128, the 8 below");

constexpr int widest_vector_beam = 64;

// For hypotheses of up to 64 * `Words` words, at most 127, and pairs that fit the narrow layout. With SSE2,
// `set` is `portable`; processors with neither SSE2 nor NEON have no vector search.
template <Instructions set, int Words>
class VectorBeam {
 public:
  static constexpr std::size_t most_words = 64 * Words;
  static constexpr int widest = widest_vector_beam;

  explicit VectorBeam(const AlignerSettings& settings);

  void align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen);
  // The same, but begins where the candidates first differ from those of the last call of this function. It
  // keeps the candidates, and leaves others in their place.
  void align_similar(Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen);

 private:
  using Layout = NarrowLayout;
  static constexpr Layout::Key last_key = last_vector_key;
  static constexpr std::uint64_t no_end = 255;  // larger than the number of every hypothesis word

  // One number per path, with room for a whole vector after the last.
  struct alignas(64) Column {
    std::array<std::uint64_t, widest + 8> numbers;
    std::uint64_t* at(std::size_t k) { return numbers.data() + k; }
  };
  // The paths, as in search.hpp. The state of a path is next_free, last_end << 8 and trace << 32 in one
  // number, so that one look-up finds all three.
  struct Paths {
    Column rank, state;
    std::array<Column, Words> used;
  };
  static constexpr std::uint64_t one_end = 1 << 8, one_trace = std::uint64_t{1} << 32;
  static std::uint64_t end_in(std::uint64_t state) { return state / one_end & 255; }
  // How taking the k-th candidate of a position changes a path. The entry after the last candidate is for
  // taking none.
  struct Choices {
    std::array<std::vector<std::uint64_t>, Words> used;
    std::vector<std::uint64_t> state;  // the new next_free and last_end
  };

  Layout::Key gain_of(const Match& match) const {
    const std::uint32_t* floors = floors_.data() + 128 * static_cast<std::size_t>(match.stage);
    return (Layout::Key{floors[match.hypothesis_length]} + floors[match.reference_length]) * Layout::one_gain;
  }
  // The search after a position with candidates.
  struct Snapshot {
    Paths paths;
    std::size_t position, count, links;
  };

  void start();
  void step(std::size_t position, const Candidates& candidates);
  std::size_t resume(const Candidates& candidates);
  std::size_t same_positions(const Candidates& candidates) const;
  void copy_paths(const Paths& from, Paths& to) const;
  void pass(std::uint64_t position);
  void take_fixed(std::uint64_t position, const Match& match);
  void store_shared();
  void sort_paths();
  void branch(std::uint64_t position, const Candidates& candidates);
  void list_parents(std::uint64_t position);
  void list_choices(std::uint64_t position, const Match* matches, std::size_t count);
  void extend_with(std::size_t choice, const Match& match);
  void extend_without_match();
  std::uint64_t* room_for(std::size_t count);
  void take_best();
  std::size_t take_first();
  void drop_worst();
  void merge_lane(std::size_t size);
  void make_paths(std::uint64_t position, std::uint64_t first, std::size_t count);
  void collect(const Candidates& candidates, std::vector<Match>& chosen);

  std::size_t width_;
  std::vector<std::uint32_t> floors_;  // by stage and words: the gain of one side of a match
  FixedMatches fixed_;
  std::size_t count_ = 0;  // number of paths
  // Often all paths are at the same position and have the same last end: after a fixed match, and after a
  // position that none may match. Then these numbers are here, not in the columns, and fixed matches change
  // all ranks by the same number.
  struct {
    bool valid;
    std::uint64_t next_free, last_end;
    Layout::Key change;
  } shared_{};
  std::array<Paths, 2> generations_;
  Paths *paths_ = &generations_[0], *next_ = &generations_[1];
  Column skip_;  // each path's key if it takes no match
  std::array<Column, Words> parent_used_;
  Column parent_end_;
  std::array<std::uint64_t, 512> pool_;  // extensions, not sorted
  std::size_t pool_size_ = 0;
  Column best_, lane_;
  std::size_t best_size_ = 0;
  Choices choices_;
  std::vector<std::uint64_t> links_;  // match << 32 | previous link; link 0 is the start
  // Of the last pair of align_similar.
  Candidates last_;
  FixedMatches last_fixed_;
  std::vector<Snapshot> snapshots_;
  std::size_t snapshot_count_ = 0;
};

}  // namespace bolide

#endif
