// What all passes share of the frame. Written once per frame by Renderer::draw.
layout(std140, binding = 0) uniform Frame {
  mat4 view_projection;
  mat4 key_view_projection;  // the key light's view of the scene, for its shadows
  vec3 eye;             // world
  float nudge;          // world: offset of lines and points from the surface, towards the eye
  vec3 key_direction;   // world, towards the light
  float focal_pixels;   // pixels that one unit covers at distance one
  vec3 rim_direction;   // world, towards the light
  float pixel_scale;    // pixels per unit of the display
  vec2 viewport;        // pixels
  float shadow_texel;   // world: side of a texel of the shadow map
  float light_theme;    // 1: dark on light, 0: light on dark
  vec4 cut_plane;       // normal and offset: points beyond it are not drawn
  vec3 view_right;      // world: from the middle of the view to its right edge, at distance one
  float scene_radius;   // world
  vec3 view_up;         // world: to its upper edge
  float floor_height;   // world: of the ground, along `world_up`
  vec3 view_forward;    // world, where the eye looks
  float floor_share;    // 0 to 1: the ground fades as the eye comes down to it
  vec3 world_up;        // world, of length one
  float depth_near;     // the distance of a place with depth d from -1 to 1 is
  vec3 scene_centre;    // depth_near / (d + depth_far), along view_forward
  float depth_far;
};

// Distance of a place from the cut, positive on the side that is drawn. For gl_ClipDistance[0].
float before_cut(vec3 position) { return cut_plane.w - dot(cut_plane.xyz, position); }

// Clip position of a point pulled `way` (world) towards the eye: it stays at its pixel and comes
// before the surface it lies on.
vec4 project_nudged(vec3 position, float way) {
  vec3 to_eye = eye - position;
  return view_projection * vec4(position + to_eye * min(way / length(to_eye), 0.5), 1.0);
}

// Typical distance in pixels between neighbours of `count` items spread over a mesh that fills the
// view: half of them are visible, on about two fifths of it.
float typical_spacing(uint count) {
  return sqrt(0.8 * viewport.x * viewport.y / max(float(count), 1.0));
}
