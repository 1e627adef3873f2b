#include "scenes/files/triangulate.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

using Polygon = std::vector<Vec3>;

// n - 2 triangles with corners of the polygon; returns them.
std::vector<std::uint32_t> triangulate(const Polygon& polygon, bool expect_given_up = false) {
  Triangulator triangulator;
  std::vector<std::uint32_t> triangles;
  EXPECT_EQ(triangulator(polygon, triangles), !expect_given_up);
  EXPECT_EQ(triangles.size(), 3 * (polygon.size() - 2));
  for (const std::uint32_t corner : triangles) EXPECT_LT(corner, polygon.size());
  return triangles;
}

double length(DoubleVec3 v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Triangles that all turn the polygon's way and whose areas sum up to its area cover it exactly.
void expect_exact_cover(const Polygon& polygon) {
  const DoubleVec3 whole = area_normal(polygon);
  double sum = 0.0;
  const std::vector<std::uint32_t> triangles = triangulate(polygon);
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const Polygon corners = {polygon[triangles[t]], polygon[triangles[t + 1]],
                             polygon[triangles[t + 2]]};
    const DoubleVec3 n = area_normal(corners);
    const double rounding = 1e-6 * length(whole) * length(whole);
    EXPECT_GE(n.x * whole.x + n.y * whole.y + n.z * whole.z, -rounding);
    sum += length(n);
  }
  EXPECT_NEAR(sum, length(whole), 1e-6 * length(whole));
}

TEST(AreaNormal, IsAreaTimesNormal) {
  const DoubleVec3 n = area_normal(Polygon{{1, 1, 5}, {3, 1, 5}, {3, 4, 5}, {1, 4, 5}});
  EXPECT_EQ(n.x, 0.0);
  EXPECT_EQ(n.y, 0.0);
  EXPECT_EQ(n.z, 6.0);
}

TEST(Triangulate, ConvexIsAFan) {
  EXPECT_EQ(triangulate({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}),
            (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
}

TEST(Triangulate, ConcaveQuadWhicheverCornerIsFirst) {
  const Polygon arrow = {{0, 0, 0}, {2, -1, 0}, {0.5F, 0, 0}, {2, 1, 0}};
  for (std::size_t first = 0; first < 4; ++first) {
    Polygon rotated;
    for (std::size_t i = 0; i < 4; ++i) rotated.push_back(arrow[(first + i) % 4]);
    expect_exact_cover(rotated);
    expect_exact_cover({rotated.rbegin(), rotated.rend()});
  }
}

// A comb has teeth that a fan would cross; turned into each of the planes, both ways.
TEST(Triangulate, CombInEveryPlane) {
  Polygon comb = {{0, 0, 0}, {40, 0, 0}};
  for (int tooth = 20; tooth-- > 0;) {
    const auto x = static_cast<float>(2 * tooth);
    comb.insert(comb.end(), {{x + 2, 10, 0}, {x + 1, 1, 0}});
  }
  for (int axis = 0; axis < 3; ++axis) {
    expect_exact_cover(comb);
    expect_exact_cover({comb.rbegin(), comb.rend()});
    for (Vec3& p : comb) p = {p.z, p.x, p.y};
  }
  for (Vec3& p : comb) p = {p.x + 0.3F * p.y, p.y, p.z + 0.5F * p.x - 0.2F * p.y};
  expect_exact_cover(comb);
}

TEST(Triangulate, StarsWithManyCorners) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> radius(0.2F, 1.0F);
  for (const int corners : {5, 6, 17, 100, 1000}) {
    Polygon star;
    for (int i = 0; i < corners; ++i) {
      const float angle =
          2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(corners);
      const float r = radius(random);
      star.push_back({r * std::cos(angle), r * std::sin(angle), 0.0F});
    }
    expect_exact_cover(star);
  }
}

TEST(Triangulate, CollinearAndRepeatedCorners) {
  expect_exact_cover({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 0}, {0, 2, 0}});
  expect_exact_cover({{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 1, 0}, {1, 1, 0}, {0, 2, 0}});
}

TEST(Triangulate, DegenerateStillGivesAllTriangles) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float big = std::numeric_limits<float>::max();
  triangulate({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  triangulate({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  triangulate({{0, 0, 0}, {nan, 0, 0}, {1, 1, 0}, {0.5F, 0.1F, 0}, {0, 1, 0}});
  triangulate({{-big, -big, 0}, {big, -big, 0}, {0, 0, 0}, {big, big, 0}, {-big, big, 0}});
  // Self-intersecting: a bow tie, a pentagram.
  triangulate({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 2, 0}});
  triangulate({{0, 3, 0}, {2, -3, 0}, {-3, 1, 0}, {3, 1, 0}, {-2, -3, 0}});
}

TEST(Triangulate, RandomTangles) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> coordinate(-3, 3);  // coincidences are likely
  for (int round = 0; round < 500; ++round) {
    Polygon polygon(static_cast<std::size_t>(3 + round % 30));
    for (Vec3& p : polygon)
      p = {static_cast<float>(coordinate(random)), static_cast<float>(coordinate(random)),
           static_cast<float>(coordinate(random))};
    triangulate(polygon);
  }
}

// Corners in random order have hardly an ear: the effort is bounded, the count exact all the same.
TEST(Triangulate, GivesUpOnAHugeTangle) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
  Polygon polygon(30'000);
  for (Vec3& p : polygon) p = {coordinate(random), coordinate(random), 0.0F};
  triangulate(polygon, true);
}

}  // namespace
}  // namespace warpview
