// Kernels with one fault each, for the CPU device under sanitizers: planted_faults FAULT. Lanes
// meet at a barrier before it, so that the fault happens on a fiber's stack as in real kernels.
#define WARPVIEW_BACKEND_CPU
#include <iostream>
#include <string>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/kernel.h"

namespace warpview::cpu {
namespace {

constexpr unsigned lanes = 64;

// The last lane writes behind the end of the buffer.
__global__ void overrun_kernel(std::uint32_t* words) {
  __syncthreads();
  words[threadIdx.x + 1] = threadIdx.x;
}

// The last lane writes behind the end of the block's shared memory.
__global__ void shared_overrun_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t shared[lanes];
  shared[threadIdx.x + (words[0] == 0 ? 1 : 0)] = threadIdx.x;
  __syncthreads();
  words[threadIdx.x] = shared[threadIdx.x];
}

// The last lane's sum is too large for its type.
__global__ void overflow_kernel(std::uint32_t* words) {
  __syncthreads();
  const int near_the_limit = 2'147'483'647 - static_cast<int>(lanes) + 2;
  words[threadIdx.x] = static_cast<std::uint32_t>(near_the_limit + static_cast<int>(threadIdx.x));
}

int commit_fault(const std::string& fault) {
  const auto device = open_cpu_device();
  const auto stream = device->create_stream();
  const Buffer<std::uint32_t> words(*device, lanes);
  stream->fill(words.data(), 0, words.bytes());
  const Shape one_block(dim3(1), dim3(lanes));
  if (fault == "overrun")
    launch(*stream, KERNEL(overrun_kernel), one_block, words.data());
  else if (fault == "shared_overrun")
    launch(*stream, KERNEL(shared_overrun_kernel), one_block, words.data());
  else if (fault == "overflow")
    launch(*stream, KERNEL(overflow_kernel), one_block, words.data());
  else
    return 2;
  std::cout << "nothing was reported; the last word is " << words.download(*stream).back() << '\n';
  return 0;
}

}  // namespace
}  // namespace warpview::cpu

int main(int argc, char** argv) { return argc == 2 ? warpview::cpu::commit_fault(argv[1]) : 2; }
