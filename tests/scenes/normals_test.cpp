// Normals of faces that have none: where they are smooth, and where they are not.
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>

#include "scenes/files/open_mesh.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::expect_well_formed;
using test::TempDir;

Mesh load_with(const std::string& text, double crease) {
  const TempDir dir;
  LoadControl control;
  Mesh mesh = open_mesh(dir.write("mesh.obj", text).string(), control, {}, {.crease = crease});
  expect_well_formed(mesh);
  return mesh;
}

const std::string cube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

// Has each corner the normal of its own triangle?
bool is_flat(const Mesh& mesh) {
  for (std::size_t c = 0; c < mesh.corners.size(); ++c) {
    const std::size_t first = c - c % 3;
    const Vec3 a = mesh.corners[first].position;
    const Vec3 n =
        cross(mesh.corners[first + 1].position - a, mesh.corners[first + 2].position - a);
    if (dot(n, mesh.corners[c].normal) < 0.9999F * std::sqrt(dot(n, n))) return false;
  }
  return true;
}

// Has each place one normal?
bool is_smooth(const Mesh& mesh) {
  for (const Vertex& a : mesh.corners)
    for (const Vertex& b : mesh.corners) {
      const Vec3 way = a.position - b.position;
      if (dot(way, way) == 0.0F && dot(a.normal, b.normal) < 0.9999F) return false;
    }
  return true;
}

TEST(Normals, ACubeIsACube) {
  EXPECT_TRUE(is_flat(load_with(cube, 45)));
  EXPECT_TRUE(is_flat(load_with(cube, 0)));
  EXPECT_TRUE(is_flat(load_with(cube, 89)));
  // An edge of as many degrees is no crease.
  EXPECT_TRUE(is_smooth(load_with(cube, 90)));
  EXPECT_TRUE(is_smooth(load_with(cube, 180)));
  EXPECT_TRUE(is_flat(load_with(cube, MeshOptions().crease)));
}

// A prism of n sides with both ends, radius 1.
std::string prism(int n) {
  std::string text;
  std::string low = "f";
  std::string high = "f";
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * 3.14159265358979 * i / n;
    const std::string place =
        std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle));
    text += "v " + place + " 0\nv " + place + " 1\n";
    low += " " + std::to_string(2 * (n - i) - 1);
    high += " " + std::to_string(2 * i + 2);
  }
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i + 1;
    const int b = 2 * ((i + 1) % n) + 1;
    text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(b + 1) + " " +
            std::to_string(a + 1) + "\n";
  }
  return text + low + "\n" + high + "\n";
}

// Round the side, with an edge at the ends.
TEST(Normals, ACylinderIsRoundAndEndsInEdges) {
  const Mesh mesh = load_with(prism(12), 45);
  for (const Vertex& corner : mesh.corners) {
    const Vec3 p = corner.position;
    const bool of_an_end = std::abs(corner.normal.z) > 0.5F;
    const Vec3 expected = of_an_end ? Vec3{0, 0, p.z > 0.5F ? 1.0F : -1.0F} : Vec3{p.x, p.y, 0};
    EXPECT_GT(dot(corner.normal, expected), 0.9999F);
  }
  // 30 degrees from side to side.
  EXPECT_TRUE(is_flat(load_with(prism(12), 29)));
}

// The opposite faces of a ring around a vertex differ by more than the angle, but no edge does.
TEST(Normals, SmoothnessGoesFromFaceToFace) {
  std::string cone = "v 0 0 1.5\n";
  for (int i = 0; i < 12; ++i) {
    const double angle = 2.0 * 3.14159265358979 * i / 12;
    cone += "v " + std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle)) + " 0\n";
  }
  for (int i = 0; i < 12; ++i)
    cone += "f 1 " + std::to_string(i + 2) + " " + std::to_string((i + 1) % 12 + 2) + "\n";
  for (const Vertex& corner : load_with(cone, 45).corners) {
    if (corner.position.z > 1.0F) {
      EXPECT_GT(corner.normal.z, 0.9999F);
    }
  }
}

// A sheet whose faces are there from both sides: each side is smooth by itself.
TEST(Normals, BothSidesOfASheetAreSmoothEach) {
  const Mesh mesh = load_with(
      "v 0 0 0\nv 1 0 0.1\nv 2 0 0\nv 0 1 0\nv 1 1 0.1\nv 2 1 0\n"
      "f 1 2 5 4\nf 2 3 6 5\nf 4 5 2 1\nf 5 6 3 2\n",
      45);
  for (const Vertex& corner : mesh.corners) {
    if (corner.position.x == 1.0F) {
      EXPECT_GT(std::abs(corner.normal.z), 0.9999F);
    }
  }
}

// A face without area between two others neither hides an edge nor makes one.
TEST(Normals, ASliverChangesNothing) {
  const std::string flat =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0.2\nv 2 1 0.2\nv 1 0.5 0\n"
      "f 1 2 3 4\nf 2 3 7\nf 2 5 6 3\n";
  for (const Vertex& corner : load_with(flat, 45).corners) {
    if (corner.position.x == 1.0F && corner.position.y != 0.5F) {
      EXPECT_GT(dot(corner.normal, Vec3{-0.098F, 0, 0.995F}), 0.999F);
    }
  }
  const std::string folded =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 -1\nv 1 1 -1\nv 1 0.5 0\n"
      "f 1 2 3 4\nf 2 3 7\nf 2 5 6 3\n";
  const Mesh mesh = load_with(folded, 45);
  for (std::size_t c = 0; c < 6; ++c) EXPECT_GT(mesh.corners[c].normal.z, 0.9999F) << c;
  for (std::size_t c = 9; c < 15; ++c) EXPECT_GT(mesh.corners[c].normal.x, 0.9999F) << c;
}

// Given normals stay, whatever the angle.
TEST(Normals, GivenOnesStay) {
  const Mesh mesh = load_with("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 1 0 0\nf 1//1 2//1 3\n", 45);
  EXPECT_EQ(mesh.corners[0].normal.x, 1.0F);
  EXPECT_EQ(mesh.corners[2].normal.z, 1.0F);
}

// However many faces meet in one vertex or in one edge.
TEST(Normals, ManyFacesMayMeetAnywhere) {
  std::string fan = "v 0 0 0\nv 0 0 1\n";
  constexpr int n = 20'000;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * 3.14159265358979 * i / n;
    fan +=
        "v " + std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle)) + " 0.3\n";
  }
  for (int i = 0; i < n; ++i) {
    const std::string here = std::to_string(i + 3);
    fan += "f 1 " + here + " " + std::to_string((i + 1) % n + 3) + "\nf 1 2 " + here + "\n";
  }
  EXPECT_EQ(load_with(fan, 45).triangle_count(), 2U * n);
}

}  // namespace
}  // namespace warpview
