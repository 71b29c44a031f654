#include "bindings/settings.hpp"

#include <utility>

namespace bolide::python {

StageKind kind_of(const std::string& name) {
  static constexpr std::pair<std::string_view, StageKind> kinds[] = {
      {"exact", StageKind::exact},       {"related", StageKind::related},
      {"directed", StageKind::directed}, {"directed-exact", StageKind::directed_exact},
      {"phrase", StageKind::phrase},     {"near", StageKind::near},
      {"letters", StageKind::letters}};
  return named(kinds, name, "a stage is exact, related, directed, directed-exact, phrase or near");
}

AlignerSettings aligner_settings(const std::string& name, std::vector<double> gain_weights, int width) {
  static constexpr std::pair<std::string_view, AlignerKind> kinds[] = {{"beam", AlignerKind::beam},
                                                                       {"exact", AlignerKind::exact},
                                                                       {"staged", AlignerKind::staged},
                                                                       {"greedy", AlignerKind::greedy},
                                                                       {"repeat", AlignerKind::repeat}};
  AlignerSettings settings;
  settings.kind = named(kinds, name, "an aligner is beam, exact, staged, greedy or repeat");
  if (width < 1 || width > widest_beam) throw nb::value_error("a beam is 1 to 60000 wide");
  settings.gain_weights = std::move(gain_weights);
  settings.width = width;
  return settings;
}

}  // namespace bolide::python
