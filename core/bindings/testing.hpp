// The parts of the module `_core_testing`.
#pragma once

#include <nanobind/nanobind.h>

namespace bolide::python {

void bind_testing_aligner(nanobind::module_& m);
void bind_testing_paraphrases(nanobind::module_& m);
void bind_testing_sweep(nanobind::module_& m);

}  // namespace bolide::python
