// What a stage of METEOR 2005's alignment leaves open after the forced mappings.
#pragma once

#include <cstdint>
#include <vector>

namespace bolide {

// Reference words (slots) that may be tied to hypothesis words, both numbered in the order of their
// positions.
struct StageProblem {
  struct Edge {
    std::int32_t slot, word;
    std::int64_t cost;            // of what it does with the mappings that are fixed
    std::int32_t next_word = -1;  // the word that continues the chunk, if the next slot may be tied to it
    bool may_continue = false;    // whether an edge of the slot before has this one as its next
  };
  // In a group of words that all match each other, a best set keeps the order of the words: uncrossing two
  // pairs removes a cross and adds none. So each word of the smaller side has only as many neighbours to
  // choose from as the larger side has words to spare, and one: a band.
  enum class Order : std::uint8_t {
    any,        // not all match each other
    ascending,  // every slot must be tied: to a word after those of the slots before
    lowest,     // every word must be tied: a slot takes the first free one, or none
  };
  struct GroupShape {
    Order order;
    std::int32_t rows, width;  // of a band: words of the smaller side, and neighbours of each
  };
  struct Slot {
    std::int32_t first, end;  // edges, by word
    std::int32_t group;
    bool must;  // be tied
  };
  struct Word {
    std::int32_t group;
    bool must;  // be tied
  };
  std::vector<Edge> edges;  // by slot, then word
  std::vector<Slot> slots;
  std::vector<Word> words;
  std::vector<GroupShape> groups;
  std::int64_t cross = 1;            // what a cross costs; a link (two neighbours in a chunk) saves 1
  std::vector<std::int32_t> choice;  // by slot: the edge of the best solution known, -1: none
};

}  // namespace bolide
