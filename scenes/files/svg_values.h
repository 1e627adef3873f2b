// Values of SVG's attributes. SVG++'s grammars read path data and names of colours.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenes/files/svg_geometry.h"

namespace warpview {

// Returns `text` without blanks and line ends at either end.
std::string_view svg_trimmed(std::string_view text);
// Compares with a keyword of CSS, ignoring case.
bool svg_is_word(std::string_view text, std::string_view word);

// Path data: what comes before an error is taken, as SVG demands. False where there is one.
bool read_svg_path(std::string_view text, SvgOutlines& outlines);
// The points of a polygon, with errors as in path data.
bool read_svg_points(std::string_view text, SvgOutlines& outlines);
// Reads the syntax of SVG and of CSS, where numbers may have units of length or angle. 3D functions
// and percentages cannot be read.
std::optional<SvgTransform> read_svg_transform(std::string_view text);

struct SvgColour {
  std::uint32_t rgb = 0;  // red in the lowest 8 bits, then green and blue
  double alpha = 1.0;

  bool operator==(const SvgColour& other) const = default;
};
// Reads #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla() or a name. Components are
// clamped to their range.
std::optional<SvgColour> read_svg_colour(std::string_view text);

// A number in front, and what follows it.
std::optional<double> read_svg_number(std::string_view& text);
// Reads a number or a percentage, clamped to 0 to 1.
std::optional<double> read_svg_share(std::string_view text);
// The references of relative lengths.
struct SvgMeasure {
  double whole = 0;  // 100 %
  double em = 16, root_em = 16;
};
// Reads a length, in user units.
std::optional<double> read_svg_length(std::string_view text, const SvgMeasure& measure);

// Reads `preserveAspectRatio`.
std::optional<SvgFitting> read_svg_fitting(std::string_view text);
// Reads a viewBox; it may have no area.
std::optional<SvgBox> read_svg_box(std::string_view text);

}  // namespace warpview
