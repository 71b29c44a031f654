#include "align/aligner.hpp"

#include <stdexcept>

namespace bolide {

std::unique_ptr<Aligner> make_aligner(const AlignerSettings& settings) {
  switch (settings.kind) {
    case AlignerKind::beam:
      return make_beam_aligner(settings);
    case AlignerKind::exact:
      return make_exact_aligner(settings);
    case AlignerKind::staged:
      return make_staged_aligner(settings);
    case AlignerKind::greedy:
      return make_greedy_aligner(false);
    case AlignerKind::repeat:
      return make_greedy_aligner(true);
    default:
      throw std::invalid_argument("no such aligner");
  }
}

}  // namespace bolide
