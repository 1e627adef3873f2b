// Six vertices per sphere: two triangles that face the eye and hold the sphere's outline. With
// SHADOW they face the key light.
#include "frame.glsl"
#include "colour.glsl"

struct Sphere {
  vec3 centre;
  float value;
};
layout(std430, binding = 3) readonly buffer Spheres { Sphere spheres[]; };

layout(location = 0) uniform float radius;
layout(location = 1) uniform int palette;  // the meaning of a value: 0 from low to high,
const int hues = 1;                        // or this

layout(location = 0) flat out vec3 centre;
#ifndef SHADOW
layout(location = 1) flat out vec3 base_colour;
#endif
layout(location = 2) out vec3 place;  // world, on the quad

void main() {
  Sphere sphere = spheres[gl_VertexID / 6];
  centre = sphere.centre;
#ifndef SHADOW
  base_colour = palette == hues ? sphere_hue(sphere.value) : sphere_ramp(sphere.value);
#endif
  const vec2 corners[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, -1), vec2(1, 1),
                                 vec2(-1, 1));
  vec2 corner = corners[gl_VertexID % 6];
#ifdef SHADOW
  vec3 towards = key_direction;
  float reach = radius;
#else
  vec3 to_eye = eye - centre;
  float distance = length(to_eye);
  vec3 towards = to_eye / max(distance, 1e-20);
  // The circle in which the cone around the sphere cuts the plane through its centre, and a pixel
  // for the blur.
  float inside = max(distance * distance - radius * radius, 1e-12 * distance * distance);
  float reach = radius * distance * inversesqrt(inside) + distance / focal_pixels;
#endif
  gl_ClipDistance[0] = before_cut(centre);  // whole spheres
  vec3 side = normalize(cross(abs(towards.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0), towards));
  vec3 up = cross(towards, side);
  place = centre + (side * corner.x + up * corner.y) * reach;
#ifdef SHADOW
  gl_Position = key_view_projection * vec4(place, 1.0);
#else
  // An eye inside a sphere does not see it.
  gl_Position = distance > radius ? view_projection * vec4(place, 1.0) : vec4(0.0);
#endif
}
