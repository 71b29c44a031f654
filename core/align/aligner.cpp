#include "align/aligner.hpp"

#include <stdexcept>

#include "align/beam/beam.hpp"
#include "align/exact/exact.hpp"
#include "align/greedy/greedy.hpp"
#include "align/staged/staged.hpp"

namespace bolide {

std::unique_ptr<Aligner> make_aligner(const AlignerSettings& settings) {
  switch (settings.kind) {
    case AlignerKind::beam:
      return std::make_unique<BeamAligner>(settings);
    case AlignerKind::staged:
      return std::make_unique<StagedAligner>(settings);
    case AlignerKind::greedy:
      return std::make_unique<GreedyAligner>();
    case AlignerKind::exact:
      return std::make_unique<ExactAligner>(settings);
    default:
      throw std::invalid_argument("no such aligner");
  }
}

}  // namespace bolide
