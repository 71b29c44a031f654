// Reads a paraphrase file, makes a table of it, writes the table as text and reads that again.
#include "tables/phrase_text.hpp"

#include <stdexcept>

#include "require.hpp"

using namespace bolide;

namespace {

using Arrays = PhraseTableBuilder::Arrays;

PhraseTable::Entries view(const decltype(Arrays::entries)& entries) {
  return std::visit([](const auto& numbers) { return PhraseTable::Entries(std::span(numbers)); }, entries);
}

struct Built {
  Arrays arrays;
  std::uint64_t entries;
};

Built built(std::string_view text, std::size_t block) {
  PhraseTableBuilder builder;
  for (std::size_t start = 0; start < text.size(); start += block) builder.feed(text.substr(start, block));
  Arrays arrays = builder.finish();
  return {std::move(arrays), builder.entries()};
}

std::string written(const Arrays& arrays, std::size_t block) {
  const PhraseTable table({arrays.word_bytes, arrays.word_offsets}, arrays.nodes, arrays.starts,
                          view(arrays.entries));
  PhraseTableReader reader(table);
  std::string text;
  for (std::string some; !(some = reader.read(block)).empty();) text += some;
  return text;
}

}  // namespace

FUZZ_TARGET(input) {
  const auto block = input.ConsumeIntegralInRange<std::size_t>(1, 64);
  const std::string corpus = input.ConsumeRandomLengthString(32);
  const std::string text = input.ConsumeRemainingBytesAsString();
  try {
    const Built first = built(text, block);
    const std::string once = written(first.arrays, block);
    const Built second = built(once, 7);
    require(second.entries == first.entries, "no entry is lost");
    require(written(second.arrays, 1) == once, "a written table is read as the same table");
    PhraseFilter filter;
    filter.add(corpus);
    require(filter.keep(once).size() <= once.size(), "a filter adds nothing");
  } catch (const std::invalid_argument&) {
    // The text is not a table.
  }
}
