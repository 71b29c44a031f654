// std::to_chars for doubles, for systems that do not have it (see compiler.hpp).
#pragma once

#include <string>

namespace bolide {

// The decimal number with the fewest digits that is read as `number`, which is positive and finite; of
// several, the nearest. It is written as 1.25e-05, or, if `plain`, as 0.0000125.
std::string shortest_decimal(double number, bool plain);

}  // namespace bolide
