// How many of the blocks that a device can hold were running, over the time of a run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpview::lab {

// A block at work, by the device's clock, and the share of the device's block slots that it
// occupies: 1 over the number of its kernel's blocks that the device holds at a time.
struct BusyBlock {
  std::uint64_t begin_ns;
  std::uint64_t end_ns;  // not before `begin_ns`
  double share;
};

// The average share of occupied slots, in slices of equal length from the start of the first block
// to the end of the last one. Above 1 only where kernels of several streams share the device in a
// way that block counts do not show. Empty: not known.
struct Busy {
  double milliseconds = 0.0;  // total of all slices
  std::vector<double> shares;

  double slice_ms() const {
    return shares.empty() ? 0.0 : milliseconds / static_cast<double>(shares.size());
  }
  double mean() const;
};

Busy busy_of(std::span<const BusyBlock> blocks, std::size_t slices = 128);

}  // namespace warpview::lab
