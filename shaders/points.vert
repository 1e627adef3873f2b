#include "frame.glsl"

layout(location = 0) in vec3 position;

layout(std430, binding = 2) readonly buffer Commands { uint commands[]; };
layout(location = 0) uniform int command;  // which of them is these points'; five words each

layout(location = 0) out float point_diameter;  // pixels

void main() {
  float spacing = typical_spacing(commands[5 * command]) / pixel_scale;
  point_diameter = pixel_scale * clamp(0.5 * spacing, 1.6, 7.0);
  gl_Position = project_nudged(position, nudge);
}
