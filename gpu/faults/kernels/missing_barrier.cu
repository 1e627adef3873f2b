#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned tile = 128;

enum class Missing { nothing, behind_clearing, behind_reads, behind_writes };

// Each thread clears another's word, as kernels do that fill up a tile with zeros.
template <Missing missing>
__global__ void missing_barrier_kernel(FaultArgs args) {
  __shared__ std::uint32_t sums[tile];
  const unsigned t = threadIdx.x;
  sums[tile - 1 - t] = 0;
  if constexpr (missing != Missing::behind_clearing) __syncthreads();
  sums[t] = args.items[t];
  __syncthreads();
  for (unsigned step = 1; step < tile; step *= 2) {
    std::uint32_t sum = sums[t];
    if (t >= step) sum += sums[t - step];
    if constexpr (missing != Missing::behind_reads) __syncthreads();
    sums[t] = sum;
    if constexpr (missing != Missing::behind_writes) __syncthreads();
  }
  args.out[t] = sums[t];
}

template <Missing missing>
void run(Stream& stream, const FaultArgs& args) {
  launch(stream, KERNEL(missing_barrier_kernel<missing>), Shape(1, tile), args);
}

}  // namespace

void missing_barrier_war(Stream& stream, const FaultArgs& args) {
  run<Missing::behind_reads>(stream, args);
}
void missing_barrier_raw(Stream& stream, const FaultArgs& args) {
  run<Missing::behind_writes>(stream, args);
}
void missing_barrier_waw(Stream& stream, const FaultArgs& args) {
  run<Missing::behind_clearing>(stream, args);
}
void missing_barrier_right(Stream& stream, const FaultArgs& args) {
  run<Missing::nothing>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
