// The ground: a pool of light around the scene that fades into the background. With SHADOW what
// darkens it instead: the shadow of the bodies, hard where they touch it and soft where they are
// high above.
#include "frame.glsl"
#include "colour.glsl"
#include "dither.glsl"

layout(location = 0) in vec3 place;
layout(location = 0) out vec4 colour;

const float reach = 5.0;  // as ground.vert has it

// 1 at the middle, 0 at the edge, with no edge to be seen.
float fade() {
  vec3 off = place - scene_centre;
  off -= world_up * dot(off, world_up);
  float left = max(1.0 - dot(off, off) / (reach * reach * scene_radius * scene_radius), 0.0);
  return floor_share * left * left * left;
}

#ifdef SHADOW
// Red: the share of the key light that bodies take away. Green: that share times how far they are
// from the ground, in radii of the scene.
layout(binding = 1) uniform sampler2D hard_shadow;
layout(binding = 2) uniform sampler2D soft_shadow;

void main() {
  vec2 at = (key_view_projection * vec4(place, 1.0)).xy * 0.5 + 0.5;
  vec2 soft = texture(soft_shadow, at).rg;
  float hard = texture(hard_shadow, at).r;
  float height = soft.g / max(soft.r, 1e-3);
  float share = mix(hard, soft.r, smoothstep(0.0, 0.45, height));
  colour = vec4(vec3(0.0), fade() * share * mix(0.62, 0.34, light_theme));
}
#else
void main() {
  vec3 linear = mix(vec3(0.056, 0.066, 0.084), vec3(0.90, 0.91, 0.93), light_theme);
  // Noise of one step of the result, however little of this is blended over what is there.
  float share = fade();
  float noise = dither(uvec2(gl_FragCoord.xy) + 4096u) / (255.0 * max(share, 0.02));
  colour = vec4(encode_srgb(linear) + noise, share);
}
#endif
