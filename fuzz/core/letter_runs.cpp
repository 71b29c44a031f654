// Finds the common runs of letters of two words, and matches left-over words by them. Runs must be common,
// ascend, and have the longest run of the words among them. Added matches must be new, and ascend.
#include "match/letter_runs.hpp"

#include <algorithm>

#include "require.hpp"

using namespace bolide;

namespace {

using Word = std::vector<std::int32_t>;

Word word(FuzzedDataProvider& input) {
  Word letters;  // never negative
  for (const char byte : input.ConsumeRandomLengthString(40))
    letters.push_back(static_cast<unsigned char>(byte));
  return letters;
}

std::int32_t longest_run(Letters one, Letters two) {
  std::int32_t longest = 0;
  for (std::int32_t i = 0; i < one.size(); ++i) {
    for (std::int32_t j = 0; j < two.size(); ++j) {
      std::int32_t length = 0;
      while (i + length < one.size() && j + length < two.size() && one[i + length] == two[j + length])
        ++length;
      longest = std::max(longest, length);
    }
  }
  return longest;
}

void check_runs(Letters one, Letters two) {
  std::vector<CommonRun> runs;
  find_common_runs(one, two, runs);
  std::int32_t end_one = 0, end_two = 0, letters = 0, longest = 0;
  for (const CommonRun& run : runs) {
    require(run.length >= shortest_run, "runs are not too short");
    require(run.one >= end_one && run.two >= end_two, "runs ascend in both words");
    end_one = run.one + run.length;
    end_two = run.two + run.length;
    require(end_one <= one.size() && end_two <= two.size(), "runs lie within the words");
    for (std::int32_t k = 0; k < run.length; ++k)
      require(one[run.one + k] == two[run.two + k], "letters of a run are equal");
    letters += run.length;
    longest = std::max(longest, run.length);
  }
  require(letters == common_letters(one, two), "letters are counted");
  const std::int32_t most = longest_run(one, two);
  require(longest == (most < shortest_run ? 0 : most), "the longest run is among them");
}

}  // namespace

FUZZ_TARGET(input) {
  const auto hypothesis_length = input.ConsumeIntegralInRange(0, 8);
  const auto matched = input.ConsumeIntegralInRange(0, 3);
  std::vector<Word> words;
  while (input.remaining_bytes() > 0 && words.size() < 16) words.push_back(word(input));
  for (const Word& one : words)
    for (const Word& two : words) check_runs(Letters(one), Letters(two));

  // A vocabulary with the stages `exact` and `letters`. Word k has the spelling "k".
  Vocabulary vocabulary({StageKind::exact, StageKind::letters});
  std::vector<std::string> spellings;
  std::vector<std::int64_t> identities, letters;
  std::vector<std::int32_t> offsets{0}, letter_offsets{0}, lengths(words.size(), 1);
  for (std::size_t k = 0; k < words.size(); ++k) {
    spellings.push_back(std::to_string(k));
    identities.push_back(static_cast<std::int64_t>(k));
    offsets.push_back(static_cast<std::int32_t>(k + 1));
    letters.insert(letters.end(), words[k].begin(), words[k].end());
    letter_offsets.push_back(static_cast<std::int32_t>(letters.size()));
  }
  const std::vector<std::string_view> views(spellings.begin(), spellings.end());
  const std::vector<std::uint8_t> functions(words.size());
  vocabulary.add(views, {identities, functions, lengths, {{offsets, identities}, {letter_offsets, letters}}});

  std::vector<std::int32_t> hypothesis, reference;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(words.size()); ++k)
    (k < hypothesis_length ? hypothesis : reference).push_back(k);
  const auto most = static_cast<std::int32_t>(std::min(hypothesis.size(), reference.size()));
  std::vector<Match> chosen;
  for (std::int32_t k = 0; k < std::min(matched, most); ++k) chosen.push_back({k, 1, k, 1, 0});
  const std::size_t before = chosen.size();

  LetterMatcher matcher(vocabulary);
  require(matcher.add(1, hypothesis, reference, chosen), "all pairs of few words are compared");
  std::vector<bool> used_hypothesis(hypothesis.size()), used_reference(reference.size());
  std::int32_t last = -1;
  std::size_t added = 0;
  for (const Match& match : chosen) {
    require(match.reference_start > last, "matches ascend");
    last = match.reference_start;
    const auto h = static_cast<std::size_t>(match.hypothesis_start),
               r = static_cast<std::size_t>(match.reference_start);
    require(h < hypothesis.size() && r < reference.size(), "matches lie within the sentences");
    require(!used_hypothesis[h] && !used_reference[r], "a word is matched once");
    used_hypothesis[h] = used_reference[r] = true;
    if (match.stage != 1) continue;
    ++added;
    const auto both = static_cast<std::size_t>(hypothesis_length) + r;
    require(common_letters(Letters(words[both]), Letters(words[h])) > 0, "added matches have common letters");
  }
  require(chosen.size() == before + added, "given matches stay");
}
