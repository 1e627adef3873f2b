// De-duplication by sorting: equal corners become neighbours.
//
//   CUB DeviceMergeSort, rocPRIM merge_sort, oneTBB parallel_sort.
//
// The library sorts the indices of the corners by content and, among equals, by index, so a run of
// equal corners begins with the first of them. A scan over the beginnings numbers the runs, and
// each run passes its first corner to all of its members. The vertices come out in the order of
// their first corners, not of their content, exactly as from the hash table.
#include "gpu/primitives/dedup/corner.h"
#include "gpu/primitives/dedup/number.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_merge_sort.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_merge_sort.hpp>
#else
#include <tbb/parallel_sort.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Total order of corner indices: by content, then by index; padding last.
struct ByContent {
  const Vertex* corners;
  const std::uint32_t* count;

  __device__ bool operator()(std::uint32_t a, std::uint32_t b) const {
    if (a < *count && b < *count) {
      const int order = dedup::compare(dedup::words_of(&corners[a]), dedup::words_of(&corners[b]));
      if (order != 0) return order < 0;
    }
    return a < b;  // equal corners, or padding, whose indices are the largest
  }
};

// Sorts numbers[n]. Allowed in a measuring Scratch, where pointers are null.
void sort_by_content(Stream& stream, [[maybe_unused]] std::uint32_t* numbers, std::uint32_t n,
                     ByContent before, [[maybe_unused]] Scratch& scratch) {
#if defined(WARPVIEW_BACKEND_CUDA)
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
    check(cub::DeviceMergeSort::SortKeys(memory, bytes, numbers, n, before, native(stream)),
          "cub::DeviceMergeSort");
  });
#elif defined(WARPVIEW_BACKEND_HIP)
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
    // Input and output may be the same array.
    check(rocprim::merge_sort(memory, bytes, numbers, numbers, n, before, native(stream)),
          "rocprim::merge_sort");
  });
#else
  if (scratch.measuring()) return;
  run_host(stream, [=] { tbb::parallel_sort(numbers, numbers + n, before); });
#endif
}

__global__ void number_corners_kernel(std::uint32_t n, std::uint32_t* __restrict__ numbers) {
  const std::uint32_t i = global_thread();
  if (i < n) numbers[i] = i;
}

// One thread per place in the sorted order: marks whether a run of equal corners begins there.
__global__ void mark_runs_kernel(const Vertex* __restrict__ corners,
                                 const std::uint32_t* __restrict__ count, std::uint32_t n,
                                 const std::uint32_t* __restrict__ sorted,
                                 std::uint32_t* __restrict__ begins) {
  const std::uint32_t place = global_thread();
  if (place >= n) return;
  bool begin = place < *count;
  if (begin && place > 0)
    begin = !dedup::equal(dedup::words_of(&corners[sorted[place - 1]]),
                          dedup::words_of(&corners[sorted[place]]));
  begins[place] = begin ? 1 : 0;
}

// One thread per place. run[place] is the number of runs that begin up to and including the place.
__global__ void keep_run_firsts_kernel(const std::uint32_t* __restrict__ count,
                                       const std::uint32_t* __restrict__ sorted,
                                       const std::uint32_t* __restrict__ run,
                                       std::uint32_t* __restrict__ first_of_run) {
  const std::uint32_t place = global_thread();
  if (place >= *count) return;
  if (place == 0 || run[place - 1] != run[place]) first_of_run[run[place] - 1] = sorted[place];
}

// One thread per place: passes the run's first corner to the corner at this place.
__global__ void spread_firsts_kernel(const std::uint32_t* __restrict__ count, std::uint32_t n,
                                     const std::uint32_t* __restrict__ sorted,
                                     const std::uint32_t* __restrict__ run,
                                     const std::uint32_t* __restrict__ first_of_run,
                                     std::uint32_t* __restrict__ first,
                                     std::uint32_t* __restrict__ is_first) {
  const std::uint32_t place = global_thread();
  if (place >= n) return;
  const std::uint32_t corner = sorted[place];
  if (place >= *count) {
    is_first[corner] = 0;
    return;
  }
  first[corner] = first_of_run[run[place] - 1];
  is_first[corner] = first[corner] == corner ? 1 : 0;
}

}  // namespace

void dedup_library(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  const std::uint32_t n = args.n;
  auto* sorted = scratch.take<std::uint32_t>(n, "sorted");
  auto* run = scratch.take<std::uint32_t>(n, "run");
  auto* first_of_run = scratch.take<std::uint32_t>(n, "first_of_run");
  auto* first = scratch.take<std::uint32_t>(n, "first");
  auto* rank = scratch.take<std::uint32_t>(n, "rank");

  if (!scratch.measuring())
    launch(stream, KERNEL(number_corners_kernel), one_thread_each(n), n, sorted);
  if (n > 0) sort_by_content(stream, sorted, n, ByContent{args.corners, args.count}, scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(mark_runs_kernel), one_thread_each(n), args.corners, args.count, n,
           sorted, run);
  args.scan(stream, {.in = run, .out = run, .n = n, .inclusive = true}, scratch);
  if (!scratch.measuring()) {
    launch(stream, KERNEL(keep_run_firsts_kernel), one_thread_each(n), args.count, sorted, run,
           first_of_run);
    launch(stream, KERNEL(spread_firsts_kernel), one_thread_each(n), args.count, n, sorted, run,
           first_of_run, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
