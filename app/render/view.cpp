#include "app/render/view.h"

#include <cstddef>
#include <cstdint>
#include <glm/mat4x4.hpp>

namespace warpview {

FrameView frame_view(const View& view) {
  FrameView seen;
  if (view.width < 1 || view.height < 1) return seen;
  const float aspect = static_cast<float>(view.width) / static_cast<float>(view.height);
  const glm::mat4 to_clip = view.camera.projection(aspect) * view.camera.view();
  std::size_t i = 0;
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) seen.to_clip[i++] = to_clip[column][row];
  const glm::vec3 eye = view.camera.eye();
  seen.eye = {eye.x, eye.y, eye.z};
  seen.width = static_cast<std::uint32_t>(view.width);
  seen.height = static_cast<std::uint32_t>(view.height);
  return seen;
}

}  // namespace warpview
