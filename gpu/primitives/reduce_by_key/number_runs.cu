// Numbers runs: at every item, the inclusive sum of "a run begins here" is the number of its run.
#include "gpu/primitives/reduce_by_key/number_runs.h"

#include "gpu/primitives/scan/scan.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND::runs {

namespace {

__global__ void flag_heads_kernel(const std::uint32_t* keys, std::uint32_t n,
                                  std::uint32_t* flags) {
  const std::uint32_t i = global_thread();
  if (i < n) flags[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
}

}  // namespace

void number(Stream& stream, const std::uint32_t* keys, std::uint32_t n, std::uint32_t* numbers,
            std::uint32_t* count, Scratch& scratch) {
  if (!scratch.measuring()) {
    if (n == 0) stream.fill(count, 0, sizeof(*count));
    launch(stream, KERNEL(flag_heads_kernel), one_thread_each(n), keys, n, numbers);
  }
  scan_lookback_shared(stream, {.in = numbers, .out = numbers, .n = n, .inclusive = true}, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND::runs
