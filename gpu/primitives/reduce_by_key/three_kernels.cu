// Reduce by key in three kernels: flag, scan, sum.
//
//   1. one flag per item: 1 if a run begins there;
//   2. the inclusive sum of the flags numbers the runs, from 1;
//   3. every item adds its value to the sum of its run.
//
// In the third step the items of a run contend for one word. First the lanes of a warp sum the
// values of each run, by a scan that restarts at each head, so that a warp sends one atomic per run
// and not one per item. Integer sums are the same in any order; floats are rounded in the order in
// which the warps happen to arrive.

#include "gpu/operators/segmented.h"
#include "gpu/primitives/reduce_by_key/number_runs.h"
#include "gpu/primitives/reduce_by_key/sums.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// sums[] starts at zero.
template <class Operator, class Value = typename Operator::Type>
__global__ void add_up_runs_kernel(const std::uint32_t* keys, const Value* values, std::uint32_t n,
                                   const std::uint32_t* numbers, std::uint32_t* keys_out,
                                   Value* sums, std::uint32_t* count) {
  // Lanes without an item stay for the warp's scan; theirs is run 0, which does not exist.
  const std::uint32_t i = global_thread();
  const std::uint32_t run = i < n ? numbers[i] : 0;
  const bool is_head = i < n && (i == 0 || numbers[i - 1] != run);
  Stretch<Value> stretch{is_head ? 1U : 0U, i < n ? values[i] : Operator::identity()};
  stretch = warp::inclusive_scan(stretch, Combine<Segmented<Operator>>());
  const std::uint32_t next_run =
      warp::shuffle(warp::all_lanes(), run, warp::lane() + 1 < warp::size() ? warp::lane() + 1 : 0);
  if (i >= n) return;
  if (is_head) keys_out[run - 1] = keys[i];
  if (warp::lane() == warp::size() - 1 || next_run != run) atomicAdd(&sums[run - 1], stretch.sum);
  if (i == n - 1) *count = run;
}

}  // namespace

void reduce_by_key_three_kernels(Stream& stream, const ReduceByKeyArgs& args, Scratch& scratch) {
  auto* numbers = scratch.take<std::uint32_t>(args.n, "numbers");
  runs::number(stream, args.keys, args.n, numbers, args.count, scratch);
  if (scratch.measuring()) return;
  runs::with_sum(args.sum, [&](auto op) {
    using Operator = decltype(op);
    using Value = typename Operator::Type;
    stream.fill(args.sums, 0, args.n * sizeof(Value));
    launch(stream, KERNEL(add_up_runs_kernel<Operator>), one_thread_each(args.n), args.keys,
           static_cast<const Value*>(args.values), args.n, numbers, args.keys_out,
           static_cast<Value*>(args.sums), args.count);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
