// The catalogue's library rows beside the same problem called as CUB's documentation does: is the
// baseline fair? NVIDIA, CUB documentation, "Device-wide primitives".
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"

namespace warpview::bench {

// A problem with its own memory. Both ways write the same output; the scratch memory that CUB
// requests is allocated at construction.
class PlainCall {
 public:
  virtual ~PlainCall() = default;
  virtual void row() = 0;    // queues the library row of the catalogue
  virtual void plain() = 0;  // queues the call
  // How their outputs differ, after one run of each over overwritten output; empty if they do not.
  virtual std::string difference() = 0;
};

struct PlainCallKind {
  Primitive primitive;
  const char* call;  // "cub::DeviceScan::ExclusiveSum"
  std::unique_ptr<PlainCall> (*make)(Device& device, Stream& stream, std::uint32_t n);
};

// For CUDA alone, and builds that have it: elsewhere there are none.
std::vector<PlainCallKind> plain_calls(Backend backend);

}  // namespace warpview::bench
