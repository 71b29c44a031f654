#include "support/shortest_decimal.hpp"

#include <cstdio>
#include <cstdlib>

namespace bolide {

namespace {

// Adds 1 to the last digit. Returns false if all digits are 9.
bool add_one(std::string& number) {
  for (std::size_t k = number.find('e'); k-- > 0;) {
    const bool is_digit = number[k] >= '0' && number[k] <= '9';  // not the decimal point
    if (is_digit && number[k] != '9') {
      ++number[k];
      return true;
    }
    if (is_digit) number[k] = '0';
  }
  return false;
}

// Tries numbers of 1, 2, ... digits. 17 digits are always enough.
std::string shortest_scientific(double number) {
  for (int digits = 1;; ++digits) {
    char room[40];
    std::snprintf(room, sizeof room, "%.*e", digits - 1, number);
    std::string text = room;
    const double read = std::strtod(room, nullptr);
    if (read == number || digits == 17) return text;
    // Doubles below a power of two are closer together than those above it. So for a power of two, the
    // decimal number above it may be read as the power, while the decimal number below it, although nearer,
    // may not.
    if (read < number && add_one(text) && std::strtod(text.c_str(), nullptr) == number) return text;
  }
}

}  // namespace

std::string shortest_decimal(double number, bool plain) {
  std::string text = shortest_scientific(number);
  const std::size_t end = text.find('e');
  if (end > 1) text[1] = '.';  // instead of the decimal point of the locale
  if (!plain) return text;
  const int power = std::atoi(text.c_str() + end + 1);
  std::string digits = text.substr(0, 1);
  if (end > 2) digits.append(text, 2, end - 2);
  if (power < 0) return "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(power) + 1;
  if (digits.size() <= whole) return digits.append(whole - digits.size(), '0');
  return digits.insert(whole, 1, '.');
}

}  // namespace bolide
