// A cache of texts that have been split into words: the same references come again with every system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model.hpp"
#include "support/quick_hash.hpp"

namespace bolide {

// The texts that one thread works on at a time. They share arrays, so that no text needs an allocation.
struct TextBlock {
  // The words and phrases of the texts in one phrase table.
  struct Phrases {
    std::vector<std::int32_t> words;
    std::vector<LeftPhrase> left_phrases;
    std::vector<std::size_t> ends;
  };
  std::vector<std::int32_t> words;
  std::vector<std::size_t> word_ends;
  std::vector<Phrases> phrases;   // one per phrase stage
  std::vector<PhraseView> views;  // one per text and phrase stage
  // Words that are not in the vocabulary yet: their place in `words`, and their spelling in `unknown_text`.
  struct Unknown {
    std::size_t place, start, size;
  };
  std::vector<Unknown> unknown;
  std::string unknown_text;
};

// A text, as its number within a block.
struct TextPlace {
  std::shared_ptr<const TextBlock> block;
  std::size_t index = 0;
};

// Keeps the texts that were used last: at least `most_words` words, at most twice as many. Texts of another
// origin replace all others. Several threads may use it at once.
class KnownTexts {
 public:
  static constexpr std::size_t most_words = 1 << 17;

  // What a sentence depends on apart from its text: the vocabulary that numbers its words, and the
  // normalizer.
  struct Origin {
    std::uint64_t vocabulary = 0;  // Vocabulary::id
    const void* rules = nullptr;   // NormalizerRules, or null
    bool operator==(const Origin&) const = default;
  };

  // Finds texts; the block is null if a text is not known. Texts of another origin are forgotten.
  std::vector<TextPlace> find(std::span<const std::string_view> texts, const Origin& origin) {
    std::vector<TextPlace> places(texts.size());
    const std::lock_guard lock(mutex_);
    if (origin != origin_) {
      recent_.clear();
      forget_old();
      origin_ = origin;
    }
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (const auto found = recent_.find(texts[k]); found != recent_.end()) {
        places[k] = found->second;
      } else if (const auto older = old_.find(texts[k]); older != old_.end()) {
        places[k] = older->second;
        keep(std::string(texts[k]), places[k]);
      }
    }
    return places;
  }

  // Adds texts that `find` did not find.
  void add(std::span<const std::pair<std::string_view, TextPlace>> texts, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (origin != origin_) return;  // another thread has changed it in the meantime
    for (const auto& [text, place] : texts) keep(std::string(text), place);
  }

 private:
  void keep(std::string text, const TextPlace& place) {
    // A text keeps its whole block alive, including hypotheses. Its spelling counts too.
    const std::size_t block = place.block->words.size(), own = text.size() / 16 + 1;
    if (std::max(block, own) > most_words / 4 || !recent_.emplace(std::move(text), place).second) return;
    words_ += own + (recent_blocks_.insert(place.block.get()).second ? block : 0);
    if (words_ >= most_words) forget_old();
  }
  void forget_old() {
    old_ = std::exchange(recent_, {});
    recent_blocks_.clear();
    words_ = 0;
  }

  std::mutex mutex_;
  Origin origin_;
  StringMap<TextPlace> recent_, old_;
  std::unordered_set<const TextBlock*> recent_blocks_;
  std::size_t words_ = 0;  // of the recent texts
};

}  // namespace bolide
