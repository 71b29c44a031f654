// The module `_core`: Python's view of the core. The files in this folder convert types, release the GIL and
// map errors; no other file of the core knows Python.

#include "bindings/convert.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The native core of bolide; private. See _core.pyi.";
  // The command line ends without a last garbage collection (__main__.py), which looks like leaks.
  nanobind::set_leak_warnings(false);

  // An object that a thread of another process was changing cannot be freed safely, not even at exit.
  m.def("never_free", [](nanobind::object kept) { kept.release(); });

  using namespace bolide::python;
  bind_analyst(m);
  bind_engine(m);
  bind_instructions(m);
  bind_lines(m);
  bind_mapped_file(m);
  bind_mert(m);
  bind_phrase_pairs(m);
  bind_ptb(m);
  bind_score(m);
  bind_statistics_layout(m);
  bind_suffix_rules(m);
  bind_sweep(m);
  bind_tables(m);
  bind_text(m);
  bind_token_cache(m);
  bind_union(m);
  bind_vocabulary(m);
}
