// Files mapped into memory, without an open descriptor: Python's mmap keeps one for each file.
#ifndef _WIN32
#include <sys/mman.h>
#endif

#include <cerrno>

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

#ifndef _WIN32
struct Mapping {
  void* start;
  std::size_t size;
};

// The first `size` bytes of an open file, as a read-only array. The caller may close the file.
nb::object map_file(int descriptor, std::size_t size) {
  void* start = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) {
    PyErr_SetFromErrno(PyExc_OSError);
    throw nb::python_error();
  }
  nb::capsule owner(new Mapping{start, size}, [](void* p) noexcept {
    auto* mapping = static_cast<Mapping*>(p);
    munmap(mapping->start, mapping->size);
    delete mapping;
  });
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(start, {size}, owner));
}
#endif

}  // namespace

void bind_mapped_file(nb::module_& m) {
#ifndef _WIN32
  m.def("map_file", &map_file, "descriptor"_a, "size"_a);
#endif
}

}  // namespace bolide::python
