// Filled paths: cut into tiles, level by level, until a tile is full, empty, or small enough to
// rasterise.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its procedures, as a load for schedulers. Their
//   computations are our own.
//   M. Shimrat, "Algorithm 112: Position of point relative to polygon", Communications of the ACM,
//   1962.
//   H. Edelsbrunner, E. Mücke, "Simulation of Simplicity", ACM Transactions on Graphics, 1990: how
//   an edge through a sample is decided.
//
// This header defines the contents of a picture, for the kernels and for the reference. Curves
// become edges in double precision, compiled without fused multiply-adds, and edges end on
// integers; from there on everything is exact. Every device, and every order of work, thus computes
// the same picture.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/applications/svg_path.h"
#include "gpu/interop/draw_command.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"
#include "gpu/steps/random.h"

namespace warpview {

class HostLoop;

enum class SvgColouring : std::uint32_t {
  fill,
  paths,   // each path
  levels,  // how often its tile was cut before it was decided
  edges    // the number of edges in the fine tiles of a place
};

// One picture. It consists of samples, side x side for each pixel, and of tiles of 8 x 8 pixels.
struct SvgView {
  // From the plane of the paths, y up, to OpenGL's clip space: x, y and w, each of x, y and 1.
  float to_clip[3][3];
  std::uint32_t width, height;  // in pixels, at most svg_longest
  std::uint32_t side;           // 1 to 4
  std::uint32_t columns, rows;  // of tiles
  float nearest;                // points with a smaller w are invisible
  SvgColouring colouring;
  std::uint32_t first;  // earlier paths are left out
};

inline constexpr std::uint32_t svg_tile = 8;             // pixels along a side
inline constexpr std::uint32_t svg_unit = 256;           // units along a sample's side
inline constexpr std::uint32_t svg_longest = 1U << 16U;  // pixels along a picture's side
inline constexpr std::uint32_t svg_most_paths = 1U << 20U;
inline constexpr std::uint32_t svg_most_halvings = 16;  // of a curve
inline constexpr double svg_tolerance = 1.0 / 16.0;     // of a curve's edges, in samples
// Points farther out are cut off there: beyond all pictures, and near enough for exact products.
inline constexpr double svg_reach = 1U << 28U;
// Rounds to the nearest integer within reach; not-a-number, too.
HOST_DEVICE inline std::int32_t svg_whole(double value) {
  const double rounded = std::floor(value + 0.5);
  if (!(rounded > -svg_reach)) return -static_cast<std::int32_t>(svg_reach);
  return static_cast<std::int32_t>(rounded < svg_reach ? rounded : svg_reach);
}

constexpr std::uint32_t svg_mask_words(std::uint32_t side) {
  return svg_tile * svg_tile * side * side / 32;
}

// A piece of an outline, on the picture: in units, from the upper left, y down.
struct SvgEdge {
  std::int32_t ax, ay, bx, by;
};

// The result of flattening a path: its edges, and the box around them.
struct SvgOutline {
  std::uint32_t first, count;  // 0: the path is invisible
  std::int32_t low_x, low_y, high_x, high_y;
};

// The number of edges, of places in lists, of records and of masks. A number above the room means
// that the picture is incomplete.
struct SvgCounts {
  std::uint32_t edges, places, records, masks;
};

// The result of a path in a tile: at most one for each such pair.
struct SvgRecord {
  std::uint32_t mask;   // index of its mask; svg_full: all samples are covered
  std::uint32_t level;  // how often the picture was cut to get this tile
  std::uint32_t edges;  // edges tested for each sample
};
inline constexpr std::uint32_t svg_full = ~0U;
// Records are sorted by tile, then by path. Unused places come last.
inline constexpr std::uint64_t svg_no_record = ~std::uint64_t{0};
HOST_DEVICE constexpr std::uint64_t svg_key(std::uint32_t tile, std::uint32_t path) {
  return std::uint64_t{tile} << 20U | path;
}
inline constexpr int svg_key_bits = 48;  // all of which svg_no_record has set
static_assert(svg_most_paths <= 1U << 20U);

// The procedures, in their order.
enum class SvgWork : std::uint32_t { coarse_wide, coarse_tall, coarse_square, fine };
inline constexpr unsigned svg_procedures = 4;

struct SvgPaths {
  const SvgPath* paths = nullptr;        // [count]
  const SvgSegment* segments = nullptr;  // of all of them
  std::uint32_t count = 0;
};
struct SvgEdges {
  SvgOutline* outlines = nullptr;  // [paths]
  SvgEdge* edges = nullptr;        // [room]
  std::uint32_t room = 0;
};

// Curves become edges. The order of the edges of a path, and of the paths, varies from run to run.
// `counts` are overwritten.
struct SvgFlattenArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;  // in device memory
  SvgEdges out{};
  SvgCounts* counts = nullptr;
};

