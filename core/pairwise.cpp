// All pairs of hypotheses with references, for many sources at once.
#include <algorithm>
#include <atomic>
#include <iterator>
#include <optional>
#include <shared_mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "match/tile_matcher.hpp"
#include "pair_worker.hpp"
#include "score/score.hpp"
#include "support/parallel.hpp"

namespace bolide {

namespace {

// The distinct texts of one side of a source, and in which rows (or columns) of the matrix each is.
struct DistinctTexts {
  std::vector<std::size_t> texts;  // numbers for Sentences
  std::vector<std::vector<std::uint32_t>> places;

  // Texts from number `first` on.
  DistinctTexts(const Sentences& sentences, std::size_t first, std::size_t count) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // number of the distinct text, place
    for (std::uint32_t k = 0; k < count; ++k) order.emplace_back(sentences.number(first + k), k);
    // In the order of their spelling: neighbours often begin with the same words, and the aligner works less.
    std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      return a.first == b.first ? a.second < b.second : sentences.text(a.first) < sentences.text(b.first);
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k == 0 || order[k].first != order[k - 1].first) {
        texts.push_back(first + order[k].second);
        places.emplace_back();
      }
      places.back().push_back(order[k].second);
    }
  }
};

// The matrix of one source, in the arrays of all.
struct Matrix {
  DistinctTexts hypotheses, references;
  std::size_t first;    // where it begins, in pairs
  std::size_t columns;  // pairs in a row
  std::size_t first_tile, tiles_across;
};

constexpr std::size_t tile = TileMatcher::most_texts;

std::size_t tiles_of(std::size_t texts) {
  return (texts + tile - 1) / tile;
}

// Exchanges hypothesis and reference in a row of statistics.
void exchange_sides(std::vector<std::int32_t>& row, StatisticsLayout layout) {
  const std::size_t chunks = layout.chunks();
  for (std::size_t k = 0; k < chunks; k += 2) std::swap(row[k], row[k + 1]);
  std::swap(row[layout.word_matches(hypothesis_side)], row[layout.word_matches(reference_side)]);
}

// Fills the matrices tile by tile. Each thread has its own.
class TileWorker {
 public:
  TileWorker(const EngineSettings& settings, const Vocabulary& vocabulary, const Sentences& sentences,
             const PairwiseRequest& request)
      : vocabulary_(vocabulary),
        sentences_(sentences),
        request_(request),
        layout_(settings.stages.size()),
        pairs_(settings, vocabulary),
        matcher_(vocabulary, settings.stages),
        row_(layout_.width()),
        numbers_(layout_.width()) {
    if (request.parameters) power_.emplace(*request.parameters);
  }

  // Calls rest() from time to time, without a lock. Ends early if the result is false.
  template <typename Rest>
  void operator()(const Matrix& matrix, std::size_t number, const Rest& rest) {
    const std::size_t down = number / matrix.tiles_across * tile,
                      across = number % matrix.tiles_across * tile;
    if (request_.symmetric && across < down) return;
    {
      const std::shared_lock lock(vocabulary_.mutex());
      take(matrix.hypotheses, down, hypotheses_, hypothesis_words_);
      take(matrix.references, across, references_, reference_words_);
      matcher_.set(hypotheses_, references_);
    }
    for (std::size_t h = 0; h < hypotheses_.size(); ++h) {
      {
        const std::shared_lock lock(vocabulary_.mutex());
        matcher_.begin(h);
        for (std::size_t r = 0; r < references_.size(); ++r) {
          if (request_.symmetric && across + r < down + h) continue;
          pairs_(hypotheses_[h], hypothesis_words_[h], references_[r], reference_words_[r], row_.data(),
                 [&](int stages, Candidates& candidates) { return matcher_.list(r, stages, candidates); });
          store(matrix, down + h, across + r);
          work_ += hypotheses_[h].words.size() * references_[r].words.size() + 64;
          if (request_.symmetric && across + r != down + h) {
            exchange_sides(row_, layout_);
            store(matrix, across + r, down + h);
          }
        }
      }
      if (work_ > between_rests) {
        work_ = 0;
        if (!rest()) return;
      }
    }
  }

