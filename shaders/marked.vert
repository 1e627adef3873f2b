// A corner of a highlighted triangle: of its outline, or with FILL of its body.
#include "frame.glsl"

layout(location = 0) in vec3 position;

#ifndef FILL
layout(location = 0) out vec4 line_colour;
layout(location = 1) out float line_width;
#endif

void main() {
#ifndef FILL
  line_colour = vec4(mix(vec3(1.0, 0.86, 0.42), vec3(0.62, 0.26, 0.0), light_theme), 1.0);
  line_width = 2.4 * pixel_scale;
#endif
  gl_Position = project_nudged(position, 1.5 * nudge);
  gl_ClipDistance[0] = before_cut(position);
}
