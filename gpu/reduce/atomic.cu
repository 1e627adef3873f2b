// Reduction by an atomic a thread: what one would write first, and why one should not.
//
// Every item goes to the same twelve words by atomicMin and atomicMax. Nothing is combined before
// memory, so the hardware serialises what the other variants do in registers.
//
// GPUs have no atomic minimum of floats. The bits of a float, seen as an integer, order like the
// float if it is positive; turning all bits of negative ones and the sign bit of the others makes
// the order hold for both.

#include "gpu/reduce/merge.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned bounds_words = sizeof(SceneBounds) / sizeof(float);

// SceneBounds as its twelve floats in the order above: min and max of the points, then the centres.
struct OrderedBounds {
  std::uint32_t word[bounds_words];
};

// Is the i-th float of SceneBounds a minimum?
__device__ inline bool is_minimum(unsigned i) { return i / 3 % 2 == 0; }

__device__ inline std::uint32_t to_ordered(float value) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
__device__ inline float from_ordered(std::uint32_t ordered) {
  const std::uint32_t bits = (ordered & 0x80000000U) != 0 ? ordered & 0x7fffffffU : ~ordered;
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

__global__ void begin_bounds_kernel(OrderedBounds* result) {
  const SceneBounds empty = empty_bounds();
  if (threadIdx.x < bounds_words)
    result->word[threadIdx.x] = to_ordered(reinterpret_cast<const float*>(&empty)[threadIdx.x]);
}

__global__ void reduce_atomic_kernel(const Aabb* boxes, std::uint32_t n, OrderedBounds* result) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const SceneBounds mine = bounds_of(boxes[i]);
  if (mine.points.is_empty()) return;
  const auto* floats = reinterpret_cast<const float*>(&mine);
  UNROLL
  for (unsigned w = 0; w < bounds_words; ++w) {
    if (is_minimum(w))
      atomicMin(&result->word[w], to_ordered(floats[w]));
    else
      atomicMax(&result->word[w], to_ordered(floats[w]));
  }
}

__global__ void end_bounds_kernel(const OrderedBounds* result, SceneBounds* out) {
  if (threadIdx.x < bounds_words)
    reinterpret_cast<float*>(out)[threadIdx.x] = from_ordered(result->word[threadIdx.x]);
}

}  // namespace

void bounds_atomic(Stream& stream, const BoundsArgs& args, Workspace& workspace) {
  auto* result = workspace.take<OrderedBounds>(1);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(begin_bounds_kernel), Shape(1, 64), result);
  launch(stream, KERNEL(reduce_atomic_kernel), one_thread_each(args.n), args.boxes, args.n, result);
  launch(stream, KERNEL(end_bounds_kernel), Shape(1, 64), result, args.out);
}

}  // namespace warpview::WARPVIEW_BACKEND
