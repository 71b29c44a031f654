// Which instructions of the processor may be used; each set includes those before it. Asked for at run time,
// for one build serves all processors.
#pragma once

#include <cstdint>

namespace bolide {

enum class Instructions : std::uint8_t { portable, avx2, avx512 };

}  // namespace bolide
