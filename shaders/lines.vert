// An end of a file's line, in its colour.
#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 colour;  // sRGB-encoded

layout(location = 0) out vec4 line_colour;
layout(location = 1) out float line_width;

void main() {
  line_colour = vec4(colour.rgb, 1.0);
  line_width = 1.6 * pixel_scale;
  gl_Position = project_nudged(position, nudge);
  gl_ClipDistance[0] = before_cut(position);
}
