// How many of the blocks that a device has room for were at work, over the time of a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpview::lab {

// A block at work, by the device's clock, and what share of the device's places for blocks it has:
// one of as many as there is room for at a time, of its kernel.
struct BusyBlock {
  std::uint64_t begin_ns;
  std::uint64_t end_ns;  // not before `begin_ns`
  double share;
};

// In slices of equal length, from when the first block began to when the last one ended: the share
// of places that were taken, on average. Above 1 only where kernels of several streams share the
// device in a way that no count of blocks tells. Empty: not known.
struct Busy {
  double milliseconds = 0.0;  // of all slices together
  std::vector<double> shares;

  double slice_ms() const {
    return shares.empty() ? 0.0 : milliseconds / static_cast<double>(shares.size());
  }
  double mean() const;
};

Busy busy_of(std::span<const BusyBlock> blocks, std::size_t slices = 128);

}  // namespace warpview::lab
