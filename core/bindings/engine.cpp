#include "engine.hpp"

#include "bindings/analyst.hpp"
#include "bindings/convert.hpp"
#include "bindings/settings.hpp"
#include "bindings/tables.hpp"
#include "bindings/text.hpp"
#include "score/score.hpp"
#include "score/statistics.hpp"
#include "support/offsets.hpp"

namespace bolide::python {

namespace {

template <typename T, int dimensions>
using Out = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;  // of the caller

// Matches that were chosen elsewhere. `offsets` says where the rows of each alignment begin.
std::vector<Match> given_matches(const Table<std::int32_t>& rows, std::span<const std::int64_t> offsets) {
  if (rows.shape(1) != 5 || !are_offsets(offsets, rows.shape(0)))
    throw nb::value_error("the arrays do not fit");
  return matches_in(rows);
}

nb::object chunks_of(Table<std::int32_t> matches, Array<std::int64_t> offsets) {
  const std::vector<Match> given = given_matches(matches, view(offsets));
  std::vector<std::int32_t> chunks;
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    const auto start = static_cast<std::size_t>(offsets(k)), end = static_cast<std::size_t>(offsets(k + 1));
    number_chunks(std::span(given).subspan(start, end - start), chunks);
  }
  return to_numpy(std::move(chunks));
}

// From text to statistics, with the settings of one scorer.
class PyEngine {
 public:
  PyEngine(const std::vector<std::string>& stages, const std::string& aligner,
           std::vector<double> gain_weights, int beam, bool sizes, nb::object tokenizer, nb::list resources,
           bool identical_by_first, bool breaks)
      : tokenizer_(tokenizer),
        resources_(resources),
        engine_({stages_of(stages, resources),
                 aligner_settings(aligner, std::move(gain_weights), beam),
                 {sizes, breaks},
                 identical_by_first,
                 rules_of(tokenizer)}) {
    if (stages.empty() || engine_.settings().aligner.gain_weights.size() != stages.size()) {
      throw nb::value_error("an engine needs stages, and a gain weight for each");
    }
  }

  nb::tuple run(const nb::object& hypotheses, const nb::object& references, Array<std::int32_t> counts,
                Vocabulary& vocabulary, const nb::object& analyse, int threads, bool normalized,
                bool with_matches) {
    Texts hypothesis_texts(hypotheses), reference_texts(references);
    std::int64_t total = 0;
    for (std::int32_t count : view(counts)) {
      if (count < 0) throw nb::value_error("counts must not be negative");
      total += count;
    }
    const std::size_t rows = reference_texts.views.size();
    if (counts.size() != hypothesis_texts.views.size() || total != static_cast<std::int64_t>(rows) ||
        !has_stages(vocabulary)) {
      throw nb::value_error("counts do not fit the texts, or the vocabulary the stages");
    }
    const Analyse learn = calling(analyse, vocabulary);
    auto result = without_gil([&] {
      return engine_.run({hypothesis_texts.views, reference_texts.views, view(counts)}, vocabulary, learn,
                         {threads, !normalized, with_matches});
    });
    nb::object statistics = to_numpy(std::move(result.statistics), {rows, layout().width()});
    nb::object flags = to_numpy(std::move(result.flags));
    if (!with_matches) return nb::make_tuple(statistics, flags, nb::none(), nb::none());
    return nb::make_tuple(statistics, flags, matches_table(result), to_numpy(std::move(result.offsets)));
  }

  // Fills `out`: scores if there are parameters, otherwise rows of statistics.
  void pairwise(const nb::object& hypotheses, const nb::object& references,
                Array<std::int32_t> hypothesis_counts, Array<std::int32_t> reference_counts,
                Vocabulary& vocabulary, const nb::object& analyse, int threads, bool normalized,
                bool symmetric, const Parameters* parameters, const nb::object& out) const {
    Texts hypothesis_texts(hypotheses), reference_texts(references);
    PairwiseRequest request{hypothesis_texts.views,
                            reference_texts.views,
                            view(hypothesis_counts),
                            view(reference_counts),
                            symmetric,
                            parameters,
                            {},
                            {},
                            {}};
    if (!has_stages(vocabulary)) throw nb::value_error("the vocabulary does not fit the stages");
    const std::size_t pairs = pairs_of(request);
    if (parameters) {
      const auto scores = nb::cast<Out<double, 1>>(out);
      if (scores.size() != pairs) throw nb::value_error("the result does not fit the texts");
      request.scores = {scores.data(), scores.size()};
    } else {
      const auto statistics = nb::cast<Out<std::int32_t, 2>>(out);
      if (statistics.shape(0) != pairs || statistics.shape(1) != layout().width())
        throw nb::value_error("the result does not fit the texts");
      request.statistics = {statistics.data(), statistics.size()};
    }
    request.rest = [] {
      const nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    };
    const Analyse learn = calling(analyse, vocabulary);
    without_gil([&] {
      engine_.pairwise(request, vocabulary, learn, {.threads = threads, .pretokenized = !normalized});
    });
  }

