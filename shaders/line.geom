// Turns a line into a quad as wide as the line and a pixel of blur, in pixels of the picture. Lines
// thus look the same on every driver, unlike GL's own.
#include "frame.glsl"

layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

layout(location = 0) in vec4 line_colour[];
layout(location = 1) in float line_width[];  // pixels

layout(location = 0) noperspective out vec4 quad_colour;
layout(location = 1) noperspective out vec2 along_across;  // pixels from the start, from the axis
layout(location = 2) flat out vec2 length_width;           // pixels

void main() {
  vec4 begin = gl_in[0].gl_Position;
  vec4 end = gl_in[1].gl_Position;
  float begin_cut = gl_in[0].gl_ClipDistance[0];
  float end_cut = gl_in[1].gl_ClipDistance[0];
  vec4 begin_colour = line_colour[0];
  vec4 end_colour = line_colour[1];

  // Cut at the near plane, z = -w: points behind the eye have no place in the picture.
  float begin_depth = begin.z + begin.w;
  float end_depth = end.z + end.w;
  if (begin_depth <= 0.0 && end_depth <= 0.0) return;
  float cut = begin_depth / (begin_depth - end_depth);
  if (begin_depth < 0.0) {
    begin = mix(begin, end, cut);
    begin_colour = mix(begin_colour, end_colour, cut);
    begin_cut = mix(begin_cut, end_cut, cut);
  } else if (end_depth < 0.0) {
    end = mix(begin, end, cut);
    end_colour = mix(begin_colour, end_colour, cut);
    end_cut = mix(begin_cut, end_cut, cut);
  }

  vec2 from = begin.xy / begin.w * 0.5 * viewport;
  vec2 to = end.xy / end.w * 0.5 * viewport;
  float extent = distance(from, to);
  vec2 axis = extent > 1e-4 ? (to - from) / extent : vec2(1.0, 0.0);
  vec2 side = vec2(-axis.y, axis.x);
  float width = max(line_width[0], line_width[1]);
  float reach = 0.5 * width + 1.0;

  for (int corner = 0; corner < 4; ++corner) {
    bool at_end = corner >= 2;
    float across = (corner & 1) == 0 ? -reach : reach;
    vec4 base = at_end ? end : begin;
    vec2 offset = axis * (at_end ? reach : -reach) + side * across;
    quad_colour = at_end ? end_colour : begin_colour;
    along_across = vec2(at_end ? extent + reach : -reach, across);
    length_width = vec2(extent, width);
    gl_ClipDistance[0] = at_end ? end_cut : begin_cut;
    gl_Position = base + vec4(offset * 2.0 / viewport * base.w, 0.0, 0.0);
    EmitVertex();
  }
  EndPrimitive();
}
