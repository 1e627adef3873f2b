// One triangle over the whole picture, before which everything lies.
layout(location = 0) out vec2 corner;  // -1 to 1 across the picture

void main() {
  corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.999999, 1.0);
}
