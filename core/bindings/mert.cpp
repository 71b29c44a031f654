#include <algorithm>
#include <unordered_map>

#include "bindings/convert.hpp"
#include "mert/nbest.hpp"
#include "mert/ngrams.hpp"
#include "mert/ter.hpp"
#include "support/offsets.hpp"
#include "support/parallel.hpp"

namespace bolide::python {

namespace {

class PyNBestLists {
 public:
  PyNBestLists(Table<double> features, Array<std::int64_t> offsets, Array<std::int64_t> texts,
               Table<std::int64_t> statistics)
      : features_(features), offsets_(offsets), texts_(texts), statistics_(statistics) {
    lists_ = {{features.data(), features.size()},     features.shape(1),  view(offsets), view(texts),
              {statistics.data(), statistics.size()}, statistics.shape(1)};
    const auto known = static_cast<std::int64_t>(statistics.shape(0));
    const bool fit = are_offsets(lists_.offsets, features.shape(0)) && are_filled(lists_.offsets) &&
                     texts.size() == features.shape(0) &&
                     std::all_of(lists_.texts.begin(), lists_.texts.end(),
                                 [&](std::int64_t text) { return text >= 0 && text < known; });
    if (!fit) throw nb::value_error("the lists do not fit their features or statistics");
  }

  nb::object best(Array<double> weights, int threads) const {
    check(weights);
    auto found = without_gil([&] { return best_hypotheses(lists_, view(weights), threads); });
    return to_numpy(std::move(found));
  }

  nb::tuple surface(Array<double> origin, Array<double> direction, double low, double high,
                    int threads) const {
    check(origin);
    check(direction);
    auto found =
        without_gil([&] { return error_surface(lists_, view(origin), view(direction), low, high, threads); });
    const std::size_t rows = found.breaks.size() + 1;
    return nb::make_tuple(to_numpy(std::move(found.breaks)),
                          to_numpy(std::move(found.sums), {rows, lists_.columns}));
  }

 private:
  void check(const Array<double>& weights) const {
    if (weights.size() != lists_.width) throw nb::value_error("every feature has one weight");
  }

  Table<double> features_;  // these keep alive what lists_ points to
  Array<std::int64_t> offsets_, texts_;
  Table<std::int64_t> statistics_;
  NBestLists lists_;
};

// Sentences with their hypotheses and references. The words of a text are separated by single spaces.
class ListedTexts {
 public:
  ListedTexts(const nb::object& hypotheses, Array<std::int64_t> hypothesis_offsets,
              const nb::object& references, Array<std::int64_t> reference_offsets)
      : hypotheses_(hypotheses),
        references_(references),
        hypothesis_offsets_(view(hypothesis_offsets)),
        reference_offsets_(view(reference_offsets)) {
    if (!are_offsets(hypothesis_offsets_, hypotheses_.views.size()) ||
        !are_offsets(reference_offsets_, references_.views.size()) || !are_filled(reference_offsets_) ||
        hypothesis_offsets_.size() != reference_offsets_.size())
      throw nb::value_error("the offsets do not fit the texts");
  }

  // Calls work(hypothesis number, hypothesis, references) for all hypotheses, and begin(references) before
  // those of a sentence. Each thread has its own worker.
  template <typename Make>
  void each(int threads, const Make& make) const {
    in_blocks(hypothesis_offsets_.size() - 1, threads, [&] {
      return [&, work = make()](std::size_t first, std::size_t last) mutable {
        for (std::size_t s = first; s < last; ++s) {
          std::unordered_map<std::string_view, std::int32_t> ids;
          const auto number = [&](std::string_view text) { return numbered(text, ids); };
          std::vector<WordIds> references;
          for (auto k = reference_offsets_[s]; k < reference_offsets_[s + 1]; ++k)
            references.push_back(number(references_.views[static_cast<std::size_t>(k)]));
          work.begin(references);
          for (auto k = hypothesis_offsets_[s]; k < hypothesis_offsets_[s + 1]; ++k)
            work.count(static_cast<std::size_t>(k), number(hypotheses_.views[static_cast<std::size_t>(k)]));
        }
      };
    });
  }

  std::size_t hypotheses() const { return hypotheses_.views.size(); }

 private:
  static WordIds numbered(std::string_view text, std::unordered_map<std::string_view, std::int32_t>& ids) {
    WordIds words;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      if (end > 0)
        words.push_back(
            ids.try_emplace(text.substr(0, end), static_cast<std::int32_t>(ids.size())).first->second);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
  }

  Texts hypotheses_, references_;
  std::span<const std::int64_t> hypothesis_offsets_, reference_offsets_;
};

// The fewest edits to one of the references, and the total length of all references.
struct EditWork {
  std::vector<std::int64_t>& rows;
  EditCounter counter{};
  std::span<const WordIds> references{};
  std::int64_t length = 0;

  void begin(const std::vector<WordIds>& given) {
    references = given;
    length = 0;
    for (const WordIds& reference : given) length += static_cast<std::int64_t>(reference.size());
  }
  void count(std::size_t number, const WordIds& hypothesis) {
    std::int64_t fewest = counter.count(hypothesis, references.front());
    for (const WordIds& reference : references.subspan(1))
      fewest = std::min(fewest, counter.count(hypothesis, reference));
    rows[2 * number] = fewest;
    rows[2 * number + 1] = length;
  }
};

struct NgramWork {
  std::vector<std::int64_t>& rows;
  ReferenceNgrams ngrams{std::span<const WordIds>()};

  void begin(const std::vector<WordIds>& given) { ngrams = ReferenceNgrams(given); }
  void count(std::size_t number, const WordIds& hypothesis) {
    const auto row = ngrams.count(hypothesis);
    std::copy(row.begin(), row.end(), rows.begin() + static_cast<std::ptrdiff_t>(number * ngram_columns));
  }
};

template <typename Work, std::size_t columns>
nb::object counts(const nb::object& hypotheses, Array<std::int64_t> hypothesis_offsets,
                  const nb::object& references, Array<std::int64_t> reference_offsets, int threads) {
  const ListedTexts sentences(hypotheses, hypothesis_offsets, references, reference_offsets);
  std::vector<std::int64_t> rows(sentences.hypotheses() * columns);
  {
    const nb::gil_scoped_release release;
    sentences.each(threads, [&] { return Work{rows}; });
  }
  return to_numpy(std::move(rows), {sentences.hypotheses(), columns});
}

}  // namespace

void bind_mert(nb::module_& m) {
  nb::class_<PyNBestLists>(m, "NBestLists")
      .def(nb::init<Table<double>, Array<std::int64_t>, Array<std::int64_t>, Table<std::int64_t>>(),
           "features"_a, "offsets"_a, "texts"_a, "statistics"_a)
      .def("best", &PyNBestLists::best, "weights"_a, "threads"_a)
      .def("surface", &PyNBestLists::surface, "origin"_a, "direction"_a, "low"_a, "high"_a, "threads"_a);
  m.def("count_edits", &counts<EditWork, 2>, "hypotheses"_a, "hypothesis_offsets"_a, "references"_a,
        "reference_offsets"_a, "threads"_a);
  m.def("count_ngrams", &counts<NgramWork, ngram_columns>, "hypotheses"_a, "hypothesis_offsets"_a,
        "references"_a, "reference_offsets"_a, "threads"_a);
}

}  // namespace bolide::python
