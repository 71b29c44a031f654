// Sets of CPU instructions, chosen at run time: one build serves all processors.
//
// This file and its .cpp are the only place that asks the CPU. Code for a certain set is compiled with an
// attribute of compiler.hpp, and runs only if the caller was given that set.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#include "support/compiler.hpp"

namespace bolide {

// From the most general to the best. `portable` is what the compiler uses for every processor of its
// architecture. 64-bit ARM always has `neon`.
enum class Instructions : std::uint8_t { portable, neon, avx2, avx512 };

// BOLIDE_INSTRUCTIONS has a value that is not the name of a set.
class InstructionsError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The sets that this CPU has, up to the one that the environment variable BOLIDE_INSTRUCTIONS names. The best
// is the last; `portable` is always there. The variable is read once. Throws InstructionsError.
std::span<const Instructions> available_instructions();

// The last of them.
Instructions best_instructions();

std::string_view name_of(Instructions instructions);

}  // namespace bolide
