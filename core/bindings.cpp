// Python's view of the core: converts types, releases the GIL, maps errors. The only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <shared_mutex>
#include <variant>

#include "align/beam.hpp"
#include "batch.hpp"
#include "phrases.hpp"
#include "score.hpp"
#include "statistics.hpp"
#include "text.hpp"
#include "utf16.hpp"
#include "vocabulary.hpp"
#include "word_index.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace bolide;

namespace {

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

// Hands a vector over to NumPy without a copy.
template <typename T>
nb::object to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(owned->data(), shape, owner));
}
template <typename T>
nb::object to_numpy(std::vector<T>&& values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

// The UTF-8 text of a str, valid while the str lives. A lone surrogate is Python's UnicodeEncodeError.
std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char* data = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), &size) : nullptr;
  if (!data) {
    if (!PyErr_Occurred()) throw nb::type_error("expected str");
    throw nb::python_error();
  }
  return {data, static_cast<std::size_t>(size)};
}

// The strings of a list, kept alive while the GIL is released.
struct Texts {
  std::vector<nb::object> owners;
  std::vector<std::string_view> views;
  explicit Texts(const nb::list& list) {
    for (nb::handle item : list) {
      views.push_back(utf8(item));
      owners.push_back(nb::borrow(item));
    }
  }
};

template <typename T>
nb::object per_word(const nb::list& words, std::int32_t (*function)(std::string_view)) {
  std::vector<T> values;
  values.reserve(words.size());
  for (nb::handle word : words) values.push_back(function(utf8(word)));
  return to_numpy(std::move(values));
}

nb::str to_str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

class PyWordIndex {
 public:
  PyWordIndex(Array<std::uint8_t> bytes, Array<std::uint32_t> offsets)
      : bytes_(bytes), offsets_(offsets), index_(view(bytes), view(offsets)) {
    if (!index_.valid()) throw nb::value_error("the arrays do not form a word index");
  }
  const WordIndex& get() const { return index_; }

  nb::object find(const nb::list& words) const {
    std::vector<std::int32_t> places;
    places.reserve(words.size());
    for (nb::handle word : words) places.push_back(index_.find(utf8(word)));
    return to_numpy(std::move(places));
  }
  nb::object find_rewritten(const nb::list& words,
                            const std::vector<std::pair<std::string, std::string>>& rules) const {
    std::vector<std::int32_t> places;
    places.reserve(words.size());
    for (nb::handle word : words) places.push_back(index_.find_rewritten(utf8(word), rules));
    return to_numpy(std::move(places));
  }
  nb::str word(std::int32_t k) const {
    if (k < 0 || k >= index_.size()) throw nb::index_error("no such word");
    return to_str(index_.word(k));
  }

 private:
  Array<std::uint8_t> bytes_;
  Array<std::uint32_t> offsets_;
  WordIndex index_;
};

class PyPhraseTable {
 public:
  PyPhraseTable(Array<std::uint8_t> bytes, Array<std::uint32_t> offsets, Array<std::uint64_t> nodes,
                Array<std::uint32_t> starts,
                nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu> entries)
      : words_(bytes, offsets),
        nodes_(nodes),
        starts_(starts),
        entries_(entries),
        table_(words_.get(), view(nodes), view(starts), view_entries(entries)) {}
  const PhraseTable& get() const { return table_; }
  const PyWordIndex& words() const { return words_; }

  nb::list find(const nb::list& phrase) const {
    nb::list paraphrases;
    PhraseTable::Node node = 0;
    for (std::size_t k = 0; k < phrase.size(); ++k) {
      const std::int32_t word = words_.get().find(utf8(phrase[k]));
      if (word < 0) return paraphrases;
      node = k == 0 ? table_.first(word) : table_.child(node, word);
      if (node == 0) return paraphrases;
    }
    const std::uint32_t start = node == 0 ? PhraseTable::no_entries : table_.paraphrases(node);
    if (start == PhraseTable::no_entries) return paraphrases;
    const auto all = [](std::int32_t) { return true; };
    table_.for_each_paraphrase(start, all, [&](std::int32_t first, auto others) {
      nb::list paraphrase;
      paraphrase.append(words_.word(first));
      for (auto word : others) paraphrase.append(words_.word(static_cast<std::int32_t>(word)));
      paraphrases.append(paraphrase);
    });
    return paraphrases;
  }

