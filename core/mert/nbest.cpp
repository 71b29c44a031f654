#include "mert/nbest.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "support/parallel.hpp"

namespace bolide {

namespace {

// The model score of a hypothesis. All sums are computed here, in the same order, so that hypotheses with
// equal features always have equal scores.
double weighted(const NBestLists& lists, std::size_t hypothesis, std::span<const double> weights) {
  const double* row = lists.features.data() + hypothesis * lists.width;
  double sum = 0;
  for (std::size_t k = 0; k < lists.width; ++k) sum += weights[k] * row[k];
  return sum;
}

// The model score of a hypothesis along the line: intercept + t * slope.
struct Ray {
  double slope, intercept;
  std::int64_t hypothesis;
  double from;  // where it becomes the highest ray
};

// At `at`, the choice changes from one text to another.
struct Change {
  double at;
  std::int64_t old_text, new_text;
};

// The upper envelope: the rays that are highest somewhere, from left to right. Rays are added by ascending
// slope. If the next ray is higher before the last one becomes the highest, the last one never is.
class Envelope {
 public:
  std::span<const Ray> of(const NBestLists& lists, std::size_t sentence, std::span<const double> origin,
                          std::span<const double> direction) {
    rays_.clear();
    for (std::int64_t k = lists.offsets[sentence]; k < lists.offsets[sentence + 1]; ++k) {
      const auto hypothesis = static_cast<std::size_t>(k);
      rays_.push_back({weighted(lists, hypothesis, direction), weighted(lists, hypothesis, origin), k, 0});
    }
    drop_low();
    // The highest of parallel rays comes first, and the first of equal rays.
    std::sort(rays_.begin(), rays_.end(), [](const Ray& a, const Ray& b) {
      return std::tuple(a.slope, -a.intercept, a.hypothesis) <
             std::tuple(b.slope, -b.intercept, b.hypothesis);
    });
    std::size_t kept = 1;
    for (std::size_t k = 1; k < rays_.size(); ++k) {
      Ray ray = rays_[k];
      if (ray.slope == rays_[kept - 1].slope) continue;
      ray.from = crossing(rays_[kept - 1], ray);
      while (kept > 1 && ray.from <= rays_[kept - 1].from) {
        --kept;
        ray.from = crossing(rays_[kept - 1], ray);
      }
      rays_[kept++] = ray;
    }
    return {rays_.data(), kept};
  }

 private:
  static double crossing(const Ray& left, const Ray& right) {
    return (left.intercept - right.intercept) / (right.slope - left.slope);
  }

  // Removes most rays before they are sorted. Three rays are known: the highest at the far left, at the
  // origin, and at the far right. A ray that is nowhere above all three can be removed. A ray whose slope is
  // between those of two others is above both somewhere only if it is above their crossing. The slack allows
  // for rounding errors.
  void drop_low() {
    const auto highest = [&](const auto& key) {
      return *std::max_element(rays_.begin(), rays_.end(),
                               [&](const Ray& a, const Ray& b) { return key(a) < key(b); });
    };
    const Ray first = highest([](const Ray& ray) { return std::pair(-ray.slope, ray.intercept); });
    const Ray middle = highest([](const Ray& ray) { return ray.intercept; });
    const Ray last = highest([](const Ray& ray) { return std::pair(ray.slope, ray.intercept); });
    const double left = crossing(first, middle), right = crossing(middle, last);
    std::erase_if(rays_, [&](const Ray& ray) {
      const double at = ray.slope < middle.slope ? left : right;
      const double height = middle.intercept + at * middle.slope, rise = at * ray.slope;
      const double slack = 1e-9 * (std::abs(height) + std::abs(rise) + std::abs(ray.intercept));
      return ray.intercept + rise < height - slack;  // false if they are parallel: then nothing is known
    });
  }

  std::vector<Ray> rays_;
};

struct ChoicePath {
  std::int64_t first_text;  // the choice just above `low`
  std::vector<Change> changes;
};

ChoicePath path_of(const NBestLists& lists, std::span<const Ray> envelope, double low, double high) {
  ChoicePath path{lists.texts[envelope[0].hypothesis], {}};
  std::int64_t text = path.first_text;
  for (const Ray& ray : envelope.subspan(1)) {
    const std::int64_t next = lists.texts[ray.hypothesis];
    if (ray.from >= high) break;
    if (ray.from <= low) {
      path.first_text = next;
    } else if (next != text) {
      path.changes.push_back({ray.from, text, next});
    }
    text = next;
  }
  return path;
}

void add_row(const NBestLists& lists, std::int64_t text, std::int64_t sign, std::span<std::int64_t> sum) {
  const std::int64_t* row = lists.statistics.data() + static_cast<std::size_t>(text) * lists.columns;
  for (std::size_t k = 0; k < lists.columns; ++k) sum[k] += sign * row[k];
}

}  // namespace

std::vector<std::int64_t> best_hypotheses(const NBestLists& lists, std::span<const double> weights,
                                          int threads) {
  std::vector<std::int64_t> best(lists.sentences());
  in_blocks(lists.sentences(), threads, [&] {
    return [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) {
        best[s] = lists.offsets[s];
        double highest = weighted(lists, static_cast<std::size_t>(best[s]), weights);
        for (std::int64_t k = lists.offsets[s] + 1; k < lists.offsets[s + 1]; ++k) {
          const double score = weighted(lists, static_cast<std::size_t>(k), weights);
          if (score > highest) {
            highest = score;
            best[s] = k;
          }
        }
      }
    };
  });
  return best;
}

ErrorSurface error_surface(const NBestLists& lists, std::span<const double> origin,
                           std::span<const double> direction, double low, double high, int threads) {
  std::vector<ChoicePath> paths(lists.sentences());
  in_blocks(lists.sentences(), threads, [&] {
    return [&, envelope = Envelope()](std::size_t first, std::size_t last) mutable {
      for (std::size_t s = first; s < last; ++s)
        paths[s] = path_of(lists, envelope.of(lists, s, origin, direction), low, high);
    };
  });
  std::vector<std::int64_t> sum(lists.columns, 0);
  std::vector<Change> changes;
  for (const ChoicePath& path : paths) {
    add_row(lists, path.first_text, 1, sum);
    changes.insert(changes.end(), path.changes.begin(), path.changes.end());
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  ErrorSurface surface;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const Change& change = changes[k];
    if (k == 0 || change.at != changes[k - 1].at) {
      surface.sums.insert(surface.sums.end(), sum.begin(), sum.end());
      surface.breaks.push_back(change.at);
    }
    add_row(lists, change.old_text, -1, sum);
    add_row(lists, change.new_text, 1, sum);
  }
  surface.sums.insert(surface.sums.end(), sum.begin(), sum.end());
  return surface;
}

}  // namespace bolide
