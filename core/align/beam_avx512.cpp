#include "beam_avx512.hpp"

#ifdef BOLIDE_HAS_AVX512_BEAM

#include <immintrin.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

// Only these functions may use the instructions; the file as a whole is compiled for every processor.
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,popcnt")))

namespace bolide {

namespace {

using Vector = __m512i;

AVX512 inline Vector load(const std::uint64_t* at) {
  return _mm512_load_si512(at);
}
AVX512 inline void store(std::uint64_t* at, Vector value) {
  _mm512_store_si512(at, value);
}
AVX512 inline Vector all(std::uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}
AVX512 inline Vector gather(const std::uint64_t* table, Vector places) {
  return _mm512_i64gather_epi64(places, table, 8);
}
AVX512 inline Vector count_up() {
  return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
}
// Lanes below `count`.
AVX512 inline __mmask8 first_lanes(std::size_t count) {
  return static_cast<__mmask8>(count >= 8 ? 0xFF : (1u << count) - 1);
}
// Appends the chosen lanes; up to eight numbers behind the new end are overwritten.
AVX512 inline std::uint64_t* append(std::uint64_t* end, __mmask8 chosen, Vector values) {
  _mm512_storeu_si512(end, _mm512_maskz_compress_epi64(chosen, values));
  return end + __builtin_popcount(chosen);
}

AVX512 bool is_sorted(const std::uint64_t* keys, std::size_t size) {
  for (std::size_t k = 0; k + 1 < size; k += 8) {
    const __mmask8 falls = _mm512_mask_cmpgt_epu64_mask(first_lanes(size - 1 - k), load(keys + k),
                                                        _mm512_loadu_si512(keys + k + 1));
    if (falls) return false;
  }
  return true;
}

AVX512 inline void order(Vector& a, Vector& b) {
  const Vector smaller = _mm512_min_epu64(a, b);
  b = _mm512_max_epu64(a, b);
  a = smaller;
}

// The last steps of a bitonic merge: within a vector, at distances 4, 2 and 1.
AVX512 inline Vector order_within(Vector v) {
  Vector other = _mm512_shuffle_i64x2(v, v, 0x4E);
  v = _mm512_mask_mov_epi64(_mm512_min_epu64(v, other), 0xF0, _mm512_max_epu64(v, other));
  other = _mm512_permutex_epi64(v, 0x4E);
  v = _mm512_mask_mov_epi64(_mm512_min_epu64(v, other), 0xCC, _mm512_max_epu64(v, other));
  other = _mm512_permutex_epi64(v, 0xB1);
  return _mm512_mask_mov_epi64(_mm512_min_epu64(v, other), 0xAA, _mm512_max_epu64(v, other));
}

AVX512 inline Vector reverse(Vector v) {
  return _mm512_permutexvar_epi64(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), v);
}

// Sorts 2 * half vectors whose halves are sorted: the first and the reversed second half are bitonic.
template <int half>
AVX512 inline void merge_halves(Vector* v) {
  Vector second[half];
  for (int k = 0; k < half; ++k) second[k] = reverse(v[2 * half - 1 - k]);
  for (int k = 0; k < half; ++k) v[half + k] = second[k];
  for (int distance = half; distance > 0; distance /= 2) {
    for (int k = 0; k < 2 * half; ++k) {
      if ((k & distance) == 0) order(v[k], v[k + distance]);
    }
  }
  for (int k = 0; k < 2 * half; ++k) v[k] = order_within(v[k]);
}

// Each of eight vectors sorted, whatever they held together.
AVX512 inline void sort_eights(Vector* v) {
  static constexpr std::pair<int, int> network[] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6},
                                                    {5, 7}, {1, 2}, {5, 6}, {0, 4}, {3, 7}, {1, 5}, {2, 6},
                                                    {1, 4}, {3, 6}, {2, 4}, {3, 5}, {3, 4}};
