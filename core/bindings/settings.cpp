#include "bindings/settings.hpp"

#include <map>
#include <utility>

#include "align/beam/beam.hpp"

namespace bolide::python {

StageKind kind_of(const std::string& name) {
  static const std::map<std::string, StageKind> kinds = {
      {"exact", StageKind::exact},       {"related", StageKind::related},
      {"directed", StageKind::directed}, {"directed-exact", StageKind::directed_exact},
      {"phrase", StageKind::phrase},     {"near", StageKind::near}};
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) {
    throw nb::value_error("a stage is exact, related, directed, directed-exact, phrase or near");
  }
  return kind->second;
}

AlignerSettings aligner_settings(const std::string& name, std::vector<double> gain_weights, int width) {
  static const std::map<std::string, AlignerKind> kinds = {{"beam", AlignerKind::beam},
                                                           {"exact", AlignerKind::exact},
                                                           {"staged", AlignerKind::staged},
                                                           {"greedy", AlignerKind::greedy}};
  const auto kind = kinds.find(name);
  if (kind == kinds.end()) throw nb::value_error("an aligner is beam, exact, staged or greedy");
  if (width < 1 || width > widest_beam) throw nb::value_error("a beam is 1 to 60000 wide");
  AlignerSettings settings;
  settings.kind = kind->second;
  settings.gain_weights = std::move(gain_weights);
  settings.width = width;
  return settings;
}

}  // namespace bolide::python
