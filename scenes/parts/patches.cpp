#include "scenes/parts/patches.h"

#include <algorithm>
#include <array>
#include <limits>

#include "gpu/applications/reyes.h"
#include "gpu/runtime/finite.h"
#include "scenes/files/colour.h"

namespace warpview {
namespace {

bool has_finite_points(const BezierPatch& patch) {
  return std::all_of(patch.points, patch.points + 16, [](const Vec3& v) { return is_finite(v); });
}

Aabb box_of(const BezierPatch& patch) {
  Aabb box = Aabb::empty();
  for (const Vec3& point : patch.points) box = merge(box, {point, point});
  return box;
}

// Does the ray meet the box before `most`?
bool meets(const Ray& ray, const Aabb& box, float most) {
  float first = 0.0F;
  float last = most;
  const auto cut = [&](float origin, float way, float low, float high) {
    if (way == 0.0F) return low <= origin && origin <= high;
    const float a = (low - origin) / way;
    const float b = (high - origin) / way;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
    return first <= last;
  };
  return cut(ray.origin.x, ray.direction.x, box.min.x, box.max.x) &&
         cut(ray.origin.y, ray.direction.y, box.min.y, box.max.y) &&
         cut(ray.origin.z, ray.direction.z, box.min.z, box.max.z);
}

// A piece of a patch: its control points, and which part of the patch it is.
struct Piece {
  BezierPatch patch;
  float u = 0.0F, v = 0.0F;  // of its first corner
  float size = 1.0F;         // of its sides, in u and v
};

void halve(const BezierPatch& patch, bool along_u, BezierPatch& first, BezierPatch& second) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto place = [=](std::size_t k) { return along_u ? 4 * i + k : 4 * k + i; };
    Vec3 row[4], a[4], b[4];
    for (std::size_t k = 0; k < 4; ++k) row[k] = patch.points[place(k)];
    reyes_halve(row, a, b);
    for (std::size_t k = 0; k < 4; ++k) {
      first.points[place(k)] = a[k];
      second.points[place(k)] = b[k];
    }
  }
}

std::array<Piece, 4> quarters(const Piece& piece) {
  BezierPatch left, right;
  halve(piece.patch, true, left, right);
  std::array<Piece, 4> all;
  halve(left, false, all[0].patch, all[2].patch);
  halve(right, false, all[1].patch, all[3].patch);
  for (std::size_t k = 0; k < 4; ++k) {
    all[k].size = 0.5F * piece.size;
    all[k].u = piece.u + (k % 2 == 1 ? all[k].size : 0.0F);
    all[k].v = piece.v + (k / 2 == 1 ? all[k].size : 0.0F);
  }
  return all;
}

// Where the ray meets the triangle a, a + ab, a + ac: t, and how far along ab and ac (T. Möller,
// B. Trumbore, 1997).
std::optional<Vec3> meets_triangle(const Ray& ray, const Vec3& a, const Vec3& ab, const Vec3& ac) {
  const Vec3 across = cross(ray.direction, ac);
  const float volume = dot(ab, across);
  if (volume == 0.0F) return {};
  const Vec3 from = ray.origin - a;
  const float along_ab = dot(from, across) / volume;
  const Vec3 other = cross(from, ab);
  const float along_ac = dot(ray.direction, other) / volume;
  const float t = dot(ac, other) / volume;
  if (!(along_ab >= 0.0F && along_ac >= 0.0F && along_ab + along_ac <= 1.0F && t >= 0.0F))
    return {};
  return Vec3{t, along_ab, along_ac};
}

// A piece that is small enough to be flat: two triangles.
void meet_flat(const Ray& ray, const Piece& piece, std::uint32_t number,
               std::optional<PatchHit>& best) {
  const auto& p = piece.patch.points;
  const Vec3 ends[2][2] = {{p[3], p[15]}, {p[15], p[12]}};
  for (int side = 0; side < 2; ++side) {
    const auto hit = meets_triangle(ray, p[0], ends[side][0] - p[0], ends[side][1] - p[0]);
    if (!hit || (best && best->t <= hit->x)) continue;
    // Along the sides 0 -> u -> u, v and 0 -> u, v -> v.
    const float u = side == 0 ? hit->y + hit->z : hit->y;
    const float v = side == 0 ? hit->z : hit->y + hit->z;
    best = {number, piece.u + u * piece.size, piece.v + v * piece.size, hit->x};
  }
}

void meet(const Ray& ray, const Piece& piece, std::uint32_t number, int cuts,
          std::optional<PatchHit>& best) {
  if (!meets(ray, box_of(piece.patch), best ? best->t : std::numeric_limits<float>::max())) return;
  if (cuts == 0) return meet_flat(ray, piece, number, best);
  for (const Piece& quarter : quarters(piece)) meet(ray, quarter, number, cuts - 1, best);
}

}  // namespace

BezierPatch curved_triangle(std::span<const Vertex, 3> corners) {
  // The control point a third of the way from one corner to another, in the plane of the first.
  const auto near = [&](std::size_t from, std::size_t to) {
    const Vec3 way = corners[to].position - corners[from].position;
    const Vec3& normal = corners[from].normal;
    return corners[from].position + (way - normal * dot(way, normal)) * (1.0F / 3.0F);
  };
  const Vec3 &a = corners[0].position, &b = corners[1].position, &c = corners[2].position;
  const Vec3 ab = near(0, 1), ba = near(1, 0), bc = near(1, 2), cb = near(2, 1), ca = near(2, 0),
             ac = near(0, 2);
  const Vec3 sides = (ab + ba + bc + cb + ca + ac) * (1.0F / 6.0F);
  const Vec3 middle = sides + (sides - (a + b + c) * (1.0F / 3.0F)) * 0.5F;
  const auto between = [](const Vec3& from, const Vec3& to, float share) {
    return from * (1.0F - share) + to * share;
  };
  constexpr float third = 1.0F / 3.0F;
  // Row by row from the side ab to the point c. The rows of the triangle have 4, 3, 2 points and 1,
  // and are raised to 4.
  return {{a, ab, ba, b,                                                    //
           ac, between(middle, ac, third), between(middle, bc, third), bc,  //
           ca, between(ca, cb, third), between(cb, ca, third), cb,          //
           c, c, c, c}};
}

Patches patches_of(const Mesh& mesh) {
  std::vector<std::uint32_t> colours;
  for (const Material& material : mesh.materials) colours.push_back(pack_rgb(material.diffuse));
  Patches all;
  const auto add = [&](const BezierPatch& patch, std::uint32_t material) {
    if (!has_finite_points(patch)) return;
    all.patches.push_back(patch);
    all.colours.push_back(colours[material]);
    all.boxes.push_back(box_of(patch));
    all.bounds = merge(all.bounds, all.boxes.back());
  };
  if (!mesh.patches.empty()) {
    for (std::size_t i = 0; i < mesh.patches.size(); ++i)
      add(mesh.patches[i], mesh.patch_material[i]);
    return all;
  }
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i)
    add(curved_triangle(std::span<const Vertex, 3>(&mesh.corners[3 * i], 3)),
        mesh.triangle_material[i]);
  return all;
}

std::optional<PatchHit> first_hit(const Patches& patches, const Ray& ray) {
  constexpr int cuts = 5;
  std::optional<PatchHit> best;
  for (std::size_t i = 0; i < patches.patches.size(); ++i)
    if (meets(ray, patches.boxes[i], best ? best->t : std::numeric_limits<float>::max()))
      meet(ray, {patches.patches[i]}, static_cast<std::uint32_t>(i), cuts, best);
  return best;
}

}  // namespace warpview
