// How much of its surroundings a place sees, from depth alone: 1, and less in creases and where
// bodies come close (after M. McGuire, M. Mara, D. Luebke, Scalable Ambient Obscurance, 2012). One
// pixel for four of the picture. With BLUR the average over four by four pixels, which share a
// pattern of samples, without those of other surfaces. With APPLY what darkens the picture.
#include "frame.glsl"

layout(location = 0) out vec4 colour;

#ifdef APPLY
layout(binding = 1) uniform sampler2D visibility;

void main() {
  float seen = texture(visibility, gl_FragCoord.xy / viewport).r;
  colour = vec4(vec3(seen), 1.0);
}
#elif defined(BLUR)
layout(binding = 1) uniform sampler2D visibility;  // red; green: distance from the eye, in radii

void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  vec2 own = texelFetch(visibility, here, 0).rg;
  ivec2 last = textureSize(visibility, 0) - 1;
  vec2 sum = vec2(0.0);
  for (int y = -2; y < 2; ++y)
    for (int x = -2; x < 2; ++x) {
      vec2 other = texelFetch(visibility, clamp(here + ivec2(x, y), ivec2(0), last), 0).rg;
      float weight = max(1.0 - 12.0 * abs(other.g - own.g), 1e-3);
      sum += weight * vec2(other.r, 1.0);
    }
  colour = vec4(sum.x / sum.y, 0.0, 0.0, 1.0);
}
#else
#ifdef SAMPLES
layout(binding = 1) uniform sampler2DMS depth_map;
#else
layout(binding = 1) uniform sampler2D depth_map;
#endif

const int samples = 10;
const float turns = 3.0;
const float reach = 0.16;     // radii of the scene
const float strength = 3.2;
const float flat_below = 0.15;  // sine of a rise that is none: triangles are flat, surfaces not

// The place in the world behind a pixel, from the eye, in units of `reach`: right, up, forward.
vec3 place_of(ivec2 pixel, vec2 tangents, float unit) {
  ivec2 inside = clamp(pixel, ivec2(0), ivec2(viewport) - 1);
  float depth = texelFetch(depth_map, inside, 0).r;
  // What is as deep as can be is no wall there, but nothing.
  float forward = depth >= 1.0 ? 1e4 : depth_near / (depth * 2.0 - 1.0 + depth_far) / unit;
  vec2 across = (vec2(inside) + 0.5) / viewport * 2.0 - 1.0;
  return vec3(across * tangents * forward, forward);
}

void main() {
  ivec2 here = 2 * ivec2(gl_FragCoord.xy);
  float unit = reach * scene_radius;
  float depth = texelFetch(depth_map, min(here, ivec2(viewport) - 1), 0).r;
  if (depth >= 1.0) {
    colour = vec4(1.0, 1e4, 0.0, 1.0);
    return;
  }
  vec2 tangents = vec2(length(view_right), length(view_up));
  vec3 place = place_of(here, tangents, unit);

  // Of two neighbours along an axis the one that is nearer in depth lies on the same surface. At the
  // picture's edge there is one.
  vec3 left = place - place_of(here - ivec2(2, 0), tangents, unit);
  vec3 right = place_of(here + ivec2(2, 0), tangents, unit) - place;
  vec3 down = place - place_of(here - ivec2(0, 2), tangents, unit);
  vec3 up = place_of(here + ivec2(0, 2), tangents, unit) - place;
  bvec2 is_first = lessThan(here, ivec2(2));
  bvec2 is_last = greaterThan(here + 2, ivec2(viewport) - 1);
  bool takes_left = is_last.x || (!is_first.x && abs(left.z) < abs(right.z));
  bool takes_down = is_last.y || (!is_first.y && abs(down.z) < abs(up.z));
  vec3 across = takes_left ? left : right;
  vec3 upwards = takes_down ? down : up;
  vec3 normal = -normalize(cross(across, upwards));

  // Pixels. Near the eye fewer than the reach: else the samples would lie too far apart.
  float radius = min(focal_pixels / place.z, viewport.y / 6.0);
  int pattern = (here.x >> 1 & 3) + 4 * (here.y >> 1 & 3);
  float spin = 6.2831853 * float((pattern * 7) & 15) / 16.0;
  float sum = 0.0;
  for (int i = 0; i < samples; ++i) {
    float share = (float(i) + 0.5) / float(samples);
    float angle = 6.2831853 * turns * share + spin;
    ivec2 there = here + ivec2(radius * share * vec2(cos(angle), sin(angle)));
    vec3 other = place_of(there, tangents, unit);
    vec3 way = other - place;
    float near = max(1.0 - dot(way, way), 0.0);
    float rise = dot(way, normal) * inversesqrt(dot(way, way) + 1e-4);
    sum += near * max(rise - flat_below, 0.0);
  }
  float seen = max(1.0 - strength * sum / float(samples), 0.25);
  colour = vec4(seen, place.z * reach, 0.0, 1.0);
}
#endif
