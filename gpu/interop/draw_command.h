// What kernels write for OpenGL's indirect draws.
#pragma once

#include <cstdint>

namespace warpview {

// One draw. glDrawElementsIndirect reads all five words; glDrawArraysIndirect the first four, where
// the fourth is its base instance. Both are 0 here, so one layout serves both.
struct DrawCommand {
  std::uint32_t count;      // indices or vertices of an instance
  std::uint32_t instances;  // 0: nothing is drawn
  std::uint32_t first;      // index or vertex
  std::uint32_t base_vertex;
  std::uint32_t base_instance;
};
static_assert(sizeof(DrawCommand) == 20);

// For a box that is drawn as 12 lines.
inline constexpr std::uint32_t vertices_per_box = 24;

}  // namespace warpview
