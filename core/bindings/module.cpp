// Python's view of the core: converts types, releases the GIL, maps errors. Only the files named bindings
// know Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <shared_mutex>

#include "align/beam/beam.hpp"
#include "bindings/analyst.hpp"
#include "bindings/convert.hpp"
#include "bindings/score.hpp"
#include "bindings/tables.hpp"
#include "engine.hpp"
#include "score/statistics.hpp"
#include "text/normalizer.hpp"
#include "text/utf16.hpp"
#include "vocabulary/vocabulary.hpp"

using namespace nanobind::literals;
using namespace bolide;
using namespace bolide::python;

namespace {

template <typename T>
nb::object per_word(const nb::list& words, std::int32_t (*function)(std::string_view)) {
  std::vector<T> values;
  values.reserve(words.size());
  for (nb::handle word : words) values.push_back(function(utf8(word)));
  return to_numpy(std::move(values));
}

class Tokenizer {
 public:
  Tokenizer(const std::string& style, const std::vector<std::string>& prefixes,
            const std::vector<std::string>& numeric_prefixes, bool punctuation) {
    rules_.style = style == "english"  ? Style::english
                   : style == "french" ? Style::french
                                       : Style::other_western;
    rules_.keep_punctuation = punctuation;
    rules_.prefixes.insert(prefixes.begin(), prefixes.end());
    rules_.numeric_prefixes.insert(numeric_prefixes.begin(), numeric_prefixes.end());
  }
  const NormalizerRules& rules() const { return rules_; }

  nb::str normalized(const nb::str& text) const {
    std::string out, scratch;
    normalize(utf8(text), rules_, out, scratch);
    return to_str(out);
  }

 private:
  NormalizerRules rules_;
};

nb::list split_words(const nb::str& text) {
  std::vector<std::string_view> tokens;
  split(utf8(text), tokens);
  nb::list result;
  for (std::string_view token : tokens) result.append(to_str(token));
  return result;
}

// White space and control characters, counted in bytes, a stretch at a time, as compilers can do at once.
std::size_t count_below_letters(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 128))) {
    std::uint8_t some = 0;
    for (const char c : text.substr(0, 128))
      some = static_cast<std::uint8_t>(some + (static_cast<unsigned char>(c) <= ' '));
    count += some;
  }
  return count;
}

std::size_t count_separators(std::string_view text) {
  const auto is_separator = [](char c) {
    return std::string_view(" \t\n\r\f").find(c) != std::string_view::npos;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_separator));
}

// A text given as a list of words, as one line; false if it is no list, or an item may be no word.
bool join_text(nb::handle text, std::string& line) {
  if (!PyList_Check(text.ptr()) && !PyTuple_Check(text.ptr())) return false;
  line.clear();
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(text.ptr()); ++k) {
    PyObject* item = PySequence_Fast_GET_ITEM(text.ptr(), k);
    if (!PyUnicode_Check(item)) return false;
    Py_ssize_t size = PyUnicode_GET_LENGTH(item);
    const char* data = PyUnicode_IS_COMPACT_ASCII(item) ? static_cast<const char*>(PyUnicode_DATA(item))
                                                        : PyUnicode_AsUTF8AndSize(item, &size);
    if (!data) {
      PyErr_Clear();  // of a lone surrogate
      return false;
    }
    if (size == 0) return false;
    line.append(data, static_cast<std::size_t>(size));
    line += ' ';
  }
  const auto words = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(text.ptr()));
  if (count_below_letters(line) != words && count_separators(line) != words) return false;
  if (!line.empty()) line.pop_back();
  return true;
}

nb::object join_words(const nb::list& texts) {
  nb::list lines;
  std::string line;
  for (nb::handle text : texts) {
    if (!join_text(text, line)) return nb::none();
    lines.append(to_str(line));
  }
  return lines;
}

