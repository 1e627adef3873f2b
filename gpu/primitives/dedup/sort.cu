// De-duplication by sort and compact: corners of equal hash become neighbours.
//
//   A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs",
//   arXiv:2206.01784, 2022: the sort; what follows it is the chosen scan.
//
// A radix sort needs a short key and a corner has 256 bits, so a hash of 32 bits replaces it: four
// passes. Equal corners have equal hashes. Unequal corners may collide, so the corners themselves
// are compared:
//   1. hash     a key for every corner;
//   2. sort     the keys, each with the index of its corner;
//   3. resolve  each corner finds the first equal one in its run of equal hashes;
//   4. compact  the firsts, by a scan over "this corner is the first of its kind".
//
// The sort is stable, so the corners of a run are in the order of their indices, and the first of
// equal corners in the run is the first of them in the input.
#include "gpu/primitives/dedup/corner.h"
#include "gpu/primitives/dedup/number.h"
#include "gpu/primitives/dedup/sorted.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per corner. Padding gets the largest key. A real corner may have it too, but comes
// before the padding in the input and therefore, the sort being stable, in the output.
__global__ void hash_corners_kernel(const Vertex* __restrict__ corners,
                                    const std::uint32_t* __restrict__ count, std::uint32_t n,
                                    std::uint32_t* __restrict__ hashes) {
  const std::uint32_t corner = global_thread();
  if (corner >= n) return;
  hashes[corner] =
      corner < *count ? dedup::hash(dedup::words_of(&corners[corner])) : ~std::uint32_t{0};
}

// Where the run of equal hashes that holds `place` begins. Strides double while they stay in the
// run, then halve: about 2 log2(r) reads for r places, where a linear walk would take r, which for
// a mesh of one repeated corner is n.
__device__ inline std::uint32_t run_begin(const std::uint32_t* __restrict__ hashes,
                                          std::uint32_t place) {
  const std::uint32_t hash = hashes[place];
  const auto in_run = [&](std::uint32_t steps_back) {
    return steps_back <= place && hashes[place - steps_back] == hash;
  };
  std::uint32_t stride = 1;
  for (; in_run(stride); stride *= 2) place -= stride;
  // The begin lies less than `stride` back.
  while (stride /= 2)
    if (in_run(stride)) place -= stride;
  return place;
}

// The first corner that equals the one at `place` in the sorted order. Corners of a run are in the
// order of their indices.
//
// The walk starts at the beginning of the run and ends at the first equal corner, so it passes only
// unequal corners. Each of the other n - 1 corners collides with probability 2^-32: the walk passes
// fewer than one corner on average, however often corners repeat.
__device__ inline std::uint32_t first_in_run(const Vertex* __restrict__ corners,
                                             const std::uint32_t* __restrict__ hashes,
                                             const std::uint32_t* __restrict__ sorted,
                                             std::uint32_t place) {
  const dedup::CornerWords mine = dedup::words_of(&corners[sorted[place]]);
  std::uint32_t at = run_begin(hashes, place);
  while (at < place && !dedup::equal(mine, dedup::words_of(&corners[sorted[at]]))) ++at;
  return sorted[at];
}

// One thread per place in the sorted order: finds the first corner that equals the one sorted here.
__global__ void resolve_runs_kernel(const Vertex* __restrict__ corners,
                                    const std::uint32_t* __restrict__ count, std::uint32_t n,
                                    const std::uint32_t* __restrict__ hashes,
                                    const std::uint32_t* __restrict__ sorted,
                                    std::uint32_t* __restrict__ first,
                                    std::uint32_t* __restrict__ is_first) {
  const std::uint32_t place = global_thread();
  if (place >= n) return;
  const std::uint32_t corner = sorted[place];
  if (place >= *count) {
    is_first[corner] = 0;
    return;
  }
  first[corner] = first_in_run(corners, hashes, sorted, place);
  is_first[corner] = first[corner] == corner ? 1 : 0;
}

}  // namespace

void dedup::by_sorted_hashes(Stream& stream, const DedupArgs& args, SortFunction* sort,
                             Scratch& scratch) {
  auto* hashes = scratch.take<std::uint32_t>(args.n, "hashes");
  auto* sorted_hashes = scratch.take<std::uint32_t>(args.n, "sorted_hashes");
  auto* sorted = scratch.take<std::uint32_t>(args.n, "sorted");
  auto* first = scratch.take<std::uint32_t>(args.n, "first");
  auto* rank = scratch.take<std::uint32_t>(args.n, "rank");

  if (!scratch.measuring())
    launch(stream, KERNEL(hash_corners_kernel), one_thread_each(args.n), args.corners, args.count,
           args.n, hashes);
  sort(stream,
       {.keys_in = hashes,
        .keys_out = sorted_hashes,
        .values_out = sorted,
        .n = args.n,
        .end_bit = 32},
       scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(resolve_runs_kernel), one_thread_each(args.n), args.corners, args.count,
           args.n, sorted_hashes, sorted, first, rank);
  dedup::number_vertices(stream, args, first, rank, scratch);
}

void dedup_sort(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  dedup::by_sorted_hashes(stream, args, sort_onesweep, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
