// The module `_core_testing`: parts of the core that only tests call. Releases do not contain it.
#include "bindings/testing.hpp"

#include <algorithm>

namespace bolide::python {

Instructions instructions_named(const std::optional<std::string>& name) {
  if (!name) return best_instructions();
  const auto available = available_instructions();
  const auto found = std::find_if(available.begin(), available.end(),
                                  [&](Instructions each) { return name_of(each) == *name; });
  if (found == available.end()) {
    const std::string message = "no instructions '" + *name + "' here";
    throw nanobind::value_error(message.c_str());
  }
  return *found;
}

}  // namespace bolide::python

NB_MODULE(_core_testing, m) {
  m.doc() = "Parts of the native core that only tests call. See _core_testing.pyi.";

  using namespace bolide::python;
  nanobind::module_::import_("bolide._core");  // which binds the types of the arguments
  bind_testing_aligner(m);
  bind_testing_paraphrases(m);
  bind_testing_sweep(m);
}
