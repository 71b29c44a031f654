// Prints one line with a digest of powers, alignments and scores that the core computes, without Python. The
// core gives the same numbers on two systems if the digests are equal; only the name of the instructions may
// differ. BOLIDE_INSTRUCTIONS chooses others. Build the target core_digest; .ci/compilers builds and runs it.
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine.hpp"
#include "score/power.hpp"
#include "score/score.hpp"
#include "support/java_number.hpp"
#include "tables/phrase_table.hpp"

using namespace bolide;

namespace {

// Splitmix64. The distributions of the standard library differ between systems.
class Random {
 public:
  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits() % limit); }

 private:
  std::uint64_t state_ = 0;
};

// FNV-1a, of 64 bits.
class Digest {
 public:
  void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(number >> shift));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  unsigned long long value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3; }

  std::uint64_t value_ = 0xCBF29CE484222325;
};

// All fragmentations of up to 100 words, and any positive numbers.
unsigned long long digest_powers() {
  Digest digest;
  for (const double beta : {0.1, 0.2, 0.6, 1.3, 1.5, 3.0}) {
    for (int matches = 1; matches <= 100; ++matches) {
      for (int chunks = 1; chunks <= matches; ++chunks) {
        digest.add(power(static_cast<double>(chunks) / matches, beta));
      }
    }
  }
  Random random;
  for (int k = 0; k < 5000; ++k) {
    const auto x = std::bit_cast<double>(random.bits() >> 2);                        // from 0 to 2
    const auto y = std::bit_cast<double>(0x3FF0000000000000 | random.bits() >> 12);  // from 1 to 2
    digest.add(power(x, y));
    digest.add(power(y, 1000 * (x - 1)));
  }
  return digest.value();
}

constexpr std::array words = {"The", "house",     "of",     "l'eau", "don't",    "1,000.5",
                              "Mr.", "gr\u00fcn", "e-mail", "\"",    "houses",   "U.S.",
                              ",",   "a",         "\u4e2d", "walks", "walked",   "in",
                              "?!",  "on",        "green",  "word",  "wordless", "."};

std::string make_text(Random& random, std::size_t longest) {
  std::string text;
  for (std::size_t k = random.below(longest) + 1; k > 0; --k) {
    text += words[random.below(words.size())];
    if (k > 1) text += ' ';
  }
  return text;
}

struct Texts {
  std::vector<std::string> hypotheses, references;
};

// A hypothesis is a reference with some words moved, left out or replaced, or any other text.
Texts make_texts() {
  Random random;
  Texts texts;
  for (int k = 0; k < 300; ++k) {
    const std::string reference = make_text(random, 40);
    const std::size_t cut = random.below(reference.size());
    const std::string other = make_text(random, 20);
    texts.references.push_back(reference);
    const std::size_t place = reference.find(' ', cut);
    texts.hypotheses.push_back(place == std::string::npos ? other
                                                          : reference.substr(place + 1) + ' ' + other + ' ' +
                                                                reference.substr(0, place));
  }
  return texts;
}

PhraseTableBuilder::Arrays make_paraphrases() {
  Random random;
  PhraseTableBuilder builder;
  for (int k = 0; k < 400; ++k) {
    const std::string left = make_text(random, 3), right = make_text(random, 3);
    builder.add(left, right);
  }
  return builder.finish();
}

// Five stages: equal words, words with the same first byte, with the same last byte, paraphrases, and runs of
// bytes.
class Learner {
 public:
  Learner(Vocabulary& vocabulary, const PhraseTable& table) : vocabulary_(vocabulary), table_(table) {}
  void operator()(std::span<const std::string_view> unknown) const {
    std::vector<std::int64_t> identities, firsts, lasts, entries, bytes;
    std::vector<std::int32_t> offsets{0}, entry_offsets{0}, byte_offsets{0}, lengths;
    std::vector<std::uint8_t> functions;
    for (const std::string_view word : unknown) {
      identities.push_back(vocabulary_.size() + static_cast<std::int64_t>(identities.size()));
      firsts.push_back(static_cast<unsigned char>(word.front()));
      lasts.push_back(static_cast<unsigned char>(word.back()));
      if (const std::int32_t entry = table_.words().find(word); entry >= 0) entries.push_back(entry);
      for (const char byte : word) bytes.push_back(static_cast<unsigned char>(byte));
      offsets.push_back(static_cast<std::int32_t>(firsts.size()));
      entry_offsets.push_back(static_cast<std::int32_t>(entries.size()));
      byte_offsets.push_back(static_cast<std::int32_t>(bytes.size()));
      lengths.push_back(static_cast<std::int32_t>(word.size()));
      functions.push_back(word.size() < 3);
    }
    std::vector<Analysis::KeyColumn> columns{{offsets, identities},
                                             {offsets, firsts},
                                             {offsets, lasts},
                                             {entry_offsets, entries},
                                             {byte_offsets, bytes}};
    columns.resize(static_cast<std::size_t>(vocabulary_.stages()));
    vocabulary_.add(unknown, {identities, functions, lengths, columns});
  }

