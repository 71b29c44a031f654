// The module `_core_testing`: parts of the core that only tests call. Releases do not contain it.
#include <algorithm>

#include "bindings/convert.hpp"
#include "bindings/settings.hpp"
#include "bindings/tables.hpp"
#include "match/paraphrase_filter.hpp"
#include "score/power.hpp"
#include "support/shortest_decimal.hpp"
#include "support/wide_number.hpp"
#include "text/ptb/character_sets.hpp"
#include "text/ptb/lexer.hpp"
#include "tuning/compare_scores.hpp"
#include "tuning/sweep.hpp"

namespace bolide::python {

namespace {

// The set of instructions with this name, by default the best. Raises ValueError if it is not available.
Instructions instructions_named(const std::optional<std::string>& name) {
  if (!name) return best_instructions();
  const auto available = available_instructions();
  const auto found = std::find_if(available.begin(), available.end(),
                                  [&](Instructions each) { return name_of(each) == *name; });
  if (found == available.end()) {
    const std::string message = "no instructions '" + *name + "' here";
    throw nanobind::value_error(message.c_str());
  }
  return *found;
}

// Chooses among candidates: rows of reference start, reference length, hypothesis start, hypothesis length,
// stage.
nb::tuple choose(Table<std::int32_t> matches, int hypothesis_length, int reference_length,
                 const std::string& aligner, std::vector<double> gain_weights, int width, std::int64_t budget,
                 const std::optional<std::string>& instructions) {
  Candidates candidates{matches_in(matches), {}};
  if (hypothesis_length < 0 || reference_length < 0) throw nb::value_error("a length is negative");
  for (const Match& match : candidates.matches) {
    if (!inside(match, static_cast<std::size_t>(hypothesis_length),
                static_cast<std::size_t>(reference_length), gain_weights.size()))
      throw nb::value_error("a match lies outside of the sentences or stages");
  }
  std::stable_sort(candidates.matches.begin(), candidates.matches.end(),
                   [](const Match& a, const Match& b) { return a.reference_start < b.reference_start; });
  for (std::int32_t position = 0, k = 0; position <= reference_length; ++position) {
    const auto count = static_cast<std::int32_t>(candidates.matches.size());
    while (k < count && candidates.matches[k].reference_start < position) ++k;
    candidates.starts.push_back(k);
  }
  AlignerSettings settings = aligner_settings(aligner, std::move(gain_weights), width);
  settings.instructions = instructions_named(instructions);
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

// Which of the paraphrases at these places of the entries may occur among the words.
template <typename Number>
std::vector<std::pair<std::uint32_t, std::uint32_t>> likely(Array<Number> entries,
                                                            const std::vector<std::uint32_t>& places,
                                                            Array<std::int32_t> words,
                                                            const std::optional<std::string>& instructions) {
  std::vector<LeftPhrase> lefts;
  for (const std::uint32_t place : places) {
    if (place >= entries.size()) throw nb::index_error("a place behind the entries");
    lefts.push_back({place, 0, 1});
  }
  ParaphraseFilter filter(instructions_named(instructions));
  filter.set(view(words));
  std::vector<LikelyParaphrase> found;
  filter.list(view(entries), lefts, found);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& [left, right] : found) pairs.emplace_back(left, right);
  return pairs;
}

// The paraphrases of a phrase, in file order.
nb::list paraphrases(const PyPhraseTable& phrases, const nb::list& phrase) {
  const PhraseTable& table = phrases.table;
  const WordIndex& words = table.words();
  nb::list found;
  PhraseTable::Node node = 0;
  for (std::size_t k = 0; k < phrase.size(); ++k) {
    const std::int32_t word = words.find(utf8(phrase[k]));
    if (word < 0) return found;
    node = k == 0 ? table.first(word) : table.child(node, word);
    if (node == 0) return found;
  }
  const std::uint32_t start = node == 0 ? PhraseTable::no_entries : table.paraphrases(node);
  if (start == PhraseTable::no_entries) return found;
  const auto list = [&](const auto& right) {
    nb::list paraphrase;
    const auto append = [&](std::uint32_t word) {
      if (word >= static_cast<std::uint32_t>(words.size())) throw nb::index_error("no such word");
      paraphrase.append(to_str(words.word(static_cast<std::int32_t>(word))));
    };
    append(right.first);
    if (right.length > 1) append(right.second);
    for (auto word : right.others) append(word);
    found.append(paraphrase);
  };
  table.with_entries([&](auto entries) { table.for_each_paraphrase(entries, start, list); });
  return found;
}

nb::object scores(const SweepTable& table, Table<double> points, int threads) {
  const Points given({points.data(), points.size()}, points.shape(1));
  auto found = without_gil([&] { return sweep_scores(table, given, threads); });
  return to_numpy(std::move(found), {given.size(), table.segments()});
}

// A row has the Fmean and the power of the better segment, then those of the worse one.
nb::tuple compare(Table<double> pairs, double gamma, int decimals,
                  const std::optional<std::string>& instructions) {
  PairBlock block;
  if (pairs.shape(0) > PairBlock::most || pairs.shape(1) != 4)
    throw nb::value_error("at most 512 pairs, with four columns");
  block.size = pairs.shape(0);
  for (std::size_t k = 0; k < block.size; ++k) {
    const double* row = pairs.data() + 4 * k;
    block.better_fmean[k] = row[0], block.better_power[k] = row[1];
    block.worse_fmean[k] = row[2], block.worse_power[k] = row[3];
  }
  const CompareScores function = comparison(instructions_named(instructions), decimals >= 0);
  const PairCounts counts = function(block, gamma, power(10.0, decimals));
  return nb::make_tuple(counts.concordant, counts.tied);
}

nb::object powers(Array<double> bases, Array<double> exponents) {
  if (bases.size() != exponents.size()) throw nb::value_error("as many exponents as bases");
  std::vector<double> found(bases.size());
  without_gil([&] {
    std::transform(bases.data(), bases.data() + bases.size(), exponents.data(), found.begin(), &power);
  });
  return to_numpy(std::move(found));
}

// A number of 128 bits as its higher and its lower half.
using Halves = std::pair<std::uint64_t, std::uint64_t>;

WideNumber wide(Halves halves) {
  return {halves.first, halves.second};
}
Halves halves(WideNumber number) {
  return {static_cast<std::uint64_t>(number >> 64), static_cast<std::uint64_t>(number)};
}

Halves wide_operation(const std::string& operation, Halves left, Halves right) {
  using Operation = WideNumber (*)(WideNumber, WideNumber);
  static constexpr std::pair<std::string_view, Operation> operations[] = {
      {"+", [](WideNumber a, WideNumber b) { return a + b; }},
      {"-", [](WideNumber a, WideNumber b) { return a - b; }},
      {"*", [](WideNumber a, WideNumber b) { return a * b; }},
      {"&", [](WideNumber a, WideNumber b) { return a & b; }},
      {"|", [](WideNumber a, WideNumber b) { return a | b; }},
      {"&~", [](WideNumber a, WideNumber b) { return a & ~b; }},
      {"<<", [](WideNumber a, WideNumber b) { return a << static_cast<std::size_t>(b); }},
      {">>", [](WideNumber a, WideNumber b) { return a >> static_cast<std::size_t>(b); }},
      {"<", [](WideNumber a, WideNumber b) { return WideNumber{a < b}; }},
      {"==", [](WideNumber a, WideNumber b) { return WideNumber{a == b}; }},
  };
  return halves(named(operations, operation, "no such operation")(wide(left), wide(right)));
}

// The rules of the PTB tokenizer: name, pattern, context, way of writing, replacement, example, its tokens.
nb::list ptb_rules() {
  nb::list result;
  for (const ptb::Rule& each : ptb::rules()) {
    result.append(nb::make_tuple(to_str(each.name), to_str(each.pattern), to_str(each.context),
                                 static_cast<int>(each.writing), to_str(each.replacement),
                                 to_str(each.example), to_str(each.tokens)));
  }
  return result;
}

nb::dict ptb_definitions() {
  nb::dict result;
  for (const ptb::Definition& each : ptb::definitions()) result[to_str(each.name)] = to_str(each.pattern);
  return result;
}

nb::dict ptb_sets() {
  nb::dict result;
  for (const auto& [name, set] : ptb::character_sets()) {
    nb::list intervals;
    for (const ptb::Interval& each : set) {
      intervals.append(
          nb::make_tuple(static_cast<std::uint32_t>(each.first), static_cast<std::uint32_t>(each.last)));
    }
    result[to_str(name)] = intervals;
  }
  return result;
}

nb::tuple ptb_decisions(const nb::str& text) {
  const ptb::Decisions found = ptb::Lexer::shared().decisions(utf8(text));
  nb::list names;
  for (const std::string_view name : found.rules) names.append(to_str(name));
  return nb::make_tuple(names, found.bytes_read);
}

nb::tuple ptb_next(ptb::Table::State state, char character) {
  const ptb::Lexer& lexer = ptb::Lexer::shared();
  const ptb::Table::State next =
      lexer.table().next(state, lexer.alphabet().kind_of(static_cast<unsigned char>(character)));
  const std::int32_t rule = lexer.table().rule(next);
  const ptb::Rule none, &found = rule < 0 ? none : ptb::rules()[static_cast<std::size_t>(rule)];
  return nb::make_tuple(next, to_str(found.name));
}

}  // namespace

}  // namespace bolide::python

