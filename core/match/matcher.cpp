#include "match/matcher.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "support/compiler.hpp"

#ifdef BOLIDE_SSE2
#include <emmintrin.h>
#elif defined(BOLIDE_NEON)
#include <arm_neon.h>
#endif

namespace bolide {

namespace {

// Bit k of the result is set if numbers[k] == wanted, for sixteen numbers.
std::uint32_t equal_among_16(const std::int32_t* numbers, std::int32_t wanted) {
#ifdef BOLIDE_SSE2
  const __m128i all = _mm_set1_epi32(wanted);
  const auto equal = [&](int k) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers + 4 * k)), all);
  };
  return static_cast<std::uint32_t>(_mm_movemask_epi8(
      _mm_packs_epi16(_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)))));
#elif defined(BOLIDE_NEON)
  // One bit of each number, in the order of the numbers; the sum of eight bits is a byte.
  const int32x4_t all = vdupq_n_s32(wanted);
  const auto equal = [&](int k) { return vceqq_s32(vld1q_s32(numbers + 4 * k), all); };
  const uint16x8_t low = vcombine_u16(vmovn_u32(equal(0)), vmovn_u32(equal(1))),
                   high = vcombine_u16(vmovn_u32(equal(2)), vmovn_u32(equal(3)));
  const uint8x16_t lanes = vcombine_u8(vmovn_u16(low), vmovn_u16(high)),
                   bits = vandq_u8(lanes, vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201)));
  return vaddv_u8(vget_low_u8(bits)) | static_cast<std::uint32_t>(vaddv_u8(vget_high_u8(bits))) << 8;
#else
  std::uint32_t met = 0;
  for (int k = 0; k < 16; ++k) met |= static_cast<std::uint32_t>(numbers[k] == wanted) << k;
  return met;
#endif
}

}  // namespace

void Matcher::prefetch(const Sentence& hypothesis, const Sentence& reference) const {
  for (const Sentence* sentence : {&hypothesis, &reference}) {
    for (std::int32_t word : sentence->words) vocabulary_.prefetch(word);
    const PhraseView* side = sentence->phrases.data();
    for (const Stage& stage : stages_) {
      if (stage.kind != StageKind::phrase) continue;
      stage.phrases->with_entries([&](auto entries) {
        for (const LeftPhrase& left : side->left_phrases)
          PhraseTable::prefetch_rights(entries, left.paraphrases);
      });
      ++side;
    }
  }
}

bool Matcher::list(const Sentence& hypothesis, const Sentence& reference, int stages, Candidates& out) {
  cap_ = unlimited;
  const bool complete = list_stages(hypothesis, reference, stages);
  if (!complete) {
    cap_ = limits_.nearest;
    list_stages(hypothesis, reference, stages);
  }
  group_by_reference_start(reference.words.size(), out);
  return complete;
}

// Returns false as soon as there are too many candidates. The left phrases have been looked up before
// (sentences/left_phrases.cpp). Paraphrases are searched in two passes: left phrases in the reference and
// their paraphrases in the hypothesis; then the other way round. A match that both passes find is listed
// twice, as in Java, where this decides which matches are unambiguous.
bool Matcher::list_stages(const Sentence& hypothesis, const Sentence& reference, int stages) {
  found_.clear();
  too_many_near_ = false;
  std::size_t tables = 0;
  for (int stage = 0, next; stage < stages && !too_many(); stage = next) {
    next = stage + 1;
    switch (stages_[stage].kind) {
      case StageKind::phrase: {
        const PhraseView &in_reference = reference.phrases[tables],
                         &in_hypothesis = hypothesis.phrases[tables];
        phrase_pass(in_reference, in_hypothesis, true, stage);
        phrase_pass(in_hypothesis, in_reference, false, stage);
        ++tables;
        break;
      }
      case StageKind::letters:  // sees what the aligner leaves over (match/letter_runs.hpp)
        break;
      case StageKind::near:
        near_stage(hypothesis.words, reference.words, stage);
        break;
      default:
        while (next < stages && is_word_stage(stages_[next].kind)) ++next;
        word_stages(hypothesis.words, reference.words, stage, next);
    }
  }
  return !too_many();
}

