#include "scenes/files/svg_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace warpview {

bool SvgBox::has_area() const {
  return width > 0 && height > 0 && std::isfinite(x + y + width + height);
}

SvgTransform fit(const SvgBox& view_box, const SvgBox& viewport, const SvgFitting& fitting) {
  double x = viewport.width / view_box.width;
  double y = viewport.height / view_box.height;
  if (!fitting.is_stretched) x = y = fitting.covers ? std::max(x, y) : std::min(x, y);
  const double left = fitting.is_stretched ? 0 : viewport.width - x * view_box.width;
  const double above = fitting.is_stretched ? 0 : viewport.height - y * view_box.height;
  return {{x, 0, 0, y, viewport.x + left * fitting.across - x * view_box.x,
           viewport.y + above * fitting.down - y * view_box.y}};
}

SvgTransform SvgTransform::operator*(const SvgTransform& inner) const {
  const auto& a = m;
  const auto& b = inner.m;
  return {{a[0] * b[0] + a[2] * b[1], a[1] * b[0] + a[3] * b[1], a[0] * b[2] + a[2] * b[3],
           a[1] * b[2] + a[3] * b[3], a[0] * b[4] + a[2] * b[5] + a[4],
           a[1] * b[4] + a[3] * b[5] + a[5]}};
}
SvgPoint SvgTransform::operator()(SvgPoint p) const {
  return {m[0] * p.x + m[2] * p.y + m[4], m[1] * p.x + m[3] * p.y + m[5]};
}

double SvgHalfPlane::distance(SvgPoint p) const {
  return normal.x * (p.x - on.x) + normal.y * (p.y - on.y);
}
// Projects twice, because the first result of a far point is rounded.
SvgPoint SvgHalfPlane::projected(SvgPoint p) const {
  for (int i = 0; i < 2; ++i) {
    const double away = distance(p);
    p = {p.x - normal.x * away, p.y - normal.y * away};
  }
  return p;
}

std::vector<SvgHalfPlane> half_planes_of(const SvgBox& box, const SvgTransform& transform) {
  const double right = box.x + box.width;
  const double bottom = box.y + box.height;
  const std::array corners = {transform({box.x, box.y}), transform({right, box.y}),
                              transform({right, bottom}), transform({box.x, bottom})};
  const auto& m = transform.m;
  // A mirroring transform reverses the order of the corners.
  const double way = m[0] * m[3] - m[1] * m[2] < 0 ? -1 : 1;
  std::vector<SvgHalfPlane> sides;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const SvgPoint from = corners[i];
    const SvgPoint to = corners[(i + 1) % corners.size()];
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (!(length > 0 && std::isfinite(length))) return {};
    sides.push_back({from, {(to.y - from.y) / length * way, (from.x - to.x) / length * way}});
  }
  return sides;
}

