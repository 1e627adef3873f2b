// A round point with a dark rim, so that it stands out on light and on dark.
#include "colour.glsl"

layout(location = 0) flat in float diameter;

layout(location = 0) out vec4 colour;

void main() {
  float from_centre = length(gl_PointCoord - 0.5) * (diameter + 1.0);
  float cover = clamp(0.5 * diameter + 0.5 - from_centre, 0.0, 1.0);
  float core = clamp(0.34 * diameter + 0.5 - from_centre, 0.0, 1.0);
  vec3 rim = vec3(0.10, 0.05, 0.02);
  vec3 body = encode_srgb(from_oklch(0.83, 0.15, 0.20));
  colour = vec4(mix(rim, body, core), cover);
}