// Candidates are listed by stage, then reference position, then hypothesis position. Words that share several
// keys are one candidate.
void Matcher::word_stages(Words hypothesis, Words reference, int first, int last) {
  hypothesis_.look_up(hypothesis, vocabulary_);
  reference_.look_up(reference, vocabulary_);
  const bool is_short_one = is_short(hypothesis.size()) && reference.size() <= FlatKeys::most_positions;
  if (is_short_one) find_equal_words(hypothesis.size(), reference.size());
  for (int stage = first; stage < last && !too_many(); ++stage) {
    if (is_short_one) {
      short_word_stage(hypothesis.size(), reference.size(), stage);
    } else {
      word_stage(hypothesis.size(), reference.size(), stage);
    }
  }
}

void Matcher::SideWords::look_up(Words words, const Vocabulary& vocabulary) {
  keys.resize(words.size());
  identities.resize(words.size() + 16);
  for (std::size_t k = 0; k < words.size(); ++k) {
    keys[k] = vocabulary.keys(words[k]);
    identities[k] = vocabulary.type(words[k]).identity;
  }
}

void Matcher::find_equal_words(std::size_t hypothesis, std::size_t reference) {
  equal_.resize(reference);
  const std::uint64_t there = hypothesis == 0 ? 0 : ~std::uint64_t{0} >> (64 - hypothesis);
  for (std::size_t j = 0; j < reference; ++j) {
    std::uint64_t met = 0;
    for (std::size_t from = 0; from < hypothesis; from += 16) {
      const std::int32_t* const some = hypothesis_.identities.data() + from;
      met |= std::uint64_t{equal_among_16(some, reference_.identities[j])} << from;
    }
    equal_[j] = met & there;
  }
}

void Matcher::short_word_stage(std::size_t hypothesis, std::size_t reference, int stage) {
  if (vocabulary_.is_identity(stage)) {
    met_ = equal_;
  } else {
    const auto [hypothesis_column, reference_column] = vocabulary_.columns(stage);
    const auto set_keys = [&](FlatKeys& all, std::size_t words, int column, const SideWords& side) {
      const auto keys_of = [column, keys = side.keys.data()](std::size_t k) { return keys[k].of(column); };
      if (vocabulary_.has_single_keys(column)) {
        all.set_single(words, keys_of);
      } else {
        all.set(words, keys_of);
      }
    };
    set_keys(hypothesis_keys_, hypothesis, hypothesis_column, hypothesis_);
    set_keys(reference_keys_, reference, reference_column, reference_);
    met_.assign(reference, 0);
    masks_.put_in(hypothesis_keys_, vocabulary_.key_limit(stage));
    masks_.find(reference_keys_, met_.data());
    masks_.take_out(hypothesis_keys_);
  }
  const std::uint64_t left_out = ties_equal_words(stages_[stage].kind) ? 0 : ~std::uint64_t{0};
  for (std::size_t j = 0; j < reference; ++j) {
    for (std::uint64_t met = met_[j] & ~(equal_[j] & left_out); met != 0; met &= met - 1)
      found_.push_back({static_cast<std::int32_t>(j), 1, std::countr_zero(met), 1, stage});
  }
}

void Matcher::word_stage(std::size_t hypothesis, std::size_t reference, int stage) {
  const auto [hypothesis_column, reference_column] = vocabulary_.columns(stage);
  Postings& postings = postings_[stage];
  postings.clear();
  for (std::size_t i = 0; i < hypothesis; ++i) {
    for (const std::int32_t key : hypothesis_.keys[i].of(hypothesis_column))
      postings.add(key, static_cast<std::int32_t>(i));
  }
  postings.finish(vocabulary_.key_limit(stage));
  if (cap_ != unlimited) postings.flatten();
  for (std::size_t j = 0; j < reference && !too_many(); ++j)
    tie(static_cast<std::int32_t>(j), reference_.keys[j].of(reference_column), stage);
}

