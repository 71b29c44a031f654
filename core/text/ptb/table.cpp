// Subset construction: a state of the table is a set of states of the nondeterministic automaton.
#include "text/ptb/table.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

namespace bolide::ptb {
namespace {

using Subset = std::vector<std::int32_t>;

// Adds the states that are reached by free moves.
class Closure {
 public:
  explicit Closure(const Nfa& nfa) : nfa_(nfa), seen_(nfa.states.size()) {}

  Subset of(const Subset& states) {
    ++round_;
    todo_ = states;
    Subset result;
    while (!todo_.empty()) {
      const std::int32_t state = todo_.back();
      todo_.pop_back();
      if (state == Nfa::none || seen_[static_cast<std::size_t>(state)] == round_) continue;
      seen_[static_cast<std::size_t>(state)] = round_;
      const Nfa::State& each = nfa_.states[static_cast<std::size_t>(state)];
      if (each.set != Nfa::none || each.accepts != Nfa::none) result.push_back(state);
      if (each.set == Nfa::none) {
        todo_.push_back(each.next);
        todo_.push_back(each.other);
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  const Nfa& nfa_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t round_ = 0;
  Subset todo_;
};

}  // namespace

Alphabet::Alphabet(const Nfa& nfa) : members_(nfa.sets.size()) {
  std::vector<char32_t> bounds = {0, 0x10000, end_of_text};
  for (const CharacterSet& set : nfa.sets) {
    for (const Interval& each : set) {
      bounds.push_back(each.first);
      if (each.last < end_of_text) bounds.push_back(each.last + 1);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<std::vector<std::uint16_t>> sets_at(bounds.size());
  for (std::size_t s = 0; s < nfa.sets.size(); ++s) {
    for (const Interval& each : nfa.sets[s]) {
      auto k = static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), each.first) -
                                        bounds.begin());
      for (; k < bounds.size() && bounds[k] <= each.last; ++k) {
        sets_at[k].push_back(static_cast<std::uint16_t>(s));
      }
    }
  }
  std::map<std::vector<std::uint16_t>, std::uint8_t> numbers;
  std::vector<std::uint8_t> kinds;
  for (const auto& sets : sets_at) {
    const auto [found, is_new] = numbers.try_emplace(sets, static_cast<std::uint8_t>(numbers.size()));
    if (numbers.size() > max_size) throw std::logic_error("too many kinds of characters");
    kinds.push_back(found->second);
    if (!is_new) continue;
    for (const std::uint16_t s : sets) members_[s].set(found->second);
  }
  size_ = numbers.size();
  fill_table(bounds, kinds);
}

void Alphabet::fill_table(const std::vector<char32_t>& bounds, const std::vector<std::uint8_t>& kinds) {
  for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
    for (char32_t c = bounds[k]; c < bounds[k + 1] && c < kind_table_.size(); ++c) kind_table_[c] = kinds[k];
    if (bounds[k] == kind_table_.size()) beyond_ = kinds[k];
  }
  end_ = kinds.back();
}

struct Table::Builder {
  const Nfa& nfa;
  const Alphabet& alphabet;
  Closure closure{nfa};
  std::mutex mutex{};
  std::vector<Subset> subsets{};  // of each state
  std::map<Subset, State> numbers{};
};

Table::Table(const Nfa& nfa, const Alphabet& alphabet, const std::vector<std::int32_t>& first,
             std::size_t max_states)
    : max_states_(max_states),
      moves_(new std::atomic<State>[max_states * Alphabet::max_size]()),
      rules_(new std::int32_t[max_states]),
      builder_(new Builder{nfa, alphabet}) {
  builder_->subsets.resize(unknown + 1);
  number_of({});
  number_of(builder_->closure.of(first));
  for (std::size_t kind = 0; kind < Alphabet::max_size; ++kind) move(dead, kind) = dead;
}

Table::~Table() = default;

Table::State Table::number_of(Subset subset) const {
  Builder& builder = *builder_;
  const auto [found, is_new] =
      builder.numbers.try_emplace(std::move(subset), static_cast<State>(builder.subsets.size()));
  if (is_new) {
    if (builder.subsets.size() == max_states_)
      throw std::length_error("the PTB automaton has too many states");
    builder.subsets.push_back(found->first);
    rules_[found->second] = first_rule(found->first);
  }
  return found->second;
}

std::int32_t Table::first_rule(const Subset& subset) const {
  std::int32_t rule = Nfa::none;
  for (const std::int32_t s : subset) {
    const std::int32_t accepts = builder_->nfa.states[static_cast<std::size_t>(s)].accepts;
    if (accepts != Nfa::none && (rule == Nfa::none || accepts < rule)) rule = accepts;
  }
  return rule;
}

void Table::build_all() const {
  for (State state = start; state < builder_->subsets.size(); ++state) {
    for (std::size_t kind = 0; kind < builder_->alphabet.size(); ++kind) {
      next(state, static_cast<std::uint8_t>(kind));
    }
  }
}

Table::State Table::find_next(State state, std::uint8_t kind) const {
  const std::lock_guard lock(builder_->mutex);
  Subset targets;
  for (const std::int32_t s : builder_->subsets[state]) {
    const Nfa::State& each = builder_->nfa.states[static_cast<std::size_t>(s)];
    if (each.set != Nfa::none && builder_->alphabet.contains(each.set, kind)) targets.push_back(each.next);
  }
  const State result = targets.empty() ? dead : number_of(builder_->closure.of(targets));
  move(state, kind).store(result, std::memory_order_release);
  return result;
}

}  // namespace bolide::ptb
