// Files mapped into memory, without an open descriptor: Python's mmap keeps one for each file.
#include "bindings/convert.hpp"

// Last, because windows.h defines macros, such as `near`.
#ifdef _WIN32
#include <io.h>
#include <windows.h>
#else
#include <sys/mman.h>
#endif

namespace bolide::python {

namespace {

struct Mapping {
  void* start;
  std::size_t size;
};

#ifdef _WIN32
// The view keeps the file mapped after its handles are closed.
void* map(int descriptor, std::size_t size) {
  const auto file = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (!mapping) return nullptr;
  void* start = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, size);
  const DWORD error = GetLastError();
  CloseHandle(mapping);
  SetLastError(error);
  return start;
}
void unmap(const Mapping& mapping) {
  UnmapViewOfFile(mapping.start);
}
void set_error() {
  PyErr_SetFromWindowsErr(0);
}
#else
void* map(int descriptor, std::size_t size) {
  void* start = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? nullptr : start;
}
void unmap(const Mapping& mapping) {
  munmap(mapping.start, mapping.size);
}
void set_error() {
  PyErr_SetFromErrno(PyExc_OSError);
}
#endif

// The first `size` bytes of an open file, as a read-only array. The caller may close the file.
nb::object map_file(int descriptor, std::size_t size) {
  void* start = map(descriptor, size);
  if (!start) {
    set_error();
    throw nb::python_error();
  }
  nb::capsule owner(new Mapping{start, size}, [](void* p) noexcept {
    auto* mapping = static_cast<Mapping*>(p);
    unmap(*mapping);
    delete mapping;
  });
  return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(start, {size}, owner));
}

}  // namespace

void bind_mapped_file(nb::module_& m) {
  m.def("map_file", &map_file, "descriptor"_a, "size"_a);
}

}  // namespace bolide::python
