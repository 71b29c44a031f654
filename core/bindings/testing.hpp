// The parts of the module `_core_testing`.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "support/instructions.hpp"

namespace bolide::python {

// The best set of instructions, or the one of this name. A ValueError if that is not available.
Instructions instructions_named(const std::optional<std::string>& name);

void bind_testing_aligner(nanobind::module_& m);
void bind_testing_paraphrases(nanobind::module_& m);
void bind_testing_sweep(nanobind::module_& m);

}  // namespace bolide::python
