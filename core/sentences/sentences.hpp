// Turns the texts of a batch into sentences: normalizes and splits them, numbers their words, and finds their
// phrases.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model.hpp"
#include "sentences/known_texts.hpp"
#include "text/normalizer.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Callback that receives unknown words and must add them to the vocabulary. It is called on the thread of the
// caller, at most once per batch.
using Analyse = std::function<void(std::span<const std::string_view>)>;

// The longest text, in words. A longer one is an error (`too_long` in sentences.cpp).
constexpr std::size_t longest_sentence = 100000;

struct SentenceSettings {
  const NormalizerRules* rules;   // null: texts are only split into words
  std::span<const Stage> stages;  // phrases are looked up for the phrase stages among them
  int threads;
};

// Texts from number `first` on are looked up in the cache `known`, and added to it, unless it is null.
struct RememberedTexts {
  KnownTexts* known = nullptr;
  std::size_t first = 0;
};

class Sentences {
 public:
  // Equal texts are processed once: many pairs have the same reference (several systems, n-best lists).
  Sentences(std::span<const std::string_view> texts, const SentenceSettings& settings, Vocabulary& vocabulary,
            const Analyse& analyse, const RememberedTexts& references = {});

  // Valid as long as this object. Hold a shared lock of the vocabulary while you look up its words.
  Sentence operator[](std::size_t text) const;
  // Equal texts have the same number. Numbers count from 0, in the order of the first occurrences.
  std::uint32_t number(std::size_t text) const { return number_of_[text]; }
  std::string_view text(std::uint32_t number) const { return distinct_[number]; }

 private:
  std::size_t number_texts(std::span<const std::string_view> texts, std::size_t first_reference);
  void tokenize(const NormalizerRules* rules, const Vocabulary& vocabulary, int threads);
  void learn_unknown(Vocabulary& vocabulary, const Analyse& analyse);
  void find_phrases(std::span<const Stage> stages, const Vocabulary& vocabulary, int threads);

  std::vector<std::string_view> distinct_;
  std::vector<std::uint32_t> number_of_;            // by text: its number in distinct_
  std::vector<std::uint32_t> fresh_;                // the distinct texts that were not in the cache
  std::vector<std::shared_ptr<TextBlock>> blocks_;  // of the fresh texts
  std::vector<TextPlace> places_;                   // of the distinct texts
  std::size_t tables_ = 0;                          // how many phrase tables there are
};

}  // namespace bolide
