// A round point. Larger ones have a rim, so that they stand out on light and on dark. With COLOURED
// each has a separate colour.
#include "frame.glsl"
#include "colour.glsl"

layout(location = 0) flat in float diameter;
layout(location = 1) noperspective in vec2 from_centre;

#ifdef COLOURED
#include "samples.glsl"

layout(location = 2) flat in vec3 colour_of_point;
#endif

layout(location = 0) out vec4 colour;

void main() {
  float radius = length(from_centre);
  float cover = clamp(0.5 * diameter + 0.5 - radius, 0.0, 1.0);
#ifdef COLOURED
  cover_samples(cover);
  colour = vec4(colour_of_point, 1.0);
#else
  float core_share = mix(0.5, 0.34, smoothstep(2.5, 5.0, diameter));
  float core = clamp(core_share * diameter + 0.5 - radius, 0.0, 1.0);
  vec3 rim = mix(vec3(0.10, 0.05, 0.02), vec3(1.0, 0.97, 0.92), light_theme);
  vec3 body = encode_srgb(
      from_oklch(mix(0.83, 0.50, light_theme), 0.15, mix(0.20, 0.12, light_theme)));
  colour = vec4(mix(rim, body, core), cover);
#endif
}
