// The texts of a batch as sentences: normalised, split, their words numbered, their phrases found, each text
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model.hpp"
#include "sentences/known_texts.hpp"
#include "text/normalizer.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide {

// Told the words that the vocabulary lacks; must add them to it. Called on the calling thread, at most once.
using Analyse = std::function<void(std::span<const std::string_view>)>;

// Longest sentence that the search can align.
constexpr std::size_t longest_sentence = 100000;

struct SentenceSettings {
  const NormalizerRules* rules;   // null: texts are only split into words
  std::span<const Stage> stages;  // phrases are looked up for the phrase stages among them
  int threads;
};

// Texts from number `first` on are looked up in `known`, and added to it. Null: none are.
struct RememberedTexts {
  KnownTexts* known = nullptr;
  std::size_t first = 0;
};

class Sentences {
 public:
  // Equal texts are worked on once: references are often the same in many pairs (several systems, n-best
  // lists).
  Sentences(std::span<const std::string_view> texts, const SentenceSettings& settings, Vocabulary& vocabulary,
            const Analyse& analyse, const RememberedTexts& references = {});

  // Valid as long as this object; the vocabulary must be held for reading while words are looked up.
  Sentence operator[](std::size_t text) const;

 private:
  std::size_t number_texts(std::span<const std::string_view> texts, std::size_t first_reference);
  void tokenize(const NormalizerRules* rules, const Vocabulary& vocabulary, int threads);
  void learn_unknown(Vocabulary& vocabulary, const Analyse& analyse);
  void find_phrases(std::span<const Stage> stages, const Vocabulary& vocabulary, int threads);

  std::vector<std::string_view> distinct_;
  std::vector<std::uint32_t> number_of_;            // text -> its place in distinct_
  std::vector<std::uint32_t> fresh_;                // those of the distinct texts that are worked on here
  std::vector<std::shared_ptr<TextBlock>> blocks_;  // of the fresh ones
  std::vector<TextPlace> places_;                   // of the distinct ones
  std::size_t tables_ = 0;
};

}  // namespace bolide