  // Scores one segment with each of its references: the same as run and score, but without arrays, for
  // callers that have one segment at a time. Returns None if a text is not a list of words.
  nb::object segment(const nb::list& texts, Vocabulary& vocabulary, const nb::object& analyse,
                     const Parameters& parameters) {
    std::vector<std::string> lines(texts.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!join_text(texts[k], lines[k])) return nb::none();
    }
    if (lines.size() < 2 || !has_stages(vocabulary)) {
      throw nb::value_error("a segment has a hypothesis and references, a vocabulary the engine's stages");
    }
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    const auto count = static_cast<std::int32_t>(views.size() - 1);
    const Analyse learn = calling(analyse, vocabulary);
    std::vector<Scores> scores;
    {
      nb::gil_scoped_release release;
      const BatchResult result =
          engine_.run({std::span(views).first(1), std::span(views).subspan(1), {&count, 1}}, vocabulary,
                      learn, {.pretokenized = true});
      FragmentationPower power(parameters, false);
      const std::size_t columns = layout().width();
      const std::vector<double> rows(result.statistics.begin(), result.statistics.end());
      for (std::size_t start = 0; start < rows.size(); start += columns)
        scores.push_back(score(std::span(rows).subspan(start, columns), parameters, power));
    }
    nb::list found;
    for (const Scores& s : scores)
      found.append(nb::make_tuple(s.precision, s.recall, s.f1, s.fmean, s.penalty, s.score));
    return found;
  }

  nb::object count_alignments(const nb::object& hypotheses, const nb::object& references,
                              Table<std::int32_t> matches, Array<std::int64_t> offsets,
                              Vocabulary& vocabulary, const nb::object& analyse, int threads) const {
    Texts hypothesis_texts(hypotheses), reference_texts(references);
    const std::vector<Match> given = given_matches(matches, view(offsets));
    const std::size_t rows = reference_texts.views.size();
    if (hypothesis_texts.views.size() != rows || offsets.size() != rows + 1 || !has_stages(vocabulary)) {
      throw nb::value_error("the arrays do not fit the texts, or the vocabulary the stages");
    }
    const Analyse learn = calling(analyse, vocabulary);
    auto statistics = without_gil([&] {
      return engine_.count_alignments({hypothesis_texts.views, reference_texts.views, {}}, given,
                                      view(offsets), vocabulary, learn,
                                      {.threads = threads, .pretokenized = true});
    });
    return to_numpy(std::move(statistics), {rows, layout().width()});
  }

  nb::tuple count_words(const nb::object& texts, Vocabulary& vocabulary, const nb::object& analyse,
                        int threads, bool normalized) const {
    Texts given(texts);
    const Analyse learn = calling(analyse, vocabulary);
    auto counted = without_gil([&] {
      return engine_.count_words(given.views, vocabulary, learn,
                                 {.threads = threads, .pretokenized = !normalized});
    });
    return nb::make_tuple(to_numpy(std::move(counted.sizes)), to_numpy(std::move(counted.functions)),
                          to_numpy(std::move(counted.offsets)));
  }

 private:
  static std::vector<Stage> stages_of(const std::vector<std::string>& kinds, const nb::list& resources) {
    if (resources.size() != kinds.size())
      throw nb::value_error("an engine needs one resource (or None) per stage");
    std::vector<Stage> stages;
    for (std::size_t k = 0; k < kinds.size(); ++k) stages.push_back(stage_of(kinds[k], resources[k]));
    return stages;
  }

  static Stage stage_of(const std::string& kind, nb::handle resource) {
    Stage stage{kind_of(kind), nullptr, {}};
    if (stage.kind == StageKind::phrase) stage.phrases = &nb::cast<const PyPhraseTable&>(resource).table;
    if (stage.kind == StageKind::near) stage.vectors = nb::cast<const PyVectors&>(resource).table;
    return stage;
  }