StageKind kind_of(const std::string& name) {
  static const std::map<std::string, StageKind> kinds = {
      {"exact", StageKind::exact},       {"related", StageKind::related},
      {"directed", StageKind::directed}, {"directed-exact", StageKind::directed_exact},
      {"phrase", StageKind::phrase},     {"near", StageKind::near}};
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) {
    throw nb::value_error("a stage is exact, related, directed, directed-exact, phrase or near");
  }
  return kind->second;
}

std::vector<StageKind> kinds_of(const std::vector<std::string>& stages) {
  std::vector<StageKind> kinds;
  for (const std::string& stage : stages) kinds.push_back(kind_of(stage));
  return kinds;
}

AlignerSettings aligner_settings(const std::string& name, std::vector<double> gain_weights, int width) {
  static const std::map<std::string, AlignerKind> kinds = {{"beam", AlignerKind::beam},
                                                           {"exact", AlignerKind::exact},
                                                           {"staged", AlignerKind::staged},
                                                           {"greedy", AlignerKind::greedy}};
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) throw nb::value_error("an aligner is beam, exact, staged or greedy");
  if (width < 1 || width > widest_beam) throw nb::value_error("a beam is 1 to 60000 wide");
  AlignerSettings settings;
  settings.kind = kind->second;
  settings.gain_weights = std::move(gain_weights);
  settings.width = width;
  return settings;
}

// Chooses among given candidates: rows of reference start, length, hypothesis start, length, stage.
nb::tuple choose(Table<std::int32_t> matches, int hypothesis_length, int reference_length,
                 const std::string& aligner, std::vector<double> gain_weights, int width, std::int64_t budget,
                 int instructions) {
  Candidates candidates;
  const std::int32_t* numbers = matches.data();
  if (matches.shape(1) != 5) throw nb::value_error("a match has five columns");
  for (std::size_t k = 0; k < matches.shape(0); ++k, numbers += 5) {
    const Match match{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    const bool fits = hypothesis_length >= 0 && reference_length >= 0 &&
                      inside(match, static_cast<std::size_t>(hypothesis_length),
                             static_cast<std::size_t>(reference_length));
    if (!fits || match.stage < 0 || match.stage >= static_cast<std::int32_t>(gain_weights.size())) {
      throw nb::value_error("a match lies outside of the sentences or stages");
    }
    candidates.matches.push_back(match);
  }
  std::stable_sort(candidates.matches.begin(), candidates.matches.end(),
                   [](const Match& a, const Match& b) { return a.reference_start < b.reference_start; });
  for (std::int32_t position = 0, k = 0; position <= reference_length; ++position) {
    const auto count = static_cast<std::int32_t>(candidates.matches.size());
    while (k < count && candidates.matches[k].reference_start < position) ++k;
    candidates.starts.push_back(k);
  }
  AlignerSettings settings = aligner_settings(aligner, std::move(gain_weights), width);
  settings.instructions = static_cast<Instructions>(instructions);
  settings.budget = budget;
  std::vector<Match> chosen;
  const bool proven =
      make_aligner(settings)->align(candidates, static_cast<std::size_t>(hypothesis_length), chosen);
  std::vector<std::int32_t> rows;
  for (const Match& m : chosen) {
    rows.insert(rows.end(),
                {m.reference_start, m.reference_length, m.hypothesis_start, m.hypothesis_length, m.stage});
  }
  return nb::make_tuple(to_numpy(std::move(rows), {chosen.size(), 5}), proven);
}

// Alignments that were chosen elsewhere: rows of reference start, length, hypothesis start, length, stage,
// and where those of each alignment begin.
std::vector<Match> given_matches(const Table<std::int32_t>& matches, std::span<const std::int64_t> offsets) {
  const bool fit = matches.shape(1) == 5 && !offsets.empty() && offsets.front() == 0 &&
                   offsets.back() == static_cast<std::int64_t>(matches.shape(0)) &&
                   std::is_sorted(offsets.begin(), offsets.end());
  if (!fit) throw nb::value_error("the arrays do not fit");
  std::vector<Match> given;
  const std::int32_t* row = matches.data();
  for (std::size_t k = 0; k < matches.shape(0); ++k, row += 5) {
    given.push_back({row[0], row[1], row[2], row[3], row[4]});
  }
  return given;
}

nb::object chunks_of(Table<std::int32_t> matches, Array<std::int64_t> offsets) {
  const std::span<const std::int64_t> ends = view(offsets);
  const std::vector<Match> given = given_matches(matches, ends);
  std::vector<std::int32_t> all, chunks;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const auto start = static_cast<std::size_t>(ends[k]), end = static_cast<std::size_t>(ends[k + 1]);
    number_chunks(std::span(given).subspan(start, end - start), chunks);
    all.insert(all.end(), chunks.begin(), chunks.end());
  }
  return to_numpy(std::move(all));
}

