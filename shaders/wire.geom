// Gives every corner of a triangle its barycentric coordinate, from which mesh.frag draws the edges
// in the same pass as the surface (A. Bærentzen et al., Single-pass Wireframe Rendering, 2006) and
// mixes the colours of corners.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

layout(location = 0) in vec3 vertex_position[];
layout(location = 1) in vec3 vertex_normal[];
layout(location = 2) in vec2 vertex_texcoord[];

layout(location = 0) out vec3 surface_position;
layout(location = 1) out vec3 surface_normal;
layout(location = 2) out vec2 surface_texcoord;
layout(location = 3) out vec3 barycentric;

void main() {
  for (int corner = 0; corner < 3; ++corner) {
    surface_position = vertex_position[corner];
    surface_normal = vertex_normal[corner];
    surface_texcoord = vertex_texcoord[corner];
    barycentric = vec3(corner == 0, corner == 1, corner == 2);
    gl_PrimitiveID = gl_PrimitiveIDIn;
    gl_ClipDistance[0] = gl_in[corner].gl_ClipDistance[0];
    gl_Position = gl_in[corner].gl_Position;
    EmitVertex();
  }
  EndPrimitive();
}
