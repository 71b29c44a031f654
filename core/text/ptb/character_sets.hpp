// The named sets of characters that the patterns use.
#pragma once

#include <map>
#include <string_view>

#include "text/ptb/pattern.hpp"

namespace bolide::ptb {

std::map<std::string_view, CharacterSet> character_sets();

}  // namespace bolide::ptb
