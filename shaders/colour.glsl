// The power of 1/2.4 by square roots, which cost a rasteriser on the CPU far less: at most a tenth of
// a step of 8 bits off.
vec3 encode_srgb(vec3 linear) {
  vec3 c = clamp(linear, 0.0, 1.0);
  vec3 root = sqrt(c);
  vec3 curve = 0.83378 * root + 0.29807 * sqrt(root) - 0.05532 * c - 0.07689;
  return mix(12.92 * c, curve, greaterThan(c, vec3(0.0031308)));
}

vec3 decode_srgb(vec3 encoded) {
  return mix(encoded / 12.92, pow((encoded + 0.055) / 1.055, vec3(2.4)),
             greaterThan(encoded, vec3(0.04045)));
}

// Linear RGB of a colour in OKLCH (B. Ottosson, A perceptual color space for image processing,
// 2020): equal steps of lightness, chroma or hue look equal. Hue in turns.
vec3 from_oklch(float lightness, float chroma, float hue) {
  float a = chroma * cos(6.2831853 * hue);
  float b = chroma * sin(6.2831853 * hue);
  vec3 lms = vec3(lightness + 0.3963377774 * a + 0.2158037573 * b,
                  lightness - 0.1055613458 * a - 0.0638541728 * b,
                  lightness - 0.0894841775 * a - 1.2914855480 * b);
  lms = lms * lms * lms;
  return vec3(dot(lms, vec3(4.0767416621, -3.3077115913, 0.2309699292)),
              dot(lms, vec3(-1.2684380046, 2.6097574011, -0.3413193965)),
              dot(lms, vec3(-0.0041960863, -0.7034186147, 1.7076147010)));
}

// From 0 to 1: violet, blue-green, yellow. Lightness rises evenly, as viridis' does (S. van der
// Walt, N. Smith, 2015), so that the order is visible with any colour vision and in grey. The
// numbers are this project's own, chosen in OKLCH.
vec3 ramp(float along) {
  float t = clamp(along, 0.0, 1.0);
  float chroma = mix(0.13, 0.16, t) - 0.055 * sin(3.14159265 * t);
  return max(from_oklch(mix(0.30, 0.92, t), chroma, mix(0.80, 0.29, t)), 0.0);
}

// Values of different blocks. They differ in lightness too, for viewers who see fewer hues.
vec3 block_colour(float value) {
  return max(from_oklch(mix(0.45, 0.88, fract(4.0 * value)), 0.11, value), 0.0);
}

// Colours of spheres: values from low to high, and hues.
vec3 sphere_ramp(float value) {
  return from_oklch(0.62 + 0.16 * value, 0.135, mix(0.70, 0.10, value));
}
vec3 sphere_hue(float value) { return from_oklch(0.74, 0.12, value); }

// Colours of lines over a surface, for a theme: light ones on dark, dark ones on light (`light` is
// 1). A strip runs, from its first place to its last, from blue over green and yellow to red. The
// hue turns evenly, and the lightness peaks in the middle.
vec3 strip_colour(float along, float light) {
  float swell = mix(0.14, 0.06, light) * sin(3.14159265 * along);
  return from_oklch(mix(0.70, 0.48, light) + swell, 0.145, mix(0.73, 0.06, along));
}
// Boxes of a level: the hue turns by the golden angle, so that neighbours differ most.
vec3 box_level_colour(float level, float light) {
  return from_oklch(mix(0.82, 0.46, light), 0.125, 0.55 + 0.381966 * level);
}
// Boxes by how far their children overlap, from blue (not at all) over yellow to red (one covers the
// other). Few overlap by more than a half: the root spreads the low end.
vec3 box_overlap_colour(float overlap, float light) {
  return strip_colour(sqrt(clamp(overlap, 0.0, 1.0)), light);
}
// Boxes of a path. The last stands out: it is the brightest on dark, the darkest on light.
vec3 box_path_colour(float along, float light) {
  float lightness = mix(mix(0.62, 0.93, along), mix(0.62, 0.38, along), light);
  return from_oklch(lightness, 0.14, mix(0.13, mix(0.25, 0.08, light), along));
}
