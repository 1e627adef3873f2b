// What a variant took in the runs of a stage, for other times to be compared with.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/catalogue.h"

namespace warpview {

// Under what they were taken.
struct TimesTaken {
  std::chrono::system_clock::time_point at{};  // the last of them
  bool moving = false;                         // in frames of a scene that moves
  // The share of the processors that other programs took meanwhile, on average; none: not known, or
  // kernels run on a GPU.
  std::optional<double> others{};
  int count = 0;  // of times that `others` is the average over
};

struct VariantTimes {
  std::optional<VariantId> variant{};  // none: the stage has no variants
  std::uint64_t items = 0;             // that it worked on
  std::vector<double> milliseconds{};  // of warm runs, or of one that was cold
  bool cold = false;
  TimesTaken taken{};
  std::string why_not{};  // it cannot run here, or what it said when it did; empty: it can
  std::vector<std::string> fused{};  // titles of other stages whose work the times include
};

}  // namespace warpview
