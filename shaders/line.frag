// Coverage of a pixel by a line with round ends. With BODY it is opaque geometry instead of a layer
// over it.
#ifdef BODY
#include "samples.glsl"
#endif

layout(location = 0) noperspective in vec4 quad_colour;
layout(location = 1) noperspective in vec2 along_across;
layout(location = 2) flat in vec2 length_width;

uniform float opacity;

layout(location = 0) out vec4 colour;

void main() {
  float beyond = max(max(-along_across.x, along_across.x - length_width.x), 0.0);
  float from_axis = length(vec2(beyond, along_across.y));
  float cover = clamp(0.5 * length_width.y + 0.5 - from_axis, 0.0, 1.0);
#ifdef BODY
  cover_samples(quad_colour.a * cover * opacity);
  colour = vec4(quad_colour.rgb, 1.0);
#else
  colour = vec4(quad_colour.rgb, quad_colour.a * cover * opacity);
#endif
}
