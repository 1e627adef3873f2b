#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned threads = 32;

// Blocks put in and take out in turn. A slot holds the number of an item, from 1; 0: empty.
template <bool is_right>
__global__ void gives_up_kernel(FaultArgs args) {
  std::uint32_t* const slots = args.first;
  std::uint32_t* const put = args.second;
  std::uint32_t* const taken = args.second + 1;
  if (blockIdx.x % 2 == 0) {
    const std::uint32_t i = blockIdx.x / 2 * threads + threadIdx.x;
    store_relaxed(&slots[atomicAdd(put, 1U)], i + 1);
    return;
  }
  const std::uint32_t* const slot = &slots[atomicAdd(taken, 1U)];
  std::uint32_t number = load_relaxed(slot);
  if constexpr (is_right)
    for (Spin spin; number == 0; number = load_relaxed(slot)) spin.back_off();
  if (number == 0) return;
  args.out[number - 1] = args.items[number - 1];
}

template <bool is_right>
void run(Stream& stream, const FaultArgs& args) {
  launch_concurrent(stream, KERNEL(gives_up_kernel<is_right>),
                    Shape(2 * ceil_div(args.n, threads), threads), args);
}

}  // namespace

void gives_up_wrong(Stream& stream, const FaultArgs& args) { run<false>(stream, args); }
void gives_up_right(Stream& stream, const FaultArgs& args) { run<true>(stream, args); }

}  // namespace warpview::WARPVIEW_BACKEND