  // The number of pairs. Raises ValueError if the counts do not fit the texts.
  static std::size_t pairs_of(const PairwiseRequest& request) {
    const auto sum = [](std::span<const std::int32_t> counts) {
      std::size_t total = 0;
      for (const std::int32_t count : counts) {
        if (count < 0) throw nb::value_error("counts must not be negative");
        total += static_cast<std::size_t>(count);
      }
      return total;
    };
    const std::span ours = request.hypothesis_counts, theirs = request.reference_counts;
    if (ours.size() != theirs.size() || sum(ours) != request.hypotheses.size() ||
        sum(theirs) != request.references.size())
      throw nb::value_error("counts do not fit the texts");
    std::size_t pairs = 0;
    for (std::size_t k = 0; k < ours.size(); ++k)
      pairs += static_cast<std::size_t>(ours[k]) * static_cast<std::size_t>(theirs[k]);
    if (request.symmetric &&
        !(std::equal(ours.begin(), ours.end(), theirs.begin()) &&
          std::equal(request.hypotheses.begin(), request.hypotheses.end(), request.references.begin())))
      throw nb::value_error("the sides of a symmetric matrix differ");
    return pairs;
  }

  static const NormalizerRules* rules_of(const nb::object& tokenizer) {
    return tokenizer.is_none() ? nullptr : &nb::cast<const NormalizerRules&>(tokenizer);
  }

  StatisticsLayout layout() const { return StatisticsLayout(engine_.settings().stages.size()); }
  bool has_stages(const Vocabulary& vocabulary) const {
    return vocabulary.stages() == static_cast<int>(engine_.settings().stages.size());
  }

  // Must be called with the GIL.
  static Analyse calling(const nb::object& analyse, Vocabulary& vocabulary) {
    if (PyAnalyst * analyst; nb::try_cast(analyse, analyst)) {
      return [analyst, &vocabulary](std::span<const std::string_view> words) {
        learn(*analyst, words, vocabulary);
      };
    }
    return [&analyse](std::span<const std::string_view> words) {
      nb::gil_scoped_acquire acquire;
      nb::list list;
      for (std::string_view word : words) list.append(to_str(word));
      analyse(list);
    };
  }

  // Columns: reference start, length, hypothesis start, length, stage, chunk.
  static nb::object matches_table(const BatchResult& result) {
    std::vector<std::int32_t> table;
    for (std::size_t k = 0; k < result.matches.size(); ++k) {
      const Match& m = result.matches[k];
      table.insert(table.end(), {m.reference_start, m.reference_length, m.hypothesis_start,
                                 m.hypothesis_length, m.stage, result.chunks[k]});
    }
    return to_numpy(std::move(table), {result.matches.size(), 6});
  }

  nb::object tokenizer_;  // these keep alive what the settings of engine_ point to
  nb::list resources_;
  Engine engine_;
};

}  // namespace

void bind_engine(nb::module_& m) {
  nb::class_<PyEngine>(m, "Engine")
      .def(nb::init<const std::vector<std::string>&, const std::string&, std::vector<double>, int, bool,
                    nb::object, nb::list, bool, bool>(),
           "stages"_a, "aligner"_a, "gain_weights"_a, "beam"_a, "sizes"_a, "tokenizer"_a.none(),
           "resources"_a, "identical_by_first"_a = false, "breaks"_a = false)
      .def("run", &PyEngine::run, "hypotheses"_a, "references"_a, "counts"_a, "vocabulary"_a, "analyse"_a,
           "threads"_a, "normalized"_a, "with_matches"_a)
      .def("pairwise", &PyEngine::pairwise, "hypotheses"_a, "references"_a, "hypothesis_counts"_a,
           "reference_counts"_a, "vocabulary"_a, "analyse"_a, "threads"_a, "normalized"_a, "symmetric"_a,
           "parameters"_a.none(), "out"_a)
      .def("segment", &PyEngine::segment, "texts"_a, "vocabulary"_a, "analyse"_a, "parameters"_a)
      .def("count_alignments", &PyEngine::count_alignments, "hypotheses"_a, "references"_a, "matches"_a,
           "offsets"_a, "vocabulary"_a, "analyse"_a, "threads"_a)
      .def("count_words", &PyEngine::count_words, "texts"_a, "vocabulary"_a, "analyse"_a, "threads"_a,
           "normalized"_a);

  m.def("chunks", &chunks_of, "matches"_a, "offsets"_a);
  m.attr("BOUNDED") = static_cast<int>(flag_bounded);
  m.attr("UNPROVEN") = static_cast<int>(flag_unproven);
}

}  // namespace bolide::python
