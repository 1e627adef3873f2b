// The surface, with textures of as many sizes as TEXTURE_ARRAYS says, coloured by COLOURING. With LIT
// it is lit, else it is a body under the edges. With WIRE the edges of the triangles too, with
// COLOURED the colours of corners. Each is another program: a rasteriser on the CPU computes both
// sides of a branch.
#include "frame.glsl"
#include "colour.glsl"
#include "lighting.glsl"

struct Material {
  vec3 base_colour;
  float roughness;
  vec3 emission;
  float metallic;
  int image;  // not used here
  int texture_array;
  int texture_layer;
  uint is_clamped;
  vec2 texture_scale;
  vec2 texture_offset;
};
layout(std430, binding = 0) readonly buffer Materials { Material materials[]; };
layout(std430, binding = 1) readonly buffer TriangleMaterials { uint triangle_material[]; };
layout(std430, binding = 5) readonly buffer TriangleValues { float triangle_value[]; };
layout(binding = 1) uniform sampler2DShadow shadow_map;
#if TEXTURE_ARRAYS > 0
layout(binding = 2) uniform sampler2DArray textures[TEXTURE_ARRAYS];
#endif

layout(location = 0) uniform uint material_count;
// 0: as it is, 1: a background for lines, as dark or light as the theme.
layout(location = 1) uniform float dimmed;
layout(location = 2) uniform int first_triangle;  // the first triangle of this draw

// COLOURING is a Colouring of scenes/output.h.
#define BY_NORMAL 1
#define BY_RAMP 2
#define BY_BLOCK 3

layout(location = 0) in vec3 surface_position;
layout(location = 1) in vec3 surface_normal;
layout(location = 2) in vec2 surface_texcoord;
#if defined(WIRE) || defined(COLOURED)
layout(location = 3) in vec3 barycentric;
#endif
#ifdef COLOURED
layout(std430, binding = 4) readonly buffer CornerColours { uint corner_colours[]; };
#endif

layout(location = 0) out vec4 colour;

#ifdef LIT
const bool lit = true;
#else
const bool lit = false;
#endif

#ifdef WIRE
// Coverage of the pixel by the nearest edge, 0 to 1. Edges of triangles of a few pixels fade,
// because otherwise they would fill the picture.
float edge_cover() {
  vec3 slope_x = dFdx(barycentric);
  vec3 slope_y = dFdy(barycentric);
  vec3 height = inversesqrt(max(slope_x * slope_x + slope_y * slope_y, 1e-12));  // pixels
  vec3 distances = barycentric * height;
  float nearest = min(min(distances.x, distances.y), distances.z);
  float smallest = min(min(height.x, height.y), height.z) / pixel_scale;
  float half_width = 0.55 * pixel_scale;
  float cover = 1.0 - smoothstep(half_width - 0.5, half_width + 0.5, nearest);
  return cover * mix(lit ? 0.12 : 0.6, 1.0, smoothstep(2.0, 9.0, smallest));
}
#endif

Material coloured(Material material, vec3 base_colour) {
  material.base_colour = base_colour;
  material.roughness = 0.6;
  material.emission = vec3(0.0);
  material.metallic = 0.0;
  return material;
}

#if TEXTURE_ARRAYS > 0
// The texel at `place`, with its screen-space derivatives given.
vec3 texel(int array, Material material, vec2 place, vec2 slope_x, vec2 slope_y) {
  if (material.is_clamped != 0u) {
    // Clamped: beyond the edge nothing changes along an axis.
    vec2 inside = step(0.0, place) * step(place, vec2(1.0));
    slope_x *= inside;
    slope_y *= inside;
    // The sampler repeats: no texel of the opposite edge may be mixed in, at the coarser of the two
    // levels that it uses.
    vec2 size = vec2(textureSize(textures[array], 0).xy);
    vec2 step_x = slope_x * size;
    vec2 step_y = slope_y * size;
    float longest = max(dot(step_x, step_x), dot(step_y, step_y));
    int level = int(ceil(0.5 * log2(max(longest, 1.0))));
    level = min(level, textureQueryLevels(textures[array]) - 1);
    vec2 margin = 0.5 / vec2(textureSize(textures[array], level).xy);
    place = clamp(place, margin, 1.0 - margin);
  }
  return textureGrad(textures[array], vec3(place, material.texture_layer), slope_x, slope_y).rgb;
}

