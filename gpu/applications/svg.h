// Filled paths: cut into tiles, level by level, until a tile is full, empty, or small enough to be
// rasterised.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its procedures, as a load for schedulers. What they
//   compute is our own.
//   M. Shimrat, "Algorithm 112: Position of point relative to polygon", Communications of the ACM,
//   1962.
//   H. Edelsbrunner, E. Mücke, "Simulation of Simplicity", ACM Transactions on Graphics, 1990: how
//   an edge through a sample is decided.
//
// What a picture is made of is said here, for the kernels and for the reference. Curves become
// edges in double precision, compiled without fused multiply-adds, and edges end on whole numbers;
// from there on all is exact. So every device, and every order of work, comes to the same picture.
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
  edges    // how many edges the fine tiles of a place hold
};

// One picture. It consists of samples, side x side for each pixel, and of tiles of 8 x 8 pixels.
struct SvgView {
  // From the plane of the paths, y up, to OpenGL's clip space: x, y and w, each of x, y and 1.
  float to_clip[3][3];
  std::uint32_t width, height;  // in pixels, at most svg_longest
  std::uint32_t side;           // 1 to 4
  std::uint32_t columns, rows;  // of tiles
  float nearest;                // nothing is seen of what has a smaller w
  SvgColouring colouring;
  std::uint32_t first;  // paths before it are left out
};

inline constexpr std::uint32_t svg_tile = 8;             // pixels along a side
inline constexpr std::uint32_t svg_unit = 256;           // so many make a sample's side
inline constexpr std::uint32_t svg_longest = 1U << 16U;  // pixels along a picture's side
inline constexpr std::uint32_t svg_most_paths = 1U << 20U;
inline constexpr std::uint32_t svg_most_halvings = 16;  // of a curve
inline constexpr double svg_tolerance = 1.0 / 16.0;     // of a curve's edges, in samples
// What lies farther out is cut off there: beyond all pictures, and near enough for exact products.
inline constexpr double svg_reach = 1U << 28U;
// As the nearest whole number within reach; what is no number as well.
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

// What flattening a path gives: which edges, and the box that holds them.
struct SvgOutline {
  std::uint32_t first, count;  // 0: nothing of it is seen
  std::int32_t low_x, low_y, high_x, high_y;
};

// How much there was: of edges, of places in lists, of records and masks. More than there is room
// for where the picture lacks something.
struct SvgCounts {
  std::uint32_t edges, places, records, masks;
};

// What a path does in a tile: for each such pair there is one at most.
struct SvgRecord {
  std::uint32_t mask;   // number of its mask; svg_full: all samples are covered
  std::uint32_t level;  // times that the picture was cut to come to this tile
  std::uint32_t edges;  // that were looked at, for each sample
};
inline constexpr std::uint32_t svg_full = ~0U;
// Records are sorted by tile, then by path. A place that holds none comes last.
inline constexpr std::uint64_t svg_no_record = ~std::uint64_t{0};
HOST_DEVICE constexpr std::uint64_t svg_key(std::uint32_t tile, std::uint32_t path) {
  return std::uint64_t{tile} << 20U | path;
}
inline constexpr int svg_key_bits = 48;  // of which those of svg_no_record are all set
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

// Curves become edges. Which edges come first in a path, and which paths, is not the same at each
// run. `counts` are written anew.
struct SvgFlattenArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;  // in device memory
  SvgEdges out{};
  SvgCounts* counts = nullptr;
};

// Records of what the paths cover, in any order. `counts` but for the edges are written anew.
struct SvgDrawArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;
  SvgEdges edges{};
  SvgCounts* counts = nullptr;
  std::uint32_t* lists = nullptr;  // [list_room]: numbers of edges, tile by tile
  std::uint32_t list_room = 0;
  std::uint64_t* keys = nullptr;  // [record_room], as svg_key; behind the last: svg_no_record
  SvgRecord* records = nullptr;   // [record_room]
  std::uint32_t record_room = 0;
  std::uint32_t* masks = nullptr;  // [mask_room][mask_words]
  std::uint32_t mask_room = 0;
  std::uint32_t mask_words = 0;
  Scheduler scheduler{};
  ScheduleSettings settings{};  // capacity: by SvgWork
  HostLoop* host = nullptr;     // for schedulers with host_looks()
};

