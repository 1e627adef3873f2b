// The twelve edges of an instance's box, as 24 line ends.
#include "frame.glsl"
#include "colour.glsl"

layout(location = 0) in vec3 box_min;
layout(location = 1) in vec3 box_max;
layout(location = 2) in float box_overlap;

layout(std430, binding = 2) readonly buffer Commands { uint commands[]; };
layout(location = 2) uniform int level;
layout(location = 3) uniform bool is_path;  // from the first box to the last
layout(location = 4) uniform bool by_overlap;
uniform int command;                        // index of these boxes' command; five words each

layout(location = 0) out vec4 line_colour;
layout(location = 1) out float line_width;

void main() {
  // Four edges run along each axis, at the four corners of the other two.
  int edge = gl_VertexID / 2;
  int axis = edge / 4;
  bvec3 high;
  high[axis] = (gl_VertexID & 1) != 0;
  high[(axis + 1) % 3] = (edge & 1) != 0;
  high[(axis + 2) % 3] = (edge & 2) != 0;
  vec3 corner = mix(box_min, box_max, high);
  gl_Position = project_nudged(corner, nudge);
  gl_ClipDistance[0] = before_cut(corner);

  // Boxes of a few pixels fade, because otherwise they would fill the picture.
  vec3 centre = 0.5 * (box_min + box_max);
  float size = distance(box_min, box_max) * focal_pixels / distance(eye, centre) / pixel_scale;
  float fade = mix(0.10, 1.0, smoothstep(2.0, 60.0, size));
  // What is at the back of the scene fades, or front and back could not be told apart; and lines of
  // deep levels, of which there are many, are thin.
  float depth = dot(corner - scene_centre, view_forward) / scene_radius;  // -1 to 1
  fade *= mix(1.0, 0.30, smoothstep(-0.8, 0.9, depth));
  vec3 colour = by_overlap ? box_overlap_colour(box_overlap, light_theme)
                           : box_level_colour(float(level), light_theme);
  line_colour = vec4(encode_srgb(colour), fade);
  float widest = mix(1.5, 1.0, clamp(float(level) / 10.0, 0.0, 1.0));
  line_width = pixel_scale * mix(0.8, widest, smoothstep(10.0, 120.0, size));
  if (is_path) {
    float along = float(gl_InstanceID + 1) / float(max(commands[5 * command + 1], 1u));
    vec3 lit = box_path_colour(along, light_theme);
    line_colour = vec4(encode_srgb(lit), mix(0.30, 1.0, along));
    line_width = pixel_scale * mix(1.2, 2.2, along);
  }
}
