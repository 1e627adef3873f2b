// The lit surface: a sky and a floor, a key light with shadows, a fill light and a rim light, all but
// the first two fixed to the camera. With WIRE the edges of the triangles too.
#include "frame.glsl"
#include "colour.glsl"

struct Material {
  vec3 base_colour;
  float roughness;
  vec3 emission;
  float metallic;
  int texture_layer;
};
layout(std430, binding = 0) readonly buffer Materials { Material materials[]; };
layout(std430, binding = 1) readonly buffer TriangleMaterials { uint triangle_material[]; };
layout(binding = 0) uniform sampler2DArray textures;
layout(binding = 1) uniform sampler2DShadow shadow_map;

layout(location = 0) uniform uint material_count;
layout(location = 1) uniform bool has_triangle_material;
layout(location = 2) uniform float dimmed;  // 0: as it is, 1: a dark stage for lines
layout(location = 3) uniform bool lit;      // else a dark body under the edges

layout(location = 0) in vec3 surface_position;
layout(location = 1) in vec3 surface_normal;
layout(location = 2) in vec2 surface_texcoord;
#ifdef WIRE
layout(location = 3) in vec3 barycentric;
#endif

layout(location = 0) out vec4 colour;

const vec3 sky = vec3(0.72, 0.83, 1.00);
const vec3 horizon = vec3(0.50, 0.50, 0.52);
const vec3 ground = vec3(0.17, 0.14, 0.12);
const vec3 key_light = vec3(2.00, 1.84, 1.62);
const vec3 fill_light = vec3(0.16, 0.21, 0.30);
const vec3 rim_light = vec3(0.80, 0.95, 1.20);

// Light that comes from direction d, blurred as a surface of this roughness reflects it.
vec3 surroundings(vec3 d, float roughness) {
  float blur = mix(0.12, 1.0, roughness);
  vec3 upper = mix(horizon, sky, smoothstep(0.0, 0.4 + blur, d.y));
  return mix(ground, upper, smoothstep(-blur, blur, d.y));
}

// Microfacets: GGX distribution over 4 n.l n.v times Smith's visibility in Schlick's form.
float specular_lobe(float n_l, float n_v, float n_h, float roughness) {
  float alpha = roughness * roughness;
  float alpha2 = alpha * alpha;
  float d = n_h * n_h * (alpha2 - 1.0) + 1.0;
  float k = 0.5 * alpha;
  float visibility = 0.25 / ((n_l * (1.0 - k) + k) * (n_v * (1.0 - k) + k));
  return alpha2 / (3.14159265 * d * d) * visibility;
}

// Share of the key light that arrives, by nine bilinear comparisons around the place. The place is
// moved off the surface, further where the light grazes it, so that it does not shade itself.
float key_visibility(vec3 face) {
  float slant = 1.0 - max(dot(face, key_direction), 0.0);
  vec3 off_surface = surface_position + face * shadow_texel * (1.5 + 3.0 * slant);
  vec3 place = (key_view_projection * vec4(off_surface, 1.0)).xyz * 0.5 + 0.5;
  vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += texture(shadow_map, vec3(place.xy + 1.5 * vec2(x, y) * texel, place.z));
  return sum / 9.0;
}

vec3 light(Material material, vec3 n, vec3 v, float key_share) {
  float n_v = max(dot(n, v), 1e-3);
  float roughness = clamp(material.roughness, 0.08, 1.0);
  vec3 diffuse = material.base_colour * (1.0 - material.metallic);
  vec3 at_normal = mix(vec3(0.04), material.base_colour, material.metallic);
  float grazing = pow(1.0 - n_v, 5.0);

  vec3 sum = diffuse * surroundings(n, 1.0) * 0.26;
  vec3 mirrored = at_normal + (max(vec3(1.0 - roughness), at_normal) - at_normal) * grazing;
  sum += mirrored * surroundings(reflect(-v, n), roughness);

  vec3 h = normalize(v + key_direction);
  float n_l = max(dot(n, key_direction), 0.0);
  float at_half = pow(1.0 - max(dot(v, h), 0.0), 5.0);
  vec3 fresnel = at_normal + (1.0 - at_normal) * at_half;
  float lobe = specular_lobe(max(n_l, 1e-3), n_v, max(dot(n, h), 0.0), roughness);
  sum += (diffuse / 3.14159265 * 1.45 + fresnel * lobe) * key_light * n_l * key_share;

  vec3 fill_direction = normalize(vec3(-key_direction.x, 0.15, -key_direction.z));
  sum += diffuse * fill_light * (0.5 + 0.5 * dot(n, fill_direction));
  float edge = pow(1.0 - n_v, 3.0) * smoothstep(-0.1, 0.8, dot(n, rim_direction));
  sum += rim_light * edge * mix(vec3(0.35), material.base_colour, 0.5);
  return sum + material.emission;
}

#ifdef WIRE
// Cover of the pixel by the nearest edge, 0 to 1. Edges of triangles of a few pixels fade, else
// they would fill the picture.
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

void main() {
  uint id = has_triangle_material ? triangle_material[gl_PrimitiveID] : 0u;
  Material material = materials[min(id, material_count - 1u)];
  vec2 place = vec2(surface_texcoord.x, 1.0 - surface_texcoord.y);  // image rows run downwards
  vec2 slope_x = dFdx(place);  // here, since neighbouring pixels need not take the branch
  vec2 slope_y = dFdy(place);
  if (material.texture_layer >= 0)
    material.base_colour *=
        textureGrad(textures, vec3(place, material.texture_layer), slope_x, slope_y).rgb;

  // Both sides are lit: the normal is turned to the side of the triangle that is seen. The triangle
  // itself tells which that is, since a file's winding and normals need not agree.
  vec3 v = normalize(eye - surface_position);
  vec3 face = normalize(cross(dFdx(surface_position), dFdy(surface_position)));
  face *= dot(face, v) < 0.0 ? -1.0 : 1.0;
  float n_length = length(surface_normal);
  vec3 n = n_length > 1e-6 ? surface_normal / n_length : face;
  n *= dot(n, face) < 0.0 ? -1.0 : 1.0;

  float facing = max(dot(n, v), 0.0);
  vec3 shown;
  if (lit) {
    vec3 linear = light(material, n, v, key_visibility(face));
    linear = 1.0 - exp(-1.1 * linear);  // as film: highlights roll off instead of clipping
    float grey = dot(linear, vec3(0.2126, 0.7152, 0.0722));
    vec3 stage = mix(vec3(grey), linear, 0.35) * vec3(0.85, 0.95, 1.15);
    linear = mix(linear, vec3(0.020, 0.024, 0.032) + 0.34 * stage, dimmed);
    shown = encode_srgb(linear);
  } else {
    shown = encode_srgb(mix(vec3(0.010, 0.013, 0.019), vec3(0.024, 0.031, 0.044), facing));
  }
#ifdef WIRE
  vec3 line = lit ? shown * 0.22 : vec3(0.62, 0.80, 0.95) * mix(0.4, 1.0, facing);
  shown = mix(shown, line, edge_cover() * (lit ? 0.75 : 0.9));
#endif
  colour = vec4(shown, 1.0);
}
