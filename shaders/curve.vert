// A station of the Morton curve, coloured by its place along the curve.
#include "frame.glsl"
#include "colour.glsl"

layout(location = 0) in vec3 position;

layout(std430, binding = 2) readonly buffer Commands { uint commands[]; };
layout(location = 1) uniform int command;  // which of them is this line's; five words each

layout(location = 0) out vec4 line_colour;
layout(location = 1) out float line_width;

void main() {
  uint count = commands[5 * command];
  float along = float(gl_VertexID) / float(max(count, 2u) - 1u);
  float spacing = typical_spacing(count) / pixel_scale;
  // From blue over green and yellow to red: hue turns evenly, lightness swells in the middle.
  float swell = mix(0.14, 0.06, light_theme) * sin(3.14159265 * along);
  float lightness = mix(0.70, 0.48, light_theme) + swell;
  line_colour = vec4(encode_srgb(from_oklch(lightness, 0.145, mix(0.73, 0.06, along))), 1.0);
  line_width = pixel_scale * clamp(0.35 * spacing, 0.9, 2.4);
  // The chord between two stations cuts through a bulging surface: it stands off further.
  gl_Position = project_nudged(position, 3.0 * nudge);
  gl_ClipDistance[0] = before_cut(position);
}
