#include "match/tile_matcher.hpp"

#include <algorithm>
#include <bit>

#include "match/key_masks.hpp"

namespace bolide {

namespace {

constexpr std::size_t longest = KeyMasks::most_positions;

// As MatchLimits: Matcher lists a part of the candidates of such a pair.
constexpr std::size_t most_candidates = MatchLimits().matches;

}  // namespace

TileMatcher::TileMatcher(const Vocabulary& vocabulary, std::span<const Stage> stages)
    : vocabulary_(vocabulary),
      stages_(stages.begin(), stages.end()),
      all_stages_(static_cast<int>(stages.size())),
      matcher_(vocabulary, stages) {
  // Stages of letters at the end list no candidates.
  while (!stages_.empty() && stages_.back().kind == StageKind::letters) stages_.pop_back();
  const auto is_word = [](const Stage& stage) { return is_word_stage(stage.kind); };
  const auto is_phrase = [](const Stage& stage) { return stage.kind == StageKind::phrase; };
  const auto words_end = std::find_if_not(stages_.begin(), stages_.end(), is_word);
  fits_ = std::all_of(words_end, stages_.end(), is_phrase);
  word_stages_ = static_cast<std::size_t>(words_end - stages_.begin());
  tables_ = stages_.size() - word_stages_;
}

void TileMatcher::Side::set(std::span<const Sentence> sentences) {
  for (const std::int32_t type : types) number_of[static_cast<std::size_t>(type)] = -1;
  texts = sentences;
  types.clear();
  numbers.clear();
  starts.assign(1, 0);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    is_short[k] = texts[k].words.size() <= longest;
    for (const std::int32_t word : is_short[k] ? texts[k].words : Words()) {
      const auto place = static_cast<std::size_t>(word);
      if (place >= number_of.size()) number_of.resize(2 * place + 1, -1);
      if (number_of[place] < 0) {
        number_of[place] = static_cast<std::int32_t>(types.size());
        types.push_back(word);
      }
      numbers.push_back(number_of[place]);
    }
    starts.push_back(numbers.size());
  }
}

void TileMatcher::set(std::span<const Sentence> hypotheses, std::span<const Sentence> references) {
  hypotheses_.set(hypotheses);
  references_.set(references);
  if (!fits_) return;
  find_slots();
  find_paraphrases(references_, hypotheses_, in_references_);
  find_paraphrases(hypotheses_, references_, in_hypotheses_);
  found_.resize(tables_ * most_texts);
}

void TileMatcher::find_slots() {
  struct TypeSlot {
    std::int32_t type, stage, slot;
  };
  std::vector<TypeSlot> found;
  slots_.clear();
  for (std::size_t s = 0; s < word_stages_; ++s) {
    const auto stage = static_cast<int>(s);
    const auto [hypothesis_column, reference_column] = vocabulary_.columns(stage);
    const bool equal_too = ties_equal_words(stages_[s].kind);
    postings_.clear();
    for (std::size_t u = 0; u < hypotheses_.types.size(); ++u) {
      for (const std::int32_t key : vocabulary_.keys(hypothesis_column, hypotheses_.types[u]))
        postings_.add(key, static_cast<std::int32_t>(u));
    }
    postings_.finish(vocabulary_.key_limit(stage));
    for (std::size_t v = 0; v < references_.types.size(); ++v) {
      const std::int32_t word = references_.types[v], identity = vocabulary_.type(word).identity;
      const std::size_t before = slots_.partners.size();
      for (const std::int32_t key : vocabulary_.keys(reference_column, word)) {
        postings_.for_each(key, [&](std::int32_t u) {
          const auto other = hypotheses_.types[static_cast<std::size_t>(u)];
          if (equal_too || vocabulary_.type(other).identity != identity) slots_.partners.push_back(u);
        });
      }
      if (slots_.partners.size() == before) continue;
      const auto own = slots_.partners.begin() + static_cast<std::ptrdiff_t>(before);
      std::sort(own, slots_.partners.end());
      slots_.partners.erase(std::unique(own, slots_.partners.end()), slots_.partners.end());
      found.push_back({static_cast<std::int32_t>(v), stage, static_cast<std::int32_t>(slots_.ends.size())});
      slots_.ends.push_back(slots_.partners.size());
    }
  }
  // By type; a stable sort leaves the slots of a type in the order of the stages.
  std::stable_sort(found.begin(), found.end(),
                   [](const TypeSlot& a, const TypeSlot& b) { return a.type < b.type; });
  std::vector<std::size_t> first_of(references_.types.size() + 1);
  for (const TypeSlot& slot : found) ++first_of[static_cast<std::size_t>(slot.type) + 1];
  for (std::size_t v = 0; v < references_.types.size(); ++v) first_of[v + 1] += first_of[v];

  reference_words_.clear();
  reference_word_ends_.clear();
  for (std::size_t r = 0; r < references_.texts.size(); ++r) {
    const std::span<const std::int32_t> words = references_.words(r);
    for (std::size_t j = 0; j < words.size(); ++j) {
      const auto type = static_cast<std::size_t>(words[j]);
      for (std::size_t k = first_of[type]; k < first_of[type + 1]; ++k)
        reference_words_.push_back({static_cast<std::int32_t>(j), found[k].stage, found[k].slot});
    }
    reference_word_ends_.push_back(reference_words_.size());
  }
}