using Keys = std::vector<std::pair<Array<std::int32_t>, Array<std::int64_t>>>;

void add_words(Vocabulary& vocabulary, const nb::list& words, Array<std::int64_t> identities,
               Array<std::uint8_t> functions, Array<std::int32_t> lengths, const nb::list& columns) {
  Texts texts(words);
  Keys keys;
  Analysis analysis{view(identities), view(functions), view(lengths), {}};
  for (nb::handle pair : columns) {
    keys.emplace_back(nb::cast<Array<std::int32_t>>(pair[0]), nb::cast<Array<std::int64_t>>(pair[1]));
    analysis.columns.push_back({view(keys.back().first), view(keys.back().second)});
  }
  nb::gil_scoped_release release;
  vocabulary.add(texts.views, analysis);
}

nb::list lacking(const Vocabulary& vocabulary, const nb::list& words) {
  Texts texts(words);
  std::vector<std::size_t> unknown;
  {
    nb::gil_scoped_release release;
    std::shared_lock lock(vocabulary.mutex());
    for (std::size_t k = 0; k < texts.views.size(); ++k) {
      if (vocabulary.find(texts.views[k]) < 0) unknown.push_back(k);
    }
  }
  nb::list result;
  for (std::size_t k : unknown) result.append(texts.owners[k]);
  return result;
}

// Everything between text and statistics, as set up once for a scorer.
class Engine {
 public:
  Engine(const std::vector<std::string>& stages, const std::string& aligner, std::vector<double> gain_weights,
         int beam, bool characters, nb::object tokenizer, nb::list resources, bool identical_by_first)
      : tokenizer_(tokenizer), resources_(resources) {
    if (resources.size() != stages.size())
      throw nb::value_error("an engine needs a resource or None a stage");
    for (std::size_t k = 0; k < stages.size(); ++k) {
      settings_.stages.push_back(stage_of(stages[k], resources[k]));
    }
    settings_.aligner = aligner_settings(aligner, std::move(gain_weights), beam);
    settings_.characters = characters;
    settings_.identical_by_first = identical_by_first;
    if (stages.empty() || settings_.aligner.gain_weights.size() != stages.size()) {
      throw nb::value_error("an engine needs stages, and a gain weight for each");
    }
    if (!tokenizer.is_none()) settings_.rules = &nb::cast<const Tokenizer&>(tokenizer).rules();
  }

  nb::tuple run(const nb::object& hypotheses, const nb::object& references, Array<std::int32_t> counts,
                Vocabulary& vocabulary, const nb::object& analyse, int threads, bool normalized,
                bool with_matches) const {
    Texts hypothesis_texts(hypotheses), reference_texts(references);
    std::int64_t total = 0;
    for (std::int32_t count : view(counts)) {
      if (count < 0) throw nb::value_error("counts must not be negative");
      total += count;
    }
    const std::size_t rows = reference_texts.views.size();
    if (counts.size() != hypothesis_texts.views.size() || total != static_cast<std::int64_t>(rows) ||
        vocabulary.stages() != static_cast<int>(settings_.stages.size())) {
      throw nb::value_error("counts do not fit the texts, or the vocabulary the stages");
    }
    const Settings settings = settings_with(threads, normalized);
    Result result;
    {
      nb::gil_scoped_release release;
      result = bolide::run({hypothesis_texts.views, reference_texts.views, view(counts)}, settings,
                           vocabulary, calling(analyse, vocabulary), with_matches);
    }
    const auto columns =
        static_cast<std::size_t>(statistics_columns(static_cast<int>(settings.stages.size())));
    nb::object statistics = to_numpy(std::move(result.statistics), {rows, columns});
    nb::object flags = to_numpy(std::move(result.flags));
    if (!with_matches) return nb::make_tuple(statistics, flags, nb::none(), nb::none());
    return nb::make_tuple(statistics, flags, matches_table(result), to_numpy(std::move(result.offsets)));
  }

