#include "support/instructions.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace bolide {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 4> names = {"portable", "neon", "avx2", "avx512"};

bool cpu_has(Instructions instructions) {
  switch (instructions) {
    case Instructions::portable:
      return true;
#ifdef BOLIDE_X86
    // All that the attributes in compiler.hpp name.
    case Instructions::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    case Instructions::avx512:
      return cpu_has(Instructions::avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
#endif
#ifdef BOLIDE_NEON
    case Instructions::neon:
      return true;
#endif
    default:
      return false;
  }
}

// How many sets BOLIDE_INSTRUCTIONS allows, from the first.
std::size_t allowed() {
  const char* variable = std::getenv("BOLIDE_INSTRUCTIONS");
  const std::string_view wanted = variable ? variable : "";
  if (wanted.empty()) return names.size();
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == wanted) return k + 1;
  }
  throw InstructionsError("BOLIDE_INSTRUCTIONS must be portable, neon, avx2 or avx512, not '" +
                          std::string(wanted) + "'");
}

std::vector<Instructions> find_available() {
  std::vector<Instructions> found;
  for (std::size_t k = 0, end = allowed(); k < end; ++k) {
    if (cpu_has(static_cast<Instructions>(k))) found.push_back(static_cast<Instructions>(k));
  }
  return found;
}

}  // namespace

std::span<const Instructions> available_instructions() {
  static const std::vector<Instructions> available = find_available();
  return available;
}

Instructions best_instructions() {
  return available_instructions().back();
}

std::string_view name_of(Instructions instructions) {
  return names[static_cast<std::size_t>(instructions)];
}

}  // namespace bolide
