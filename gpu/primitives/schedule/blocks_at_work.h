// What the blocks of one run of a scheduler did when, as plain data on the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/primitives/schedule/settings.h"

namespace warpview {

struct BlocksAtWork {
  std::string title{};                    // of what was run
  std::vector<std::string> procedures{};  // titles, by index
  std::vector<BusyStretch> stretches{};   // by ascending begin
  std::uint64_t left_out = 0;             // stretches that there was no room for
  bool has_queues = true;                 // else BusyStretch::queued says nothing
  ScheduleReport report{};

  // When a stretch of these begins, in milliseconds after the first begin.
  double begin_ms(const BusyStretch& stretch) const {
    return static_cast<double>(stretch.begin - stretches.front().begin) * ms_of_ns;
  }
  static double length_ms(const BusyStretch& stretch) { return stretch.nanoseconds * ms_of_ns; }
  static constexpr double ms_of_ns = 1e-6;
};

// Sorts stretches by ascending begin.
std::vector<BusyStretch> in_order(std::span<const BusyStretch> stretches);

// A row for each stretch, from 0, so that the stretches of a row do not overlap: there are as few
// rows as possible. A block stays in its row where that is free. `stretches` are in order.
std::vector<std::uint32_t> rows_of(std::span<const BusyStretch> stretches);

// How well a run used the device.
struct BlockUse {
  double milliseconds = 0.0;  // from the first begin to the last end
  double share = 0.0;         // average fraction of the places that were busy, 0 to 1
  double idle_ms = 0.0;       // while no block was busy
  std::uint32_t places = 0;   // the most resident blocks of each kernel that ran; 0: they differ
};
BlockUse use_of(const BlocksAtWork& blocks);

}  // namespace warpview