  // One segment with each of its references, scored: what run and score do, without arrays, for callers with
  // one segment at a time. None if a text is not a list of words.
  nb::object segment(const nb::list& texts, Vocabulary& vocabulary, const nb::object& analyse,
                     const PyParameters& parameters) const {
    std::vector<std::string> lines(texts.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!join_text(texts[k], lines[k])) return nb::none();
    }
    if (lines.size() < 2 || vocabulary.stages() != static_cast<int>(settings_.stages.size())) {
      throw nb::value_error("a segment has a hypothesis and references, a vocabulary the engine's stages");
    }
    const std::vector<std::string_view> views(lines.begin(), lines.end());
    const auto count = static_cast<std::int32_t>(views.size() - 1);
    const Settings settings = settings_with(1, false);
    Result result;
    std::vector<Scores> scores;
    {
      nb::gil_scoped_release release;
      result = bolide::run({std::span(views).first(1), std::span(views).subspan(1), {&count, 1}}, settings,
                           vocabulary, calling(analyse, vocabulary), false);
      FragmentationPower power(parameters.get(), parameters.powers(), false);
      const std::size_t columns = result.statistics.size() / result.flags.size();
      const std::vector<double> rows(result.statistics.begin(), result.statistics.end());
      for (std::size_t start = 0; start < rows.size(); start += columns)
        scores.push_back(score(std::span(rows).subspan(start, columns), parameters.get(), power));
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
    if (hypothesis_texts.views.size() != rows || offsets.size() != rows + 1 ||
        vocabulary.stages() != static_cast<int>(settings_.stages.size())) {
      throw nb::value_error("the arrays do not fit the texts, or the vocabulary the stages");
    }
    std::vector<std::int32_t> statistics;
    {
      nb::gil_scoped_release release;
      statistics =
          bolide::count_alignments({hypothesis_texts.views, reference_texts.views, {}}, given, view(offsets),
                                   settings_with(threads, false), vocabulary, calling(analyse, vocabulary));
    }
    const auto columns =
        static_cast<std::size_t>(statistics_columns(static_cast<int>(settings_.stages.size())));
    return to_numpy(std::move(statistics), {rows, columns});
  }

  nb::tuple count_words(const nb::object& texts, Vocabulary& vocabulary, const nb::object& analyse,
                        int threads, bool normalized) const {
    Texts given(texts);
    Counted counted;
    {
      nb::gil_scoped_release release;
      counted = bolide::count_words(given.views, settings_with(threads, normalized), vocabulary,
                                    calling(analyse, vocabulary));
    }
    return nb::make_tuple(to_numpy(std::move(counted.sizes)), to_numpy(std::move(counted.functions)),
                          to_numpy(std::move(counted.offsets)));
  }

 private:
  static Stage stage_of(const std::string& kind, nb::handle resource) {
    Stage stage{kind_of(kind), nullptr, {}};
    if (stage.kind == StageKind::phrase) stage.phrases = &nb::cast<const PyPhraseTable&>(resource).get();
    if (stage.kind == StageKind::near) stage.vectors = nb::cast<const PyVectors&>(resource).get();
    return stage;
  }

  Settings settings_with(int threads, bool normalized) const {
    Settings settings = settings_;
    settings.threads = threads;
    if (!normalized) settings.rules = nullptr;
    return settings;
  }

