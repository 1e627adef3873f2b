// Points, lines and vertex colours of OBJ files.
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/description.h"
#include "scenes/files/colour.h"
#include "scenes/files/obj_writer.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::count_warnings;
using test::error_of;
using test::expect_well_formed;
using test::load;
using test::load_text;
using test::square;
using test::TempDir;
using test::operator==;

std::uint32_t rgb(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return red | green << 8U | blue << 16U | 0xff000000U;
}

TEST(PolygonElements, PointsAndLinesAreRead) {
  const Mesh mesh = load_text(square + "p 1 3\nl 1 2 3/7 -1\np -2 # a comment\nv 9 9 9\np -1\n");
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_count(), 0U);
  ASSERT_EQ(mesh.points.size(), 4U);
  EXPECT_TRUE(mesh.points[0].position == (Vec3{0, 0, 0}));
  EXPECT_TRUE(mesh.points[1].position == (Vec3{1, 1, 0}));
  EXPECT_TRUE(mesh.points[2].position == (Vec3{1, 1, 0}));
  EXPECT_TRUE(mesh.points[3].position == (Vec3{9, 9, 9}));
  ASSERT_EQ(mesh.line_count(), 3U);
  const Vec3 ends[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 0}, {0, 1, 0}};
  for (std::size_t i = 0; i < std::size(ends); ++i)
    EXPECT_TRUE(mesh.line_ends[i].position == ends[i]) << i;
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings.front();
}

TEST(PolygonElements, MayComeBeforeTheirVerticesAndBesideFaces) {
  const Mesh mesh = load_text("p 4\nl 1 2\n" + square + "f 1 2 3\n");
  EXPECT_EQ(mesh.triangle_count(), 1U);
  ASSERT_EQ(mesh.points.size(), 1U);
  EXPECT_TRUE(mesh.points[0].position == (Vec3{0, 1, 0}));
  EXPECT_EQ(mesh.line_count(), 1U);
  EXPECT_TRUE(mesh.warnings.empty());
}

TEST(PolygonElements, BadOnesAreLeftOutCountedAndTold) {
  const Mesh mesh = load_text(square +
                              "v nan 0 0\n"
                              "p\np x\nl 1\nl 1 2x\np 99999999999\n"  // malformed, from line 6
                              "p 1 9 0 -9 5\n"                        // four of them bad
                              "l 1 9 2\nl 5 1 2\n");                  // three of their four pieces
  EXPECT_EQ(mesh.points.size(), 1U);
  EXPECT_EQ(mesh.line_count(), 1U);
  EXPECT_EQ(count_warnings(mesh, "5 malformed points or lines", "line 6"), 1);
  EXPECT_EQ(count_warnings(mesh, "7 points or lines with an index out of range", "line 11"), 1);
  EXPECT_EQ(mesh.dropped_faces, 0U);
}

TEST(PolygonElements, AFileOfVerticesAloneSaysSo) {
  EXPECT_EQ(count_warnings(load_text(square), "4 vertices and neither a face, a line nor a point"),
            1);
}

