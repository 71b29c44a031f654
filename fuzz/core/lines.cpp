// Cuts bytes into lines, fed as one block and as small blocks. Both ways must give the same lines.
#include "text/lines.hpp"

#include "require.hpp"

using namespace bolide;

namespace {

// The lines, and a mark if one of them is not UTF-8.
std::vector<std::string> lines_of(std::string_view bytes, bool java_ends, std::size_t block,
                                  std::size_t batch) {
  LineBuffer buffer(java_ends);
  std::vector<std::string> found;
  for (std::size_t start = 0; start < bytes.size(); start += block) buffer.feed(bytes.substr(start, block));
  buffer.close();
  try {
    while (buffer.available() > 0) {
      const Lines lines = buffer.take(batch);
      for (std::size_t k = 0; k < lines.size(); ++k) found.emplace_back(lines[k]);
    }
  } catch (const BadLine& bad) {
    found.resize(buffer.taken());  // a batch of several lines may have failed as a whole
    found.push_back(bad.line);
  }
  return found;
}

}  // namespace

FUZZ_TARGET(input) {
  const bool java_ends = input.ConsumeBool();
  const auto block = input.ConsumeIntegralInRange<std::size_t>(1, 64);
  const std::string bytes = input.ConsumeRemainingBytesAsString();
  require(lines_of(bytes, java_ends, bytes.size() + 1, 1) == lines_of(bytes, java_ends, block, 1),
          "lines do not depend on blocks");
}
