// Lighting of surfaces: a sky and a floor, a key light with shadows, a fill light and a rim light,
// all but the first two fixed to the camera. Needs frame.glsl.

struct Substance {
  vec3 base_colour;
  float roughness;
  vec3 emission;
  float metallic;
};

const vec3 sky = vec3(0.72, 0.83, 1.00);
const vec3 horizon = vec3(0.50, 0.50, 0.52);
const vec3 ground = vec3(0.17, 0.14, 0.12);
const vec3 key_light = vec3(2.00, 1.84, 1.62);
const vec3 fill_light = vec3(0.16, 0.21, 0.30);
const vec3 rim_light = vec3(0.80, 0.95, 1.20);

// Light from direction d, blurred as a surface of this roughness reflects it.
vec3 surroundings(vec3 d, float roughness) {
  float blur = mix(0.12, 1.0, roughness);
  vec3 upper = mix(horizon, sky, smoothstep(0.0, 0.4 + blur, d.y));
  return mix(ground, upper, smoothstep(-blur, blur, d.y));
}

// Whole powers as products: pow() takes many times as long.
float to_fifth(float x) {
  float squared = x * x;
  return squared * squared * x;
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
// offset from the surface, further at grazing light, so that it does not shade itself. With COARSE
// by one comparison: a rasteriser on the CPU spends most of a sphere's time on the nine.
float key_visibility(sampler2DShadow shadow_map, vec3 surface_position, vec3 face) {
  float slant = 1.0 - max(dot(face, key_direction), 0.0);
  vec3 off_surface = surface_position + face * shadow_texel * (1.5 + 3.0 * slant);
  vec3 place = (key_view_projection * vec4(off_surface, 1.0)).xyz * 0.5 + 0.5;
#ifdef COARSE
  return texture(shadow_map, place);
#else
  vec2 texel = 1.0 / vec2(textureSize(shadow_map, 0));
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      sum += texture(shadow_map, vec3(place.xy + 1.5 * vec2(x, y) * texel, place.z));
  return sum / 9.0;
#endif
}

// Light that leaves a surface with normal n towards v. `key_share` of the key light arrives.
vec3 light(Substance material, vec3 n, vec3 v, float key_share) {
  float n_v = max(dot(n, v), 1e-3);
  float roughness = clamp(material.roughness, 0.08, 1.0);
  vec3 diffuse = material.base_colour * (1.0 - material.metallic);
  vec3 at_normal = mix(vec3(0.04), material.base_colour, material.metallic);
  float slant = 1.0 - n_v;
  float grazing = to_fifth(slant);

  vec3 sum = diffuse * surroundings(n, 1.0) * 0.26;
  vec3 mirrored = at_normal + (max(vec3(1.0 - roughness), at_normal) - at_normal) * grazing;
  sum += mirrored * surroundings(reflect(-v, n), roughness);

  vec3 h = normalize(v + key_direction);
  float n_l = max(dot(n, key_direction), 0.0);
  float at_half = to_fifth(1.0 - max(dot(v, h), 0.0));
  vec3 fresnel = at_normal + (1.0 - at_normal) * at_half;
  float lobe = specular_lobe(max(n_l, 1e-3), n_v, max(dot(n, h), 0.0), roughness);
  sum += (diffuse / 3.14159265 * 1.45 + fresnel * lobe) * key_light * n_l * key_share;

  vec3 fill_direction = normalize(vec3(-key_direction.x, 0.15, -key_direction.z));
  sum += diffuse * fill_light * (0.5 + 0.5 * dot(n, fill_direction));
  float edge = slant * slant * slant * smoothstep(-0.1, 0.8, dot(n, rim_direction));
  sum += rim_light * edge * mix(vec3(0.35), material.base_colour, 0.5);
  return sum + material.emission;
}

// Tone mapping as on film: highlights roll off instead of clipping.
vec3 exposed(vec3 linear) { return 1.0 - exp(-1.1 * linear); }
