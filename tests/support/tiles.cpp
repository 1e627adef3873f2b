#include "tests/support/tiles.h"

#include <algorithm>
#include <map>
#include <string>
#include <type_traits>

#include "gpu/lab/experiment.h"

namespace warpview::test {
namespace {

using BlocksOfKernels = std::map<std::string, unsigned>;

// Does a variant of the primitive prepare something before it runs? That cannot be captured in a
// graph.
bool prepares(Primitive primitive) {
  constexpr bool of_primitive[] = {
#define PRIMITIVE(name, Args, Function, ...) std::is_same_v<Function<Args>, Prepares<Args>>,
#include "gpu/primitives.def"
#undef PRIMITIVE
  };
  return of_primitive[static_cast<std::size_t>(primitive)];
}

// Where possible the work is captured and not run: its launches are known then.
BlocksOfKernels launched(const TestDevice& on, const Row& row, int form, std::uint32_t n) {
  const Primitive primitive = row.index->primitive;
  const lab::ExperimentKind& kind = lab::experiment(primitive);
  const auto stream = on.device->create_stream();
  const auto experiment = kind.make({.device = *on.device,
                                     .stream = *stream,
                                     .n = n,
                                     .form = form,
                                     .distribution = kind.distributions.front()});
  const bool captured = on.device->info().backend == Backend::cpu && !prepares(primitive);
  experiment->reset();
  if (captured) stream->begin_capture();
  on.device->launches.begin();
  experiment->run(row.index);
  BlocksOfKernels blocks;
  for (const LaunchRecord& record : on.device->launches.take()) {
    unsigned& most = blocks[record.kernel];
    most = std::max(most, record.grid[0] * record.grid[1] * record.grid[2]);
  }
  if (captured) stream->end_capture();
  stream->synchronize();
  return blocks;
}

// Tries no number of items twice.
class Launches {
 public:
  Launches(const TestDevice& on, const Row& row, int form) : on_(on), row_(row), form_(form) {}

  const BlocksOfKernels& with(std::uint32_t n) {
    const auto known = known_.find(n);
    if (known != known_.end()) return known->second;
    return known_[n] = launched(on_, row_, form_, n);
  }
  unsigned blocks(const std::string& kernel, std::uint32_t n) {
    const BlocksOfKernels& all = with(n);
    const auto found = all.find(kernel);
    return found == all.end() ? 0 : found->second;
  }

 private:
  const TestDevice& on_;
  Row row_;
  int form_;
  std::map<std::uint32_t, BlocksOfKernels> known_;
};

}  // namespace

unsigned blocks_for(const TestDevice& on, const Row& row, int form, std::uint32_t n) {
  unsigned most = 0;
  for (const auto& [kernel, blocks] : launched(on, row, form, n)) most = std::max(most, blocks);
  return most;
}

std::vector<std::uint32_t> tile_sizes(const TestDevice& on, const Row& row, int form,
                                      std::uint32_t most) {
  Launches launches(on, row, form);
  std::vector<std::uint32_t> sizes;
  for (const auto& at_most : BlocksOfKernels(launches.with(most))) {
    if (at_most.second < 2) continue;
    const auto is_one = [&](std::uint32_t n) { return launches.blocks(at_most.first, n) < 2; };
    // Tiles are usually multiples of 64.
    std::uint32_t size = (most / at_most.second + 63) / 64 * 64;
    if (size >= most || !is_one(size) || is_one(size + 1)) {
      std::uint32_t more = most;
      for (size = 0; more - size > 1;) {
        const std::uint32_t middle = size + (more - size) / 2;
        (is_one(middle) ? size : more) = middle;
      }
    }
    if (size > 0) sizes.push_back(size);
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace warpview::test