#pragma GCC unroll 19
  for (const auto& [a, b] : network) order(v[a], v[b]);
  Vector t[8];
  for (int k = 0; k < 8; k += 2) {
    t[k] = _mm512_unpacklo_epi64(v[k], v[k + 1]);
    t[k + 1] = _mm512_unpackhi_epi64(v[k], v[k + 1]);
  }
  Vector u[8];
  for (int k = 0; k < 8; k += 4) {
    for (int i = 0; i < 2; ++i) {
      u[k + i] = _mm512_shuffle_i64x2(t[k + i], t[k + i + 2], 0x88);
      u[k + i + 2] = _mm512_shuffle_i64x2(t[k + i], t[k + i + 2], 0xDD);
    }
  }
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0x88);
    v[i + 4] = _mm512_shuffle_i64x2(u[i], u[i + 4], 0xDD);
  }
}

AVX512 void sort_64(std::uint64_t* keys, std::size_t size) {
  Vector v[8];
  for (std::size_t k = 0; k < 8; ++k) {
    const __mmask8 there = size > 8 * k ? first_lanes(size - 8 * k) : 0;
    v[k] = _mm512_mask_mov_epi64(all(~std::uint64_t{0}), there, load(keys + 8 * k));
  }
  sort_eights(v);
  for (int k = 0; k < 8; k += 2) merge_halves<1>(v + k);
  for (int k = 0; k < 8; k += 4) merge_halves<2>(v + k);
  merge_halves<4>(v);
  for (std::size_t k = 0; 8 * k < size; ++k) store(keys + 8 * k, v[k]);
}

// The order rarely changes much.
AVX512 void sort(std::uint64_t* keys, std::size_t size) {
  if (is_sorted(keys, size)) return;
  if (size > 10) return sort_64(keys, size);
  for (std::size_t k = 1; k < size; ++k) {
    if (keys[k - 1] < keys[k]) continue;
    const std::uint64_t key = keys[k];
    std::size_t place = k;
    for (; place > 0 && keys[place - 1] > key; --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

// The 64 smallest of two sorted columns of 64, sorted: the smaller of each pair from opposite ends are they,
// and form a bitonic sequence. Only the first `wanted` are stored, and what fills up their last vector.
AVX512 void merge_64(std::uint64_t* into, const std::uint64_t* other, std::size_t wanted) {
  const Vector reversed = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
  Vector v[8];
  for (int k = 0; k < 8; ++k) {
    const Vector opposite = _mm512_permutexvar_epi64(reversed, load(other + 8 * (7 - k)));
    v[k] = _mm512_min_epu64(load(into + 8 * k), opposite);
  }
  for (int distance : {4, 2, 1}) {
    for (int k = 0; k < 8; ++k) {
      if ((k & distance) == 0) order(v[k], v[k + distance]);
    }
  }
  for (std::size_t k = 0; 8 * k < wanted; ++k) store(into + 8 * k, order_within(v[k]));
}

}  // namespace

bool processor_has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("popcnt");
}

template <int Words>
Avx512Beam<Words>::Avx512Beam(const AlignerSettings& settings)
    : width_(static_cast<std::size_t>(settings.width)) {
  for (double weight : settings.gain_weights) {
    for (int words = 0; words < 128; ++words) floors_.push_back(static_cast<std::uint32_t>(weight * words));
  }
}

template <int Words>
void Avx512Beam<Words>::align(const Candidates& candidates, std::size_t hypothesis_length,
                              std::vector<Match>& chosen) {
  fixed_.find(candidates, hypothesis_length);
  links_.assign(1, 0);
  count_ = 1;
  *paths_->rank.at(0) = Layout::start;
  *paths_->next_free.at(0) = *paths_->trace.at(0) = 0;
  *paths_->last_end.at(0) = no_end;
  for (Column& used : paths_->used) *used.at(0) = 0;
  const std::size_t positions = candidates.starts.size() - 1;
  for (std::size_t position = 0; position < positions; ++position) {
    if (fixed_[position] != FixedMatches::none) {
      take_fixed(position, candidates.matches[fixed_[position]]);
    } else if (candidates.starts[position] == candidates.starts[position + 1]) {
      pass(position);
    } else {
      branch(position, candidates);
    }
  }
  collect(candidates, chosen);
}

template <int Words>
AVX512 void Avx512Beam<Words>::pass(std::uint64_t position) {
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector end = load(paths_->last_end.at(k)), next = load(paths_->next_free.at(k)),
                 rank = load(paths_->rank.at(k));
    const __mmask8 here = _mm512_cmple_epu64_mask(next, all(position));
    const __mmask8 ends_chunk = _mm512_mask_cmpneq_epi64_mask(here, end, all(no_end));
    store(paths_->rank.at(k), _mm512_mask_add_epi64(rank, ends_chunk, rank, all(Layout::one_chunk)));
    store(paths_->last_end.at(k), _mm512_mask_mov_epi64(end, here, all(no_end)));
    store(paths_->next_free.at(k), _mm512_mask_mov_epi64(next, here, all(position + 1)));
  }
  sort_paths();
}

