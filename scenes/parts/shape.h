// How a mesh is deformed as time goes on: what can be set of it, and its pose at a moment.
#pragma once

#include <array>

#include "gpu/runtime/vec.h"
#include "gpu/steps/deform.h"
#include "scenes/controls.h"

namespace warpview {

inline constexpr std::array axes = {"x", "y", "z"};
inline float axis_of(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

enum class Shape { none, wave, twist, bulge, explode };
inline constexpr std::array shapes = {"none", "wave", "twist", "bulge", "explode"};

// --- Controls under names by which shape_of() and pose_of() find them

inline constexpr Need needs_deformation{.control = "shape",
                                        .values = {"wave", "twist", "bulge", "explode"}};

inline constexpr Control shape_control{
    .name = "shape",
    .title = "Shape",
    .tooltip =
        "none: the mesh is at rest. wave: travels along the axis. twist: rotates around the "
        "axis, back and forth. bulge: the middle expands away from the axis. explode: every "
        "triangle flies out and returns.",
    .kind = Control::Kind::choice,
    .choices = shapes,
    .group = "Each frame"};
inline constexpr Control strength_control{
    .name = "strength",
    .title = "Strength",
    .tooltip =
        "Amplitude. At 1 a wave is a third of the mesh's radius high, a twist turns each "
        "end by 360 degrees, a bulge doubles the width, and triangles fly one radius far.",
    .initial = 0.5,
    .group = "Each frame",
    .needs = needs_deformation};
inline constexpr Control axis_control{
    .name = "axis",
    .title = "Axis",
    .tooltip = "Axis along which the shape varies.",
    .kind = Control::Kind::choice,
    .choices = axes,
    .group = "Each frame",
    .needs = {.control = "shape", .values = {"wave", "twist", "bulge"}}};
inline constexpr Control speed_control{.name = "speed",
                                       .title = "Speed",
                                       .tooltip = "Frequency; below 0 a wave travels backwards.",
                                       .initial = 0.5,
                                       .least = -2,
                                       .most = 2,
                                       .unit = "per second",
                                       .group = "Each frame",
                                       .needs = needs_deformation};

// --- Poses

// The mesh at rest, in its own units.
struct RestExtent {
  Vec3 centre{};
  Vec3 half{};               // of the bounds' sides
  float radius = 0.0F;       // half the diagonal of the bounds
  float half_length = 0.0F;  // along the axis of the shape; of a flat mesh the radius
};
RestExtent extent_of(const Aabb& bounds, int axis);

// The wave `turns` periods after the beginning. Amplitude and wave number need not be finite.
using Wave = Deformation(const Controls& controls, const RestExtent& rest, float turns);
// Moves vertices across the axis, with one and a half wavelengths on the length of the mesh.
Wave plain_wave;

inline Shape shape_of(const Controls& controls) {
  return static_cast<Shape>(controls.choice("shape"));
}
// The pose `turns` periods after the beginning, of a mesh with these bounds at rest. A mesh without
// extent, or with more than floats can square, keeps still.
Deformation pose_of(const Controls& controls, const Aabb& at_rest, double turns, Wave* wave);

}  // namespace warpview
