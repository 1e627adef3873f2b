// What can be set in the mesh scene.
#pragma once

#include <array>

#include "scenes/controls.h"
#include "scenes/parts/surface.h"

namespace warpview {

enum class Animation { off, refit, rebuild };
inline constexpr std::array animations = {"off", "refit", "rebuild"};
inline constexpr std::array axes = {"x", "y", "z"};
enum class ColourBy { material, normal, rank, leaf, depth, digit };
inline constexpr std::array colourings = {"material", "normal", "rank", "leaf", "depth", "digit"};

inline constexpr std::array mesh_controls = {
    Control{.name = "animation",
            .title = "Animation",
            .tooltip = "off: the mesh is at rest, its BVH was built at load. refit: a wave deforms "
                       "the mesh, its BVH keeps its shape. rebuild: its BVH is built anew.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = animations,
            .group = "Each frame"},
    Control{.name = "travels",
            .title = "Travels",
            .tooltip = "The axis along which the wave travels.",
            .kind = Control::Kind::choice,
            .choices = axes,
            .group = "Each frame"},
    Control{.name = "displaces",
            .title = "Displaces",
            .tooltip = "The axis along which the wave moves the vertices.",
            .kind = Control::Kind::choice,
            .initial = 1,
            .choices = axes,
            .group = "Each frame"},
    Control{.name = "amplitude",
            .title = "Amplitude",
            .tooltip = "How far the wave moves a vertex at most, in radii of the mesh.",
            .initial = 0.06,
            .most = 0.5,
            .unit = "radii",
            .group = "Each frame"},
    Control{.name = "waves",
            .title = "Waves",
            .tooltip = "Wavelengths along the mesh.",
            .initial = 2,
            .least = 0.25,
            .most = 12,
            .group = "Each frame"},
    Control{.name = "speed",
            .title = "Speed",
            .tooltip = "Wavelengths per second; below 0 it travels backwards.",
            .initial = 0.5,
            .least = -2,
            .most = 2,
            .unit = "per second",
            .group = "Each frame"},
    Control{.name = "level",
            .title = "Level",
            .tooltip = "Which level of the BVH is drawn as boxes; 0 is the root.",
            .most = 63,
            .whole = true,
            .group = "BVH boxes"},
    Control{.name = "colour_by",
            .title = "Colour by",
            .tooltip =
                "What gives the mesh its colour: its material; the normal; a triangle's rank in "
                "Morton order; its leaf, neighbours in other colours; the depth of the leaf; or a "
                "digit of its sort key. From dark to bright where it is a number.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = colourings,
            .group = "Colour"},
    Control{.name = "digit",
            .title = "Digit",
            .tooltip = "Which eight bits of the sort key colour the mesh; 0 are the lowest.",
            .most = 7,
            .whole = true,
            .group = "Colour"},
    Control{.name = "cut",
            .title = "Cut open",
            .tooltip = "What lies beyond a plane across an axis is not drawn.",
            .kind = Control::Kind::toggle,
            .group = "Cut"},
    Control{.name = "cut_axis",
            .title = "Across",
            .tooltip = "The axis to which the plane is at right angles.",
            .kind = Control::Kind::choice,
            .choices = axes,
            .group = "Cut"},
    Control{
        .name = "cut_at",
        .title = "At",
        .tooltip = "Where the plane is: 0 at the lower end of the mesh at rest, 1 at the upper.",
        .initial = 0.5,
        .group = "Cut"},
    crease_control,
};

}  // namespace warpview