// Records of the samples that paths cover, in any order. `counts` except the edges are overwritten.
struct SvgDrawArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;
  SvgEdges edges{};
  SvgCounts* counts = nullptr;
  std::uint32_t* lists = nullptr;  // [list_room]: indices of edges, tile by tile
  std::uint32_t list_room = 0;
  std::uint64_t* keys = nullptr;  // [record_room], as svg_key; after the last: svg_no_record
  SvgRecord* records = nullptr;   // [record_room]
  std::uint32_t record_room = 0;
  std::uint32_t* masks = nullptr;  // [mask_room][mask_words]
  std::uint32_t mask_room = 0;
  std::uint32_t mask_words = 0;
  Scheduler scheduler{};
  ScheduleSettings settings{};  // capacity: by SvgWork
  HostLoop* host = nullptr;     // for schedulers with host_looks()
};

// The picture: in each tile, what the records cover is painted one over the other, in order.
struct SvgPictureArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;
  const SvgCounts* counts = nullptr;
  const std::uint64_t* keys = nullptr;   // [record_room], sorted
  const std::uint32_t* order = nullptr;  // [record_room]: the records that they belong to
  const SvgRecord* records = nullptr;
  std::uint32_t record_room = 0;
  const std::uint32_t* masks = nullptr;  // [mask_room][mask_words]
  std::uint32_t mask_room = 0;
  std::uint32_t mask_words = 0;
  std::uint32_t width = 0, height = 0;  // of the view
  std::uint32_t* out = nullptr;         // [width * height], as OutputKind::image
  DrawCommand* command = nullptr;       // or null
};

// --- for kernels and for the reference: from edges to coverage
//
// No outline passes through a tested place exactly: places count as slightly farther to the right,
// and very much less farther down, than their coordinates say.

// The side of the line through an edge on which a place lies: 1 or -1.
HOST_DEVICE inline std::int32_t svg_side(const SvgEdge& edge, std::int32_t x, std::int32_t y) {
  const std::int64_t dx = edge.bx - edge.ax;
  const std::int64_t dy = edge.by - edge.ay;
  const std::int64_t side = dx * (y - edge.ay) - dy * (x - edge.ax);
  if (side != 0) return side > 0 ? 1 : -1;
  if (dy != 0) return dy < 0 ? 1 : -1;
  return dx > 0 ? 1 : -1;
}
HOST_DEVICE inline bool svg_parts_rows(const SvgEdge& edge, std::int32_t y) {
  return (edge.ay <= y) != (edge.by <= y);
}
HOST_DEVICE inline bool svg_parts_columns(const SvgEdge& edge, std::int32_t x) {
  return (edge.ax <= x) != (edge.bx <= x);
}
// The change of an outline's winding number across an edge, from one place straight to the right,
// or straight down, to another.
HOST_DEVICE inline std::int32_t svg_turn_right(const SvgEdge& edge, std::int32_t y,
                                               std::int32_t from_x, std::int32_t to_x) {
  return svg_parts_rows(edge, y) ? (svg_side(edge, from_x, y) - svg_side(edge, to_x, y)) / 2 : 0;
}
HOST_DEVICE inline std::int32_t svg_turn_down(const SvgEdge& edge, std::int32_t x,
                                              std::int32_t from_y, std::int32_t to_y) {
  return svg_parts_columns(edge, x) ? (svg_side(edge, x, from_y) - svg_side(edge, x, to_y)) / 2 : 0;
}
// The change from far away at the left to a place.
HOST_DEVICE inline std::int32_t svg_turn_from_left(const SvgEdge& edge, std::int32_t x,
                                                   std::int32_t y) {
  if (!svg_parts_rows(edge, y)) return 0;
  const std::int32_t way = edge.by > edge.ay ? 1 : -1;  // down, or up
  return svg_side(edge, x, y) == -way ? way : 0;
}
HOST_DEVICE inline bool svg_is_inside(std::uint32_t rule, std::int32_t winding) {
  return rule == static_cast<std::uint32_t>(SvgRule::even_odd) ? (winding & 1) != 0 : winding != 0;
}

// A rectangle of tiles, and how it is cut.
struct SvgCut {
  SvgWork work;
  std::uint32_t columns, rows;  // 8 x 2, 2 x 8 or 8 x 8; some may be empty at the end
  std::uint32_t width, height;  // of each, in tiles
};
HOST_DEVICE inline SvgCut svg_cut(std::uint32_t width, std::uint32_t height) {
  SvgCut cut{SvgWork::coarse_square, 8, 8, 0, 0};
  if (height <= 2 || width >= 4 * height)
    cut = {SvgWork::coarse_wide, 8, 2, 0, 0};
  else if (width <= 2 || height >= 4 * width)
    cut = {SvgWork::coarse_tall, 2, 8, 0, 0};
  cut.width = (width + cut.columns - 1) / cut.columns;
  cut.height = (height + cut.rows - 1) / cut.rows;
  return cut;
}
// Units along a tile's side.
HOST_DEVICE inline std::uint32_t svg_tile_units(const SvgView& view) {
  return svg_tile * view.side * svg_unit;
}
// Whether an edge may be in a rectangle, or touch it. It cannot if all corners are on one side.
HOST_DEVICE inline bool svg_touches(const SvgEdge& edge, std::int32_t x0, std::int32_t y0,
                                    std::int32_t x1, std::int32_t y1) {
  if ((edge.ax < x0 && edge.bx < x0) || (edge.ax > x1 && edge.bx > x1) ||
      (edge.ay < y0 && edge.by < y0) || (edge.ay > y1 && edge.by > y1))
    return false;
  const std::int64_t dx = edge.bx - edge.ax;
  const std::int64_t dy = edge.by - edge.ay;
  const auto side = [&](std::int32_t x, std::int32_t y) {
    return dx * (y - edge.ay) - dy * (x - edge.ax);
  };
  // The corners that are farthest to either side.
  const bool rises = (dx < 0) != (dy < 0);
  const std::int64_t a = rises ? side(x0, y0) : side(x0, y1);
  const std::int64_t b = rises ? side(x1, y1) : side(x1, y0);
  return !((a > 0 && b > 0) || (a < 0 && b < 0));
}