// The picture: what the records of a tile cover is painted one over the other, in order.
struct SvgPictureArgs {
  SvgPaths paths{};
  const SvgView* view = nullptr;
  const SvgCounts* counts = nullptr;
  const std::uint64_t* keys = nullptr;   // [record_room], sorted
  const std::uint32_t* order = nullptr;  // [record_room]: which records they are of
  const SvgRecord* records = nullptr;
  std::uint32_t record_room = 0;
  const std::uint32_t* masks = nullptr;  // [mask_room][mask_words]
  std::uint32_t mask_room = 0;
  std::uint32_t mask_words = 0;
  std::uint32_t width = 0, height = 0;  // of the view
  std::uint32_t* out = nullptr;         // [width * height], as OutputKind::image
  DrawCommand* command = nullptr;       // or null
};

// --- for kernels and for the reference: from curves to edges

struct SvgPoint {
  double x, y;
};
// Where a place is seen.
struct SvgSeen {
  double x, y, w;  // x and y in units, as far as w is not too small
};

HOST_DEVICE inline double svg_w(const SvgView& view, SvgPoint p) {
  return double{view.to_clip[2][0]} * p.x + double{view.to_clip[2][1]} * p.y +
         double{view.to_clip[2][2]};
}
HOST_DEVICE inline SvgSeen svg_seen(const SvgView& view, SvgPoint p) {
  const double x = double{view.to_clip[0][0]} * p.x + double{view.to_clip[0][1]} * p.y +
                   double{view.to_clip[0][2]};
  const double y = double{view.to_clip[1][0]} * p.x + double{view.to_clip[1][1]} * p.y +
                   double{view.to_clip[1][2]};
  const double w = svg_w(view, p);
  const double across = static_cast<double>(view.width) * (view.side * svg_unit);
  const double down = static_cast<double>(view.height) * (view.side * svg_unit);
  // What was moved away may have come a little too near again, as numbers are rounded.
  const double by = w > double{view.nearest} ? w : double{view.nearest};
  return {(x / by * 0.5 + 0.5) * across, (0.5 - y / by * 0.5) * down, w};
}
// What lies nearer than `nearest` is moved onto the line where things are as near as that, straight
// away from the eye. No place that is seen is passed on that way, so an outline that is moved winds
// around them as often as before.
HOST_DEVICE inline SvgPoint svg_moved_away(const SvgView& view, SvgPoint p) {
  const double gx = view.to_clip[2][0];
  const double gy = view.to_clip[2][1];
  const double by = (double{view.nearest} - svg_w(view, p)) / (gx * gx + gy * gy);
  return {p.x + gx * by, p.y + gy * by};
}

// Of a curve: where it is at t, from 0 to 1.
HOST_DEVICE inline SvgPoint svg_at(const SvgSegment& segment, double t) {
  const double s = 1.0 - t;
  const auto of = [&](double a, double b, double c, double d) {
    if (segment.kind == SvgCurve::line) return s * a + t * b;
    if (segment.kind == SvgCurve::quadratic) return s * s * a + 2.0 * s * t * b + t * t * c;
    return s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
  };
  const auto& x = segment.x;
  const auto& y = segment.y;
  return {of(x[0], x[1], x[2], x[3]), of(y[0], y[1], y[2], y[3])};
}

// Is the piece of a curve between two values of t an edge as it is? Nearly straight, or where it
// cannot be seen.
//
// Between t and t + h a curve is at most h^2 / 8 max |p''| away from its chord, and |p''| is at
// most 2 and 6 times the largest second difference of control points, of quadratic and cubic
// curves. Halving a curve quarters these, and they are asked of the whole curve's: so many that
// few are too many. That is so face on; seen at a slant it is taken for true of the control points
// as they are seen.
HOST_DEVICE inline bool svg_is_edge(const SvgView& view, const SvgSegment& segment, double t0,
                                    double t1) {
  if (segment.kind == SvgCurve::line) return true;
  // Control points of the piece alone: values of the polar form (P. de Casteljau).
  const int degree = segment.kind == SvgCurve::quadratic ? 2 : 3;
  SvgPoint points[4];
  for (int k = 0; k <= degree; ++k) {
    double x[4], y[4];
    for (int i = 0; i <= degree; ++i) {
      x[i] = segment.x[i];
      y[i] = segment.y[i];
    }
    for (int step = 0; step < degree; ++step) {
      const double t = step < k ? t1 : t0;
      for (int i = 0; i < degree - step; ++i) {
        x[i] = (1.0 - t) * x[i] + t * x[i + 1];
        y[i] = (1.0 - t) * y[i] + t * y[i + 1];
      }
    }
    points[k] = {x[0], y[0]};
  }
  const double across = static_cast<double>(view.width) * (view.side * svg_unit);
  const double down = static_cast<double>(view.height) * (view.side * svg_unit);
  SvgSeen seen[4];
  unsigned beyond_all = 15U;
  bool is_behind = false;
  for (int k = 0; k <= degree; ++k) {
    seen[k] = svg_seen(view, points[k]);
    if (!(seen[k].w >= double{view.nearest})) {
      is_behind = true;
      beyond_all = 0;
      continue;
    }
    beyond_all &= (seen[k].x < 0.0 ? 1U : 0U) | (seen[k].x > across ? 2U : 0U) |
                  (seen[k].y < 0.0 ? 4U : 0U) | (seen[k].y > down ? 8U : 0U);
  }
  if (is_behind) {
    bool all = true;
    for (int k = 0; k <= degree; ++k) all = all && !(seen[k].w >= double{view.nearest});
    return all;
  }
  if (beyond_all != 0) return true;
  double most = 0.0;
  for (int k = 0; k + 2 <= degree; ++k) {
    const double dx = seen[k].x - 2.0 * seen[k + 1].x + seen[k + 2].x;
    const double dy = seen[k].y - 2.0 * seen[k + 1].y + seen[k + 2].y;
    const double square = dx * dx + dy * dy;
    if (square > most) most = square;
  }
  const double factor = degree == 2 ? 2.0 / 8.0 : 6.0 / 8.0;
  const double tolerance = svg_tolerance * svg_unit;
  return most * factor * factor <= tolerance * tolerance;
}