void SvgOutlines::add(SvgCurve kind, std::array<double, 4> x, std::array<double, 4> y) {
  const std::size_t last = static_cast<std::size_t>(kind) + 1;
  for (std::size_t i = last + 1; i < 4; ++i) {
    x[i] = x[last];
    y[i] = y[last];
  }
  pieces_.push_back({kind, x, y});
  x_ = x[last];
  y_ = y[last];
}
void SvgOutlines::move_to(double x, double y) {
  close();
  x_ = begin_x_ = x;
  y_ = begin_y_ = y;
}
void SvgOutlines::line_to(double x, double y) { add(SvgCurve::line, {x_, x}, {y_, y}); }
void SvgOutlines::quadratic_to(double x1, double y1, double x, double y) {
  add(SvgCurve::quadratic, {x_, x1, x}, {y_, y1, y});
}
void SvgOutlines::cubic_to(double x1, double y1, double x2, double y2, double x, double y) {
  add(SvgCurve::cubic, {x_, x1, x2, x}, {y_, y1, y2, y});
}
// The implementation notes of SVG 1.1 (F.6), with the ellipse as a unit circle.
void SvgOutlines::arc_to(double rx, double ry, double degrees, bool large, bool sweep, double x,
                         double y) {
  rx = std::abs(rx);
  ry = std::abs(ry);
  if (!(rx > 0 && ry > 0)) return line_to(x, y);
  const double cosine = std::cos(degrees * std::numbers::pi / 180.0);
  const double sine = std::sin(degrees * std::numbers::pi / 180.0);
  const double half_x = (x_ - x) / 2;
  const double half_y = (y_ - y) / 2;
  // From the middle of both ends to the first.
  double u = (cosine * half_x + sine * half_y) / rx;
  double v = (cosine * half_y - sine * half_x) / ry;
  double square = u * u + v * v;
  if (square > 1) {
    const double larger = std::sqrt(square);
    rx *= larger;
    ry *= larger;
    u /= larger;
    v /= larger;
    square = 1;
  }
  const double away = std::sqrt(std::max(0.0, 1 / square - 1)) * (large == sweep ? -1 : 1);
  const double centre_u = away * v;
  const double centre_v = -away * u;
  const double begin = std::atan2(v - centre_v, u - centre_u);
  double way = std::atan2(-v - centre_v, -u - centre_u) - begin;
  if (sweep && way < 0) way += 2 * std::numbers::pi;
  if (!sweep && way > 0) way -= 2 * std::numbers::pi;
  if (!std::isfinite(way + rx + ry)) return line_to(x, y);
  const double middle_x = (x_ + x) / 2;
  const double middle_y = (y_ + y) / 2;
  const auto place = [&](double a, double b) {
    a = (a + centre_u) * rx;
    b = (b + centre_v) * ry;
    return std::pair(cosine * a - sine * b + middle_x, sine * a + cosine * b + middle_y);
  };
  const int count =
      std::clamp(static_cast<int>(std::ceil(std::abs(way) * 2 / std::numbers::pi - 1e-9)), 1, 4);
  const double step = way / count;
  const double reach = 4.0 / 3.0 * std::tan(step / 4);
  for (int i = 0; i < count; ++i) {
    const double from = begin + step * i;
    const double to = from + step;
    const auto first =
        place(std::cos(from) - reach * std::sin(from), std::sin(from) + reach * std::cos(from));
    const auto second =
        place(std::cos(to) + reach * std::sin(to), std::sin(to) - reach * std::cos(to));
    const auto end = i + 1 == count ? std::pair(x, y) : place(std::cos(to), std::sin(to));
    cubic_to(first.first, first.second, second.first, second.second, end.first, end.second);
  }
}
void SvgOutlines::close() {
  if (x_ != begin_x_ || y_ != begin_y_) line_to(begin_x_, begin_y_);
}

void SvgOutlines::transform(const SvgTransform& by) {
  for (Piece& piece : pieces_)
    for (std::size_t i = 0; i < 4; ++i) {
      const SvgPoint p = by(piece.point(i));
      piece.x[i] = p.x;
      piece.y[i] = p.y;
    }
}

bool SvgOutlines::is_near(double scale) const {
  const double most = double{svg_farthest} / scale;
  return std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    for (std::size_t i = 0; i < 4; ++i)
      if (!(std::abs(piece.x[i]) <= most && std::abs(piece.y[i]) <= most)) return false;
    return true;
  });
}

bool SvgOutlines::append_to(std::vector<SvgSegment>& segments,
                            const SvgTransform& transform) const {
  const auto first = static_cast<std::ptrdiff_t>(segments.size());
  for (const Piece& piece : pieces_) {
    SvgSegment segment{piece.kind, {}, {}};
    for (std::size_t i = 0; i < 4; ++i) {
      const SvgPoint p = transform(piece.point(i));
      segment.x[i] = static_cast<float>(p.x);
      segment.y[i] = static_cast<float>(p.y);
      const bool is_near =
          std::abs(segment.x[i]) <= svg_farthest && std::abs(segment.y[i]) <= svg_farthest;
      if (is_near) continue;
      segments.erase(segments.begin() + first, segments.end());
      return false;
    }
    segments.push_back(segment);
  }
  return true;
}

// --- clipping
//
// Parts of an outline outside a half-plane are projected onto its border. The projection sweeps
// over no point of the inside, so the outline winds around each of these as often as before, and
// around no point of the outside. A curve is cut where it crosses the border: parts inside stay
// curves, parts outside become lines between their projected ends.

class SvgOutlines::Clipping {
 public:
  explicit Clipping(const SvgHalfPlane& to) : to_(to) {}

  void add(const Piece& piece) {
    std::array<double, 4> away{};
    for (std::size_t i = 0; i < 4; ++i) away[i] = to_.distance(piece.point(i));
    const SvgPoint begin = to_.nearest(piece.point(0));
    const SvgPoint end = to_.nearest(piece.point(3));
    if (std::all_of(away.begin(), away.end(), [](double d) { return d <= 0; })) return keep(piece);
    if (std::all_of(away.begin(), away.end(), [](double d) { return d >= 0; }))
      return move_along(begin, end);
    double from = 0;
    SvgPoint at = begin;
    const auto go_to = [&](double t, SvgPoint next) {
      if (distance(piece.kind, away, (from + t) / 2) <= 0)
        keep(part(piece, from, t, at, next));
      else
        move_along(at, next);
      from = t;
      at = next;
    };
    for (const double t : crossings(piece.kind, away))
      if (t > from && t < 1) go_to(t, to_.projected(point_at(piece, t)));
    go_to(1, end);
  }
  std::vector<Piece> finish() {
    put_border();
    return std::move(kept_);
  }

