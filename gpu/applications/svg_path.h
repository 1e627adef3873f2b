// Filled paths, in the form in which they are drawn.
#pragma once

#include <cstdint>

namespace warpview {

enum class SvgCurve : std::uint32_t { line, quadratic, cubic };
enum class SvgRule : std::uint32_t { nonzero, even_odd };

// A piece of an outline: a Bézier curve by its control points; a line has two and a quadratic curve
// three. It ends where the next one of its outline begins, and the last one ends where the first
// one begins.
struct SvgSegment {
  SvgCurve kind;
  float x[4], y[4];
};

// No coordinate of a control point is larger in magnitude.
inline constexpr float svg_farthest = 1e15F;

// One or more closed outlines, and their inside: a path's later outlines may be holes.
struct SvgPath {
  std::uint32_t first, count;  // of its segments
  std::uint32_t fill;          // sRGB-encoded, red in the lowest 8 bits, then green, blue, alpha
  SvgRule rule;
};

}  // namespace warpview
