// Plots and other shapes as SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/common/plot.h"

namespace warpview {

// Returns a document of this size in pixels. Words are text; colours follow the reader's choice of
// light or dark (prefers-color-scheme).
std::string plot_as_svg(const Plot& plot, int width, int height);

// Returns a document of shapes that were made for svg_surface(), which is smaller than the document
// by svg_margin on each side.
std::string svg_document(std::string_view title, std::span<const PlotShape> shapes, float width,
                         float height);
inline constexpr float svg_margin = 16.0F;

// ---- Parts of a document ------------------------------------------------------------------------

// A surface on which a unit is a pixel.
PlotSurface svg_surface(float width, float height);
inline constexpr const char* svg_fonts = "DejaVu Sans,Verdana,sans-serif";
// Ems from the upper edge of a line of text to its base line.
inline constexpr float svg_ascent = 0.93F;

// Escapes words for use between tags or in an attribute.
std::string svg_escaped(std::string_view words);
// An ink's colour, "#16191e".
std::string svg_colour(int ink, Theme theme);
// The style sheet: .f<ink> fills, and .s<ink> strokes, in the ink's colour.
std::string svg_ink_rules();
// Returns an element for each shape; consecutive polygons of one ink share one.
std::string shapes_as_svg(std::span<const PlotShape> shapes);

}  // namespace warpview