 private:
  static std::size_t degree_of(SvgCurve kind) { return static_cast<std::size_t>(kind) + 1; }

  void keep(const Piece& piece) {
    put_border();
    kept_.push_back(piece);
  }
  // Adds a line along the border. Consecutive ones are merged.
  void move_along(SvgPoint from, SvgPoint to) {
    if (!has_border_ || from.x != border_to_.x || from.y != border_to_.y) {
      put_border();
      border_from_ = from;
      has_border_ = true;
    }
    border_to_ = to;
  }
  void put_border() {
    const SvgPoint a = border_from_;
    const SvgPoint b = border_to_;
    if (has_border_ && (a.x != b.x || a.y != b.y))
      kept_.push_back({SvgCurve::line, {a.x, b.x, b.x, b.x}, {a.y, b.y, b.y, b.y}});
    has_border_ = false;
  }

  // Evaluates the polar form of a curve (P. de Casteljau).
  static double polar(std::array<double, 4> v, std::size_t degree, double t0, double t1,
                      std::size_t ones) {
    for (std::size_t step = 0; step < degree; ++step) {
      const double t = step < ones ? t1 : t0;
      for (std::size_t i = 0; i < degree - step; ++i) v[i] = (1 - t) * v[i] + t * v[i + 1];
    }
    return v[0];
  }
  static double distance(SvgCurve kind, const std::array<double, 4>& away, double t) {
    return polar(away, degree_of(kind), t, t, 0);
  }
  static SvgPoint point_at(const Piece& piece, double t) {
    const std::size_t degree = degree_of(piece.kind);
    return {polar(piece.x, degree, t, t, 0), polar(piece.y, degree, t, t, 0)};
  }
  // Cuts a curve from t0 to t1; its ends are given.
  static Piece part(const Piece& piece, double t0, double t1, SvgPoint from, SvgPoint to) {
    const std::size_t degree = degree_of(piece.kind);
    Piece found{piece.kind, {from.x, to.x, to.x, to.x}, {from.y, to.y, to.y, to.y}};
    for (std::size_t k = 1; k < degree; ++k) {
      found.x[k] = polar(piece.x, degree, t0, t1, k);
      found.y[k] = polar(piece.y, degree, t0, t1, k);
    }
    return found;
  }
  // Finds values of t on the border. Between extrema of the distance there is at most one.
  static std::vector<double> crossings(SvgCurve kind, const std::array<double, 4>& d) {
    if (kind == SvgCurve::line) return {d[0] / (d[0] - d[1])};  // the ends are on both sides
    std::vector<double> stops = {0};
    const auto turn = [&stops](double t) {
      if (t > 0 && t < 1) stops.push_back(t);
    };
    if (kind == SvgCurve::quadratic) turn((d[0] - d[1]) / (d[0] - 2 * d[1] + d[2]));
    if (kind == SvgCurve::cubic) {
      const double a = d[3] - d[0] + 3 * (d[1] - d[2]);
      const double b = 2 * (d[0] - 2 * d[1] + d[2]);
      const double c = d[1] - d[0];
      const double root = std::sqrt(std::max(0.0, b * b - 4 * a * c));
      const double q = -(b + std::copysign(root, b)) / 2;
      turn(q / a);
      turn(c / q);
    }
    stops.push_back(1);
    std::sort(stops.begin(), stops.end());
    std::vector<double> found;
    for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
      double low = stops[i];
      double high = stops[i + 1];
      const bool begins_inside = distance(kind, d, low) <= 0;
      if (begins_inside == (distance(kind, d, high) <= 0)) continue;
      for (double middle = (low + high) / 2; middle > low && middle < high;
           middle = (low + high) / 2)
        ((distance(kind, d, middle) <= 0) == begins_inside ? low : high) = middle;
      found.push_back(high);
    }
    return found;
  }

  const SvgHalfPlane& to_;
  std::vector<Piece> kept_;
  SvgPoint border_from_{}, border_to_{};
  bool has_border_ = false;
};

void SvgOutlines::clip(const SvgHalfPlane& to) {
  const bool is_inside = std::all_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    for (std::size_t i = 0; i < 4; ++i)
      if (!(to.distance(piece.point(i)) <= 0)) return false;
    return true;
  });
  if (is_inside) return;
  Clipping clipping(to);
  for (const Piece& piece : pieces_) clipping.add(piece);
  pieces_ = clipping.finish();
}

}  // namespace warpview
