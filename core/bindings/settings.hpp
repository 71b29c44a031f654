// The settings of stages and aligners, from the names that Python gives.
#pragma once

#include <string>
#include <vector>

#include "align/aligner.hpp"
#include "bindings/convert.hpp"
#include "vocabulary/vocabulary.hpp"

namespace bolide::python {

StageKind kind_of(const std::string& name);

AlignerSettings aligner_settings(const std::string& name, std::vector<double> gain_weights, int width);

}  // namespace bolide::python
