// The bodies' shadow on the ground, as the key light sees it: a texel for a square of texels of the
// shadow map. With BLUR an average over neighbours along `way` of what was made so.
#include "frame.glsl"

layout(location = 0) in vec2 corner;  // -1 to 1 across the map
layout(location = 0) out vec2 shadow;

#ifdef BLUR
layout(binding = 1) uniform sampler2D sharp;
layout(location = 0) uniform vec2 way;  // texture coordinates between two samples

// A Gaussian of 13 samples.
void main() {
  vec2 at = corner * 0.5 + 0.5;
  vec3 sum = vec3(0.0);
  for (int i = -6; i <= 6; ++i) {
    float share = exp(-0.1 * float(i * i));
    sum += share * vec3(texture(sharp, at + float(i) * way).rg, 1.0);
  }
  shadow = sum.rg / sum.b;
}
#else
layout(binding = 1) uniform sampler2D shadow_map;
layout(location = 0) uniform int texels;  // of the shadow map, a side of the square

void main() {
  // Depth of the ground in the map: along the light from the plane through the scene's centre.
  mat3 rows = transpose(mat3(key_view_projection));
  vec3 from = scene_centre + corner.x * rows[0] / dot(rows[0], rows[0]) +
              corner.y * rows[1] / dot(rows[1], rows[1]);
  float down = (dot(from, world_up) - floor_height) / dot(key_direction, world_up);
  float ground = (key_view_projection * vec4(from - key_direction * down, 1.0)).z * 0.5 + 0.5;
  float per_radius = 0.5 * length(rows[2]) * scene_radius;  // of depth

  ivec2 first = ivec2(gl_FragCoord.xy) * texels;
  vec2 sum = vec2(0.0);
  for (int y = 0; y < texels; y += 2)
    for (int x = 0; x < texels; x += 2) {
      float depth = texelFetch(shadow_map, first + ivec2(x, y), 0).r;
      // What lies below the ground throws no shadow on it.
      float taken = depth < min(ground, 1.0) ? 1.0 : 0.0;
      sum += taken * vec2(1.0, min((ground - depth) / per_radius, 1.0));
    }
  float samples = float((texels + 1) / 2);
  shadow = sum / (samples * samples);
}
#endif
