// Looks words up in WordNet arrays that may be damaged, as Meteor does and as NLTK does.
#include "tables/synonyms.hpp"

#include <stdexcept>

#include "arrays.hpp"
#include "require.hpp"
#include "tables/dictionary.hpp"

using namespace bolide;

namespace {

std::size_t size(const WordList& words) {
  return static_cast<std::size_t>(words.index().size());
}

void look_up(const SynonymArrays& arrays, std::string_view word) {
  const Synonyms synonyms(arrays, {2, {"ss"}, {{"s", ""}, {"ies", "y"}}});
  Synonyms::LastFound place;
  std::vector<std::int64_t> found;
  for (const std::string_view each : {word, word.substr(word.size() / 2), word}) {
    synonyms.append_synsets(each, place, found);
    synonyms.base_forms(each);
    std::int32_t near = place.word;
    require(arrays.words.find(each) == arrays.words.find(each, near), "both searches find the same word");
  }
}

void look_up(const DictionaryArrays& arrays, std::string_view word) {
  const Dictionary dictionary(arrays, {{"s", "", 1}, {"ies", "y", 2}});
  std::vector<Sense> senses;
  dictionary.find(word, senses);
  for (const Sense& sense : senses) {
    for (const std::int32_t name : dictionary.members(sense.synset)) dictionary.names().word(name);
  }
}

template <typename Arrays>
void try_to_look_up(const Arrays& arrays, std::string_view word) {
  try {
    look_up(arrays, word);
  } catch (const std::invalid_argument&) {
    // The arrays do not fit together.
  }
}

}  // namespace

FUZZ_TARGET(input) {
  const std::string word = input.ConsumeRandomLengthString(16);
  const WordList words(input), exceptions(input), bases(input), names(input);
  const auto ids = numbers<std::int32_t>(input), exception_bases = numbers<std::int32_t>(input),
             starts = numbers<std::int32_t>(input), members = numbers<std::int32_t>(input);
  const auto parts = numbers<std::uint8_t>(input);
  const auto word_offsets = offsets(input, size(words), ids.size()),
             exception_offsets = offsets(input, size(exceptions), exception_bases.size()),
             member_offsets = offsets(input, starts.empty() ? 0 : static_cast<std::uint8_t>(starts.back()),
                                      members.size());
  for (const WordList* each : {&words, &exceptions, &bases, &names}) {
    if (!each->index().valid()) return;
  }
  try_to_look_up(SynonymArrays{words.index(), word_offsets, ids, exceptions.index(), exception_offsets,
                               exception_bases, bases.index()},
                 word);
  if (starts.size() > 6) return;  // the loader requires one start per part of speech, and the end
  try_to_look_up(
      DictionaryArrays{words.index(), word_offsets, ids, exceptions.index(), exception_offsets,
                       exception_bases, parts, bases.index(), starts, names.index(), member_offsets, members},
      word);
}
