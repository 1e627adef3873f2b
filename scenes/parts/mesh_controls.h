// What can be set in the mesh scene.
#pragma once

#include <array>

#include "scenes/controls.h"
#include "scenes/parts/marked_scene.h"
#include "scenes/parts/surface.h"

namespace warpview {

enum class Animation { off, refit, rebuild };
inline constexpr std::array animations = {"off", "refit", "rebuild"};

inline constexpr Need needs_animation{.control = "animation", .values = {"refit", "rebuild"}};

inline constexpr std::array mesh_controls = {
    Control{.name = "animation",
            .title = "Animation",
            .tooltip =
                "off: the mesh is at rest, and its BVH was built once. refit: a wave deforms the "
                "mesh, and its BVH keeps its topology. rebuild: every frame builds a new BVH.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = animations,
            .group = "Each frame"},
    Control{.name = "travels",
            .title = "Travels",
            .tooltip = "Axis along which the wave travels.",
            .kind = Control::Kind::choice,
            .choices = axes,
            .group = "Each frame",
            .needs = needs_animation},
    Control{.name = "displaces",
            .title = "Displacement",
            .tooltip = "Axis along which the wave moves the vertices.",
            .kind = Control::Kind::choice,
            .initial = 1,
            .choices = axes,
            .group = "Each frame",
            .needs = needs_animation},
    Control{.name = "amplitude",
            .title = "Amplitude",
            .tooltip = "Maximum displacement of a vertex, in radii of the mesh.",
            .initial = 0.06,
            .most = 0.5,
            .unit = "radii",
            .group = "Each frame",
            .needs = needs_animation},
    Control{.name = "waves",
            .title = "Waves",
            .tooltip = "Number of wavelengths along the mesh.",
            .initial = 2,
            .least = 0.25,
            .most = 12,
            .group = "Each frame",
            .needs = needs_animation},
    Control{.name = "speed",
            .title = "Speed",
            .tooltip = "Wavelengths per second; below 0 it travels backwards.",
            .initial = 0.5,
            .least = -2,
            .most = 2,
            .unit = "per second",
            .group = "Each frame",
            .needs = needs_animation},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "BVH level drawn as boxes; 0 is the root.",
            .most = 63,
            .whole = true,
            .group = "BVH boxes",
            .needs = {.output = "boxes"}},
    colour_by_control,
    digit_control,
    cut_control,
    cut_axis_control,
    cut_at_control,
    crease_control,
};

}  // namespace warpview