// Which of a curve's edges somebody has: those that begin in the number-th of 2^halvings equal
// parts of it. All of them, if that is not said.
struct SvgShare {
  std::uint32_t number = 0;
  std::uint32_t halvings = 0;  // svg_most_halvings at most
};

// Calls put(t0, t1) for each edge of a share of a curve, from its beginning to its end: pieces are
// halved until they are edges. Where one begins tells all of it, so it takes no stack: the k-th of
// 2^depth pieces is followed by the (k + 1)-st, or by what that is the first half of.
template <class Put>
HOST_DEVICE inline void svg_each_piece(const SvgView& view, const SvgSegment& segment,
                                       const SvgShare& share, Put put) {
  const auto is_edge = [&](std::uint32_t k, std::uint32_t depth) {
    const double size = 1.0 / static_cast<double>(1U << depth);
    return depth == svg_most_halvings || svg_is_edge(view, segment, static_cast<double>(k) * size,
                                                     static_cast<double>(k + 1) * size);
  };
  const auto put_piece = [&](std::uint32_t k, std::uint32_t depth) {
    const double size = 1.0 / static_cast<double>(1U << depth);
    put(static_cast<double>(k) * size, static_cast<double>(k + 1) * size);
  };
  // Down to the share, or to an edge that holds it: that is of the first of those that it holds.
  for (std::uint32_t depth = 0; depth < share.halvings; ++depth) {
    const std::uint32_t finer = share.halvings - depth;
    if (!is_edge(share.number >> finer, depth)) continue;
    if (share.number % (1U << finer) == 0) put_piece(share.number >> finer, depth);
    return;
  }
  std::uint32_t depth = share.halvings;
  std::uint32_t k = share.number;
  for (;;) {
    if (!is_edge(k, depth)) {
      ++depth;
      k *= 2;
      continue;
    }
    put_piece(k, depth);
    ++k;
    while (depth > share.halvings && k % 2 == 0) {
      --depth;
      k /= 2;
    }
    if (depth == share.halvings) return;
  }
}

