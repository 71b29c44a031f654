#include "match/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace bolide {

namespace {

// Sums are always computed in this many lanes. The compiler turns them into vector instructions, and the
// result is the same on every machine.
constexpr std::size_t lanes = 8;

constexpr std::size_t padded(std::size_t dimensions) {
  return (dimensions + lanes - 1) / lanes * lanes;
}

float dot(const float* a, const float* b, std::size_t stride) {
  float sums[lanes] = {};
  for (std::size_t k = 0; k < stride; k += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  }
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums[0];
}

// Appends a row, scaled to unit length and padded with zeros. A row of length 0 becomes NaNs.
void append_unit(const Vectors& vectors, std::size_t row, std::vector<float>& out) {
  const std::size_t stride = padded(vectors.dimensions), start = out.size();
  const float* from = vectors.data + row * vectors.dimensions;
  out.insert(out.end(), from, from + vectors.dimensions);
  out.resize(start + stride, 0.0f);
  float* unit = out.data() + start;
  const float length = std::sqrt(dot(unit, unit, stride));
  for (std::size_t k = 0; k < stride; ++k) unit[k] /= length;
}

}  // namespace

float cosine(const Vectors& vectors, std::size_t a, std::size_t b) {
  std::vector<float> units;
  append_unit(vectors, a, units);
  append_unit(vectors, b, units);
  const std::size_t stride = padded(vectors.dimensions);
  return dot(units.data(), units.data() + stride, stride);
}

void NearPairs::place(const Vocabulary& vocabulary, int column, Words words, const Vectors& vectors,
                      NearSide& side) {
  side.places.clear();
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::span<const std::int32_t> row = vocabulary.keys(column, words[k]);
    const bool has_vector = !row.empty() && static_cast<std::size_t>(row.front()) < vectors.rows;
    side.places.push_back(
        {vocabulary.type(words[k]).identity, static_cast<std::int32_t>(k), has_vector ? row.front() : -1});
  }
  std::sort(side.places.begin(), side.places.end(), [](const WordPlace& a, const WordPlace& b) {
    return std::pair(a.identity, a.position) < std::pair(b.identity, b.position);
  });
}

std::size_t NearPairs::prepare(const Vocabulary& vocabulary, int column, Words hypothesis, Words reference,
                               const Vectors& vectors) {
  place(vocabulary, column, hypothesis, vectors, hypothesis_);
  place(vocabulary, column, reference, vectors, reference_);
  // Goes through both lists word by word, and keeps the occurrences in the sentence that has more of them.
  std::vector<WordPlace>&a = hypothesis_.places, &b = reference_.places;
  std::size_t kept_a = 0, kept_b = 0;
  const auto run = [](const std::vector<WordPlace>& places, std::size_t start, std::int64_t identity) {
    std::size_t end = start;
    while (end < places.size() && places[end].identity == identity) ++end;
    return end;
  };
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].identity <= b[j].identity);
    const std::int64_t identity = from_a ? a[i].identity : b[j].identity;
    const std::size_t i_end = run(a, i, identity), j_end = run(b, j, identity);
    const bool more_in_a = i_end - i > j_end - j, more_in_b = j_end - j > i_end - i;
    for (; i < i_end; ++i) {
      if (more_in_a && a[i].row >= 0) a[kept_a++] = a[i];
    }
    for (; j < j_end; ++j) {
      if (more_in_b && b[j].row >= 0) b[kept_b++] = b[j];
    }
  }
  a.resize(kept_a);
  b.resize(kept_b);
  return kept_a * kept_b;
}

void NearPairs::gather(const Vectors& vectors, NearSide& side) const {
  std::sort(side.places.begin(), side.places.end(),
            [](const WordPlace& a, const WordPlace& b) { return a.position < b.position; });
  side.positions.clear();
  side.unit.clear();
  for (const WordPlace& place : side.places) {
    side.positions.push_back(place.position);
    append_unit(vectors, static_cast<std::size_t>(place.row), side.unit);
  }
}

const NearPairs::Pairs& NearPairs::find(const Vectors& vectors, std::size_t cap) {
  near_.clear();
  found_.clear();
  if (hypothesis_.places.empty() || reference_.places.empty()) return found_;
  gather(vectors, hypothesis_);
  gather(vectors, reference_);
  const std::size_t stride = padded(vectors.dimensions);
  const std::vector<std::int32_t>& positions = hypothesis_.positions;
  for (std::size_t j = 0; j < reference_.positions.size(); ++j) {
    std::size_t first = 0, last = positions.size();
    if (cap != unlimited) {
      const auto middle = static_cast<std::size_t>(
          std::lower_bound(positions.begin(), positions.end(), reference_.positions[j]) - positions.begin());
      first = middle - std::min(middle, cap);
      last = std::min(last, middle + cap);
    }
    const float* unit = reference_.unit.data() + j * stride;
    for (std::size_t i = first; i < last; ++i) {
      const float closeness = dot(unit, hypothesis_.unit.data() + i * stride, stride);
      if (closeness >= vectors.threshold) {
        near_.push_back({closeness, static_cast<std::int32_t>(j), static_cast<std::int32_t>(i)});
      }
    }
  }
  std::sort(near_.begin(), near_.end(), [](const NearPair& a, const NearPair& b) {
    return std::tuple(-a.cosine, a.reference, a.hypothesis) <
           std::tuple(-b.cosine, b.reference, b.hypothesis);
  });
  partner_.assign(reference_.positions.size(), -1);
  taken_.assign(positions.size(), false);
  for (const NearPair& pair : near_) {
    if (partner_[pair.reference] >= 0 || taken_[pair.hypothesis]) continue;
    partner_[pair.reference] = positions[pair.hypothesis];
    taken_[pair.hypothesis] = true;
  }
  for (std::size_t j = 0; j < partner_.size(); ++j) {
    if (partner_[j] >= 0) found_.emplace_back(reference_.positions[j], partner_[j]);
  }
  return found_;
}

}  // namespace bolide
