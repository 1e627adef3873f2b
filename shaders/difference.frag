// The difference of two pictures, amplified. Counts the pixels that differ, and finds the largest
// difference of a colour.
layout(binding = 0) uniform sampler2D picture_a;
layout(binding = 1) uniform sampler2D picture_b;
layout(location = 0) uniform float gain;
layout(std430, binding = 0) buffer Found {
  uint differing;
  uint largest;  // of 255
};
layout(location = 0) out vec4 colour;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec3 difference = abs(texelFetch(picture_a, at, 0).rgb - texelFetch(picture_b, at, 0).rgb);
  uint most = uint(round(255.0 * max(difference.r, max(difference.g, difference.b))));
  if (most > 0u) {
    atomicAdd(differing, 1u);
    atomicMax(largest, most);
  }
  colour = vec4(min(gain * difference, vec3(1.0)), 1.0);
}
