// A picture that a kernel made: as large as the view, or as large as fits into it without changing
// its shape. If both have the same size each pixel is the picture's own.
#include "frame.glsl"

// Row by row from the top: red in the lowest 8 bits, then green, blue and alpha, encoded as sRGB.
layout(std430, binding = 3) readonly buffer Image { uint pixels[]; };

layout(location = 0) uniform ivec2 size;

layout(location = 0) out vec4 colour;

vec4 texel(ivec2 at) {
  at = clamp(at, ivec2(0), size - 1);
  return unpackUnorm4x8(pixels[at.y * size.x + at.x]);
}

void main() {
  vec2 scale = viewport / vec2(size);
  float smaller = min(scale.x, scale.y);
  vec2 place = vec2(gl_FragCoord.x, viewport.y - gl_FragCoord.y);
  vec2 at = (place - 0.5 * viewport) / smaller + 0.5 * vec2(size);
  if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(size)))) discard;
  if (smaller == 1.0) {
    colour = texel(ivec2(floor(at)));
    return;
  }
  vec2 low = floor(at - 0.5);
  vec2 part = at - 0.5 - low;
  ivec2 first = ivec2(low);
  // Transparent texels have no colour: colours are weighted by their alpha.
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 4; ++i) {
    ivec2 step = ivec2(i & 1, i >> 1);
    vec2 share = mix(1.0 - part, part, vec2(step));
    vec4 one = texel(first + step);
    sum += share.x * share.y * vec4(one.rgb * one.a, one.a);
  }
  colour = vec4(sum.rgb / max(sum.a, 1e-6), sum.a);
}