// Matches a reference word to the hypothesis words that have one of the keys.
void Matcher::tie(std::int32_t position, std::span<const std::int32_t> keys, int stage) {
  const Postings& postings = postings_[stage];
  const auto is_tied = [identities = hypothesis_.identities.data(), own = reference_.identities[position],
                        equal_too = ties_equal_words(stages_[stage].kind)](std::int32_t i) {
    return equal_too || identities[i] != own;
  };
  partners_.clear();
  const auto add = [&](std::int32_t i) {
    if (is_tied(i)) partners_.push_back(i);
  };
  for (const std::int32_t key : keys) {
    if (cap_ == unlimited) {
      postings.for_each(key, add);
    } else {
      for (const std::int32_t i : postings.nearest(key, position, cap_)) add(i);
    }
  }
  if (partners_.empty()) return;
  if (keys.size() > 1 && partners_.size() > 1) sort_partners(hypothesis_.keys.size());
  if (partners_.size() > cap_) keep_nearest(position);
  for (std::int32_t i : partners_) found_.push_back({position, 1, i, 1, stage});
}

void Matcher::near_stage(Words hypothesis, Words reference, int stage) {
  const Vectors& vectors = stages_[stage].vectors;
  const int column = vocabulary_.columns(stage).reference;
  const std::size_t pairs = near_.prepare(vocabulary_, column, hypothesis, reference, vectors);
  too_many_near_ = pairs > limits_.matches;
  if (too_many()) return;
  for (const auto& [j, i] : near_.find(vectors, too_many_near_ ? cap_ : NearPairs::unlimited)) {
    found_.push_back({j, 1, i, 1, stage});
  }
}

// Sorts the partners and removes duplicates. If words share hundreds of keys, each position occurs hundreds
// of times; then marking is faster than sorting.
void Matcher::sort_partners(std::size_t positions) {
  if (partners_.size() <= positions) {
    std::sort(partners_.begin(), partners_.end());
    partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
    return;
  }
  marked_.assign(positions, false);
  for (std::int32_t i : partners_) marked_[i] = true;
  partners_.clear();
  for (std::size_t i = 0; i < positions; ++i) {
    if (marked_[i]) partners_.push_back(static_cast<std::int32_t>(i));
  }
}

void Matcher::keep_nearest(std::int32_t position) {
  std::nth_element(partners_.begin(), partners_.begin() + static_cast<std::ptrdiff_t>(cap_), partners_.end(),
                   [&](std::int32_t a, std::int32_t b) {
                     return std::pair(std::abs(a - position), a) < std::pair(std::abs(b - position), b);
                   });
  partners_.resize(cap_);
  std::sort(partners_.begin(), partners_.end());
}

// Where the first two words of a paraphrase are in a short sentence. If it has only one word, that is also
// its second word.
template <typename Paraphrase>
std::uint64_t Matcher::places_of(const Paraphrase& paraphrase) const {
  return masks_[static_cast<std::int32_t>(paraphrase.first)] &
         masks_[static_cast<std::int32_t>(paraphrase.second)] >> (paraphrase.length > 1);
}

// Keeps the likely paraphrases whose first two words occur. About half of them do, so the loop avoids a
// branch that cannot be predicted.
template <typename Number>
void Matcher::keep_begun(const PhraseTable& phrases, std::span<const Number> entries,
                         std::span<const LeftPhrase> lefts) {
  std::size_t kept = 0;
  for (const LikelyParaphrase likely : likely_) {
    const auto rights = phrases.rights(entries, lefts[likely.left].paraphrases);
    likely_[kept] = likely;
    kept += places_of(rights.beginning(likely.right)) != 0;
  }
  likely_.resize(kept);
}