  static Analyse calling(const nb::object& analyse, Vocabulary& vocabulary) {
    if (PyAnalyst * analyst; nb::try_cast(analyse, analyst)) {
      return [analyst, &vocabulary](std::span<const std::string_view> words) {
        analyst->learn(words, vocabulary);
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
  static nb::object matches_table(const Result& result) {
    std::vector<std::int32_t> table;
    for (std::size_t k = 0; k < result.matches.size(); ++k) {
      const Match& m = result.matches[k];
      table.insert(table.end(), {m.reference_start, m.reference_length, m.hypothesis_start,
                                 m.hypothesis_length, m.stage, result.chunks[k]});
    }
    return to_numpy(std::move(table), {result.matches.size(), 6});
  }

  nb::object tokenizer_;  // these own what settings_ points to
  nb::list resources_;
  Settings settings_;
};

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of bolide; private. See _core.pyi.";
  // The command line ends without a last garbage collection (__main__.py), which looks like leaks.
  nb::set_leak_warnings(false);

  bind_analyst(m);
  bind_lines(m);
  bind_mert(m);
  bind_phrase_pairs(m);
  bind_pieces(m);
  bind_score(m);
  bind_stemmer(m);
  bind_tables(m);
  bind_sweep(m);
  bind_union(m);

  nb::class_<Tokenizer>(m, "Tokenizer")
      .def(nb::init<const std::string&, const std::vector<std::string>&, const std::vector<std::string>&,
                    bool>(),
           "style"_a, "prefixes"_a, "numeric_prefixes"_a, "punctuation"_a)
      .def("normalize", &Tokenizer::normalized, "text"_a);
  m.def("split", &split_words, "text"_a);
  m.def("join", &join_words, "texts"_a);

  m.def(
      "java_hashes", [](const nb::list& words) { return per_word<std::int64_t>(words, &java_hash); },
      "words"_a);
  m.def(
      "utf16_lengths", [](const nb::list& words) { return per_word<std::int32_t>(words, &utf16_length); },
      "words"_a);

  nb::class_<Vocabulary>(m, "Vocabulary")
      .def(
          "__init__",
          [](Vocabulary* self, const std::vector<std::string>& stages) {
            new (self) Vocabulary(kinds_of(stages));
          },
          "stages"_a)
      .def("__len__",
           [](const Vocabulary& vocabulary) {
             nb::gil_scoped_release release;
             std::shared_lock lock(vocabulary.mutex());
             return vocabulary.size();
           })
      .def("lacking", &lacking, "words"_a)
      .def("add", &add_words, "words"_a, "identities"_a, "functions"_a, "lengths"_a, "columns"_a);

  nb::class_<Engine>(m, "Engine")
      .def(nb::init<const std::vector<std::string>&, const std::string&, std::vector<double>, int, bool,
                    nb::object, nb::list, bool>(),
           "stages"_a, "aligner"_a, "gain_weights"_a, "beam"_a, "characters"_a, "tokenizer"_a.none(),
           "resources"_a, "identical_by_first"_a = false)
      .def("run", &Engine::run, "hypotheses"_a, "references"_a, "counts"_a, "vocabulary"_a, "analyse"_a,
           "threads"_a, "normalized"_a, "with_matches"_a)
      .def("segment", &Engine::segment, "texts"_a, "vocabulary"_a, "analyse"_a, "parameters"_a)
      .def("count_alignments", &Engine::count_alignments, "hypotheses"_a, "references"_a, "matches"_a,
           "offsets"_a, "vocabulary"_a, "analyse"_a, "threads"_a)
      .def("count_words", &Engine::count_words, "texts"_a, "vocabulary"_a, "analyse"_a, "threads"_a,
           "normalized"_a);

  m.attr("BOUNDED") = static_cast<int>(flag_bounded);
  m.attr("UNPROVEN") = static_cast<int>(flag_unproven);
  m.def("chunks", &chunks_of, "matches"_a, "offsets"_a);
  m.def("choose", &choose, "matches"_a, "hypothesis_length"_a, "reference_length"_a, "aligner"_a,
        "gain_weights"_a, "beam"_a = 40, "budget"_a = 0, "instructions"_a = 2);
}
