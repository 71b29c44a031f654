// The module `_core_testing`: parts of the core that only tests call. Releases do not contain it.
#include "bindings/testing.hpp"

NB_MODULE(_core_testing, m) {
  m.doc() = "Parts of the native core that only tests call. See _core_testing.pyi.";

  using namespace bolide::python;
  nanobind::module_::import_("bolide._core");  // which binds the types of the arguments
  bind_testing_aligner(m);
  bind_testing_paraphrases(m);
  bind_testing_sweep(m);
}
