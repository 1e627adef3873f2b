// One thread per place in Morton order: gpu/steps/triangle_values.h says what it writes.
#include "gpu/steps/triangle_values.h"

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned values_block_size = 256;

__device__ float share(std::uint32_t part, std::uint32_t whole) {
  return whole > 0 ? static_cast<float>(part) / static_cast<float>(whole) : 0.0F;
}

// 0 where the codes have no such digit.
__device__ float share_of_digit(const TriangleValuesArgs& args, std::uint32_t i,
                                std::uint32_t digit) {
  const int shift = 8 * static_cast<int>(digit);
  const int bits = args.code_bits - shift < 8 ? args.code_bits - shift : 8;
  if (bits <= 0) return 0.0F;
  const std::uint32_t largest = (1U << bits) - 1;
  const std::uint64_t code = args.key_bits == 64 ? static_cast<const std::uint64_t*>(args.codes)[i]
                                                 : static_cast<const std::uint32_t*>(args.codes)[i];
  return share(static_cast<std::uint32_t>(code >> shift) & largest, largest);
}

__global__ void triangle_values_kernel(TriangleValuesArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t count = *args.count;
  if (i >= count) return;
  const TriangleValueChoice choice = *args.choice;
  float value = 0.0F;
  switch (choice.value) {
    case TriangleValue::rank:
      value = share(i, count - 1);
      break;
    case TriangleValue::leaf:
      value = value_of_leaf(i);
      break;
    case TriangleValue::depth:
      value = share(args.depth[args.first_leaf + i], args.statistics->max_depth);
      break;
    case TriangleValue::digit:
      value = share_of_digit(args, i, choice.digit);
      break;
  }
  args.out[args.primitives[i]] = value;
}

}  // namespace

void triangle_values(Stream& stream, const TriangleValuesArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(triangle_values_kernel), one_thread_each(args.n, values_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
