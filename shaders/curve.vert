// A point of the Morton curve, coloured by its place along the curve.
#include "frame.glsl"
#include "colour.glsl"

layout(location = 0) in vec3 position;

layout(std430, binding = 2) readonly buffer Commands { uint commands[]; };
uniform int command;  // index of this line's command; five words each

layout(location = 0) out vec4 line_colour;
layout(location = 1) out float line_width;

void main() {
  uint count = commands[5 * command];
  float along = float(gl_VertexID) / float(max(count, 2u) - 1u);
  float spacing = typical_spacing(count) / pixel_scale;
  line_colour = vec4(encode_srgb(strip_colour(along, light_theme)), 1.0);
  line_width = pixel_scale * clamp(0.35 * spacing, 0.9, 2.4);
  // The chord between two points cuts through a bulging surface, so it is offset further.
  gl_Position = project_nudged(position, 3.0 * nudge);
  gl_ClipDistance[0] = before_cut(position);
}
