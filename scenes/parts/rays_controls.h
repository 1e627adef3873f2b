// What can be set in the scene of rays.
#pragma once

#include <array>

#include "scenes/controls.h"
#include "scenes/parts/picture_view.h"
#include "scenes/parts/surface.h"

namespace warpview {

inline constexpr std::array rays_views = {"shaded", "triangles", "depth",     "normals", "boxes",
                                          "tests",  "lanes",     "occlusion", "paths"};
inline constexpr std::array rays_orders = {"tiles", "rows"};
inline constexpr std::array rays_lights = {"sky", "room", "white", "dark"};

inline constexpr std::array rays_controls = {
    Control{.name = "view",
            .title = "View",
            .tooltip =
                "shaded: sun with shadows, and sky. triangles: a colour for each. depth: distance "
                "along the line of sight. normals: of the shading. boxes, tests: boxes and "
                "triangles that a ray tested. lanes: share of a warp's lanes that have work. "
                "occlusion: share of directions in which nothing is near. paths: path tracing, "
                "light that arrives over several surfaces.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .choices = rays_views,
            .group = "Picture"},
    Control{.name = "most_boxes",
            .title = "Most boxes",
            .tooltip = "Boxes tested per ray at the bright end of the ramp.",
            .initial = 160,
            .least = 8,
            .most = 4096,
            .whole = true,
            .logarithmic = true,
            .unit = "boxes",
            .group = "Picture",
            .needs = {.control = "view", .values = {"boxes"}}},
    Control{.name = "most_tests",
            .title = "Most tests",
            .tooltip = "Triangles tested per ray at the bright end of the ramp.",
            .initial = 12,
            .least = 2,
            .most = 4096,
            .whole = true,
            .logarithmic = true,
            .unit = "triangles",
            .group = "Picture",
            .needs = {.control = "view", .values = {"tests"}}},
    Control{.name = "occlusion_rays",
            .title = "Rays per hit",
            .tooltip = "Rays from each hit, in each sample, that ask what is near.",
            .initial = 4,
            .least = 1,
            .most = 64,
            .whole = true,
            .group = "Picture",
            .needs = {.control = "view", .values = {"occlusion"}}},
    Control{.name = "reach",
            .title = "Reach",
            .tooltip = "How far away something may be and still count as near.",
            .initial = 0.5,
            .least = 0.01,
            .most = 4,
            .logarithmic = true,
            .unit = "radii",
            .group = "Picture",
            .needs = {.control = "view", .values = {"occlusion"}}},
    Control{.name = "bounces",
            .title = "Bounces",
            .tooltip = "Surfaces that scatter light on its way to a pixel, at most.",
            .initial = 4,
            .least = 1,
            .most = 64,
            .whole = true,
            .logarithmic = true,
            .group = "Picture",
            .needs = {.control = "view", .values = {"paths"}}},
    Control{.name = "light",
            .title = "Light",
            .tooltip =
                "What lights the mesh, beside its materials that emit. sky: sun and sky. room: a "
                "lamp at the ceiling of a closed room. white: the same light from every direction. "
                "dark: nothing.",
            .kind = Control::Kind::choice,
            .choices = rays_lights,
            .group = "Picture",
            .needs = {.control = "view", .values = {"paths"}}},
    Control{.name = "seed",
            .title = "Seed",
            .tooltip = "Seed of the random numbers of paths. Each gives another noise.",
            .initial = 0,
            .least = 0,
            .most = 65535,
            .whole = true,
            .group = "Picture",
            .needs = {.control = "view", .values = {"paths"}}},
    Control{.name = "samples",
            .title = "Samples",
            .tooltip = "Rays through each pixel. A frame adds one while nothing changes.",
            .initial = 64,
            .least = 1,
            .most = 65536,
            .whole = true,
            .logarithmic = true,
            .group = "Picture"},
    pixels_control,
    Control{
        .name = "order",
        .title = "Order",
        .tooltip =
            "Order of the rays. tiles: 32 rays of a warp have 8 x 4 pixels. rows: 32 pixels of a "
            "row.",
        .kind = Control::Kind::choice,
        .choices = rays_orders,
        .group = "Rays"},
    Control{.name = "optimise",
            .title = "Optimise",
            .tooltip = "Rounds in which the BVH gets better links after its build; 0: none.",
            .effect = Effect::remake,
            .initial = 0,
            .least = 0,
            .most = 64,
            .whole = true,
            .unit = "rounds",
            .group = "Rays"},
    Control{.name = "overlap",
            .title = "Measure overlap",
            .tooltip =
                "Measures how much of the surface lies in boxes of nodes that it is not below: the "
                "end-point overlap, among the facts. Takes longer than the build, and very "
                "long where all triangles overlap.",
            .kind = Control::Kind::toggle,
            .effect = Effect::remake,
            .group = "Rays"},
    crease_control,
};

}  // namespace warpview