template <int Words>
AVX512 void Avx512Beam<Words>::take_fixed(std::uint64_t position, const Match& match) {
  const Key change = distance_key<Layout>(match) - gain_of(match);
  const auto start = static_cast<std::uint64_t>(match.hypothesis_start);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector end = load(paths_->last_end.at(k));
    const Vector rank = _mm512_add_epi64(load(paths_->rank.at(k)), all(change));
    const __mmask8 breaks_chunk =
        _mm512_mask_cmpneq_epi64_mask(_mm512_cmpneq_epi64_mask(end, all(no_end)), end, all(start));
    store(paths_->rank.at(k), _mm512_mask_add_epi64(rank, breaks_chunk, rank, all(Layout::one_chunk)));
    store(paths_->last_end.at(k), all(start + static_cast<std::uint64_t>(match.hypothesis_length)));
    store(paths_->next_free.at(k), all(position + static_cast<std::uint64_t>(match.reference_length)));
  }
  sort_paths();
}

// Stable: the paths' places are the lowest bits of what is sorted.
template <int Words>
AVX512 void Avx512Beam<Words>::sort_paths() {
  if (is_sorted(paths_->rank.at(0), count_)) return;
  const Vector place_bits = all(widest - 1);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector place = _mm512_add_epi64(count_up(), all(k));
    store(skip_.at(k), _mm512_or_si512(load(paths_->rank.at(k)), place));
  }
  sort(skip_.at(0), count_);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector keys = load(skip_.at(k)), place = _mm512_and_si512(keys, place_bits);
    store(next_->rank.at(k), _mm512_andnot_si512(place_bits, keys));
    store(next_->next_free.at(k), gather(paths_->next_free.at(0), place));
    store(next_->last_end.at(k), gather(paths_->last_end.at(0), place));
    store(next_->trace.at(k), gather(paths_->trace.at(0), place));
    for (int w = 0; w < Words; ++w) store(next_->used[w].at(k), gather(paths_->used[w].at(0), place));
  }
  std::swap(paths_, next_);
}

template <int Words>
AVX512 void Avx512Beam<Words>::branch(std::uint64_t position, const Candidates& candidates) {
  const std::int32_t first = candidates.starts[position];
  const auto count = static_cast<std::size_t>(candidates.starts[position + 1] - first);
  const Match* matches = candidates.matches.data() + first;
  list_parents(position);
  list_choices(position, matches, count);
  best_size_ = 0;
  for (std::size_t k = 0; k < widest; k += 8) store(best_.at(k), all(last_key));
  for (std::size_t choice = 0; choice < count; ++choice) extend_with(choice, matches[choice]);
  for (std::size_t k = 0; k < count_; k += 8) {
    store(broken_.at(k), _mm512_add_epi64(load(skip_.at(k)), all(Layout::without_match)));
  }
  merge_lane(broken_, count_);
  make_paths(position, static_cast<std::uint64_t>(first), count);
}

