// Numbers vertices in the order of their first corners: at a first corner, the exclusive sum of
// "this corner is the first of its kind" is the number of vertices before it.
#include "gpu/primitives/dedup/number.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

namespace {

// One thread per corner. rank[c] is the number of first corners before corner c.
__global__ void write_vertices_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, std::uint32_t n,
                                      const std::uint32_t* __restrict__ first,
                                      const std::uint32_t* __restrict__ rank,
                                      std::uint32_t* __restrict__ indices,
                                      Vertex* __restrict__ vertices,
                                      std::uint32_t* __restrict__ vertex_count) {
  const std::uint32_t corner = global_thread();
  if (corner >= n) return;
  const bool real = corner < *count;
  const bool is_first = real && first[corner] == corner;
  if (corner == n - 1) *vertex_count = rank[corner] + (is_first ? 1 : 0);
  if (!real) return;
  indices[corner] = rank[first[corner]];
  if (is_first) vertices[rank[corner]] = corners[corner];
}

}  // namespace

void number_vertices(Stream& stream, const DedupArgs& args, const std::uint32_t* first,
                     std::uint32_t* rank, Scratch& scratch) {
  args.scan(stream, {.in = rank, .out = rank, .n = args.n, .inclusive = false}, scratch);
  if (scratch.measuring()) return;
  // Without corners no thread exists to write the count.
  if (args.n == 0) stream.fill(args.vertex_count, 0, sizeof(std::uint32_t));
  launch(stream, KERNEL(write_vertices_kernel), one_thread_each(args.n), args.corners, args.count,
         args.n, first, rank, args.indices, args.vertices, args.vertex_count);
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
