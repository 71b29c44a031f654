// The beam search eight paths at a time, for processors with AVX-512 or AVX2. Same rule and same keys as
// beam_search.hpp, which serves all other cases: paths lie in columns, extensions are made by masks, and
// lanes are merged by a bitonic network instead of one comparison after the other.
//
// vector_beam_search.hpp has the steps, beam_avx512.cpp and beam_avx2.cpp the instructions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "align/beam/search.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define BOLIDE_HAS_VECTOR_BEAM 1

namespace bolide {

// Names of sets of instructions, and whether this processor has them.
struct Avx512 {
  static bool is_there();
};
struct Avx2 {
  static bool is_there();
};

// Larger than every key, whether signs count or not; and the largest finite floating-point number, if that is
// what bits are taken for: AVX2 compares numbers with signs, and has a minimum of such numbers only.
constexpr NarrowLayout::Key last_vector_key = 0x7FEFFFFFFFFFFFFF;

// Hypotheses of up to 64 * `Words` words, at most 127, and pairs that fit the narrow layout.
template <typename Instructions, int Words>
class VectorBeam {
 public:
  static constexpr std::size_t most_words = 64 * Words;
  static constexpr int widest = 64;

  explicit VectorBeam(const AlignerSettings& settings);

  void align(const Candidates& candidates, std::size_t hypothesis_length, std::vector<Match>& chosen);

 private:
  using Layout = NarrowLayout;
  using Key = Layout::Key;
  static constexpr Key last_key = last_vector_key;
  static constexpr std::uint64_t no_end = 255;  // beyond every hypothesis word

  // One number of every path; room for a whole vector behind the last.
  struct alignas(64) Column {
    std::array<std::uint64_t, widest + 8> numbers;
    std::uint64_t* at(std::size_t k) { return numbers.data() + k; }
  };
  // The paths, as in beam_search.hpp.
  struct Paths {
    Column rank, next_free, last_end, trace;
    std::array<Column, Words> used;
  };
  // What taking the k-th candidate of a position does to a path; behind the last stands going without.
  struct Choices {
    std::array<std::vector<std::uint64_t>, Words> used;
    std::vector<std::uint64_t> last_end, next_free;
  };

  Key gain_of(const Match& match) const {
    const std::uint32_t* floors = floors_.data() + 128 * static_cast<std::size_t>(match.stage);
    return (Key{floors[match.hypothesis_length]} + floors[match.reference_length]) * Layout::one_gain;
  }
  void pass(std::uint64_t position);
  void take_fixed(std::uint64_t position, const Match& match);
  void sort_paths();
  void branch(std::uint64_t position, const Candidates& candidates);
  void list_parents(std::uint64_t position);
  void list_choices(std::uint64_t position, const Match* matches, std::size_t count);
  void extend_with(std::size_t choice, const Match& match);
  void extend_without_match();
  std::uint64_t* room_for(std::size_t count);
  void take_best();
  void merge_lane(std::size_t size);
  void make_paths(std::uint64_t position, std::uint64_t first, std::size_t count);
  void collect(const Candidates& candidates, std::vector<Match>& chosen);

  std::size_t width_;
  std::vector<std::uint32_t> floors_;  // by stage and words: what one side of a match gains
  FixedMatches fixed_;
  std::size_t count_ = 0;  // of paths
  std::array<Paths, 2> generations_;
  Paths *paths_ = &generations_[0], *next_ = &generations_[1];
  Column skip_;  // each path's key if it goes on without a match
  std::array<Column, Words> parent_used_;
  std::array<std::uint64_t, 512> pool_;  // extensions, in no order
  std::size_t pool_size_ = 0;
  Column best_, lane_;
  std::size_t best_size_ = 0;
  Choices choices_;
  std::vector<std::uint64_t> links_;  // match << 32 | link before; 0 is the start
};

}  // namespace bolide

#endif
