// The values of SVG's attributes. Path data and names of colours are read by the grammars of SVG++.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gpu/applications/svg.h"

namespace warpview {

// `text` without blanks and line ends at either end.
std::string_view svg_trimmed(std::string_view text);
// Is a keyword of CSS the text? Letters of either case are the same.
bool svg_is_word(std::string_view text, std::string_view word);

// x becomes m[0] x + m[2] y + m[4], y becomes m[1] x + m[3] y + m[5].
struct SvgTransform {
  std::array<double, 6> m = {1, 0, 0, 1, 0, 0};

  SvgTransform operator*(const SvgTransform& inner) const;
  SvgPoint operator()(SvgPoint p) const;
};

struct SvgBox {
  double x = 0, y = 0, width = 0, height = 0;

  // Is it finite, and does it have an area?
  bool has_area() const;
};

// One side of a line.
struct SvgHalfPlane {
  SvgPoint on;      // a point of the line
  SvgPoint normal;  // of length 1, away from the half-plane

  double distance(SvgPoint p) const;  // from the line; positive outside
  // The nearest point of the line.
  SvgPoint projected(SvgPoint p) const;
  SvgPoint nearest(SvgPoint p) const { return distance(p) <= 0 ? p : projected(p); }
};
// A box as a transform shows it is where all of its half-planes are. None: it is shown as a line or
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
  // Leaves out what is not in a half-plane. Inside of it winding numbers stay, outside they become
  // 0.
  void clip(const SvgHalfPlane& to);

  // Are all control points finite, and no farther out than a picture's may be, as `scale` shows
  // them?
  bool is_near(double scale) const;
  // Segments, by the places that they are to be seen at. False: one is not finite, or too far out.
  bool append_to(std::vector<SvgSegment>& segments, const SvgTransform& transform) const;
  std::size_t size() const { return pieces_.size(); }

 private:
  // Control points; those that its kind does not have are where it ends.
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

// Path data: what comes before an error is taken, as SVG demands. False where there is one.
bool read_svg_path(std::string_view text, SvgOutlines& outlines);
// The points of a polygon; the same.
bool read_svg_points(std::string_view text, SvgOutlines& outlines);
// As SVG and CSS write it: numbers may have units of length or angle. Three dimensions, and
// percentages, cannot be read.
std::optional<SvgTransform> read_svg_transform(std::string_view text);

struct SvgColour {
  std::uint32_t rgb = 0;  // red in the lowest 8 bits, then green and blue
  double alpha = 1.0;

  bool operator==(const SvgColour& other) const = default;
};
// #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla() or a name. Parts that are too large
// or too small count as the nearest that are not.
std::optional<SvgColour> read_svg_colour(std::string_view text);

// A number in front, and what follows it.
std::optional<double> read_svg_number(std::string_view& text);
// A number, or a percentage of 1: from 0 to 1, else the nearest of them.
std::optional<double> read_svg_share(std::string_view text);
// What lengths are relative to.
struct SvgMeasure {
  double whole = 0;  // 100 %
  double em = 16, root_em = 16;
};
// A length in user units.
std::optional<double> read_svg_length(std::string_view text, const SvgMeasure& measure);

// How a viewBox lies in a viewport.
struct SvgFitting {
  bool is_stretched = false;        // else one scale holds for both sides
  bool covers = false;              // the larger of two scales
  double across = 0.5, down = 0.5;  // shares of what is left over, to the left and above
};
// `preserveAspectRatio`.
std::optional<SvgFitting> read_svg_fitting(std::string_view text);
// From coordinates of a viewBox to those that its viewport lies in. Both have an area.
SvgTransform fit(const SvgBox& view_box, const SvgBox& viewport, const SvgFitting& fitting);
// A viewBox; it may have no area.
std::optional<SvgBox> read_svg_box(std::string_view text);

}  // namespace warpview
