// Sets of CPU instructions, chosen at run time: one build serves all processors.
//
// This file and its .cpp are the only place that asks the CPU. Code for a certain set is compiled with the
// attribute below, and runs only if the caller was given that set.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#define BOLIDE_X86 1
// A function may use the set; the rest of its file is compiled for every processor.
#define BOLIDE_AVX2 __attribute__((target("avx2,popcnt")))
#define BOLIDE_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
#define BOLIDE_NEON 1
#endif

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