TEST(PolygonElements, LimitsHoldForThemToo) {
  const TempDir dir;
  const auto path = dir.write("dots.obj", square + "p 1 2 3 4\nl 1 2 3\n");
  EXPECT_EQ(load(path, {.corners = 8}).points.size(), 4U);
  const std::string message = error_of(path, {.corners = 7});
  EXPECT_TRUE(contains(message, "8")) << message;
  EXPECT_TRUE(contains(message, "7")) << message;
  std::string many = square;
  for (int i = 0; i < 200'000; ++i) many += "p 1\n";
  EXPECT_TRUE(contains(error_of(dir.write("many.obj", many), {.memory = 2'000'000}), "memory"));
}

TEST(VertexColours, FollowTheCoordinatesOfVertices) {
  const Mesh mesh = load_text(
      "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0\nv 0 1 0 0.25 1 0 0.2 0.4 0.6\n"
      "v 5 5 5 2\nf 1 2 3\nf 1 3 4\np 4\n");
  expect_well_formed(mesh);
  ASSERT_EQ(mesh.corner_colours.size(), 6U);
  EXPECT_EQ(mesh.corner_colours[0], rgb(255, 0, 0));
  EXPECT_EQ(mesh.corner_colours[1], rgb(0, 255, 0));
  EXPECT_EQ(mesh.corner_colours[2], rgb(255, 255, 255));  // it has none
  EXPECT_EQ(mesh.corner_colours[5], rgb(64, 255, 0));
  // What names no material is of no other colour.
  EXPECT_TRUE(mesh.materials[0].diffuse == (Vec3{1, 1, 1}));
  EXPECT_EQ(mesh.points[0].colour, rgb(64, 255, 0));
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings.front();
}

TEST(VertexColours, FollowAWeight) {
  const Mesh mesh = load_text("v 0 0 0 1 0.2 0.4 0.6\nv 1 0 0 1 1 1 1\nv 0 1 0 1\nf 1 2 3\n");
  ASSERT_EQ(mesh.corner_colours.size(), 3U);
  EXPECT_EQ(mesh.corner_colours[0], rgb(51, 102, 153));
}

TEST(VertexColours, WithoutOneThereIsNone) {
  const Mesh mesh = load_text("v 0 0 0 1\nv 1 0 0\nv 1 1 0\nf 1 2 3\np 1\n");
  EXPECT_TRUE(mesh.corner_colours.empty());
  EXPECT_TRUE(mesh.materials[0].diffuse == Material().diffuse);
  EXPECT_EQ(mesh.points[0].colour, pack_rgb(Material().diffuse));
}

TEST(VertexColours, FromZeroTo255AreTakenForThat) {
  const Mesh mesh = load_text("v 0 0 0 255 0 0\nv 1 0 0 0 128 1\nv 1 1 0 0 0 0\nf 1 2 3\n");
  EXPECT_EQ(mesh.corner_colours[0], rgb(255, 0, 0));
  EXPECT_EQ(mesh.corner_colours[1], rgb(0, 128, 1));
  EXPECT_EQ(count_warnings(mesh, "0 to 255"), 1);
}

TEST(VertexColours, BeyondTheirRangeOrNoNumbersAreTold) {
  const Mesh mesh =
      load_text("v 0 0 0 1.5 -1 0.5\nv 1 0 0 0 x 1\nv 1 1 0 nan 0 0\nv 0 1 0 -1 -1 1\nf 1 2 3 4\n");
  EXPECT_EQ(mesh.triangle_count(), 2U);
  EXPECT_EQ(mesh.corner_colours[0], rgb(255, 0, 128));
  EXPECT_EQ(mesh.corner_colours[1], rgb(255, 255, 255));
  EXPECT_EQ(mesh.corner_colours[2], rgb(255, 255, 255));
  EXPECT_EQ(mesh.corner_colours[5], rgb(0, 0, 255));
  EXPECT_EQ(count_warnings(mesh, "clamped"), 1);
  EXPECT_EQ(count_warnings(mesh, "2 vertex colours", "line 2"), 1);
}

// Both colours as light, not as numbers of files.
TEST(VertexColours, MultiplyTheMaterialsOfPointsAndLines) {
  const TempDir dir;
  dir.write("m.mtl", "newmtl half\nKd 0.5 1 0\n");
  const Mesh mesh = load(
      dir.write("m.obj", "mtllib m.mtl\nv 0 0 0 0.5 0.5 1\nv 1 0 0\nusemtl half\np 1\nl 1 2\n"));
  const float product = decode_srgb(128.0F / 255.0F) * decode_srgb(0.5F);
  const Vec3 got = unpack_rgb(mesh.points[0].colour);
  EXPECT_NEAR(got.x, encode_srgb(product), 0.003F);
  EXPECT_NEAR(got.y, 128.0F / 255.0F, 0.003F);
  EXPECT_EQ(got.z, 0.0F);
  EXPECT_TRUE(mesh.line_ends[0].colour == mesh.points[0].colour);
}

TEST(VertexColours, SeveralFilesBecomeOneMesh) {
  const TempDir dir;
  const auto plain = dir.write("plain.obj", square + "f 1 2 3\np 1\n").string();
  const auto coloured =
      dir.write("coloured.obj", "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\nl 1 2\n")
          .string();
  SceneDescription both;
  both.files = {{plain}, {coloured}};
  both.files[1].transform.m[3] = 10;  // to the right
  both.files[1].transform.m[0] = -1;  // mirrored, which swaps corners and their colours
  LoadControl control;
  const Mesh mesh = load_meshes(both, control);
  expect_well_formed(mesh);
  ASSERT_EQ(mesh.corner_colours.size(), 6U);
  EXPECT_EQ(mesh.corner_colours[0], rgb(255, 255, 255));
  EXPECT_EQ(mesh.corner_colours[4], rgb(255, 0, 0));
  EXPECT_EQ(mesh.points.size(), 1U);
  ASSERT_EQ(mesh.line_count(), 1U);
  EXPECT_TRUE(mesh.line_ends[1].position == (Vec3{9, 0, 0}));
  // The default materials differ: that of coloured vertices is white.
  EXPECT_TRUE(mesh.materials[mesh.triangle_material[0]].diffuse == Material().diffuse);
  EXPECT_TRUE(mesh.materials[mesh.triangle_material[1]].diffuse == (Vec3{1, 1, 1}));
}

TEST(PolygonElements, ATransformMayLeaveSomeOut) {
  const TempDir dir;
  SceneDescription huge;
  huge.files = {{dir.write("a.obj", "v 1 0 0\nv 3 0 0\nv 1 1 0\np 1 2\nl 1 2\nl 1 3\n").string()}};
  huge.files[0].transform.m[0] = 2e38F;
  LoadControl control;
  const Mesh mesh = load_meshes(huge, control);
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.points.size(), 1U);
  EXPECT_EQ(mesh.line_count(), 1U);
}

TEST(PolygonElements, AreWrittenAsTheyAreRead) {
  const TempDir dir;
  Mesh mesh = load_text(
      "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0.2 0.4 0.6\nvn 0 0 1\nf 1//1 2//1 3//1\np 3\nl 1 "
      "2\n");
  write_obj(mesh, dir / "again.obj");
  const Mesh again = load(dir / "again.obj");
  EXPECT_EQ(again.corner_colours, mesh.corner_colours);
  ASSERT_EQ(again.points.size(), 1U);
  EXPECT_EQ(again.points[0].colour, mesh.points[0].colour);
  EXPECT_TRUE(again.points[0].position == mesh.points[0].position);
  ASSERT_EQ(again.line_count(), 1U);
  EXPECT_EQ(again.line_ends[1].colour, mesh.line_ends[1].colour);
  ASSERT_EQ(again.corners.size(), mesh.corners.size());
  for (std::size_t i = 0; i < mesh.corners.size(); ++i)
    EXPECT_TRUE(again.corners[i].position == mesh.corners[i].position) << i;
}

}  // namespace
}  // namespace warpview
