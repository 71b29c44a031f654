#include "support/java_number.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "support/compiler.hpp"
#include "support/shortest_decimal.hpp"

namespace bolide {

void append_java_double(double number, std::string& out) {
  if (std::isnan(number)) {
    out += "NaN";
    return;
  }
  if (std::signbit(number)) out += '-';
  number = std::fabs(number);
  if (std::isinf(number)) {
    out += "Infinity";
    return;
  }
  const bool plain = number == 0 || (number >= 1e-3 && number < 1e7);
#ifdef BOLIDE_FLOAT_TO_CHARS
  char text[40];
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const std::string_view digits(text, std::to_chars(text, text + sizeof text, number, format).ptr - text);
#else
  const std::string text = shortest_decimal(number, plain);
  const std::string_view digits = text;
#endif
  const std::size_t exponent = plain ? digits.size() : digits.find('e');
  const std::string_view mantissa = digits.substr(0, exponent);
  out += mantissa;
  if (mantissa.find('.') == std::string_view::npos) out += ".0";
  if (plain) return;
  int power = 0;  // C++ writes e-05; Java writes neither zeros nor a plus sign
  std::string_view shown = digits.substr(exponent + 1);
  if (shown.front() == '+') shown.remove_prefix(1);
  std::from_chars(shown.data(), shown.data() + shown.size(), power);
  out += 'E' + std::to_string(power);
}

}  // namespace bolide
