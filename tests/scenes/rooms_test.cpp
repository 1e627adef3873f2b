#include "scenes/files/rooms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "gpu/reference/rays.h"
#include "tests/scenes/support.h"

namespace warpview::test {
namespace {

Aabb house_box(const Mesh& mesh) {
  Aabb box = Aabb::empty();
  for (const Vertex& corner : mesh.corners) box = merge(box, {corner.position, corner.position});
  return box;
}

Vec3 edges_crossed(const Mesh& mesh, std::size_t triangle) {
  const Vertex* const corners = &mesh.corners[3 * triangle];
  return cross(corners[1].position - corners[0].position,
               corners[2].position - corners[0].position);
}

bool has_same_bytes(const Mesh& a, const Mesh& b) {
  const auto is_same = [](const Vertex& v, const Vertex& w) {
    return v.position == w.position && v.normal == w.normal && v.texcoord == w.texcoord;
  };
  return std::equal(a.corners.begin(), a.corners.end(), b.corners.begin(), b.corners.end(),
                    is_same) &&
         a.triangle_material == b.triangle_material;
}

TEST(Rooms, HaveAboutTheTrianglesThatAreAskedFor) {
  for (const std::uint64_t seed : {1, 2, 3, 4})
    for (const std::uint64_t asked : {10'000, 20'000, 50'000, 100'000, 400'000, 1'000'000}) {
      const std::uint64_t count = make_rooms(asked, seed).triangle_count();
      EXPECT_LE(count, asked) << seed;
      EXPECT_GE(static_cast<double>(count), 0.97 * static_cast<double>(asked)) << seed;
    }
  EXPECT_THROW(make_rooms(least_rooms_triangles - 1, 1), std::invalid_argument);
}

TEST(Rooms, AreWellFormedAndHaveNoTriangleWithoutArea) {
  for (const std::uint64_t seed : {1, 2})
    for (const std::uint64_t asked : {10'000, 100'000, 1'000'000}) {
      const Mesh mesh = make_rooms(asked, seed);
      expect_well_formed(mesh);
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
        ASSERT_GT(length(edges_crossed(mesh, t)), 0.0F) << asked << ' ' << t;
    }
}

// A triangle's front is where its normals point to.
TEST(Rooms, FaceWhereTheirNormalsPoint) {
  const Mesh mesh = make_rooms(1'000'000, 1);
  std::size_t turned_away = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Vec3 front = edges_crossed(mesh, t);
    turned_away += std::any_of(&mesh.corners[3 * t], &mesh.corners[3 * t] + 3,
                               [&](const Vertex& corner) { return dot(front, corner.normal) < 0; })
                       ? 1
                       : 0;
  }
  // At rims, where a coarse surface folds.
  EXPECT_LT(turned_away, mesh.triangle_count() / 50);
}

TEST(Rooms, TrianglesDifferInSizeAThousandfold) {
  const Mesh mesh = make_rooms(300'000, 1);
  std::vector<float> areas;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    areas.push_back(0.5F * length(edges_crossed(mesh, t)));
  std::sort(areas.begin(), areas.end());
  EXPECT_GT(areas.back(), 1e4F * areas[areas.size() / 2]);
  EXPECT_GT(areas[areas.size() / 2], 30.0F * areas[areas.size() / 100]);
}

TEST(Rooms, SeedsDecideAll) {
  const Mesh mesh = make_rooms(50'000, 7);
  EXPECT_TRUE(has_same_bytes(mesh, make_rooms(50'000, 7)));
  EXPECT_FALSE(has_same_bytes(mesh, make_rooms(50'000, 8)));
}

TEST(Rooms, FillAHouseOfTwoFloors) {
  for (const std::uint64_t asked : {10'000, 600'000}) {
    const Aabb box = house_box(make_rooms(asked, 1));
    EXPECT_NEAR(box.min.y, -0.25F, 1e-5F);
    EXPECT_NEAR(box.max.y, 6.0F, 1e-5F);
    const float rooms = asked == 600'000 ? 6.0F : 1.0F;
    for (const float size : {box.max.x - box.min.x, box.max.z - box.min.z}) {
      EXPECT_GT(size, 3.4F * rooms);
      EXPECT_LT(size, 6.6F * rooms + 0.5F);
    }
  }
}

// From a view, in a square.
std::vector<BoundedRay> rays_of(const Viewpoint& view, int side) {
  const auto unit = [](Vec3 v) { return v * (1.0F / length(v)); };
  const Vec3 ahead = unit(view.target - view.eye);
  const Vec3 right = unit(cross(ahead, {0.0F, 1.0F, 0.0F}));
  const Vec3 up = cross(right, ahead);
  const double half = *view.field_of_view * std::numbers::pi / 360.0;
  const auto tangent = static_cast<float>(std::tan(half));
  std::vector<BoundedRay> rays;
  for (int i = 0; i < side * side; ++i) {
    const auto at = [&](int place) {
      return tangent * (static_cast<float>(2 * place + 1) / static_cast<float>(side) - 1.0F);
    };
    rays.push_back(
        {.origin = view.eye, .direction = ahead + right * at(i % side) + up * at(i / side)});
  }
  return rays;
}

TEST(Rooms, AreSeenFromWithinOne) {
  constexpr int side = 64;
  for (const std::uint64_t seed : {1, 2})
    for (const std::uint64_t asked : {10'000, 600'000}) {
      const Mesh mesh = make_rooms(asked, seed);
      ASSERT_TRUE(mesh.first_view);
      std::vector<std::uint32_t> indices(mesh.corners.size());
      std::iota(indices.begin(), indices.end(), 0U);
      const reference::RayTracer tracer(mesh.corners, indices);
      std::vector<float> distances;
      for (const BoundedRay& ray : rays_of(*mesh.first_view, side)) {
        const RayHit hit = tracer.nearest(ray);
        ASSERT_NE(hit.triangle, RayHit::nothing);
        distances.push_back(hit.t * length(ray.direction));
      }
      std::sort(distances.begin(), distances.end());
      EXPECT_GT(distances[distances.size() / 2], 1.0F) << "a piece stands before the eye";
      // One sees through doors.
      if (asked == 600'000) {
        EXPECT_GT(distances.back(), 8.0F);
      }
    }
}

// The shell is closed: rays in all directions hit it, from all rooms.
TEST(Rooms, HoldEveryRay) {
  const Mesh mesh = make_rooms(300'000, 1);
  std::vector<std::uint32_t> indices(mesh.corners.size());
  std::iota(indices.begin(), indices.end(), 0U);
  const reference::RayTracer tracer(mesh.corners, indices);
  const Aabb box = tracer.bounds();
  for (int i = 0; i < 4000; ++i) {
    const auto share = [i](float step) { return std::fmod(step * static_cast<float>(i), 1.0F); };
    const auto within = [](float least, float most, float at) {
      return least + 0.3F + (most - least - 0.6F) * at;
    };
    const Vec3 from = {within(box.min.x, box.max.x, share(0.7548F)),
                       within(box.min.y, box.max.y, share(0.5698F)),
                       within(box.min.z, box.max.z, share(0.3177F))};
    const Vec3 way = {share(0.618F) - 0.5F, share(0.382F) - 0.5F, share(0.271F) - 0.5F};
    ASSERT_NE(tracer.nearest({.origin = from, .direction = way}).triangle, RayHit::nothing) << i;
  }
}

}  // namespace
}  // namespace warpview::test