 private:
  // Candidates that are possible in the time between two rests: about a hundredth of a second, or more for
  // long texts.
  static constexpr std::size_t between_rests = 1 << 23;

  // The sentences of a tile, from this one on.
  void take(const DistinctTexts& texts, std::size_t from, std::vector<Sentence>& found,
            std::vector<CountedWords>& words) const {
    found.clear();
    words.clear();
    for (std::size_t k = from; k < std::min(from + tile, texts.texts.size()); ++k) {
      found.push_back(sentences_[texts.texts[k]]);
      words.push_back(pairs_.counted(found.back()));
    }
  }

  // Stores the row, or its score, for all pairs of these distinct texts.
  void store(const Matrix& matrix, std::size_t hypothesis, std::size_t reference) {
    double value = 0;
    if (request_.parameters) {
      std::copy(row_.begin(), row_.end(), numbers_.begin());
      value = score(numbers_, *request_.parameters, *power_).score;
    }
    for (const std::uint32_t i : matrix.hypotheses.places[hypothesis]) {
      for (const std::uint32_t j : matrix.references.places[reference]) {
        const std::size_t pair = matrix.first + i * matrix.columns + j;
        if (request_.parameters) {
          request_.scores[pair] = value;
        } else {
          std::copy(row_.begin(), row_.end(), &request_.statistics[pair * row_.size()]);
        }
      }
    }
  }

  const Vocabulary& vocabulary_;
  const Sentences& sentences_;
  const PairwiseRequest& request_;
  const StatisticsLayout layout_;
  PairWorker pairs_;
  TileMatcher matcher_;
  std::vector<Sentence> hypotheses_, references_;
  std::vector<CountedWords> hypothesis_words_, reference_words_;
  std::vector<std::int32_t> row_;
  std::vector<double> numbers_;
  std::optional<FragmentationPower> power_;
  std::size_t work_ = 0;
};

}  // namespace

void Engine::pairwise(const PairwiseRequest& request, Vocabulary& vocabulary, const Analyse& analyse,
                      const RunOptions& options) const {
  std::vector<std::string_view> texts(request.hypotheses.begin(), request.hypotheses.end());
  texts.insert(texts.end(), request.references.begin(), request.references.end());
  const Sentences sentences(texts, sentence_settings(options, settings_.stages), vocabulary, analyse);

  std::vector<Matrix> matrices;
  std::size_t hypothesis = 0, reference = request.hypotheses.size(), pairs = 0, tiles = 0;
  for (std::size_t k = 0; k < request.hypothesis_counts.size(); ++k) {
    const auto rows = static_cast<std::size_t>(request.hypothesis_counts[k]),
               columns = static_cast<std::size_t>(request.reference_counts[k]);
    matrices.push_back(
        {{sentences, hypothesis, rows}, {sentences, reference, columns}, pairs, columns, tiles, 0});
    Matrix& matrix = matrices.back();
    matrix.tiles_across = tiles_of(matrix.references.texts.size());
    tiles += tiles_of(matrix.hypotheses.texts.size()) * matrix.tiles_across;
    pairs += rows * columns;
    hypothesis += rows;
    reference += columns;
  }

  const auto caller = std::this_thread::get_id();
  std::atomic<bool> stopped = false;
  in_blocks(
      tiles, options.threads,
      [&] {
        return [&, worker = TileWorker(settings_, vocabulary, sentences, request),
                rests = std::this_thread::get_id() == caller](std::size_t number, std::size_t) mutable {
          const auto matrix = std::prev(std::upper_bound(
              matrices.begin(), matrices.end(), number,
              [](std::size_t wanted, const Matrix& each) { return wanted < each.first_tile; }));
          worker(*matrix, number - matrix->first_tile, [&] {
            if (rests && request.rest) {
              try {
                request.rest();
              } catch (...) {
                stopped = true;
                throw;
              }
            }
            return !stopped;
          });
        };
      },
      1);
}

}  // namespace bolide
