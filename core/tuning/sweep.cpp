#include "tuning/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "score/power.hpp"
#include "support/parallel.hpp"
#include "tuning/agreement.hpp"
#include "tuning/compare_scores.hpp"

namespace bolide {

namespace {

// Points with the same alpha, delta and weights, sorted by beta. A thread works on one job at a time.
struct Job {
  std::size_t first, last;  // of Plan::order
};

class Plan {
 public:
  Plan(const Points& points, int threads) : points_(points), order_(points.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return less(points[a], points[b]); });
    // Small enough that every thread gets jobs, and large enough that an Fmean is used often.
    const std::size_t piece = std::max<std::size_t>(
        8, std::min<std::size_t>(1024, points.size() / (8 * static_cast<std::size_t>(std::max(threads, 1)))));
    for (std::size_t first = 0, k = 1; k <= order_.size(); ++k) {
      if (k < order_.size() && k - first < piece && same_fmean(point(first), point(k))) continue;
      jobs_.push_back({first, k});
      first = k;
    }
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  std::size_t index(std::size_t place) const { return order_[place]; }
  std::span<const double> point(std::size_t place) const { return points_[order_[place]]; }

 private:
  // By the parameters that Fmean depends on, then by beta.
  static bool less(std::span<const double> a, std::span<const double> b) {
    if (a[0] != b[0]) return a[0] < b[0];
    for (std::size_t k = 3; k < a.size(); ++k)
      if (a[k] != b[k]) return a[k] < b[k];
    return a[1] < b[1];
  }
  static bool same_fmean(std::span<const double> a, std::span<const double> b) {
    return a[0] == b[0] && std::equal(a.begin() + 3, a.end(), b.begin() + 3);
  }

  Points points_;
  std::vector<std::size_t> order_;
  std::vector<Job> jobs_;
};

// Calls work(job, fmeans) for every job, on several threads; make() gives each thread its `work`.
template <typename MakeWorker>
void each_job(const SweepTable& table, const Plan& plan, int threads, const MakeWorker& make) {
  in_blocks(
      plan.jobs().size(), threads,
      [&] {
        return
            [&, work = make(), fmeans = std::vector<double>()](std::size_t first, std::size_t last) mutable {
              for (std::size_t k = first; k < last; ++k) {
                const Job& job = plan.jobs()[k];
                table.fmeans(plan.point(job.first), fmeans);
                work(job, fmeans);
              }
            };
      },
      1);
}

// Calls use(index of the point, scores of the segments) for every point.
template <typename MakeUser>
void each_point(const SweepTable& table, const Points& points, int threads, const MakeUser& make) {
  const Plan plan(points, threads);
  each_job(table, plan, threads, [&] {
    return [&, use = make(), of_rows = std::vector<double>(table.distinct()),
            scores = std::vector<double>(table.segments())](const Job& job,
                                                            const std::vector<double>& fmeans) mutable {
      for (std::size_t place = job.first; place < job.last; ++place) {
        const auto point = plan.point(place);
        const auto powers = table.powers(point[1]);
        for (std::size_t k = 0; k < of_rows.size(); ++k)
          of_rows[k] = penalised(fmeans[k], point[2], (*powers)[table.fragment(k)]);
        for (std::size_t k = 0; k < scores.size(); ++k) {
          double best = 0;  // no score is lower
          for (const std::int32_t row : table.references(k)) best = std::max(best, of_rows[row]);
          scores[k] = best;
        }
        use(plan.index(place), scores);
      }
    };
  });
}

// Judgments of segments with one reference each, block by block.
class BlockwiseRankings {
 public:
  BlockwiseRankings(const SweepTable& table, const Plan& plan, const Rankings& r, std::int64_t* counts)
      : table_(table),
        plan_(plan),
        rankings_(r),
        counts_(counts),
        scale_(power(10.0, r.decimals)),
        compare_(comparison(best_instructions(), r.decimals >= 0)) {}

  void operator()(const Job& job, const std::vector<double>& fmeans) {
    powers_.clear();
    for (std::size_t place = job.first; place < job.last; ++place)
      powers_.push_back(same_beta(place, job.first) ? powers_.back() : table_.powers(plan_.point(place)[1]));
    std::int64_t start = 0;
    for (std::size_t set = 0; set < rankings_.ends.size(); start = rankings_.ends[set++]) {
      for (std::int64_t first = start; first < rankings_.ends[set]; first += PairBlock::most) {
        const auto left = static_cast<std::size_t>(rankings_.ends[set] - first);
        fill(static_cast<std::size_t>(first), std::min(left, PairBlock::most), fmeans);
        count(job, set);
      }
    }
  }

 private:
  void fill(std::size_t first, std::size_t size, const std::vector<double>& fmeans) {
    block_.size = size;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t better = table_.row(static_cast<std::size_t>(rankings_.better[first + k]));
      const std::size_t worse = table_.row(static_cast<std::size_t>(rankings_.worse[first + k]));
      block_.better_fmean[k] = fmeans[better];
      block_.worse_fmean[k] = fmeans[worse];
      better_[k] = table_.fragment(better);
      worse_[k] = table_.fragment(worse);
    }
  }