// --- colours: blended in their sRGB encoding, as is customary

struct SvgPaint {
  float red, green, blue, alpha;  // the colours multiplied by alpha
};
HOST_DEVICE inline SvgPaint svg_paint(std::uint32_t fill) {
  const float alpha = static_cast<float>(fill >> 24U) / 255.0F;
  const auto part = [&](unsigned shift) {
    return static_cast<float>(fill >> shift & 255U) / 255.0F * alpha;
  };
  return {part(0), part(8), part(16), alpha};
}
HOST_DEVICE inline void svg_paint_over(SvgPaint& under, const SvgPaint& over) {
  const float share = 1.0F - over.alpha;
  under.red = over.red + under.red * share;
  under.green = over.green + under.green * share;
  under.blue = over.blue + under.blue * share;
  under.alpha = over.alpha + under.alpha * share;
}
// By how often the picture was cut, from cold to warm.
inline constexpr std::uint32_t svg_level_colours = 6;
HOST_DEVICE inline std::uint32_t svg_level_colour(std::uint32_t level) {
  constexpr std::uint32_t colours[svg_level_colours] = {0xffb0703c, 0xffb5a53a, 0xff5fae4a,
                                                        0xff35b8d0, 0xff3a7fe6, 0xff4a4ad2};
  return colours[level < svg_level_colours ? level : svg_level_colours - 1];
}
// From this number of edges on the colour stays the same.
inline constexpr std::uint32_t svg_most_edges = 128;
// By the number's length in bits, from dark to bright.
HOST_DEVICE inline std::uint32_t svg_edges_colour(std::uint32_t edges) {
  std::uint32_t bits = 0;
  for (std::uint32_t rest = edges < svg_most_edges ? edges : svg_most_edges; rest > 0; rest /= 2)
    ++bits;
  const std::uint32_t share = bits * 255 / 8;
  const std::uint32_t red = share;
  const std::uint32_t green = share < 96 ? 24 + share / 4 : 48 + (share - 96) * 200 / 159;
  const std::uint32_t blue = share < 96 ? 64 + share : 160 - (share - 96);
  return red | green << 8U | blue << 16U | 0xff000000U;
}
// One of many bright colours, for a path.
HOST_DEVICE inline std::uint32_t svg_any_colour(std::uint32_t path) {
  const std::uint32_t bits = scramble(path + 1);
  const std::uint32_t hue = (bits >> 8U) % 1536;
  const std::uint32_t depth = 110 + bits % 110;
  const auto part = [&](std::uint32_t at) {
    std::uint32_t off = hue > at ? hue - at : at - hue;
    if (off > 768) off = 1536 - off;
    const std::uint32_t lack = off < 256 ? 0 : off > 512 ? 256 : off - 256;
    return 255 - depth * lack / 256;
  };
  return part(0) | part(512) << 8U | part(1024) << 16U;
}
// The colour of a record. Alpha is kept.
HOST_DEVICE inline std::uint32_t svg_record_colour(SvgColouring colouring, std::uint32_t fill,
                                                   std::uint32_t path, std::uint32_t level) {
  if (colouring == SvgColouring::paths)
    return (svg_any_colour(path) & 0xffffffU) | (fill & 0xff000000U);
  if (colouring == SvgColouring::levels)
    return (svg_level_colour(level) & 0xffffffU) | (fill & 0xff000000U);
  return fill;
}
// A pixel from the sum of `count` samples: straight alpha, rounded.
HOST_DEVICE inline std::uint32_t svg_pixel(const SvgPaint& sum, std::uint32_t count) {
  const float share = 1.0F / static_cast<float>(count);
  const float alpha = sum.alpha * share;
  const auto byte = [](float part) {
    const float scaled = std::floor(part * 255.0F + 0.5F);
    return scaled < 0.0F ? 0U : scaled > 255.0F ? 255U : static_cast<std::uint32_t>(scaled);
  };
  const std::uint32_t opaque = byte(alpha);
  if (opaque == 0) return 0;
  return byte(sum.red * share / alpha) | byte(sum.green * share / alpha) << 8U |
         byte(sum.blue * share / alpha) << 16U | opaque << 24U;
}

}  // namespace warpview
