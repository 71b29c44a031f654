// Lines of files, and numbers as Java prints them, for Python.
#include "text/lines.hpp"

#include "bindings/convert.hpp"
#include "support/java_number.hpp"

namespace bolide::python {

namespace {

nb::object decoded(std::string_view line) {
  PyObject* text = PyUnicode_DecodeUTF8(line.data(), static_cast<Py_ssize_t>(line.size()), nullptr);
  if (!text) throw nb::python_error();
  return nb::steal(text);
}

nb::object item(const Lines& lines, const nb::object& index) {
  if (nb::isinstance<nb::slice>(index)) {
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(index.ptr(), &start, &stop, &step) < 0) throw nb::python_error();
    PySlice_AdjustIndices(static_cast<Py_ssize_t>(lines.size()), &start, &stop, step);
    if (step != 1) throw nb::value_error("a slice of lines has step 1");
    return nb::cast(lines.part(static_cast<std::size_t>(start), static_cast<std::size_t>(stop)));
  }
  auto k = nb::cast<Py_ssize_t>(index);
  if (k < 0) k += static_cast<Py_ssize_t>(lines.size());
  if (k < 0 || k >= static_cast<Py_ssize_t>(lines.size())) throw nb::index_error();
  return decoded(lines[static_cast<std::size_t>(k)]);
}

using PyLineBuffer = Locked<LineBuffer>;

template <std::size_t (LineBuffer::*number)() const>
std::size_t number_of(const PyLineBuffer& self) {
  return self.read([](const LineBuffer& buffer) { return (buffer.*number)(); });
}

// If a line is not UTF-8, raises the same UnicodeDecodeError as Python.
Lines take(PyLineBuffer& self, std::size_t count) {
  try {
    return without_gil([&] { return self.change([&](LineBuffer& buffer) { return buffer.take(count); }); });
  } catch (const BadLine& bad) {
    decoded(bad.line);
    throw std::logic_error("Python decodes a line that the core rejects");
  }
}

void feed(PyLineBuffer& self, const nb::bytes& block) {
  const std::string_view given(static_cast<const char*>(block.data()), block.size());
  self.change([&](LineBuffer& buffer) { buffer.feed(given); });
}

std::string java_lines(const Table<double>& rows) {
  std::string out;
  const nb::gil_scoped_release release;
  for (std::size_t k = 0; k < rows.shape(0); ++k) {
    for (std::size_t c = 0; c < rows.shape(1); ++c) {
      if (c > 0) out += '\t';
      append_java_double(rows.data()[k * rows.shape(1) + c], out);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

void bind_lines(nb::module_& m) {
  nb::class_<Lines>(m, "Lines", nb::is_final())
      .def("__len__", &Lines::size)
      .def("__getitem__", &item, "index"_a)
      .def("__iter__", [](nb::handle lines) { return nb::steal(PySeqIter_New(lines.ptr())); });
  nb::class_<PyLineBuffer>(m, "LineBuffer", nb::is_final())
      .def(nb::init<bool>(), "java_ends"_a)
      .def("feed", &feed, "block"_a)
      .def("close", [](PyLineBuffer& self) { self.change([](LineBuffer& buffer) { buffer.close(); }); })
      .def("take", &take, "count"_a)
      .def_prop_ro("available", &number_of<&LineBuffer::available>)
      .def_prop_ro("waiting", &number_of<&LineBuffer::waiting>)
      .def_prop_ro("incomplete", &number_of<&LineBuffer::incomplete>)
      .def_prop_ro("taken", &number_of<&LineBuffer::taken>);
  m.def(
      "java_double",
      [](double number) {
        std::string out;
        append_java_double(number, out);
        return out;
      },
      "number"_a);
  m.def("java_lines", &java_lines, "rows"_a);
}

}  // namespace bolide::python
