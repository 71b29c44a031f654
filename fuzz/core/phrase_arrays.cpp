// Opens a phrase table over damaged arrays, writes it, and scores with it. Only errors are allowed.
#include <stdexcept>

#include "arrays.hpp"
#include "engine.hpp"
#include "require.hpp"
#include "tables/phrase_text.hpp"

using namespace bolide;

namespace {

void write(const PhraseTable& table) {
  PhraseTableReader reader(table);
  while (!reader.read(1 << 10).empty()) {
  }
}

void score(const PhraseTable& table) {
  Stage stage{StageKind::phrase, &table, {}};
  AlignerSettings aligner;
  aligner.gain_weights = {1.0};
  Engine engine({{stage}, aligner});
  Vocabulary vocabulary({StageKind::phrase});
  const Analyse analyse = [&](std::span<const std::string_view> words) {
    std::vector<std::int32_t> offsets{0}, lengths(words.size(), 1);
    std::vector<std::int64_t> keys, identities;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (const std::int32_t place = table.words().find(words[k]); place >= 0) keys.push_back(place);
      offsets.push_back(static_cast<std::int32_t>(keys.size()));
      identities.push_back(static_cast<std::int64_t>(k));
    }
    const std::vector<std::uint8_t> functions(words.size());
    vocabulary.add(words, {identities, functions, lengths, {{offsets, keys}}});
  };
  std::string all;
  for (std::int32_t k = 0; k < std::min(table.words().size(), 8); ++k) {
    all.append(table.words().word(k)).append(" ");
  }
  const std::string longer = all + "x";
  const std::vector<std::string_view> hypotheses{all}, references{longer};
  const std::vector<std::int32_t> counts{1};
  engine.run({hypotheses, references, counts}, vocabulary, analyse, {.pretokenized = true});
}

}  // namespace

FUZZ_TARGET(input) {
  const bool wide = input.ConsumeBool();
  const WordList words(input);
  const auto nodes = numbers<std::uint64_t>(input), starts_given = numbers<std::uint64_t>(input);
  std::vector<std::uint32_t> starts(starts_given.begin(), starts_given.end());
  if (input.ConsumeBool()) starts.resize(nodes.size() + static_cast<std::size_t>(words.index().size()));
  const auto narrow_entries = numbers<std::uint16_t>(input);
  const std::vector<std::uint32_t> wide_entries(narrow_entries.begin(), narrow_entries.end());
  if (!words.index().valid()) return;
  try {
    const PhraseTable table(words.index(), nodes, starts,
                            wide ? PhraseTable::Entries(std::span(wide_entries))
                                 : PhraseTable::Entries(std::span(narrow_entries)));
    write(table);
    score(table);
  } catch (const std::invalid_argument&) {
    // The arrays do not fit.
  } catch (const std::runtime_error&) {
    // They are damaged.
  }
}