  void count(const Job& job, std::size_t set) {
    for (std::size_t place = job.first; place < job.last; ++place) {
      const auto point = plan_.point(place);
      if (!same_beta(place, job.first)) raise(*powers_[place - job.first]);
      const PairCounts found = compare_(block_, point[2], scale_);
      std::int64_t* out = counts_ + 2 * (plan_.index(place) * rankings_.ends.size() + set);
      out[0] += found.concordant;
      out[1] += found.tied;
    }
  }

  bool same_beta(std::size_t place, std::size_t first) const {
    return place > first && plan_.point(place)[1] == plan_.point(place - 1)[1];
  }

  void raise(const std::vector<double>& powers) {
    for (std::size_t k = 0; k < block_.size; ++k) {
      block_.better_power[k] = powers[better_[k]];
      block_.worse_power[k] = powers[worse_[k]];
    }
  }

  const SweepTable& table_;
  const Plan& plan_;
  const Rankings& rankings_;
  std::int64_t* counts_;
  double scale_;
  CompareScores compare_;
  std::vector<SweepTable::PowersOfFragments> powers_;             // of the job's points
  std::size_t better_[PairBlock::most], worse_[PairBlock::most];  // fragmentations
  PairBlock block_;
};

}  // namespace

Points::Points(std::span<const double> rows, std::size_t width) : numbers(rows), columns(width) {
  if (width < 4) throw std::invalid_argument("a point is alpha, beta, gamma, delta and weights");
  if (std::any_of(rows.begin(), rows.end(), [](double number) { return std::isnan(number); }))
    throw std::invalid_argument("a point is made of numbers");
}

std::vector<double> sweep_scores(const SweepTable& table, const Points& points, int threads) {
  std::vector<double> all(points.size() * table.segments());
  each_point(table, points, threads, [&] {
    return [&](std::size_t point, const std::vector<double>& scores) {
      std::copy(scores.begin(), scores.end(),
                all.begin() + static_cast<std::ptrdiff_t>(point * scores.size()));
    };
  });
  return all;
}

std::vector<std::int64_t> sweep_rankings(const SweepTable& table, const Points& points, const Rankings& r,
                                         int threads) {
  std::vector<std::int64_t> counts(points.size() * r.ends.size() * 2);
  if (table.single()) {
    const Plan plan(points, threads);
    each_job(table, plan, threads, [&] { return BlockwiseRankings(table, plan, r, counts.data()); });
    return counts;
  }
  const double scale = power(10.0, r.decimals);
  each_point(table, points, threads, [&] {
    return [&](std::size_t point, const std::vector<double>& scores) {
      std::int64_t* out = counts.data() + 2 * point * r.ends.size();
      std::size_t k = 0;
      for (std::size_t set = 0; set < r.ends.size(); ++set, out += 2) {
        for (; k < static_cast<std::size_t>(r.ends[set]); ++k) {
          double better = scores[r.better[k]], worse = scores[r.worse[k]];
          if (r.decimals >= 0) better = rounded(better, scale), worse = rounded(worse, scale);
          out[0] += better > worse;
          out[1] += better == worse;
        }
      }
    };
  });
  return counts;
}

std::vector<double> sweep_ratings(const SweepTable& table, const Points& points, const Ratings& r,
                                  int threads) {
  std::vector<double> found(points.size() * r.ends.size());
  each_point(table, points, threads, [&] {
    return [&, mine = std::vector<double>(), agreement = Agreement()](
               std::size_t point, const std::vector<double>& scores) mutable {
      std::size_t start = 0;
      for (std::size_t set = 0; set < r.ends.size(); ++set) {
        const auto size = static_cast<std::size_t>(r.ends[set]) - start;
        mine.resize(size);
        for (std::size_t k = 0; k < size; ++k) mine[k] = scores[r.segment[start + k]];
        const auto human = r.rating.subspan(start, size);
        found[point * r.ends.size() + set] = r.coefficient == Coefficient::pearson
                                                 ? pearson(mine, human, r.weight.subspan(start, size))
                                                 : agreement.spearman(mine, human);
        start += size;
      }
    };
  });
  return found;
}

std::vector<double> sweep_comparisons(const SweepTable& table, const Points& points, const Comparisons& c,
                                      int threads) {
  std::vector<double> found(points.size() * c.ends.size() * 2);
  each_point(table, points, threads, [&] {
    return [&, differences = std::vector<double>(), agreement = Agreement()](
               std::size_t point, const std::vector<double>& scores) mutable {
      std::size_t start = 0;
      for (std::size_t set = 0; set < c.ends.size(); ++set) {
        const auto size = static_cast<std::size_t>(c.ends[set]) - start;
        differences.resize(size);
        for (std::size_t k = 0; k < size; ++k)
          differences[k] = scores[c.first[start + k]] - scores[c.second[start + k]];
        const CalibratedAccuracy best =
            agreement.calibrated(differences, c.human.subspan(start, size), c.weight.subspan(start, size));
        double* out = found.data() + 2 * (point * c.ends.size() + set);
        out[0] = best.accuracy;
        out[1] = best.epsilon;
        start += size;
      }
    };
  });
  return found;
}

}  // namespace bolide