// For the left phrases of one side, finds the paraphrases that occur on the other side.
void TileMatcher::find_paraphrases(const Side& lefts, const Side& rights, Paraphrases& found) {
  const std::size_t texts = rights.texts.size();
  found.all.clear();
  found.ends.clear();
  found.places.clear();
  for (std::size_t table = 0; table < tables_; ++table) {
    const auto stage = static_cast<std::int32_t>(word_stages_ + table);
    const PhraseTable& phrases = *stages_[static_cast<std::size_t>(stage)].phrases;
    if (const auto words = static_cast<std::size_t>(phrases.words().size()); row_of_.size() < words)
      row_of_.resize(words, -1);
    rows_.clear();
    for (std::size_t t = 0; t < texts; ++t) {
      if (!rights.is_short[t]) continue;
      const std::span<const std::int32_t> words = rights.texts[t].phrases[table].words;
      for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] < 0) continue;
        std::int32_t& row = row_of_[static_cast<std::size_t>(words[i])];
        if (row < 0) {
          row = static_cast<std::int32_t>(rows_.size() / most_texts);
          rows_.resize(rows_.size() + most_texts);
        }
        rows_[static_cast<std::size_t>(row) * most_texts + t] |= std::uint64_t{1} << i;
      }
    }

    lefts_.clear();
    for (std::size_t t = 0; t < lefts.texts.size(); ++t) {
      if (!lefts.is_short[t]) continue;
      for (const LeftPhrase& left : lefts.texts[t].phrases[table].left_phrases)
        lefts_.push_back(left.paraphrases);
    }
    std::sort(lefts_.begin(), lefts_.end());
    lefts_.erase(std::unique(lefts_.begin(), lefts_.end()), lefts_.end());
    known_.clear();
    live_.clear();
    phrases.with_entries([&](auto entries) {
      constexpr std::size_t ahead = 8;
      for (std::size_t k = 0; k < lefts_.size(); ++k) {
        if (k + ahead < lefts_.size()) bolide::prefetch(entries.data() + lefts_[k + ahead]);
        const auto first = static_cast<std::uint32_t>(live_.size());
        find_rights(phrases, entries, lefts_[k], texts, found);
        if (live_.size() > first)
          known_.push_back({lefts_[k], first, static_cast<std::uint32_t>(live_.size()) - first});
      }
    });

    for (std::size_t t = 0; t < lefts.texts.size(); ++t) {
      const bool is_short = lefts.is_short[t];
      for (const LeftPhrase& left :
           is_short ? lefts.texts[t].phrases[table].left_phrases : std::span<const LeftPhrase>()) {
        const auto known =
            std::lower_bound(known_.begin(), known_.end(), left.paraphrases,
                             [](const Known& each, std::uint32_t start) { return each.start < start; });
        if (known == known_.end() || known->start != left.paraphrases) continue;
        for (const Live& live : std::span(live_).subspan(known->first, known->count)) {
          found.all.push_back({static_cast<std::int32_t>(left.start), static_cast<std::int32_t>(left.length),
                               live.length, stage, live.sought});
        }
      }
      found.ends.push_back(found.all.size());
    }

    for (std::size_t t = 0; t < texts; ++t) {
      if (!rights.is_short[t]) continue;
      for (const std::int32_t word : rights.texts[t].phrases[table].words) {
        if (word >= 0) row_of_[static_cast<std::size_t>(word)] = -1;
      }
    }
  }
}

