// The automaton of all rules as a table: state and character give the next state.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "text/ptb/pattern.hpp"

namespace bolide::ptb {

// Characters that no pattern tells apart are of one kind.
class Alphabet {
 public:
  static constexpr std::size_t max_size = 160;

  explicit Alphabet(const Nfa& nfa);

  std::uint8_t kind_of(char32_t c) const { return c < kind_table_.size() ? kind_table_[c] : beyond_; }
  std::uint8_t kind_of_end() const { return end_; }  // of the end of the text
  std::size_t size() const { return size_; }
  bool contains(std::int32_t set, std::uint8_t kind) const {
    return members_[static_cast<std::size_t>(set)][kind];
  }

 private:
  void fill_table(const std::vector<char32_t>& bounds, const std::vector<std::uint8_t>& kinds);

  std::size_t size_ = 0;
  std::array<std::uint8_t, 0x10000> kind_table_{};
  std::uint8_t beyond_ = 0, end_ = 0;
  std::vector<std::bitset<256>> members_;  // the kinds of each set of the automaton
};

// States and moves are added when they are first needed: most texts need few of them, and no time is spent at
// the start. Any number of threads may use one table.
class Table {
 public:
  using State = std::uint16_t;
  static constexpr State unknown = 0, dead = 1, start = 2;

  // An automaton that begins in any of the states `first`. If several rules match the same text, the one with
  // the lowest number wins.
  Table(const Nfa& nfa, const Alphabet& alphabet, const std::vector<std::int32_t>& first,
        std::size_t max_states);
  ~Table();

  State next(State state, std::uint8_t kind) const {
    const State known = move(state, kind).load(std::memory_order_acquire);
    return known != unknown ? known : find_next(state, kind);
  }
  std::int32_t rule(State state) const { return rules_[state]; }  // Nfa::none: no rule ends here
  void build_all() const;                                         // all states, for tests

 private:
  using Subset = std::vector<std::int32_t>;  // of states of the nondeterministic automaton
  struct Builder;
  std::atomic<State>& move(State state, std::size_t kind) const {
    return moves_[state * Alphabet::max_size + kind];
  }
  State number_of(Subset subset) const;
  std::int32_t first_rule(const Subset& subset) const;
  State find_next(State state, std::uint8_t kind) const;

  std::size_t max_states_;
  std::unique_ptr<std::atomic<State>[]> moves_;  // one row per state
  std::unique_ptr<std::int32_t[]> rules_;
  std::unique_ptr<Builder> builder_;
};

}  // namespace bolide::ptb