template <int Words>
AVX512 void Avx512Beam<Words>::list_parents(std::uint64_t position) {
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector place = _mm512_mullo_epi64(_mm512_add_epi64(count_up(), all(k)), all(Layout::one_parent));
    const Vector rank = _mm512_add_epi64(load(paths_->rank.at(k)), place);
    const __mmask8 here = _mm512_cmple_epu64_mask(load(paths_->next_free.at(k)), all(position));
    const __mmask8 ends_chunk =
        _mm512_mask_cmpneq_epi64_mask(here, load(paths_->last_end.at(k)), all(no_end));
    store(skip_.at(k), _mm512_mask_add_epi64(rank, ends_chunk, rank, all(Layout::one_chunk)));
  }
  sort(skip_.at(0), count_);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector place =
        _mm512_and_si512(_mm512_srli_epi64(load(skip_.at(k)), Layout::choice_bits_), all(widest - 1));
    // A path inside a match of its own cannot take another; nor can the places behind the last path.
    const __mmask8 takes = _mm512_mask_cmple_epu64_mask(
        first_lanes(count_ - k), gather(paths_->next_free.at(0), place), all(position));
    for (int w = 0; w < Words; ++w) {
      const Vector used = gather(paths_->used[w].at(0), place);
      store(parent_used_[w].at(k), _mm512_mask_mov_epi64(all(~std::uint64_t{0}), takes, used));
    }
    store(parent_end_.at(k), gather(paths_->last_end.at(0), place));
  }
  in_order_ = true;
}

template <int Words>
void Avx512Beam<Words>::list_choices(std::uint64_t position, const Match* matches, std::size_t count) {
  if (choices_.last_end.size() <= count) {
    for (auto& used : choices_.used) used.resize(2 * count + 2);
    choices_.last_end.resize(2 * count + 2);
    choices_.next_free.resize(2 * count + 2);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const auto start = static_cast<std::size_t>(matches[k].hypothesis_start),
               end = start + static_cast<std::size_t>(matches[k].hypothesis_length);
    for (std::size_t w = 0; w < Words; ++w) {
      const std::size_t from = std::clamp(start, 64 * w, 64 * w + 64) - 64 * w,
                        until = std::clamp(end, 64 * w, 64 * w + 64) - 64 * w;
      choices_.used[w][k] = until > from ? (~std::uint64_t{0} >> (64 - (until - from))) << from : 0;
    }
    choices_.last_end[k] = end;
    choices_.next_free[k] = position + static_cast<std::uint64_t>(matches[k].reference_length);
  }
  for (auto& used : choices_.used) used[count] = 0;
  choices_.last_end[count] = no_end;
  choices_.next_free[count] = position + 1;
}

// As in beam_search.hpp: the distance goes to the parent, after the copy.
template <int Words>
AVX512 void Avx512Beam<Words>::extend_with(std::size_t choice, const Match& match) {
  const Key gain = gain_of(match) - static_cast<Key>(choice);
  const Vector start = all(static_cast<std::uint64_t>(match.hypothesis_start)),
               distance = all(distance_key<Layout>(match));
  std::uint64_t *going = going_.at(0), *broken = broken_.at(0);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector skip = load(skip_.at(k));
    __mmask8 free = 0xFF;
    for (int w = 0; w < Words; ++w) {
      free = _mm512_mask_testn_epi64_mask(free, load(parent_used_[w].at(k)), all(choices_.used[w][choice]));
    }
    const __mmask8 goes_on = _mm512_mask_cmpeq_epi64_mask(free, load(parent_end_.at(k)), start);
    if (goes_on) going = append(going, goes_on, _mm512_sub_epi64(skip, all(gain + Layout::one_chunk)));
    broken = append(broken, free & static_cast<__mmask8>(~goes_on), _mm512_sub_epi64(skip, all(gain)));
    store(skip_.at(k), _mm512_mask_add_epi64(skip, free, skip, distance));
  }
  merge_lane(going_, static_cast<std::size_t>(going - going_.at(0)));
  merge_lane(broken_, static_cast<std::size_t>(broken - broken_.at(0)));
  in_order_ = false;
}