 private:
  static PhraseTable::Entries view_entries(
      const nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>& entries) {
    if (entries.dtype() == nb::dtype<std::uint16_t>()) {
      return std::span(static_cast<const std::uint16_t*>(entries.data()), entries.size());
    }
    if (entries.dtype() == nb::dtype<std::uint32_t>()) {
      return std::span(static_cast<const std::uint32_t*>(entries.data()), entries.size());
    }
    throw nb::value_error("the arrays do not form a phrase table");
  }

  PyWordIndex words_;
  Array<std::uint64_t> nodes_;
  Array<std::uint32_t> starts_;
  nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu> entries_;
  PhraseTable table_;
};

nb::dict finish(PhraseTableBuilder& builder) {
  PhraseTableBuilder::Arrays arrays;
  {
    nb::gil_scoped_release release;
    arrays = builder.finish();
  }
  nb::dict result;
  result["words.bytes"] = to_numpy(std::move(arrays.word_bytes));
  result["words.offsets"] = to_numpy(std::move(arrays.word_offsets));
  result["nodes"] = to_numpy(std::move(arrays.nodes));
  result["starts"] = to_numpy(std::move(arrays.starts));
  result["entries"] =
      std::visit([](auto&& entries) { return to_numpy(std::move(entries)); }, std::move(arrays.entries));
  return result;
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

StageKind kind_of(const std::string& name) {
  if (name == "exact") return StageKind::exact;
  if (name == "related") return StageKind::related;
  if (name == "phrase") return StageKind::phrase;
  throw nb::value_error("a stage is exact, related or phrase");
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
                 const std::string& aligner, std::vector<double> gain_weights, int width,
                 std::int64_t budget) {
  Candidates candidates;
  const std::int32_t* numbers = matches.data();
  if (matches.shape(1) != 5) throw nb::value_error("a match has five columns");
  for (std::size_t k = 0; k < matches.shape(0); ++k, numbers += 5) {
    const Match match{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    const bool inside = match.reference_start >= 0 && match.reference_length > 0 &&
                        match.hypothesis_start >= 0 && match.hypothesis_length > 0 &&
                        match.reference_start <= reference_length - match.reference_length &&
                        match.hypothesis_start <= hypothesis_length - match.hypothesis_length;
    if (!inside || match.stage < 0 || match.stage >= static_cast<std::int32_t>(gain_weights.size())) {
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

using Keys = std::vector<std::pair<Array<std::int32_t>, Array<std::int64_t>>>;

void add_words(Vocabulary& vocabulary, const nb::list& words, Array<std::int64_t> identities,
               Array<std::uint8_t> functions, Array<std::int32_t> lengths, Array<std::int32_t> phrase_words,
               const nb::list& stage_keys) {
  Texts texts(words);
  Keys keys;
  Analysis analysis{view(identities), view(functions), view(lengths), view(phrase_words), {}};
  for (nb::handle pair : stage_keys) {
    keys.emplace_back(nb::cast<Array<std::int32_t>>(pair[0]), nb::cast<Array<std::int64_t>>(pair[1]));
    analysis.stages.push_back({view(keys.back().first), view(keys.back().second)});
  }
  nb::gil_scoped_release release;
  vocabulary.add(texts.views, analysis);
}

// Everything between text and statistics, as set up once for a scorer.
class Engine {
 public:
  Engine(const std::vector<std::string>& stages, const std::string& aligner, std::vector<double> gain_weights,
         int beam, bool characters, nb::object tokenizer, nb::object phrases)
      : tokenizer_(tokenizer), phrases_(phrases) {
    settings_.kinds = kinds_of(stages);
    settings_.aligner = aligner_settings(aligner, std::move(gain_weights), beam);
    settings_.characters = characters;
    if (stages.empty() || settings_.aligner.gain_weights.size() != stages.size()) {
      throw nb::value_error("an engine needs stages, and a gain weight for each");
    }
    if (!tokenizer.is_none()) settings_.rules = &nb::cast<const Tokenizer&>(tokenizer).rules();
    if (!phrases.is_none()) settings_.phrases = &nb::cast<const PyPhraseTable&>(phrases).get();
    for (StageKind kind : settings_.kinds) {
      if (kind == StageKind::phrase && !settings_.phrases)
        throw nb::value_error("a phrase stage needs a phrase table");
    }
  }

  nb::tuple run(const nb::list& hypotheses, const nb::list& references, Array<std::int32_t> counts,
                Vocabulary& vocabulary, const nb::callable& analyse, int threads, bool normalized,
                bool with_matches) const {
    Texts hypothesis_texts(hypotheses), reference_texts(references);
    std::int64_t total = 0;
    for (std::int32_t count : view(counts)) {
      if (count < 0) throw nb::value_error("counts must not be negative");
      total += count;
    }
    if (counts.size() != hypotheses.size() || total != static_cast<std::int64_t>(references.size()) ||
        vocabulary.stages() != static_cast<int>(settings_.kinds.size())) {
      throw nb::value_error("counts do not fit the texts, or the vocabulary the stages");
    }
    Settings settings = settings_;
    settings.threads = threads;
    if (!normalized) settings.rules = nullptr;
    const Analyse call = [&](std::span<const std::string_view> words) {
      nb::gil_scoped_acquire acquire;
      nb::list list;
      for (std::string_view word : words) list.append(to_str(word));
      analyse(list);
    };
    Result result;
    {
      nb::gil_scoped_release release;
      result = bolide::run({hypothesis_texts.views, reference_texts.views, view(counts)}, settings,
                           vocabulary, call, with_matches);
    }
    const auto columns =
        static_cast<std::size_t>(statistics_columns(static_cast<int>(settings.kinds.size())));
    nb::object statistics = to_numpy(std::move(result.statistics), {references.size(), columns});
    nb::object flags = to_numpy(std::move(result.flags));
    if (!with_matches) return nb::make_tuple(statistics, flags, nb::none(), nb::none());
    return nb::make_tuple(statistics, flags, matches_table(result), to_numpy(std::move(result.offsets)));
  }

 private:
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

  nb::object tokenizer_, phrases_;  // own what settings_ points to
  Settings settings_;
};

void check_columns(const Table<double>& statistics) {
  if (statistics.shape(1) < 7 || (statistics.shape(1) - 7) % 4 != 0) {
    throw nb::value_error("statistics have 7 + 4 * modules columns");
  }
}

}  // namespace

NB_MODULE(_core, m) {
  m.doc() = "The native core of bolide; private. See _core.pyi.";

  nb::class_<PyWordIndex>(m, "WordIndex")
      .def(nb::init<Array<std::uint8_t>, Array<std::uint32_t>>(), "bytes"_a, "offsets"_a)
      .def("find", &PyWordIndex::find, "words"_a)
      .def("find_rewritten", &PyWordIndex::find_rewritten, "words"_a, "rules"_a)
      .def("word", &PyWordIndex::word, "index"_a)
      .def("__len__", [](const PyWordIndex& index) { return index.get().size(); });

  nb::class_<PyPhraseTable>(m, "PhraseTable")
      .def(nb::init<Array<std::uint8_t>, Array<std::uint32_t>, Array<std::uint64_t>, Array<std::uint32_t>,
                    nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(),
           "word_bytes"_a, "word_offsets"_a, "nodes"_a, "starts"_a, "entries"_a)
      .def_prop_ro("words", &PyPhraseTable::words, nb::rv_policy::reference_internal)
      .def("find", &PyPhraseTable::find, "phrase"_a);

  nb::class_<PhraseTableBuilder>(m, "PhraseTableBuilder")
      .def(nb::init<>())
      .def(
          "feed",
          [](PhraseTableBuilder& builder, const nb::bytes& chunk) {
            nb::gil_scoped_release release;
            builder.feed({chunk.c_str(), chunk.size()});
          },
          "chunk"_a)
      .def(
          "add",
          [](PhraseTableBuilder& builder, const nb::str& left, const nb::str& right) {
            builder.add(utf8(left), utf8(right));
          },
          "left"_a, "right"_a)
      .def_prop_ro("entries", &PhraseTableBuilder::entries)
      .def("finish", &finish);

  nb::class_<Tokenizer>(m, "Tokenizer")
      .def(nb::init<const std::string&, const std::vector<std::string>&, const std::vector<std::string>&,
                    bool>(),
           "style"_a, "prefixes"_a, "numeric_prefixes"_a, "punctuation"_a)
      .def("normalize", &Tokenizer::normalized, "text"_a);
  m.def("split", &split_words, "text"_a);

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
      .def("add", &add_words, "words"_a, "identities"_a, "functions"_a, "lengths"_a, "phrase_words"_a,
           "stage_keys"_a);

  nb::class_<Engine>(m, "Engine")
      .def(nb::init<const std::vector<std::string>&, const std::string&, std::vector<double>, int, bool,
                    nb::object, nb::object>(),
           "stages"_a, "aligner"_a, "gain_weights"_a, "beam"_a, "characters"_a, "tokenizer"_a.none(),
           "phrases"_a.none())
      .def("run", &Engine::run, "hypotheses"_a, "references"_a, "counts"_a, "vocabulary"_a, "analyse"_a,
           "threads"_a, "normalized"_a, "with_matches"_a);

  m.attr("BOUNDED") = static_cast<int>(flag_bounded);
  m.attr("UNPROVEN") = static_cast<int>(flag_unproven);
  m.def("choose", &choose, "matches"_a, "hypothesis_length"_a, "reference_length"_a, "aligner"_a,
        "gain_weights"_a, "beam"_a = 40, "budget"_a = AlignerSettings{}.budget);

  nb::class_<Powers>(m, "Powers")
      .def(
          "__init__",
          [](Powers* self, const nb::list& rows) {
            new (self) Powers();
            for (nb::handle row : rows) {
              (*self)[{nb::cast<double>(row[0]), nb::cast<double>(row[1])}] = nb::cast<double>(row[2]);
            }
          },
          "rows"_a);

  m.def(
      "score",
      [](Table<double> statistics, double alpha, double beta, double gamma, double delta,
         std::vector<double> weights, const Powers& powers) {
        check_columns(statistics);
        const Parameters parameters{alpha, beta, gamma, delta, std::move(weights)};
        const std::size_t rows = statistics.shape(0), columns = statistics.shape(1);
        std::vector<double> scores;
        scores.reserve(rows * 6);
        for (std::size_t k = 0; k < rows; ++k) {
          const Scores s = score({statistics.data() + k * columns, columns}, parameters, powers);
          scores.insert(scores.end(), {s.precision, s.recall, s.f1, s.fmean, s.penalty, s.score});
        }
        return to_numpy(std::move(scores), {rows, 6});
      },
      "statistics"_a, "alpha"_a, "beta"_a, "gamma"_a, "delta"_a, "weights"_a, "powers"_a);
  m.def(
      "aggregate",
      [](Table<double> statistics) {
        check_columns(statistics);
        std::vector<double> sum(statistics.shape(1), 0);
        aggregate({statistics.data(), statistics.size()}, statistics.shape(1), sum);
        return to_numpy(std::move(sum));
      },
      "statistics"_a);
}