 private:
  Vocabulary& vocabulary_;
  const PhraseTable& table_;
};

// Statistics, scores, and scores as text.
void add_statistics(std::span<const std::int32_t> statistics, StatisticsLayout layout, Digest& digest) {
  const Powers none;
  const Parameters parameters{0.85, 0.2, 0.6, 0.75, {1.0, 0.6, 0.8, 0.6, 0.5}, {}, &none};
  FragmentationPower raise(parameters);
  const std::vector<double> rows(statistics.begin(), statistics.end());
  for (std::size_t start = 0; start < rows.size(); start += layout.width()) {
    const std::span<const double> row(rows.data() + start, layout.width());
    for (const double number : row) digest.add(number);
    const double value = score(row, parameters, raise).score;
    digest.add(value);
    std::string text;
    append_java_double(value, text);
    digest.add(text);
  }
}

// Chosen matches and flags.
void add_alignments(const BatchResult& result, Digest& digest) {
  for (const Match& match : result.matches) {
    for (const std::int32_t field : {match.reference_start, match.reference_length, match.hypothesis_start,
                                     match.hypothesis_length, match.stage}) {
      digest.add(static_cast<std::uint64_t>(field));
    }
  }
  for (const std::uint8_t flag : result.flags) digest.add(std::uint64_t{flag});
}

struct Case {
  const char* name;
  AlignerKind kind;
  int stages;      // the first ones of the five
  bool all_pairs;  // each hypothesis with each reference of its source
  Counting counting = {};
};

unsigned long long digest_scores(const Case& wanted) {
  const Texts texts = make_texts();
  const std::vector<std::string_view> hypotheses(texts.hypotheses.begin(), texts.hypotheses.end());
  const std::vector<std::string_view> references(texts.references.begin(), texts.references.end());
  const PhraseTableBuilder::Arrays arrays = make_paraphrases();
  const PhraseTable table(
      {arrays.word_bytes, arrays.word_offsets}, arrays.nodes, arrays.starts,
      std::visit([](const auto& numbers) { return PhraseTable::Entries(std::span(numbers)); },
                 arrays.entries));
  const NormalizerRules rules;
  EngineSettings settings;
  settings.stages = {{StageKind::exact, nullptr, {}},
                     {StageKind::related, nullptr, {}},
                     {StageKind::related, nullptr, {}},
                     {StageKind::phrase, &table, {}},
                     {StageKind::letters, nullptr, {}}};
  settings.stages.erase(settings.stages.begin() + wanted.stages, settings.stages.end());
  std::vector<StageKind> kinds;
  for (const Stage& stage : settings.stages) kinds.push_back(stage.kind);
  settings.aligner.kind = wanted.kind;
  settings.aligner.gain_weights = {1.0, 0.6, 0.8, 0.6, 0.0};
  settings.aligner.gain_weights.resize(kinds.size());
  settings.aligner.budget = 500;
  settings.counting = wanted.counting;
  settings.rules = &rules;
  Vocabulary vocabulary(kinds);
  const Learner learner(vocabulary, table);
  Engine engine(settings);
  const StatisticsLayout layout(kinds.size());
  Digest digest;
  if (wanted.all_pairs) {
    constexpr std::array<std::int32_t, 2> sources{100, 20};
    constexpr std::size_t all = 120, pairs = 100 * 100 + 20 * 20;
    std::vector<std::int32_t> statistics(pairs * layout.width());
    PairwiseRequest request;
    request.hypotheses = std::span(hypotheses).first(all);
    request.references = std::span(references).first(all);
    request.hypothesis_counts = request.reference_counts = sources;
    request.statistics = statistics;
    engine.pairwise(request, vocabulary, learner, {});
    add_statistics(statistics, layout, digest);
  } else {
    const std::vector<std::int32_t> counts(hypotheses.size(), 1);
    const BatchResult result =
        engine.run({hypotheses, references, counts}, vocabulary, learner, {.with_matches = true});
    add_alignments(result, digest);
    add_statistics(result.statistics, layout, digest);
  }
  return digest.value();
}

}  // namespace

int main() {
  std::printf("powers %016llx", digest_powers());
  // Staged and greedy aligners match single words only.
  for (const Case& each : {Case{"beam", AlignerKind::beam, 4, false},
                           {"exact", AlignerKind::exact, 4, false},
                           {"staged", AlignerKind::staged, 3, false},
                           {"greedy", AlignerKind::greedy, 3, false},
                           {"letters", AlignerKind::beam, 5, false, {.sizes = true, .breaks = true}},
                           {"pairs", AlignerKind::beam, 5, true}}) {
    std::printf(" %s %016llx", each.name, digest_scores(each));
  }
  std::printf(" (%s)\n", std::string(name_of(best_instructions())).c_str());
}
