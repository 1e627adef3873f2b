// Run-length encoding in three kernels: flag, scan, write.
//
//   1. one flag per item: 1 if a run begins there;
//   2. the inclusive sum of the flags numbers the runs, from 1;
//   3. the first and the last item of every run write it.
//
// The length of a run is its end minus its beginning, which two different threads know. Each adds
// its part to the length, which starts at zero: the last item adds the place after it, the first
// item subtracts its own place. Between the two the word may wrap around, and their order does not
// matter.

#include "gpu/primitives/reduce_by_key/number_runs.h"
#include "gpu/primitives/run_length/run_length.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// lengths[] starts at zero.
__global__ void write_runs_kernel(const std::uint32_t* keys, std::uint32_t n,
                                  const std::uint32_t* numbers, std::uint32_t* keys_out,
                                  std::uint32_t* lengths, std::uint32_t* count) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  const std::uint32_t run = numbers[i];
  if (i == 0 || numbers[i - 1] != run) {
    keys_out[run - 1] = keys[i];
    atomicAdd(&lengths[run - 1], 0U - i);
  }
  if (i == n - 1 || numbers[i + 1] != run) atomicAdd(&lengths[run - 1], i + 1);
  if (i == n - 1) *count = run;
}

}  // namespace

void run_length_three_kernels(Stream& stream, const RunLengthArgs& args, Scratch& scratch) {
  auto* numbers = scratch.take<std::uint32_t>(args.n, "numbers");
  runs::number(stream, args.keys, args.n, numbers, args.count, scratch);
  if (scratch.measuring()) return;
  stream.fill(args.lengths, 0, args.n * sizeof(*args.lengths));
  launch(stream, KERNEL(write_runs_kernel), one_thread_each(args.n), args.keys, args.n, numbers,
         args.keys_out, args.lengths, args.count);
}

}  // namespace warpview::WARPVIEW_BACKEND
