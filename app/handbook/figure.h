// Drawings of the handbook: the part of SVG that docs/primitives/*.svg use, as shapes of both
// themes.
//
//   W3C, "Scalable Vector Graphics (SVG) 1.1 (Second Edition)", 2011.
//
// Read are rectangles, circles, lines, polygons, paths of M, L, H, V, Z and absolute C, words,
// markers at a line's end, groups that move what is in them, presentation attributes, and a style
// sheet whose selectors are a class or an element's name, with a block for dark displays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/plot.h"
#include "app/common/theme.h"

namespace warpview {

struct FigureShape {
  enum class Kind : std::uint8_t { fill, line, words };
  Kind kind = Kind::fill;
  Shades colour{};
  // The corners of a convex polygon, the points of a line, or where words stand on their baseline.
  std::vector<PlotVertex> vertices{};
  bool closed = false;  // a line back to its first vertex
  float width = 1.0F;   // of a line
  float dash = 0.0F;    // a dash and the gap behind it; 0: solid
  std::string words{};
  float size = 13.0F;  // of the font, in the drawing's units
  PlotShape::Align align = PlotShape::Align::left;
  bool bold = false;
  // Made for DejaVu Sans Mono, DejaVu Sans, or Helvetica, which is narrower.
  enum class Face : std::uint8_t { mono, wide, narrow };
  Face face = Face::narrow;
  bool is_upwards = false;  // turned by a quarter: read from below
};

struct Figure {
  static constexpr std::size_t most_shapes = 20'000;

  float width = 0.0F;  // in units, each a pixel where nothing is scaled
  float height = 0.0F;
  std::string description{};  // its title or label; may be empty
  std::vector<FigureShape> shapes{};
  std::vector<std::string> skipped{};  // what was not read: "element ellipse"
};

// Error when the text is no XML, its outermost element is no <svg> with a viewBox of some area, or
// it has more than Figure::most_shapes shapes.
Figure read_figure(std::string_view svg);

// What a colour of a drawing on white paper becomes on a dark ground, as 0xRRGGBB. White becomes
// the paper of dark plots. Of others the lightness (Oklab, B. Ottosson 2020) is turned around; hue
// and chroma stay.
unsigned dark_shade_of(unsigned colour);

}  // namespace warpview