// Lists in live_ the right phrases of a left phrase that occur, with their places.
template <typename Number>
void TileMatcher::find_rights(const PhraseTable& phrases, std::span<const Number> entries,
                              std::uint32_t start, std::size_t texts, Paraphrases& found) {
  auto rights = phrases.rights(entries, start);
  const auto words = static_cast<std::size_t>(phrases.words().size());
  const auto row_of = [&](std::uint32_t word) {
    const std::int32_t row = row_of_[word];
    return row < 0 ? nullptr : rows_.data() + static_cast<std::size_t>(row) * most_texts;
  };
  for (std::size_t k = 0, count = rights.count(); k < count; ++k) {
    const auto beginning = rights.beginning(k);
    const std::uint64_t *first = row_of(beginning.first), *second = row_of(beginning.second);
    if (!first || !second) continue;
    phrase_rows_.assign(1, first);
    if (beginning.length > 1) phrase_rows_.push_back(second);
    for (const auto word : rights.at(k).others) {
      const std::uint64_t* row = word < words ? row_of(word) : nullptr;
      if (!row) break;
      phrase_rows_.push_back(row);
    }
    if (phrase_rows_.size() < beginning.length) continue;
    const std::size_t before = found.places.size();
    found.places.resize(before + most_texts);
    if (occurs(texts, found.places.data() + before)) {
      live_.push_back(
          {static_cast<std::uint32_t>(before / most_texts), static_cast<std::int32_t>(beginning.length)});
    } else {
      found.places.resize(before);
    }
  }
}

// Finds the places of the phrase with the words in phrase_rows_. Returns whether there are any.
bool TileMatcher::occurs(std::size_t texts, std::uint64_t* places) const {
  std::copy_n(phrase_rows_[0], texts, places);
  std::uint64_t any = 0;
  for (std::size_t word = 1; word < phrase_rows_.size() && word < longest; ++word) {
    for (std::size_t t = 0; t < texts; ++t) places[t] &= phrase_rows_[word][t] >> word;
  }
  for (std::size_t t = 0; t < texts; ++t) any |= places[t];
  return any != 0 && phrase_rows_.size() <= longest;
}

void TileMatcher::begin(std::size_t hypothesis) {
  hypothesis_ = hypothesis;
  if (!fits_ || !hypotheses_.is_short[hypothesis]) return;
  places_.assign(hypotheses_.types.size(), 0);
  const std::span<const std::int32_t> words = hypotheses_.words(hypothesis);
  for (std::size_t i = 0; i < words.size(); ++i)
    places_[static_cast<std::size_t>(words[i])] |= std::uint64_t{1} << i;
  met_.resize(slots_.ends.size());
  met_counts_.resize(slots_.ends.size());
  for (std::size_t slot = 0, k = 0; slot < met_.size(); ++slot) {
    std::uint64_t met = 0;
    for (; k < slots_.ends[slot]; ++k) met |= places_[static_cast<std::size_t>(slots_.partners[k])];
    met_[slot] = met;
    met_counts_[slot] = static_cast<std::uint32_t>(std::popcount(met));
  }
  sought_.resize(in_references_.places.size() / most_texts);
  for (std::size_t k = 0; k < sought_.size(); ++k)
    sought_[k] = in_references_.places[k * most_texts + hypothesis];
  for (std::vector<Found>& found : found_) found.clear();
  for (std::size_t table = 0; table < tables_; ++table) {
    const std::size_t text = table * hypotheses_.texts.size() + hypothesis;
    for (std::size_t k = text == 0 ? 0 : in_hypotheses_.ends[text - 1]; k < in_hypotheses_.ends[text]; ++k) {
      const Paraphrase& paraphrase = in_hypotheses_.all[k];
      const std::uint64_t* places = in_hypotheses_.places.data() + paraphrase.sought * most_texts;
      for (std::size_t r = 0; r < references_.texts.size(); ++r) {
        if (places[r] != 0) found_[table * most_texts + r].push_back({paraphrase, places[r]});
      }
    }
  }
}

