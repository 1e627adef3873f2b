// SVG files: the part of them that is filled paths.
//
//   W3C, "Scalable Vector Graphics (SVG) 1.1 (Second Edition)", 2011.
//
// The loader reads paths, rectangles, circles, ellipses, polygons and polylines, in groups,
// <switch> and nested <svg>, with their transforms, fills, fill rules and opacities, as attributes
// or in `style`. A group's opacity counts as that of each of its shapes. Paths are clipped to
// nested viewports and to the page. Strokes, gradients, text, clip paths, style sheets and all else
// are left out, and Mesh::warnings tells each kind. No other file is opened; entities that the file
// itself declares are expanded (svg_entities.h).
#pragma once

#include <filesystem>
#include <string_view>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

// The longer side of its page is 2 long in the world, and its middle is the origin.
//
// Error when the file cannot be read, is no XML, its outermost element is no <svg>, or it has more
// than svg_most_paths paths; LoadCancelled.
Mesh load_svg(const std::filesystem::path& path, LoadControl& control,
              const LoadLimits& limits = {});
// Reads a picture from its text; `name` is for messages.
Mesh read_svg(std::string_view text, const std::string& name, LoadControl& control,
              const LoadLimits& limits = {});

// The picture that is built in: assets/emblem.svg.
Mesh make_emblem();

}  // namespace warpview
