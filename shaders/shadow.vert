// Depth of the surface as the key light sees it.
#include "frame.glsl"

layout(location = 0) in vec3 position;

void main() {
  gl_Position = key_view_projection * vec4(position, 1.0);
  gl_ClipDistance[0] = before_cut(position);
}
