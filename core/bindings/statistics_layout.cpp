#include "score/statistics_layout.hpp"

#include <utility>

#include "bindings/convert.hpp"

namespace bolide::python {

namespace {

// A layout with the names of its stages.
struct NamedLayout {
  StatisticsLayout layout;
  std::vector<std::string> stages;

  explicit NamedLayout(std::vector<std::string> names) : layout(names.size()), stages(std::move(names)) {}
};

NamedLayout of_width(std::size_t width) {
  std::vector<std::string> names;
  for (std::size_t k = 1; k <= layout_of(width).stages(); ++k) names.push_back("stage" + std::to_string(k));
  return NamedLayout(std::move(names));
}

template <typename Names>
nb::tuple to_tuple(const Names& names) {
  nb::list list;
  for (const auto& name : names) list.append(to_str(name));
  return nb::tuple(list);
}

nb::slice stages_between(const NamedLayout& self, std::size_t first, std::size_t last) {
  return nb::slice(nb::int_(self.layout.stage(first)), nb::int_(self.layout.stage(last)), nb::none());
}

nb::slice stage(const NamedLayout& self, std::size_t number) {
  if (number >= self.stages.size()) throw nb::index_error("no such stage");
  return stages_between(self, number, number + 1);
}

}  // namespace

void bind_statistics_layout(nb::module_& m) {
  const auto column = [](std::size_t (StatisticsLayout::*place)(TextSide) const, TextSide side) {
    return [place, side](const NamedLayout& self) { return (self.layout.*place)(side); };
  };
  const auto length = &StatisticsLayout::length, function_words = &StatisticsLayout::function_words,
             word_matches = &StatisticsLayout::word_matches;
  nb::class_<NamedLayout> layout(m, "StatisticsLayout", nb::is_final());
  layout.def(nb::init<std::vector<std::string>>(), "stages"_a)
      .def_static("of_width", &of_width, "width"_a)
      .def_static("is_width", &StatisticsLayout::is_width, "width"_a)
      .def_prop_ro("stages", [](const NamedLayout& self) { return to_tuple(self.stages); })
      .def_prop_ro("width", [](const NamedLayout& self) { return self.layout.width(); })
      .def_prop_ro("columns", [](const NamedLayout& self) { return to_tuple(column_names(self.stages)); })
      .def_prop_ro("hypothesis_length", column(length, hypothesis_side))
      .def_prop_ro("reference_length", column(length, reference_side))
      .def_prop_ro("hypothesis_function_words", column(function_words, hypothesis_side))
      .def_prop_ro("reference_function_words", column(function_words, reference_side))
      .def("stage", &stage, "number"_a)
      .def_prop_ro("all_stages",
                   [](const NamedLayout& self) { return stages_between(self, 0, self.stages.size()); })
      .def_prop_ro("chunks", [](const NamedLayout& self) { return self.layout.chunks(); })
      .def_prop_ro("hypothesis_matches", column(word_matches, hypothesis_side))
      .def_prop_ro("reference_matches", column(word_matches, reference_side));
  layout.attr("STAGE_COLUMNS") = to_tuple(StatisticsLayout::stage_columns);
}

}  // namespace bolide::python