// Puts the best of a lane into best_.
template <int Words>
AVX512 void Avx512Beam<Words>::merge_lane(Column& lane, std::size_t size) {
  if (size == 0) return;
  std::uint64_t *keys = lane.at(0), *best = best_.at(0);
  if (!in_order_) sort(keys, size);
  // Behind a full beam there is no place.
  if (best_size_ == width_ && keys[0] > best[width_ - 1]) return;
  constexpr std::size_t few = 3;  // are inserted one by one
  if (size <= few) {
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t place = best_size_;
      for (; place > 0 && best[place - 1] > keys[k]; --place) best[place] = best[place - 1];
      best[place] = keys[k];
      if (best_size_ < width_) ++best_size_;
      best[best_size_] = last_key;
    }
    return;
  }
  const std::size_t whole = size / 8 * 8;
  if (whole < widest) {
    store(keys + whole, _mm512_mask_mov_epi64(all(last_key), first_lanes(size - whole), load(keys + whole)));
  }
  for (std::size_t k = whole + 8; k < widest; k += 8) store(keys + k, all(last_key));
  merge_64(best, keys, width_);
  best_size_ = std::min(width_, best_size_ + size);
  for (std::size_t k = width_; k < widest; k += 8) _mm512_storeu_si512(best + k, all(last_key));
}

// The best extensions become the paths of the next round.
template <int Words>
AVX512 void Avx512Beam<Words>::make_paths(std::uint64_t position, std::uint64_t first, std::size_t count) {
  const std::size_t base = links_.size();
  count_ = best_size_;
  links_.resize(base + (count_ + 7) / 8 * 8);
  for (std::size_t k = 0; k < count_; k += 8) {
    const Vector key = load(best_.at(k));
    const Vector parent = _mm512_and_si512(_mm512_srli_epi64(key, Layout::choice_bits_), all(widest - 1));
    const Vector choice = _mm512_min_epu64(_mm512_and_si512(key, all(Layout::one_parent - 1)), all(count));
    const __mmask8 takes_match = _mm512_cmplt_epu64_mask(choice, all(count));
    const Vector next = gather(paths_->next_free.at(0), parent), end = gather(paths_->last_end.at(0), parent),
                 trace = gather(paths_->trace.at(0), parent);
    // A path inside a match of its own stays as it is.
    const __mmask8 changes = takes_match | _mm512_cmple_epu64_mask(next, all(position));
    for (int w = 0; w < Words; ++w) {
      const Vector used = gather(paths_->used[w].at(0), parent);
      store(next_->used[w].at(k), _mm512_or_si512(used, gather(choices_.used[w].data(), choice)));
    }
    store(next_->rank.at(k), _mm512_andnot_si512(all(Layout::one_distance - 1), key));
    store(next_->last_end.at(k),
          _mm512_mask_mov_epi64(end, changes, gather(choices_.last_end.data(), choice)));
    store(next_->next_free.at(k),
          _mm512_mask_mov_epi64(next, changes, gather(choices_.next_free.data(), choice)));
    const Vector match = _mm512_add_epi64(choice, all(first));
    _mm512_storeu_si512(links_.data() + base + k, _mm512_or_si512(_mm512_slli_epi64(match, 32), trace));
    store(next_->trace.at(k), _mm512_mask_add_epi64(trace, takes_match, count_up(), all(base + k)));
  }
  std::swap(paths_, next_);
}

template <int Words>
void Avx512Beam<Words>::collect(const Candidates& candidates, std::vector<Match>& chosen) {
  std::size_t best = 0;
  Key best_rank = last_key;
  for (std::size_t k = 0; k < count_; ++k) {
    const Key rank = *paths_->rank.at(k) + (*paths_->last_end.at(k) != no_end ? Layout::one_chunk : 0);
    if (rank < best_rank) best_rank = rank, best = k;
  }
  chosen.clear();
  for (std::uint64_t link = *paths_->trace.at(best); link != 0; link = links_[link] & 0xFFFFFFFF) {
    chosen.push_back(candidates.matches[links_[link] >> 32]);
  }
  fixed_.add_to(candidates, chosen);
}

template class Avx512Beam<1>;
template class Avx512Beam<2>;

}  // namespace bolide

#endif
