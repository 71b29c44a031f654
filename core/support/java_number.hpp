// Numbers as Java prints them.
#pragma once

#include <string>

namespace bolide {

// Appends the number as `Double.toString` writes it: with the fewest digits that identify it, and with an
// exponent outside of [1e-3, 1e7). (Java before 19 writes a superfluous digit for some numbers above 1e17.
// Numbers here are smaller.)
void append_java_double(double number, std::string& out);

}  // namespace bolide
