// Turns a point into a square with room for the disc and a pixel of blur. GL's own points cover
// different pixels on each driver.
#include "frame.glsl"

layout(points) in;
layout(triangle_strip, max_vertices = 4) out;

layout(location = 0) in float point_diameter[];

layout(location = 0) flat out float diameter;
#ifdef COLOURED
layout(location = 1) in vec3 point_colour[];
layout(location = 2) flat out vec3 colour_of_point;
#endif
layout(location = 1) noperspective out vec2 from_centre;  // pixels

void main() {
  vec4 centre = gl_in[0].gl_Position;
  if (centre.z + centre.w <= 0.0) return;  // before the near plane
  float reach = 0.5 * point_diameter[0] + 1.0;
  for (int corner = 0; corner < 4; ++corner) {
    diameter = point_diameter[0];
#ifdef COLOURED
    colour_of_point = point_colour[0];
#endif
    from_centre = reach * vec2((corner & 1) * 2 - 1, (corner & 2) - 1);
    gl_ClipDistance[0] = gl_in[0].gl_ClipDistance[0];
    gl_Position = centre + vec4(from_centre * 2.0 / viewport * centre.w, 0.0, 0.0);
    EmitVertex();
  }
  EndPrimitive();
}
