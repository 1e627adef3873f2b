#include "gpu/lab/busy.h"

#include <algorithm>
#include <numeric>

namespace warpview::lab {

double Busy::mean() const {
  if (shares.empty()) return 0.0;
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(shares.size());
}

Busy busy_of(std::span<const BusyBlock> blocks, std::size_t slices) {
  if (blocks.empty()) return {};
  std::uint64_t begin = blocks.front().begin_ns;
  std::uint64_t end = blocks.front().end_ns;
  for (const BusyBlock& block : blocks) {
    begin = std::min(begin, block.begin_ns);
    end = std::max(end, block.end_ns);
  }
  if (end <= begin) return {};
  Busy busy{.milliseconds = static_cast<double>(end - begin) * 1e-6,
            .shares = std::vector<double>(slices)};
  const double slice = static_cast<double>(end - begin) / static_cast<double>(slices);
  for (const BusyBlock& block : blocks) {
    const double from = static_cast<double>(block.begin_ns - begin) / slice;  // in slices
    const double to = static_cast<double>(block.end_ns - begin) / slice;
    for (auto s = static_cast<std::size_t>(from); s < slices && static_cast<double>(s) < to; ++s) {
      const double low = std::max(from, static_cast<double>(s));
      const double high = std::min(to, static_cast<double>(s + 1));
      busy.shares[s] += block.share * std::max(high - low, 0.0);
    }
  }
  return busy;
}

}  // namespace warpview::lab
