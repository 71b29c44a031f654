// Numbers as Java prints them.
#pragma once

#include <string>

namespace bolide {

// Appends what `Double.toString` gives: the shortest digits that name the number; outside of [1e-3, 1e7) one
// digit before the point, and an exponent. (Java before 19 prints a digit too many for some numbers above
// 1e17; nothing here grows so large.)
void append_java_double(double number, std::string& out);

}  // namespace bolide
