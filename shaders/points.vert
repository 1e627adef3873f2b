// The points of a mesh; with COLOURED a file's points, each in its own colour.
#include "frame.glsl"

layout(location = 0) in vec3 position;
#ifdef COLOURED
layout(location = 1) in vec4 colour;  // sRGB-encoded
layout(location = 1) out vec3 point_colour;
#endif

layout(std430, binding = 2) readonly buffer Commands { uint commands[]; };
uniform int command;  // index of these points' command; five words each

layout(location = 0) out float point_diameter;  // pixels

void main() {
  float spacing = typical_spacing(commands[5 * command]) / pixel_scale;
  point_diameter = pixel_scale * clamp(0.5 * spacing, 1.6, 7.0);
#ifdef COLOURED
  point_diameter = pixel_scale * clamp(0.7 * spacing, 2.0, 9.0);
  point_colour = colour.rgb;
#endif
  gl_Position = project_nudged(position, nudge);
  gl_ClipDistance[0] = before_cut(position);
}
