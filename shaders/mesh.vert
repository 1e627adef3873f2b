#include "frame.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 texcoord;

layout(location = 0) out vec3 vertex_position;  // world
layout(location = 1) out vec3 vertex_normal;
layout(location = 2) out vec2 vertex_texcoord;

void main() {
  vertex_position = position;
  vertex_normal = normal;
  vertex_texcoord = texcoord;
  gl_Position = view_projection * vec4(position, 1.0);
  gl_ClipDistance[0] = before_cut(position);
}
