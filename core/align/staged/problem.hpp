// The part of a stage that is still open after all forced matches: the problem that StageSearch solves.
#pragma once

#include <cstdint>
#include <vector>

namespace bolide {

// Reference words (slots) that may be matched to hypothesis words (words). Both are numbered by position.
struct StageProblem {
  struct Edge {
    std::int32_t slot, word;
    std::int64_t cost;            // crosses and links with the fixed matches
    std::int32_t next_word = -1;  // the word that continues the chunk, if the next slot may be matched to it
    bool may_continue = false;    // whether this edge can continue the chunk of an edge of the slot before
  };
  // In a group of words that all match each other, there is a best set without crosses: uncrossing two pairs
  // removes a cross and adds none. So a word of the smaller side can be matched to only (difference of the
  // sizes + 1) words of the larger side. These edges form a band.
  enum class Order : std::uint8_t {
    any,        // not all words match each other
    ascending,  // every slot must be matched, to a word after those of the earlier slots
    lowest,     // every word must be matched: a slot takes the first free word, or none
  };
  struct GroupShape {
    Order order;
    std::int32_t rows, width;  // of a band: words of the smaller side, and how many choices each has
  };
  struct Slot {
    std::int32_t first, end;  // its edges, sorted by word
    std::int32_t group;
    bool must;  // be matched
  };
  struct Word {
    std::int32_t group;
    bool must;  // be matched
  };
  std::vector<Edge> edges;  // sorted by slot, then word
  std::vector<Slot> slots;
  std::vector<Word> words;
  std::vector<GroupShape> groups;
  std::int64_t cross = 1;            // the cost of a cross; a link (two neighbours in a chunk) saves 1
  std::vector<std::int32_t> choice;  // by slot: the edge in the best known solution; -1: none
};

}  // namespace bolide
