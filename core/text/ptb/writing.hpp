// Writes tokens as their rules say.
#pragma once

#include <string>
#include <string_view>

#include "text/ptb/rules.hpp"

namespace bolide::ptb {

// Whether punctuation marks stay. pycocoevalcap removes them from the output of the tokenizer.
enum class Punctuation { kept, removed };

// Appends the token to `out`. The case of letters stays.
void write_token(const Rule& rule, std::string_view token, std::string& out);

// Whether pycocoevalcap removes the token. Brackets stay: it looks for -LRB- after lower-casing.
bool is_punctuation(std::string_view token);

// Makes letters of ASCII lower-case.
void lower_ascii(std::string& text);

}  // namespace bolide::ptb
