// What the faults' kernels take, and how they are launched.
#pragma once

#include <cstdint>

#include "gpu/runtime/device.h"

namespace warpview {

// Arrays of the sizes that gpu/faults/faults.def gives; `out` and the fault's own are zeros.
struct FaultArgs {
  const std::uint32_t* items;
  std::uint32_t* out;
  std::uint32_t* first;  // the fault's own arrays; null: it has none
  std::uint32_t* second;
  std::uint32_t n;  // items
};

// Queues the form's kernel: a row of faults.def, counted from 0 over its FAULT_FORM rows.
void launch_fault(Stream& stream, unsigned form, const FaultArgs& args);

}  // namespace warpview
