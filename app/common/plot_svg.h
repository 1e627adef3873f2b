// Plots and other shapes as SVG.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/common/plot.h"

namespace warpview {

// A document of this size in pixels: words as text, colours by the reader's choice of light or dark
// (prefers-color-scheme).
std::string plot_as_svg(const Plot& plot, int width, int height);

// An SVG document of shapes that were made for a surface of svg_surface(), smaller than the
// document by svg_margin on each side.
std::string svg_document(std::string_view title, std::span<const PlotShape> shapes, float width,
                         float height);
inline constexpr float svg_margin = 16.0F;

// ---- Parts of a document ------------------------------------------------------------------------

// A surface on which a unit is a pixel.
PlotSurface svg_surface(float width, float height);
inline constexpr const char* svg_fonts = "DejaVu Sans,Verdana,sans-serif";
// Ems from the upper edge of a line of text to its base line.
inline constexpr float svg_ascent = 0.93F;

// Words as they stand between tags or in an attribute.
std::string svg_escaped(std::string_view words);
// An ink's colour, "#16191e".
std::string svg_colour(int ink, Theme theme);
// The rules of a style sheet that .f<ink> is filled and .s<ink> drawn in the ink's colour.
std::string svg_ink_rules();
// An element for each shape, but one for neighbouring polygons of one ink.
std::string shapes_as_svg(std::span<const PlotShape> shapes);

}  // namespace warpview
