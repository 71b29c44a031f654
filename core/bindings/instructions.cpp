#include "support/instructions.hpp"

#include <exception>

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

nb::list available() {
  nb::list names;
  for (const Instructions each : available_instructions()) names.append(to_str(name_of(each)));
  return names;
}

// An InstructionsError becomes bolide's ConfigurationError. The value of the variable may be any bytes.
void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const InstructionsError& wrong) {
    const nb::object type = nb::module_::import_("bolide.errors").attr("ConfigurationError");
    const nb::object message = nb::steal(PyUnicode_DecodeFSDefault(wrong.what()));
    PyErr_SetObject(type.ptr(), message.ptr());
  }
}

}  // namespace

void bind_instructions(nb::module_& m) {
  nb::register_exception_translator(&translate);
  m.def("available_instructions", &available);
}

}  // namespace bolide::python
