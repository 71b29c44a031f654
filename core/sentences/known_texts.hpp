// Texts as sentences, and those of them that are remembered: the same references come again with every
// system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model.hpp"
#include "support/quick_hash.hpp"

namespace bolide {

// Some texts that one thread works on; they share arrays, so that a text costs no allocation of its own.
struct TextBlock {
  // The texts as a phrase table sees them.
  struct Phrases {
    std::vector<std::int32_t> words;
    std::vector<LeftPhrase> left_phrases;
    std::vector<std::size_t> ends;
  };
  std::vector<std::int32_t> words;
  std::vector<std::size_t> word_ends;
  std::vector<Phrases> phrases;   // for each phrase stage
  std::vector<PhraseView> sides;  // for each text and phrase stage
  // Words that must be learned first: their place in words, and where they stand in unknown_text.
  struct Unknown {
    std::size_t place, start, size;
  };
  std::vector<Unknown> unknown;
  std::string unknown_text;
};

// Where a text stands.
struct TextPlace {
  std::shared_ptr<const TextBlock> block;
  std::size_t index = 0;
};

// A cache of the texts that were used last: at least `most_words` words of them, at most twice as many. It is
// emptied when texts are made in another way. Several threads may use it at once.
class KnownTexts {
 public:
  static constexpr std::size_t most_words = 1 << 17;

  // What a sentence depends on, apart from its text. The numbers of words are those of one vocabulary.
  struct Origin {
    std::uint64_t vocabulary = 0;  // Vocabulary::id
    const void* rules = nullptr;   // of the normalizer
    bool operator==(const Origin&) const = default;
  };

  // Where each text stands; the block is null if the text is not known. Texts of other makers are forgotten.
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

  // Adds texts that were not known, each with its place.
  void add(std::span<const std::pair<std::string_view, TextPlace>> texts, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (origin != origin_) return;  // another thread has changed it meanwhile
    for (const auto& [text, place] : texts) keep(std::string(text), place);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return quick_hash(text); }
  };
  using TextMap = std::unordered_map<std::string, TextPlace, Hash, std::equal_to<>>;

  void keep(std::string text, const TextPlace& place) {
    // A text keeps its whole block alive, hypotheses and all, and itself, however few words it has.
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
  TextMap recent_, old_;
  std::unordered_set<const TextBlock*> recent_blocks_;
  std::size_t words_ = 0;  // of the recent ones
};

}  // namespace bolide
