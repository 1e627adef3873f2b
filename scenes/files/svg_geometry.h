// Transforms, boxes and outlines of SVG, in double precision.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gpu/applications/svg_edges.h"

namespace warpview {

// x becomes m[0] x + m[2] y + m[4], y becomes m[1] x + m[3] y + m[5].
struct SvgTransform {
  std::array<double, 6> m = {1, 0, 0, 1, 0, 0};

  SvgTransform operator*(const SvgTransform& inner) const;
  SvgPoint operator()(SvgPoint p) const;
};

struct SvgBox {
  double x = 0, y = 0, width = 0, height = 0;

  // Also false for a box that is not finite.
  bool has_area() const;
};

// The placement of a viewBox in a viewport.
struct SvgFitting {
  bool is_stretched = false;        // each axis has a scale of its own
  bool covers = false;              // `slice`: the larger scale
  double across = 0.5, down = 0.5;  // fractions of the free space, to the left and above
};
// Maps coordinates inside a viewBox to those of the viewport's surroundings. Both have an area.
SvgTransform fit(const SvgBox& view_box, const SvgBox& viewport, const SvgFitting& fitting);

// The points on one side of a line.
struct SvgHalfPlane {
  SvgPoint on;      // a point of the line
  SvgPoint normal;  // of length 1, pointing outside

  double distance(SvgPoint p) const;  // from the line; positive outside
  // Returns the nearest point of the line.
  SvgPoint projected(SvgPoint p) const;
  SvgPoint nearest(SvgPoint p) const { return distance(p) <= 0 ? p : projected(p); }
};
// A transformed box is the intersection of four half-planes. None: the transform makes it a line or
// a point.
std::vector<SvgHalfPlane> half_planes_of(const SvgBox& box, const SvgTransform& transform);

// Calls of a path's outlines, in the path's own coordinates.
class SvgOutlines {
 public:
  void move_to(double x, double y);
  void line_to(double x, double y);
  void quadratic_to(double x1, double y1, double x, double y);
  void cubic_to(double x1, double y1, double x2, double y2, double x, double y);
  // A part of an ellipse, by SVG's rules: radii that are too small grow, and where one is 0 it is a
  // line.
  void arc_to(double rx, double ry, double degrees, bool large, bool sweep, double x, double y);
  // The last outline is closed by a line where it is open.
  void close();

  void transform(const SvgTransform& by);
  // Clips to a half-plane: winding numbers stay inside it and become 0 outside.
  void clip(const SvgHalfPlane& to);

  // Are all control points finite and, times `scale`, within svg_farthest?
  bool is_near(double scale) const;
  // Segments, by the places that they are to be seen at. False: one is not finite, or too far out.
  bool append_to(std::vector<SvgSegment>& segments, const SvgTransform& transform) const;
  std::size_t size() const { return pieces_.size(); }

 private:
  // A piece has four control points: one of lower degree repeats its end.
  struct Piece {
    SvgCurve kind;
    std::array<double, 4> x, y;

    SvgPoint point(std::size_t i) const { return {x[i], y[i]}; }
  };
  class Clipping;
  void add(SvgCurve kind, std::array<double, 4> x, std::array<double, 4> y);

  std::vector<Piece> pieces_;
  double x_ = 0, y_ = 0, begin_x_ = 0, begin_y_ = 0;
};

}  // namespace warpview
