// The values of SVG's attributes, read by the grammars of SVG++.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gpu/applications/svg_path.h"

namespace warpview {

// x becomes m[0] x + m[2] y + m[4], y becomes m[1] x + m[3] y + m[5].
struct SvgTransform {
  std::array<double, 6> m = {1, 0, 0, 1, 0, 0};

  SvgTransform operator*(const SvgTransform& inner) const;
};

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

  // Segments, by the places that they are to be seen at. False: one is not finite, or too far out.
  bool append_to(std::vector<SvgSegment>& segments, const SvgTransform& transform) const;
  std::size_t size() const { return pieces_.size(); }

 private:
  struct Piece {
    SvgCurve kind;
    std::array<double, 4> x, y;
  };
  void add(SvgCurve kind, std::array<double, 4> x, std::array<double, 4> y);

  std::vector<Piece> pieces_;
  double x_ = 0, y_ = 0, begin_x_ = 0, begin_y_ = 0;
};

// Path data: what comes before an error is taken, as SVG demands. False where there is one.
bool read_svg_path(std::string_view text, SvgOutlines& outlines);
// The points of a polygon; the same.
bool read_svg_points(std::string_view text, SvgOutlines& outlines);
std::optional<SvgTransform> read_svg_transform(std::string_view text);
// #rgb, #rrggbb, rgb(...) or a name: red in the lowest 8 bits, then green and blue.
std::optional<std::uint32_t> read_svg_colour(std::string_view text);
// A number in front, and what follows it.
std::optional<double> read_svg_number(std::string_view& text);

}  // namespace warpview