bool TileMatcher::list(std::size_t reference, int stages, Candidates& out) {
  const Sentence &ours = hypotheses_.texts[hypothesis_], &theirs = references_.texts[reference];
  const bool fits =
      fits_ && stages == all_stages_ && hypotheses_.is_short[hypothesis_] && references_.is_short[reference];
  if (!fits) return matcher_.list(ours, theirs, stages, out);
  const std::size_t positions = theirs.words.size();
  phrases_out_.clear();
  for (std::size_t table = 0; table < tables_; ++table) list_phrases(reference, table);

  const std::size_t begin = reference == 0 ? 0 : reference_word_ends_[reference - 1];
  const auto words = std::span(reference_words_).subspan(begin, reference_word_ends_[reference] - begin);
  std::size_t total = phrases_out_.size();
  for (const ReferenceWord& word : words) total += met_counts_[static_cast<std::size_t>(word.slot)];
  if (total > most_candidates) return matcher_.list(ours, theirs, stages, out);

  places_out_.assign(positions + 1, 0);
  for (const Match& match : phrases_out_) ++places_out_[static_cast<std::size_t>(match.reference_start)];
  out.starts.resize(positions + 1);
  out.matches.resize(total);
  std::size_t size = 0, next = 0;
  for (std::size_t j = 0; j < positions; ++j) {
    out.starts[j] = static_cast<std::int32_t>(size);
    for (; next < words.size() && words[next].position == static_cast<std::int32_t>(j); ++next) {
      const ReferenceWord& word = words[next];
      for (std::uint64_t met = met_[static_cast<std::size_t>(word.slot)]; met != 0; met &= met - 1)
        out.matches[size++] = {word.position, 1, std::countr_zero(met), 1, word.stage};
    }
    // Phrases follow.
    const auto phrases = static_cast<std::size_t>(places_out_[j]);
    places_out_[j] = static_cast<std::int32_t>(size);
    size += phrases;
  }
  out.starts[positions] = static_cast<std::int32_t>(size);
  for (const Match& match : phrases_out_)
    out.matches[static_cast<std::size_t>(places_out_[static_cast<std::size_t>(match.reference_start)]++)] =
        match;
  return true;
}

void TileMatcher::list_phrases(std::size_t reference, std::size_t table) {
  const std::size_t text = table * references_.texts.size() + reference;
  const std::size_t first = text == 0 ? 0 : in_references_.ends[text - 1];
  for (const Paraphrase& p :
       std::span(in_references_.all).subspan(first, in_references_.ends[text] - first)) {
    for (std::uint64_t met = sought_[p.sought]; met != 0; met &= met - 1)
      phrases_out_.push_back({p.start, p.length, std::countr_zero(met), p.other_length, p.stage});
  }
  for (const auto& [p, places] : found_[table * most_texts + reference]) {
    for (std::uint64_t met = places; met != 0; met &= met - 1)
      phrases_out_.push_back({std::countr_zero(met), p.other_length, p.start, p.length, p.stage});
  }
}

}  // namespace bolide
