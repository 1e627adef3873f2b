#include "scenes/files/teapot.h"

#include <array>
#include <cmath>
#include <string>

#include "gpu/applications/reyes.h"

namespace warpview {
namespace {

// Most of the teapot is turned on a lathe: four quarters of rings. A quarter of a ring is a curve
// with the control points (radius, 0), (radius, beside), (beside, radius), (0, radius).
struct Ring {
  float radius, height, beside;
};
using Lathed = std::array<Ring, 4>;  // the rows of a patch
constexpr std::array<Lathed, 6> lathed = {{
    // the rim
    {{{1.4F, 2.4F, 0.784F},
      {1.3375F, 2.53125F, 0.749F},
      {1.4375F, 2.53125F, 0.805F},
      {1.5F, 2.4F, 0.84F}}},
    // the body, from the rim down
    {{{1.5F, 2.4F, 0.84F}, {1.75F, 1.875F, 0.98F}, {2.0F, 1.35F, 1.12F}, {2.0F, 0.9F, 1.12F}}},
    {{{2.0F, 0.9F, 1.12F}, {2.0F, 0.45F, 1.12F}, {1.5F, 0.225F, 0.84F}, {1.5F, 0.15F, 0.84F}}},
    // the lid, from its knob down
    {{{0.0F, 3.15F, 0.0F}, {0.8F, 3.15F, 0.45F}, {0.0F, 2.85F, 0.0F}, {0.2F, 2.7F, 0.112F}}},
    {{{0.2F, 2.7F, 0.112F}, {0.4F, 2.55F, 0.224F}, {1.3F, 2.55F, 0.728F}, {1.3F, 2.4F, 0.728F}}},
    // the bottom, from its middle out
    {{{0.0F, 0.0F, 0.0F}, {1.425F, 0.0F, 0.798F}, {1.5F, 0.075F, 0.84F}, {1.5F, 0.15F, 0.84F}}},
}};

// Handle and spout are tubes, of two halves: rows around the half tube from the inner curve over a
// side to the outer curve.
struct Hoop {
  float inner, inner_height, outer, outer_height, half_width;
};
using Tube = std::array<Hoop, 4>;
constexpr std::array<Tube, 4> tubes = {{
    // the handle, from the top
    {{{-1.6F, 2.025F, -1.5F, 2.25F, 0.3F},
      {-2.3F, 2.025F, -2.5F, 2.25F, 0.3F},
      {-2.7F, 2.025F, -3.0F, 2.25F, 0.3F},
      {-2.7F, 1.8F, -3.0F, 1.8F, 0.3F}}},
    {{{-2.7F, 1.8F, -3.0F, 1.8F, 0.3F},
      {-2.7F, 1.575F, -3.0F, 1.35F, 0.3F},
      {-2.5F, 1.125F, -2.65F, 0.9375F, 0.3F},
      {-2.0F, 0.9F, -1.9F, 0.6F, 0.3F}}},
    // the spout, from the body, and its lip
    {{{1.7F, 1.425F, 1.7F, 0.6F, 0.66F},
      {2.6F, 1.425F, 3.1F, 0.825F, 0.66F},
      {2.3F, 2.1F, 2.4F, 2.025F, 0.25F},
      {2.7F, 2.4F, 3.3F, 2.4F, 0.25F}}},
    {{{2.7F, 2.4F, 3.3F, 2.4F, 0.25F},
      {2.8F, 2.475F, 3.525F, 2.49375F, 0.25F},
      {2.9F, 2.475F, 3.45F, 2.5125F, 0.15F},
      {2.8F, 2.4F, 3.2F, 2.4F, 0.15F}}},
}};

// The normal in the middle of the patch is to lead away from `inside`.
void add_patch(Mesh& mesh, BezierPatch patch, const Vec3& inside) {
  const ReyesSurface middle = reyes_evaluate(patch, 0.5F, 0.5F);
  if (dot(cross(middle.along_u, middle.along_v), middle.place - inside) < 0.0F)
    for (std::size_t row = 0; row < 16; row += 4) {
      std::swap(patch.points[row], patch.points[row + 3]);
      std::swap(patch.points[row + 1], patch.points[row + 2]);
    }
  for (Vec3& point : patch.points) point = point + Vec3{0.0F, 0.0F, 0.0F};  // no -0
  mesh.patches.push_back(patch);
  mesh.patch_material.push_back(1);
}

void add_lathed(Mesh& mesh, const Lathed& rings) {
  constexpr std::array<Vec2, 4> turns = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  for (const Vec2 turn : turns) {
    BezierPatch patch;
    std::size_t next = 0;
    for (const Ring& ring : rings) {
      const float along[] = {ring.radius, ring.radius, ring.beside, 0.0F};
      const float across[] = {0.0F, ring.beside, ring.radius, ring.radius};
      for (std::size_t k = 0; k < 4; ++k)
        patch.points[next++] = {along[k] * turn.x - across[k] * turn.y, ring.height,
                                along[k] * turn.y + across[k] * turn.x};
    }
    // What is inside is on the axis, and of the rim, which is flat, below.
    const Vec3 middle = reyes_evaluate(patch, 0.5F, 0.5F).place;
    const float radius = std::sqrt(middle.x * middle.x + middle.z * middle.z);
    add_patch(mesh, patch, {0.0F, middle.y - 0.1F * radius, 0.0F});
  }
}

void add_tube(Mesh& mesh, const Tube& hoops) {
  for (const float side : {-1.0F, 1.0F}) {
    BezierPatch patch;
    std::size_t next = 0;
    for (const Hoop& hoop : hoops) {
      const float out = side * hoop.half_width;
      patch.points[next++] = {hoop.inner, hoop.inner_height, 0.0F};
      patch.points[next++] = {hoop.inner, hoop.inner_height, out};
      patch.points[next++] = {hoop.outer, hoop.outer_height, out};
      patch.points[next++] = {hoop.outer, hoop.outer_height, 0.0F};
    }
    const Vec3 middle = reyes_evaluate(patch, 0.5F, 0.5F).place;
    add_patch(mesh, patch, {middle.x, middle.y, 0.0F});
  }
}

// Patches that meet come to the same place by sums in another order, and so do all of a side that
// has shrunk to a point: by so coarse a number (0.00002, where the teapot is 6 wide) these places
// are one, and the triangles hang together. -0 becomes 0.
Vec3 on_grid(const Vec3& place) {
  const auto rounded = [](float x) { return std::round(x * 65536.0F) / 65536.0F + 0.0F; };
  return {rounded(place.x), rounded(place.y), rounded(place.z)};
}

// Triangles over a patch. Where a side of it has shrunk to a point one of two has no extent, and is
// left out.
void add_triangles(Mesh& mesh, const BezierPatch& patch, std::uint32_t material) {
  constexpr std::size_t cuts = 8;
  std::array<Vertex, (cuts + 1) * (cuts + 1)> grid;
  for (std::size_t j = 0; j <= cuts; ++j)
    for (std::size_t i = 0; i <= cuts; ++i) {
      const float u = static_cast<float>(i) / cuts;
      const float v = static_cast<float>(j) / cuts;
      const ReyesSurface at = reyes_evaluate(patch, u, v);
      const Vec3 zero{0.0F, 0.0F, 0.0F};
      grid[j * (cuts + 1) + i] = {on_grid(at.place), reyes_normal(patch, at, u, v) + zero, {u, v}};
    }
  const auto add = [&](const Vertex& a, const Vertex& b, const Vertex& c) {
    const Vec3 across = cross(b.position - a.position, c.position - a.position);
    if (dot(across, across) < 1e-14F) return;
    mesh.corners.insert(mesh.corners.end(), {a, b, c});
    mesh.triangle_material.push_back(material);
  };
  for (std::size_t j = 0; j < cuts; ++j)
    for (std::size_t i = 0; i < cuts; ++i) {
      const Vertex* const corner = &grid[j * (cuts + 1) + i];
      add(corner[0], corner[1], corner[cuts + 2]);
      add(corner[0], corner[cuts + 2], corner[cuts + 1]);
    }
}

}  // namespace

Mesh make_teapot() {
  LoadControl unwatched;
  return make_teapot(unwatched);
}

Mesh make_teapot(LoadControl& control) {
  control.throw_if_cancelled();
  Mesh mesh;
  mesh.name = "teapot";
  mesh.materials.resize(2);
  mesh.materials[0].name = "default";
  mesh.materials[1] = {.name = "glaze",
                       .diffuse = {0.72F, 0.30F, 0.14F},
                       .specular = {0.45F, 0.45F, 0.45F},
                       .shininess = 60.0F};
  for (const Lathed& part : lathed) add_lathed(mesh, part);
  for (const Tube& part : tubes) add_tube(mesh, part);
  for (std::size_t i = 0; i < mesh.patches.size(); ++i)
    add_triangles(mesh, mesh.patches[i], mesh.patch_material[i]);
  return mesh;
}

}  // namespace warpview
