// What is behind all. Without HORIZON a studio backdrop: dark and lighter behind the object, or
// light all over. With HORIZON a sky that is lightest at the horizon, and a floor that goes on to
// it; each direction of the world has its colour, whatever the camera.
#include "frame.glsl"
#include "colour.glsl"
#include "dither.glsl"

layout(location = 0) in vec2 place;
layout(location = 0) out vec4 colour;

#ifdef HORIZON
vec3 backdrop() {
  vec3 way = normalize(view_forward + place.x * view_right + place.y * view_up);
  float rise = dot(way, world_up);
  // Slope and value agree on both sides of the horizon, so that there is no edge. The floor goes on
  // in nearly one colour: the ground is a pool of light on it.
  float squared = rise * rise;
  float away = squared / (squared + 0.08);
  vec3 dark_far = rise > 0.0 ? vec3(0.0060, 0.0075, 0.0110) : vec3(0.0210, 0.0250, 0.0330);
  vec3 light_far = rise > 0.0 ? vec3(0.56, 0.61, 0.69) : vec3(0.72, 0.74, 0.77);
  vec3 dark = mix(vec3(0.0330, 0.0400, 0.0540), dark_far, away);
  vec3 light = mix(vec3(0.84, 0.86, 0.89), light_far, away);
  return mix(dark, light, light_theme);
}
#else
vec3 backdrop() {
  vec2 from_glow = (place - vec2(0.0, 0.12)) * vec2(0.62, 0.8);
  float glow = exp(-1.6 * dot(from_glow, from_glow));
  float height = 0.5 + 0.5 * place.y;
  vec3 edge = mix(vec3(0.0060, 0.0068, 0.0090), vec3(0.0085, 0.0105, 0.0150), height);
  vec3 middle = vec3(0.040, 0.050, 0.068);
  vec3 light_edge = mix(vec3(0.60, 0.63, 0.68), vec3(0.66, 0.69, 0.74), height);
  vec3 light_middle = vec3(0.84, 0.86, 0.89);
  return mix(mix(edge, middle, glow), mix(light_edge, light_middle, glow), light_theme);
}
#endif

void main() {
  vec3 encoded = encode_srgb(backdrop());
  colour = vec4(encoded + dither(uvec2(gl_FragCoord.xy)) / 255.0, 1.0);
}