NB_MODULE(_core_testing, m) {
  m.doc() = "Parts of the native core that only tests call. See _core_testing.pyi.";

  using namespace bolide::python;
  nanobind::module_::import_("bolide._core");  // binds the types of the arguments
  m.def("choose", &choose, "matches"_a, "hypothesis_length"_a, "reference_length"_a, "aligner"_a,
        "gain_weights"_a, "beam"_a = 40, "budget"_a = 0, "instructions"_a = nb::none());
  m.def("likely_paraphrases", &likely<std::uint16_t>, "entries"_a, "places"_a, "words"_a,
        "instructions"_a = nb::none());
  m.def("likely_paraphrases", &likely<std::uint32_t>, "entries"_a, "places"_a, "words"_a,
        "instructions"_a = nb::none());
  m.def("paraphrases", &paraphrases, "table"_a, "phrase"_a);
  m.def("ptb_rules", &ptb_rules);
  m.def("ptb_definitions", &ptb_definitions);
  m.def("ptb_sets", &ptb_sets);
  m.def("ptb_decisions", &ptb_decisions, "text"_a);
  m.def("ptb_next", &ptb_next, "state"_a, "character"_a);
  m.def("ptb_build_all", [] { bolide::ptb::Lexer::shared().build_all(); });
  m.def("wide_operation", &wide_operation, "operation"_a, "left"_a, "right"_a);
  m.def("shortest_decimal", &bolide::shortest_decimal, "number"_a, "plain"_a);
  m.def("sweep_scores", &scores, "sweep"_a, "points"_a, "threads"_a);
  m.def("power", &powers, "bases"_a, "exponents"_a);
  m.def("compare_scores", &compare, "pairs"_a, "gamma"_a, "decimals"_a, "instructions"_a = nb::none());
}
