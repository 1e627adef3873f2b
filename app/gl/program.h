// Shader programs from the embedded GLSL files.
#pragma once

#include <initializer_list>
#include <string_view>

#include "gpu/interop/gl_handle.h"

namespace warpview {

// Compiles and links the files of shaders/ named, each a stage by its ending: .vert .geom .frag.
// A line `#include "file"` is replaced by that file; `defines` are defined in every stage, but
// for empty ones.
// Error carries the driver's log and the file.
GlProgram link_program(std::initializer_list<std::string_view> files,
                       std::initializer_list<std::string_view> defines = {});

}  // namespace warpview
