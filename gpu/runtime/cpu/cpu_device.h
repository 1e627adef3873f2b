// The CPU as a device: memory is host memory, streams run at once, kernels run on gpu/simt.
#pragma once

#include <cstdint>
#include <memory>

#include "gpu/runtime/device.h"
#include "gpu/simt/executor.h"

namespace warpview {

using CpuOptions = simt::Options;

// Error if the options are out of range.
std::unique_ptr<Device> open_cpu_device(const CpuOptions& options = {});

}  // namespace warpview