template <typename Paraphrase>
void Matcher::find_paraphrase(const LeftPhrase& left, const Paraphrase& paraphrase,
                              std::span<const std::int32_t> right, bool from_reference, int stage) {
  const auto left_start = static_cast<std::int32_t>(left.start),
             left_length = static_cast<std::int32_t>(left.length),
             length = static_cast<std::int32_t>(paraphrase.length);
  const auto add_if_equal = [&](std::int32_t i) {
    if (i + length > static_cast<std::int32_t>(right.size())) return;
    if (length > 1 && right[i + 1] != static_cast<std::int32_t>(paraphrase.second)) return;
    for (std::int32_t k = 2; k < length; ++k) {
      if (right[i + k] != static_cast<std::int32_t>(paraphrase.others[k - 2])) return;
    }
    if (from_reference) {
      found_.push_back({left_start, left_length, i, length, stage});
    } else {
      found_.push_back({i, length, left_start, left_length, stage});
    }
  };
  const auto first = static_cast<std::int32_t>(paraphrase.first);
  if (is_short(right.size())) {
    for (std::uint64_t met = places_of(paraphrase); met != 0; met &= met - 1)
      add_if_equal(std::countr_zero(met));
  } else if (cap_ == unlimited) {
    postings_[stage].for_each(first, add_if_equal);
  } else {
    for (std::int32_t i : postings_[stage].nearest(first, left_start, cap_)) add_if_equal(i);
  }
}

// Candidates are listed by left position, then length of the left phrase, then order in the table, then right
// position.
void Matcher::phrase_pass(const PhraseView& left, const PhraseView& right, bool from_reference, int stage) {
  const std::span<const std::int32_t> words = right.words;
  const PhraseTable& phrases = *stages_[stage].phrases;
  place_words(words, phrases.words().size(), stage);
  filter_.set(words);
  phrases.with_entries([&](auto entries) {
    std::size_t before = found_.size();
    std::uint32_t start = 0;
    // A few at a time: in an extreme sentence nearly all paraphrases are likely.
    constexpr std::size_t at_a_time = 128;
    for (std::size_t from = 0; from < left.left_phrases.size() && !too_many(); from += at_a_time) {
      const auto lefts =
          left.left_phrases.subspan(from, std::min(at_a_time, left.left_phrases.size() - from));
      likely_.clear();
      // All at once, so that their cache misses overlap.
      for (const LeftPhrase& phrase : lefts) PhraseTable::prefetch_rights(entries, phrase.paraphrases);
      filter_.list(entries, lefts, likely_);
      if (is_short(words.size())) keep_begun(phrases, entries, lefts);
      for (std::size_t k = 0; k < likely_.size() && !too_many();) {
        const std::uint32_t number = likely_[k].left;
        const LeftPhrase& phrase = lefts[number];
        if (phrase.start != start) before = found_.size();
        start = phrase.start;
        auto rights = phrases.rights(entries, phrase.paraphrases);
        for (; k < likely_.size() && likely_[k].left == number; ++k)
          find_paraphrase(phrase, rights.at(likely_[k].right), words, from_reference, stage);
        if (found_.size() - before > cap_) found_.resize(before + cap_);
      }
    }
  });
  if (is_short(words.size())) masks_.take_out(right_words_);
}

// Records where each word is in the sentence that is searched for paraphrases.
void Matcher::place_words(std::span<const std::int32_t> words, std::int32_t limit, int stage) {
  if (is_short(words.size())) {
    right_words_.set(words);
    masks_.put_in(right_words_, limit);
    return;
  }
  Postings& postings = postings_[stage];
  postings.clear();
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(words.size()); ++i) {
    if (words[i] >= 0) postings.add(words[i], i);
  }
  postings.finish(limit);
  if (cap_ != unlimited) postings.flatten();
}

// A stable counting sort: candidates with the same reference start stay in order.
void Matcher::group_by_reference_start(std::size_t positions, Candidates& out) {
  out.starts.assign(positions + 1, 0);
  for (const Match& match : found_) ++out.starts[match.reference_start + 1];
  for (std::size_t j = 0; j < positions; ++j) out.starts[j + 1] += out.starts[j];
  out.matches.resize(found_.size());
  for (const Match& match : found_) out.matches[out.starts[match.reference_start]++] = match;
  // Filling has moved every start to the next start; move them back.
  for (std::size_t j = positions; j > 0; --j) out.starts[j] = out.starts[j - 1];
  if (!out.starts.empty()) out.starts[0] = 0;
}

}  // namespace bolide