// Calls put(edge) for what of a straight line, in units, may count in the picture: what is above
// it, below it and to its right is left out; what is to its left stays, as far as it is beside it,
// but is moved nearer where it is too far away for exact products.
template <class Put>
HOST_DEVICE inline void svg_cut_line(const SvgView& view, SvgPoint a, SvgPoint b, Put& put) {
  const double right = static_cast<double>(view.width) * (view.side * svg_unit) + svg_unit;
  const double top = -static_cast<double>(svg_unit);
  const double bottom = static_cast<double>(view.height) * (view.side * svg_unit) + svg_unit;
  // Not-a-number is beyond all of them.
  if (!((a.y >= top || b.y >= top) && (a.y <= bottom || b.y <= bottom) &&
        (a.x <= right || b.x <= right)))
    return;
  const auto at_y = [&](double y) { return a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)); };
  const auto cut_y = [&](SvgPoint p) {
    if (p.y < -svg_reach) return SvgPoint{at_y(-svg_reach), -svg_reach};
    if (p.y > svg_reach) return SvgPoint{at_y(svg_reach), svg_reach};
    return p;
  };
  const SvgPoint from = cut_y(a);
  const SvgPoint to = cut_y(b);
  const auto at_x = [&](double x) {
    return from.y + (to.y - from.y) * ((x - from.x) / (to.x - from.x));
  };
  // At most three pieces: one left of the reach, one within it, one right of it.
  const auto emit = [&](SvgPoint p, SvgPoint q) {
    const SvgEdge edge{svg_whole(p.x), svg_whole(p.y), svg_whole(q.x), svg_whole(q.y)};
    if (edge.ax != edge.bx || edge.ay != edge.by) put(edge);
  };
  SvgPoint p = from;
  if (from.x < -svg_reach || from.x > svg_reach) {
    const double limit = from.x < 0.0 ? -svg_reach : svg_reach;
    if ((limit < 0.0 && to.x <= limit) || (limit > 0.0 && to.x >= limit)) {
      emit({limit, from.y}, {limit, to.y});
      return;
    }
    const SvgPoint at{limit, at_x(limit)};
    emit({limit, from.y}, at);
    p = at;
  }
  if (to.x < -svg_reach || to.x > svg_reach) {
    const double limit = to.x < 0.0 ? -svg_reach : svg_reach;
    const SvgPoint at{limit, at_x(limit)};
    emit(p, at);
    emit(at, {limit, to.y});
    return;
  }
  emit(p, to);
}

// Calls put(edge) for each edge of a share of a segment, and reach(x, y) for the places that its
// pieces begin and end at, whether they are in the picture or not: outside of their box nothing is
// covered.
template <class Put, class Reach>
HOST_DEVICE inline void svg_each_edge(const SvgView& view, const SvgSegment& segment,
                                      const SvgShare& share, Put put, Reach reach) {
  const double nearest = view.nearest;
  const auto line = [&](SvgPoint from, SvgPoint to) {
    const SvgSeen a = svg_seen(view, from);
    const SvgSeen b = svg_seen(view, to);
    reach(svg_whole(a.x), svg_whole(a.y));
    reach(svg_whole(b.x), svg_whole(b.y));
    svg_cut_line(view, {a.x, a.y}, {b.x, b.y}, put);
  };
  svg_each_piece(view, segment, share, [&](double t0, double t1) {
    const SvgPoint a = svg_at(segment, t0);
    const SvgPoint b = svg_at(segment, t1);
    const double wa = svg_w(view, a);
    const double wb = svg_w(view, b);
    const bool a_is_seen = wa >= nearest;
    const bool b_is_seen = wb >= nearest;
    if (a_is_seen && b_is_seen) return line(a, b);
    const bool is_face_on = view.to_clip[2][0] == 0.0F && view.to_clip[2][1] == 0.0F;
    if (is_face_on) return;  // all of the plane is too near
    const SvgPoint from = a_is_seen ? a : svg_moved_away(view, a);
    const SvgPoint to = b_is_seen ? b : svg_moved_away(view, b);
    if (a_is_seen == b_is_seen) return line(from, to);
    const double t = (nearest - wa) / (wb - wa);
    const SvgPoint between{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    line(from, between);
    line(between, to);
  });
}

// --- for kernels and for the reference: from edges to coverage
//
// No outline goes through the places that are asked about, since they are taken a little farther to
// the right, and very much less farther down, than their numbers say.

// On which side of the line through an edge is a place? 1 or -1.
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
// By how much an outline's winding number changes across an edge, from one place straight to the
// right, or straight down, to another.
HOST_DEVICE inline std::int32_t svg_turn_right(const SvgEdge& edge, std::int32_t y,
                                               std::int32_t from_x, std::int32_t to_x) {
  return svg_parts_rows(edge, y) ? (svg_side(edge, from_x, y) - svg_side(edge, to_x, y)) / 2 : 0;
}
HOST_DEVICE inline std::int32_t svg_turn_down(const SvgEdge& edge, std::int32_t x,
                                              std::int32_t from_y, std::int32_t to_y) {
  return svg_parts_columns(edge, x) ? (svg_side(edge, x, from_y) - svg_side(edge, x, to_y)) / 2 : 0;
}
// And from far away at the left to a place.
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
// May an edge be in a rectangle, or touch it? Not, where all of its corners are on one side.
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

// --- colours: painted over each other as they are encoded, as others do

struct SvgPaint {
  float red, green, blue, alpha;  // the colours times alpha
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
// So many and more edges have the last colour.
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
// What a record is painted with. Shares of alpha stay.
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
