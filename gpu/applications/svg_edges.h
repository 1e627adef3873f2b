// From the curves of paths to edges on a picture: for kernels and for the reference.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/applications/svg.h"

namespace warpview {

struct SvgPoint {
  double x, y;
};
// Where a place appears on the picture.
struct SvgSeen {
  double x, y, w;  // x and y in units, valid unless w is too small
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
  // Rounding may have moved a point slightly too near again.
  const double by = w > double{view.nearest} ? w : double{view.nearest};
  return {(x / by * 0.5 + 0.5) * across, (0.5 - y / by * 0.5) * down, w};
}
// Points nearer than `nearest` are moved onto the line at that distance, straight away from the
// eye. No visible place is crossed on the way, so the moved outline has the same winding numbers
// around visible places.
HOST_DEVICE inline SvgPoint svg_moved_away(const SvgView& view, SvgPoint p) {
  const double gx = view.to_clip[2][0];
  const double gy = view.to_clip[2][1];
  const double by = (double{view.nearest} - svg_w(view, p)) / (gx * gx + gy * gy);
  return {p.x + gx * by, p.y + gy * by};
}

// The point of a curve at t, from 0 to 1.
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

// Whether the piece of a curve between two values of t can be one edge: nearly straight, or
// invisible.
//
// Between t and t + h a curve deviates from its chord by at most h^2 / 8 max |p''|. |p''| is at
// most 2 times, for cubic curves 6 times, the largest second difference of control points. Halving
// a curve divides this by four. The bound uses the whole curve's differences, so few pieces are cut
// too finely. It holds face on; for a slanted view the projected control points are used in the
// same way.
HOST_DEVICE inline bool svg_is_edge(const SvgView& view, const SvgSegment& segment, double t0,
                                    double t1) {
  if (segment.kind == SvgCurve::line) return true;
  // Control points of the piece: values of the polar form (P. de Casteljau).
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

// A share of a curve's edges: those that begin in the number-th of 2^halvings equal parts of it. By
// default all of them.
struct SvgShare {
  std::uint32_t number = 0;
  std::uint32_t halvings = 0;  // at most svg_most_halvings
};

// Calls put(t0, t1) for each edge of a share of a curve, from its beginning to its end: pieces are
// halved until they are edges. The beginning of a piece determines the next one, so no stack is
// needed: the k-th of 2^depth pieces is followed by the (k + 1)-st, or by the larger piece that
// begins there.
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
  // Descends to the share, or to an edge that contains it, which belongs to its first share.
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

// Calls put(edge) for the parts of a straight line, in units, that may affect the picture. Parts
// above it, below it and to its right are dropped. Parts to its left stay, as far as they are
// beside it, but are moved nearer where they are too far away for exact products.
template <class Put>
HOST_DEVICE inline void svg_cut_line(const SvgView& view, SvgPoint a, SvgPoint b, Put& put) {
  const double right = static_cast<double>(view.width) * (view.side * svg_unit) + svg_unit;
  const double top = -static_cast<double>(svg_unit);
  const double bottom = static_cast<double>(view.height) * (view.side * svg_unit) + svg_unit;
  // Not-a-number is outside all bounds.
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
  // At most three pieces: left of the reach, within it, and right of it.
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

// Calls put(edge) for each edge of a share of a segment, and reach(x, y) for the ends of its
// pieces, whether they are in the picture or not: outside of their bounding box nothing is covered.
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
    if (is_face_on) return;  // the whole plane is too near
    const SvgPoint from = a_is_seen ? a : svg_moved_away(view, a);
    const SvgPoint to = b_is_seen ? b : svg_moved_away(view, b);
    if (a_is_seen == b_is_seen) return line(from, to);
    const double t = (nearest - wa) / (wb - wa);
    const SvgPoint between{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    line(from, between);
    line(between, to);
  });
}

}  // namespace warpview
