// A square of the plane that the scene stands on, as four corners of a strip. With SHADOW the part
// of the plane on which a shadow may fall: what the key light's shadow map sees of it.
#include "frame.glsl"

layout(location = 0) out vec3 place;  // world

// Radii of the scene from its centre at which the ground has faded out.
const float reach = 5.0;

void main() {
  vec2 corner = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
#ifdef SHADOW
  // Rows of an orthographic projection are its axes over their half lengths squared.
  mat3 rows = transpose(mat3(key_view_projection));
  vec3 from = scene_centre + corner.x * rows[0] / dot(rows[0], rows[0]) +
              corner.y * rows[1] / dot(rows[1], rows[1]);
  place = from - key_direction *
                     ((dot(from, world_up) - floor_height) / dot(key_direction, world_up));
#else
  vec3 across = abs(world_up.x) < 0.5 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  across = normalize(across - world_up * dot(across, world_up));
  vec3 middle = scene_centre - world_up * (dot(scene_centre, world_up) - floor_height);
  place = middle + (corner.x * across + corner.y * cross(world_up, across)) * reach * scene_radius;
#endif
  gl_Position = view_projection * vec4(place, 1.0);
}
