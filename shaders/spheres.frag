// The sphere behind a pixel: met by the ray from the eye, lit, with its own depth and a smooth
// outline. With SHADOW its depth alone, as the key light sees it.
#include "frame.glsl"
#include "colour.glsl"
#include "lighting.glsl"

layout(location = 0) uniform float radius;

layout(location = 0) flat in vec3 centre;
layout(location = 2) in vec3 place;

// The sphere is in front of the quad that was drawn.
layout(depth_less) out float gl_FragDepth;

#ifdef SHADOW
void main() {
  vec3 off = place - centre;
  float rest = radius * radius - dot(off, off);
  if (rest < 0.0) discard;
  vec4 front = key_view_projection * vec4(place + key_direction * sqrt(rest), 1.0);
  gl_FragDepth = front.z * 0.5 + 0.5;
}
#else
#include "samples.glsl"

layout(binding = 1) uniform sampler2DShadow shadow_map;
layout(location = 1) flat in vec3 base_colour;
layout(location = 0) out vec4 colour;

void main() {
  vec3 way = normalize(place - eye);
  vec3 from_centre = eye - centre;
  float nearest_at = -dot(from_centre, way);
  vec3 nearest = from_centre + way * nearest_at;
  float off = length(nearest);
  // Coverage of the pixel by the disc that the sphere is in the picture.
  float pixel = nearest_at / focal_pixels;
  float cover = clamp(0.5 + (radius - off) / pixel, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float depth_in = sqrt(max(radius * radius - off * off, 0.0));
  vec3 normal = normalize(nearest - way * depth_in);
  vec3 surface = centre + normal * radius;

  vec4 clip = view_projection * vec4(surface, 1.0);
  gl_FragDepth = min(clip.z / clip.w * 0.5 + 0.5, gl_FragCoord.z);
  Substance substance = Substance(base_colour, 0.38, vec3(0.0), 0.0);
  float key_share = key_visibility(shadow_map, surface, normal);
  cover_samples(cover);
  colour = vec4(encode_srgb(exposed(light(substance, normal, -way, key_share))), 1.0);
}
#endif
