// A mesh on the host, as the pipeline takes it: triangle corners, not yet de-duplicated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/applications/bezier_patch.h"
#include "gpu/applications/svg_path.h"
#include "gpu/primitives/dedup/dedup.h"
#include "gpu/runtime/host_array.h"
#include "gpu/runtime/vec.h"
#include "scenes/viewpoint.h"

namespace warpview {

// 8 bits per channel, RGBA, sRGB-encoded, the top row first. Texture coordinate v = 0 is at the
// bottom.
struct Image {
  static constexpr std::uint32_t longest_side = 2048;  // pixels; as long as the renderer can use it

  std::filesystem::path file;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgba;  // [4 width height]
};

// How a texture lies on a surface: texture coordinate t shows the texel at t * scale + offset.
struct TexturePlacement {
  Vec2 scale{1.0F, 1.0F};
  Vec2 offset{0.0F, 0.0F};
  bool is_clamped = false;  // beyond 0 to 1 the texture's edge goes on; else the texture repeats
};

// What the view `paths` of the scene of rays alone draws of a material.
struct Optics {
  enum class Mirror { none, plain, fresnel };  // the last one mirrors more at grazing angles

  float clear = 0.0F;             // share of light that meets no opaque surface
  Vec3 filter{1.0F, 1.0F, 1.0F};  // of light that passes
  float index = 1.0F;             // of refraction, at least 1; 1: light goes straight on
  Mirror mirror = Mirror::none;   // of the strength of the highlight
};

struct Material {
  static constexpr std::uint32_t no_texture = 0xffffffffU;

  std::string name;
  Vec3 diffuse = {0.72F, 0.72F, 0.72F};  // multiplies the texture where there is one
  Vec3 specular = {0.25F, 0.25F, 0.25F};
  Vec3 emissive = {0.0F, 0.0F, 0.0F};
  float shininess = 40.0F;             // exponent of the highlight, at least 1
  std::uint32_t texture = no_texture;  // index into Mesh::textures
  TexturePlacement placement = {};     // of the texture; finite
  Optics optics = {};
};

// A point that is drawn, or an end of a line.
struct ColouredPoint {
  Vec3 position;
  std::uint32_t colour;  // as in Mesh::corner_colours, the material's included
};

// Filled paths, in the plane z = 0, each painted over those before it. The first one is the page,
// which is white. What is not finite, or too far out, is not there.
struct PathPicture {
  std::vector<SvgPath> paths;
  std::vector<SvgSegment> segments;
  std::vector<std::string> names;  // of the paths, for people; some are empty
  Aabb page = Aabb::empty();
};

// What every loader and generator promises:
// - corners.size() == 3 * triangle_material.size(); three corners in a row are one triangle, seen
//   from its front in counter-clockwise order;
// - a position is three finite numbers or three quiet NaNs; the pipeline drops and counts the
//   triangles of the latter. Normals have length 1, texture coordinates are finite. No zero is
//   negative, so corners that are equal are equal bit by bit;
// - every material and texture index is valid;
// - places of points and lines are finite, and so are those of control points;
// - patch_material.size() == patches.size();
// - the segments of a picture's paths are among its segments, and each path has a name.
struct Mesh {
  std::string name;            // for people: a title bar, a list of recent files
  std::filesystem::path file;  // what open_mesh() was asked for
  HostArray<Vertex> corners;
  HostArray<std::uint32_t> triangle_material;
  // What multiplies the material's colour at each corner, sRGB-encoded: red in the lowest 8 bits,
  // then green, blue, and 255. Empty: nothing does.
  HostArray<std::uint32_t> corner_colours;
  std::vector<ColouredPoint> points;
  std::vector<ColouredPoint> line_ends;  // two in a row are a line
  // Patches of a mesh that is made of them: its triangles follow them.
  std::vector<BezierPatch> patches;
  std::vector<std::uint32_t> patch_material;
  PathPicture picture;              // of paths: then there is nothing else
  std::vector<Material> materials;  // never empty: [0] is that of faces that name none
  std::vector<Image> textures;
  std::optional<Viewpoint> first_view;  // of one that is seen from within; none: all of it is seen
  // One sentence or two each, one for each kind of trouble, the weightiest of a file first.
  std::vector<std::string> warnings;
  std::uint64_t dropped_faces = 0;  // left out: bad index of a position, fewer than 3 corners

  std::size_t triangle_count() const { return triangle_material.size(); }
  std::size_t line_count() const { return line_ends.size() / 2; }
  bool is_picture() const { return !picture.paths.empty(); }
};

}  // namespace warpview
