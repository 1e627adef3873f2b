// The drawing code hands gpu's vectors to glm, and glm's to kernels, byte by byte.
#include <cstddef>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "gpu/runtime/vec.h"

namespace warpview {

static_assert(sizeof(Vec2) == sizeof(glm::vec2) && alignof(Vec2) == alignof(glm::vec2));
static_assert(sizeof(Vec3) == sizeof(glm::vec3) && alignof(Vec3) == alignof(glm::vec3));
static_assert(offsetof(Vec2, y) == offsetof(glm::vec2, y));
static_assert(offsetof(Vec3, y) == offsetof(glm::vec3, y) &&
              offsetof(Vec3, z) == offsetof(glm::vec3, z));

}  // namespace warpview