// The texture's colour, white where the material has none.
vec3 texture_colour(Material material) {
  vec2 place = surface_texcoord * material.texture_scale + material.texture_offset;
  place.y = 1.0 - place.y;  // image rows run downwards
  // Computed here, since neighbouring pixels need not take the branch, and without the placement,
  // since they need not be of one material.
  vec2 down = vec2(material.texture_scale.x, -material.texture_scale.y);
  vec2 slope_x = dFdx(surface_texcoord) * down;
  vec2 slope_y = dFdy(surface_texcoord) * down;
  vec3 found = vec3(1.0);
  // A sampler index must be uniform over a draw, which the loop's counter is.
  for (int array = 0; array < TEXTURE_ARRAYS; ++array)
    if (material.texture_layer >= 0 && material.texture_array == array)
      found = texel(array, material, place, slope_x, slope_y);
  return found;
}
#else
vec3 texture_colour(Material material) { return vec3(1.0); }
#endif

// The surface under lines: a little nearer to the background, darker on dark and lighter on light.
// It keeps its hue, which a legend explains: on dark the ratios of red, green and blue, on light
// most of their difference from grey.
vec3 stage(vec3 linear) {
  float grey = dot(linear, vec3(0.2126, 0.7152, 0.0722));
  vec3 on_dark = 0.60 * linear;
  vec3 on_light = vec3(0.18 + 0.60 * grey) + 0.92 * (linear - grey);
  return mix(on_dark, on_light, light_theme);
}

void main() {
  uint id = triangle_material[first_triangle + gl_PrimitiveID];
  Material material = materials[min(id, material_count - 1u)];
  material.base_colour *= texture_colour(material);

#ifdef COLOURED
  int first_corner = 3 * (first_triangle + gl_PrimitiveID);
  vec3 mixed = vec3(0.0);
  for (int corner = 0; corner < 3; ++corner)
    mixed += barycentric[corner] *
             decode_srgb(unpackUnorm4x8(corner_colours[first_corner + corner]).rgb);
  material.base_colour *= mixed;
#endif

#if COLOURING == BY_RAMP
  material = coloured(material, ramp(triangle_value[first_triangle + gl_PrimitiveID]));
#elif COLOURING == BY_BLOCK
  material = coloured(material, block_colour(triangle_value[first_triangle + gl_PrimitiveID]));
#elif COLOURING == BY_NORMAL
  float long_enough = max(length(surface_normal), 1e-6);
  material = coloured(material, decode_srgb(0.5 + 0.5 * surface_normal / long_enough));
#endif

  // Both sides are lit: the normal is turned to the visible side of the triangle. The triangle
  // itself decides which side that is, since a file's winding and normals need not agree.
  vec3 v = normalize(eye - surface_position);
  vec3 face = normalize(cross(dFdx(surface_position), dFdy(surface_position)));
  face *= dot(face, v) < 0.0 ? -1.0 : 1.0;
  float n_length = length(surface_normal);
  vec3 n = n_length > 1e-6 ? surface_normal / n_length : face;
  n *= dot(n, face) < 0.0 ? -1.0 : 1.0;

  float facing = max(dot(n, v), 0.0);
#ifdef LIT
  Substance substance = Substance(material.base_colour, material.roughness, material.emission,
                                  material.metallic);
  float key_share = key_visibility(shadow_map, surface_position, face);
  vec3 linear = exposed(light(substance, n, v, key_share));
  linear = mix(linear, stage(linear), dimmed);
  vec3 shown = encode_srgb(linear);
#else
  vec3 on_dark = mix(vec3(0.010, 0.013, 0.019), vec3(0.024, 0.031, 0.044), facing);
  vec3 on_light = mix(vec3(0.56, 0.59, 0.64), vec3(0.78, 0.80, 0.83), facing);
  vec3 shown = encode_srgb(mix(on_dark, on_light, light_theme));
#endif
#ifdef WIRE
  vec3 unlit_line = mix(vec3(0.62, 0.80, 0.95) * mix(0.4, 1.0, facing),
                        mix(vec3(0.42, 0.50, 0.58), vec3(0.08, 0.20, 0.32), facing), light_theme);
  vec3 line = lit ? shown * 0.22 : unlit_line;
  shown = mix(shown, line, edge_cover() * (lit ? 0.75 : 0.9));
#endif
  colour = vec4(shown, 1.0);
}
