// A studio backdrop: dark and lighter behind the object, or light all over.
#include "frame.glsl"
#include "colour.glsl"

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;

// Noise of -0.5 to 0.5 by integer hashing, the same on every machine. It hides the bands that a
// slow gradient has in 8 bits.
float dither(uvec2 pixel) {
  uint h = pixel.x * 0x9E3779B1u ^ pixel.y * 0x85EBCA77u;
  h = (h ^ h >> 15) * 0x2C1B3C6Du;
  h = (h ^ h >> 12) * 0x297A2D39u;
  h ^= h >> 15;
  return float(h >> 8) / 16777216.0 - 0.5;
}

void main() {
  vec2 from_glow = (place - vec2(0.0, 0.12)) * vec2(0.62, 0.8);
  float glow = exp(-1.6 * dot(from_glow, from_glow));
  float height = 0.5 + 0.5 * place.y;
  vec3 edge = mix(vec3(0.0060, 0.0068, 0.0090), vec3(0.0085, 0.0105, 0.0150), height);
  vec3 middle = vec3(0.040, 0.050, 0.068);
  vec3 light_edge = mix(vec3(0.60, 0.63, 0.68), vec3(0.66, 0.69, 0.74), height);
  vec3 light_middle = vec3(0.84, 0.86, 0.89);
  vec3 encoded =
      encode_srgb(mix(mix(edge, middle, glow), mix(light_edge, light_middle, glow), light_theme));
  colour = vec4(encoded + dither(uvec2(gl_FragCoord.xy)) / 255.0, 1.0);
}
