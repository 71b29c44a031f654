#include "sentences/sentences.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <shared_mutex>
#include <stdexcept>

#include "sentences/left_phrases.hpp"
#include "support/parallel.hpp"
#include "support/quick_hash.hpp"

namespace bolide {

namespace {

// `_too_long` in scoring/engine.py splits this message at "; ".
std::length_error too_long(std::size_t words) {
  return std::length_error("a text has " + std::to_string(words) + " words; the longest allowed has " +
                           std::to_string(longest_sentence));
}

template <typename T>
std::span<const T> piece(const std::vector<T>& all, const std::vector<std::size_t>& ends, std::size_t k) {
  const std::size_t start = k == 0 ? 0 : ends[k - 1];
  return std::span(all).subspan(start, ends[k] - start);
}

}  // namespace

Sentences::Sentences(std::span<const std::string_view> texts, const SentenceSettings& settings,
                     Vocabulary& vocabulary, const Analyse& analyse, const RememberedTexts& references) {
  const auto& [rules, stages, threads] = settings;
  KnownTexts* const known = references.known;
  const KnownTexts::Origin origin{vocabulary.id(), rules};
  const std::size_t first_reference = number_texts(texts, known ? references.first : texts.size());
  places_.resize(first_reference);
  if (known) {
    const std::span distinct_references = std::span(distinct_).subspan(first_reference);
    auto found = known->find(distinct_references, origin);
    std::move(found.begin(), found.end(), std::back_inserter(places_));
  }
  for (std::uint32_t k = 0; k < distinct_.size(); ++k) {
    if (places_[k].block) continue;
    if (fresh_.size() % block_size == 0) blocks_.push_back(std::make_shared<TextBlock>());
    places_[k] = {blocks_.back(), fresh_.size() % block_size};
    fresh_.push_back(k);
  }
  tokenize(rules, vocabulary, threads);
  learn_unknown(vocabulary, analyse);
  const auto is_phrase = [](const Stage& stage) { return stage.kind == StageKind::phrase; };
  tables_ = static_cast<std::size_t>(std::count_if(stages.begin(), stages.end(), is_phrase));
  if (tables_ > 0) find_phrases(stages, vocabulary, threads);
  if (!known) return;
  std::vector<std::pair<std::string_view, TextPlace>> learned;
  for (const std::uint32_t k : fresh_) {
    if (k >= first_reference) learned.emplace_back(distinct_[k], places_[k]);
  }
  known->add(learned, origin);
}

Sentence Sentences::operator[](std::size_t text) const {
  const auto& [block, k] = places_[number_of_[text]];
  return {piece(block->words, block->word_ends, k), std::span(block->views).subspan(k * tables_, tables_)};
}

// Numbers the distinct texts. Returns the number of the first one that does not occur before
// `first_reference`.
std::size_t Sentences::number_texts(std::span<const std::string_view> texts, std::size_t first_reference) {
  struct TextSlot {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;  // from 1 on; 0 if the slot is empty
  };
  std::vector<TextSlot> slots(std::bit_ceil(2 * texts.size() + 1));
  number_of_.reserve(texts.size());
  std::size_t before_references = 0;
  for (std::string_view text : texts) {
    if (number_of_.size() == first_reference) before_references = distinct_.size();
    const std::uint64_t hash = quick_hash(text);
    std::size_t at = hash & (slots.size() - 1);
    while (slots[at].number != 0 && (slots[at].hash != hash || distinct_[slots[at].number - 1] != text)) {
      at = (at + 1) & (slots.size() - 1);
    }
    if (slots[at].number == 0) {
      distinct_.push_back(text);
      slots[at] = {hash, static_cast<std::uint32_t>(distinct_.size())};
    }
    number_of_.push_back(slots[at].number - 1);
  }
  return first_reference < texts.size() ? before_references : distinct_.size();
}

void Sentences::tokenize(const NormalizerRules* rules, const Vocabulary& vocabulary, int threads) {
  in_blocks(fresh_.size(), threads, [&] {
    return [&, tokens = std::vector<std::string_view>(), normal = std::string(), scratch = std::string()](
               std::size_t first, std::size_t last) mutable {
      const std::shared_lock lock(vocabulary.mutex());
      TextBlock& block = *blocks_[first / block_size];
      for (std::size_t k = first; k < last; ++k) {
        const std::string_view text = distinct_[fresh_[k]];
        if (rules) {
          bolide::tokenize(text, *rules, normal, scratch, tokens);
        } else {
          split(text, tokens);
        }
        if (tokens.size() > longest_sentence) throw too_long(tokens.size());
        const std::size_t before = block.words.size();
        vocabulary.find_all(tokens, block.words);
        for (std::size_t t = 0; t < tokens.size(); ++t) {
          if (block.words[before + t] >= 0) continue;
          block.unknown.push_back({before + t, block.unknown_text.size(), tokens[t].size()});
          block.unknown_text += tokens[t];
        }
        block.word_ends.push_back(block.words.size());
      }
    };
  });
}

void Sentences::learn_unknown(Vocabulary& vocabulary, const Analyse& analyse) {
  SpellingTable numbers;
  std::vector<std::string_view> words;
  std::vector<std::int32_t> number_of;  // by unknown word of all blocks: its number in `words`
  for (const auto& block : blocks_) {
    for (const auto& [place, start, size] : block->unknown) {
      const auto word = std::string_view(block->unknown_text).substr(start, size);
      number_of.push_back(numbers.find_or_add(word, static_cast<std::int32_t>(words.size())));
      if (number_of.back() == static_cast<std::int32_t>(words.size())) words.push_back(word);
    }
  }
  if (words.empty()) return;
  std::vector<std::string_view> sorted = words;
  std::sort(sorted.begin(), sorted.end());  // so that keys get the same numbers in every run
  analyse(sorted);
  std::shared_lock lock(vocabulary.mutex());
  std::vector<std::int32_t> learned;
  for (const std::string_view word : words) {
    learned.push_back(vocabulary.find(word));
    if (learned.back() < 0) throw std::logic_error("a word was not analysed");
  }
  auto number = number_of.begin();
  for (const auto& block : blocks_) {
    for (const auto& [place, start, size] : block->unknown) block->words[place] = learned[*number++];
    block->unknown = {};
    block->unknown_text = {};
  }
}

void Sentences::find_phrases(std::span<const Stage> stages, const Vocabulary& vocabulary, int threads) {
  in_blocks(fresh_.size(), threads, [&] {
    return [&, finder = LeftPhraseFinder()](std::size_t first, std::size_t last) mutable {
      const std::shared_lock lock(vocabulary.mutex());
      TextBlock& block = *blocks_[first / block_size];
      for (std::size_t s = 0; s < stages.size(); ++s) {
        if (stages[s].kind != StageKind::phrase) continue;
        TextBlock::Phrases& found = block.phrases.emplace_back();
        const int column = vocabulary.columns(static_cast<int>(s)).reference;
        found.words.reserve(block.words.size());
        constexpr std::size_t ahead = 16;
        for (std::size_t at = 0; at < block.words.size(); ++at) {
          if (at + ahead < block.words.size()) vocabulary.prefetch(block.words[at + ahead]);
          const std::span<const std::int32_t> number = vocabulary.keys(column, block.words[at]);
          // The number may come from a custom stage, and be too large for the table.
          const bool is_word = !number.empty() && number.front() < stages[s].phrases->words().size();
          found.words.push_back(is_word ? number.front() : -1);
        }
        finder.find(*stages[s].phrases, found.words, block.word_ends, found.left_phrases, found.ends);
      }
      for (std::size_t k = 0; k < last - first; ++k) {
        for (const TextBlock::Phrases& found : block.phrases) {
          block.views.push_back(
              {piece(found.words, block.word_ends, k), piece(found.left_phrases, found.ends, k)});
        }
      }
    };
  });
}

}  // namespace bolide
