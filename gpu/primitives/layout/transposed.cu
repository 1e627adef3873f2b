// An array of structures that is read and written in whole lines, and transposed in shared memory.
//
//   CUDA C++ Programming Guide, Shared Memory; the transposition is our own.
//
// A block reads its part of the array word by word, neighbouring threads neighbouring words: as few
// sectors per request as in soa.cu. Each thread then reads the members of its element from shared
// memory, where words that lie an element apart cost bank conflicts but no sectors; a padding word
// after each element removes these too (shared_padded.cu). All of the array is moved, whichever
// members are used, and each word goes through shared memory twice.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) transposed_kernel(layout::Work work) {
  using Place = layout::InPaddedStructures<words>;
  __shared__ std::uint32_t shared[Place::count];
  const layout::Part<words> part(work);
  const unsigned t = threadIdx.x;

  layout::fetch<Place>(part, shared);
  __syncthreads();
  if (t < part.count) {
    const unsigned first = work.all ? 0 : words - 1;
    UNROLL
    for (unsigned m = 0; m < words; ++m)
      if (m >= first) {
        std::uint32_t& member = shared[Place::of(t, m)];
        member = layout::changed(member, work.rounds);
      }
  }
  __syncthreads();
  layout::bring_back<Place>(part, shared);
}

}  // namespace

void layout_transposed(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(
      stream, args, scratch,
      {KERNEL(transposed_kernel<2>), KERNEL(transposed_kernel<4>), KERNEL(transposed_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
