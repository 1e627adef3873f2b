// Filled paths: curves become edges, a scheduler finds the samples that they cover, and these
// become a picture (gpu/applications/svg.h).
#include "gpu/applications/svg.h"

#include "gpu/applications/svg_edges.h"
#include "gpu/applications/svg_procedures.h"
#include "gpu/primitives/schedule/schedulers.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned svg_path_threads = 64;
constexpr unsigned svg_share_halvings = 3;

// A block for each path, 8 threads for each of its segments: a curve that is long on the screen has
// hundreds of edges. They are counted first, so that they can be contiguous, wherever there is
// room; then they are computed again, and written.
__global__ void __launch_bounds__(svg_path_threads) svg_flatten_kernel(SvgFlattenArgs args) {
  __shared__ SvgOutline outline;
  __shared__ std::uint32_t next;
  const SvgPath path = args.paths.paths[blockIdx.x];
  const SvgView& view = *args.view;
  if (threadIdx.x == 0) {
    outline = {0, 0, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    next = 0;
  }
  __syncthreads();
  constexpr std::uint32_t shares = 1U << svg_share_halvings;
  const auto each_share = [&](auto put, auto reach) {
    for (std::uint32_t i = threadIdx.x; i / shares < path.count; i += blockDim.x)
      svg_each_edge(view, args.paths.segments[path.first + i / shares],
                    {i % shares, svg_share_halvings}, put, reach);
  };
  SvgOutline own{0, 0, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  each_share([&](const SvgEdge&) { ++own.count; },
             [&](std::int32_t x, std::int32_t y) {
               own.low_x = x < own.low_x ? x : own.low_x;
               own.low_y = y < own.low_y ? y : own.low_y;
               own.high_x = x > own.high_x ? x : own.high_x;
               own.high_y = y > own.high_y ? y : own.high_y;
             });
  atomicAdd(&outline.count, own.count);
  atomicMin(&outline.low_x, own.low_x);
  atomicMin(&outline.low_y, own.low_y);
  atomicMax(&outline.high_x, own.high_x);
  atomicMax(&outline.high_y, own.high_y);
  __syncthreads();
  if (threadIdx.x == 0) {
    outline.first = atomicAdd(&args.counts->edges, outline.count);
    args.out.outlines[blockIdx.x] = outline;
  }
  __syncthreads();
  if (outline.first > args.out.room || outline.count > args.out.room - outline.first) return;
  each_share(
      [&](const SvgEdge& edge) { args.out.edges[outline.first + atomicAdd(&next, 1U)] = edge; },
      [](std::int32_t, std::int32_t) {});
}

// The index of the first key that is not less than a tile's.
__device__ std::uint32_t svg_first_of(const SvgPictureArgs& args, std::uint32_t count,
                                      std::uint32_t tile) {
  std::uint32_t first = 0;
  for (std::uint32_t left = count; left > 0;) {
    const std::uint32_t half = left / 2;
    if (args.keys[first + half] < svg_key(tile, 0)) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  return first;
}

__device__ bool svg_covers(const SvgPictureArgs& args, const SvgRecord& record,
                           std::uint32_t sample) {
  if (record.mask == svg_full) return true;
  if (record.mask >= args.mask_room) return false;  // there was no room for it
  const std::uint32_t word = args.masks[std::size_t{record.mask} * args.mask_words + sample / 32];
  return (word >> sample % 32 & 1U) != 0;
}

// One thread per pixel: paints each of its samples with the tile's records that cover it, one over
// the other.
__global__ void svg_picture_kernel(SvgPictureArgs args) {
  const std::uint32_t i = global_thread();
  if (i == 0 && args.command) *args.command = {3, 1, 0, 0, 0};
  if (i >= args.width * args.height) return;
  const SvgView& view = *args.view;
  const std::uint32_t x = i % args.width;
  const std::uint32_t y = i / args.width;
  const std::uint32_t tile = y / svg_tile * view.columns + x / svg_tile;
  const std::uint32_t counted = args.counts->records;
  const std::uint32_t count = counted < args.record_room ? counted : args.record_room;
  const std::uint32_t first = svg_first_of(args, count, tile);
  const std::uint64_t end = svg_key(tile + 1, 0);
  if (view.colouring == SvgColouring::edges) {
    std::uint32_t edges = 0;
    for (std::uint32_t k = first; k < count && args.keys[k] < end; ++k)
      edges += args.records[args.order[k]].edges;
    args.out[i] = svg_edges_colour(edges);
    return;
  }
  SvgPaint sum{0.0F, 0.0F, 0.0F, 0.0F};
  const std::uint32_t along = svg_tile * view.side;
  for (std::uint32_t k = 0; k < view.side * view.side; ++k) {
    const std::uint32_t sample = (y % svg_tile * view.side + k / view.side) * along +
                                 x % svg_tile * view.side + k % view.side;
    SvgPaint paint{0.0F, 0.0F, 0.0F, 0.0F};
    for (std::uint32_t at = first; at < count && args.keys[at] < end; ++at) {
      const SvgRecord record = args.records[args.order[at]];
      if (!svg_covers(args, record, sample)) continue;
      const auto path = static_cast<std::uint32_t>(args.keys[at] & (svg_most_paths - 1));
      svg_paint_over(paint, svg_paint(svg_record_colour(view.colouring, args.paths.paths[path].fill,
                                                        path, record.level)));
    }
    sum = {sum.red + paint.red, sum.green + paint.green, sum.blue + paint.blue,
           sum.alpha + paint.alpha};
  }
  args.out[i] = svg_pixel(sum, view.side * view.side);
}

}  // namespace

void svg_flatten(Stream& stream, const SvgFlattenArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.counts, 0, sizeof *args.counts);
  if (args.paths.count == 0) return;
  launch(stream, KERNEL(svg_flatten_kernel), Shape(args.paths.count, svg_path_threads), args);
}

void svg_draw(Stream& stream, const SvgDrawArgs& args, Scratch& scratch) {
  const svg::Application application{
      args.paths, args.view,    args.edges,       args.counts, args.lists,     args.list_room,
      args.keys,  args.records, args.record_room, args.masks,  args.mask_room, args.mask_words};
  if (!scratch.measuring()) {
    stream.fill(&args.counts->places, 0, sizeof *args.counts - sizeof args.counts->edges);
    stream.fill(args.keys, 0xff, args.record_room * sizeof *args.keys);
  }
  const schedule::Run run{stream, application, args.paths.count, args.settings, scratch, args.host};
  schedule::run_by(args.scheduler, run);
}

void svg_picture(Stream& stream, const SvgPictureArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(svg_picture_kernel), one_thread_each(args.width * args.height), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
