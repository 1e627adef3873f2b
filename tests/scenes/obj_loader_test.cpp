#include "scenes/files/obj_loader.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::count_warnings;
using test::error_of;
using test::expect_well_formed;
using test::has_nan;
using test::load;
using test::load_text;
using test::square;
using test::TempDir;
using test::operator==;

Mesh load_square(const std::string& rest) {
  Mesh mesh = load_text(square + rest);
  expect_well_formed(mesh);
  return mesh;
}

TEST(ObjLoader, Triangle) {
  const TempDir dir;
  const auto path = dir.write("one triangle.obj",
                              "# a comment\n"
                              "v 1 2 3\nv 4.5 -5e1 +6\nv .5 8. 9 1.0\n"
                              "vn 0 0 2\nvt 0.25 0.75\nvt 0.5\n"
                              "f 1/1/1 2/2/1 3/1/1\n");
  const Mesh mesh = load(path);
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.name, "one triangle");
  EXPECT_EQ(mesh.file, path);
  ASSERT_EQ(mesh.corners.size(), 3U);
  EXPECT_TRUE(mesh.corners[0].position == (Vec3{1, 2, 3}));
  EXPECT_TRUE(mesh.corners[1].position == (Vec3{4.5F, -50, 6}));
  EXPECT_TRUE(mesh.corners[2].position == (Vec3{0.5F, 8, 9}));
  EXPECT_TRUE(mesh.corners[0].normal == (Vec3{0, 0, 1}));
  EXPECT_TRUE(mesh.corners[0].texcoord == (Vec2{0.25F, 0.75F}));
  EXPECT_TRUE(mesh.corners[1].texcoord == (Vec2{0.5F, 0}));
  EXPECT_EQ(mesh.warnings, std::vector<std::string>{});
  EXPECT_EQ(mesh.dropped_faces, 0U);
}

TEST(ObjLoader, EveryFormOfIndex) {
  for (const char* face :
       {"f 1 2 3", "f 1/1 2/1 3/1", "f 1//1 2//1 3//1", "f 1/1/1 2/1/1 3/1/1", "f -4 -3 -2",
        "f -4/-1/-1 2/-1/1 3/1/-1", "f\t1 \t 2 3 \t", "  f 1 2 3", "f 1 2 3 # comment",
        "f 1 \\\n 2 \\\n 3", "f 1// 2// 3//", "f 1/ 2/ 3/", "f 1// 2/1 3//1"}) {
    const Mesh mesh = load_square(std::string("vn 0 0 1\nvt 0 0\n") + face);
    EXPECT_EQ(mesh.triangle_count(), 1U) << face;
    ASSERT_EQ(mesh.corners.size(), 3U) << face;
    EXPECT_TRUE(mesh.corners[0].position == (Vec3{0, 0, 0})) << face;
    EXPECT_TRUE(mesh.corners[2].position == (Vec3{1, 1, 0})) << face;
    EXPECT_TRUE(mesh.corners[1].normal == (Vec3{0, 0, 1})) << face;
    EXPECT_TRUE(mesh.warnings.empty()) << face;
  }
}

TEST(ObjLoader, NegativeIndicesCountFromTheFace) {
  const Mesh mesh = load_square("f -4 -3 -2\nv 5 5 5\nf -4 -3 -1\n");
  ASSERT_EQ(mesh.triangle_count(), 2U);
  EXPECT_TRUE(mesh.corners[0].position == (Vec3{0, 0, 0}));
  EXPECT_TRUE(mesh.corners[3].position == (Vec3{1, 0, 0}));
  EXPECT_TRUE(mesh.corners[5].position == (Vec3{5, 5, 5}));
}

TEST(ObjLoader, FacesMayComeBeforeTheirVertices) {
  const Mesh mesh = load_text("f 1 2 3\n" + square);
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_count(), 1U);
}

TEST(ObjLoader, PolygonsAreTriangulated) {
  EXPECT_EQ(load_square("f 1 2 3 4\n").triangle_count(), 2U);
  EXPECT_EQ(load_square("v 0.1 0.5 0\nf 1 2 3 4 5\n").triangle_count(), 3U);
  // More corners than tinyobjloader's own count of 8 bits holds.
  std::string text;
  std::string face = "f";
  for (int i = 0; i < 1000; ++i) {
    text += "v " + std::to_string(std::cos(0.00628 * i)) + " " +
            std::to_string(std::sin(0.00628 * i)) + " 0\n";
    face.append(" ").append(std::to_string(i + 1));
  }
  const Mesh mesh = load_text(text + face);
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_count(), 998U);
}

TEST(ObjLoader, DegeneratePolygonsKeepTheirCount) {
  const Mesh mesh = load_square("f 1 1 1\nf 1 1 1 1\nf 1 2 1 2 1\nv nan 0 0\nf 1 2 5 3 4\n");
  EXPECT_EQ(mesh.triangle_count(), 1U + 2U + 3U + 3U);
  EXPECT_EQ(mesh.dropped_faces, 0U);
}

TEST(ObjLoader, AHugeFace) {
  std::string text = square + "f";
  for (int i = 0; i < 200'000; ++i) text += i % 2 == 0 ? " 1" : " 2x";
  Mesh mesh = load_text(text);
  EXPECT_EQ(mesh.triangle_count(), 0U);  // "2x" is malformed
  std::replace(text.begin(), text.end(), 'x', ' ');
  mesh = load_text(text);
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_count(), 199'998U);
}

TEST(ObjLoader, LineEndsAndLastLine) {
  const std::string text = square + "f 1 2 3\nf 1 3 4";
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string other;
    for (const char c : text) other += c == '\n' ? std::string(end) : std::string(1, c);
    EXPECT_EQ(load_text(other).triangle_count(), 2U);
  }
}

TEST(ObjLoader, ObjectsAndGroupsBecomeOneMesh) {
  const Mesh mesh = load_square("o first\nf 1 2 3\ng a b\ns 1\nf 1 3 4\ng\ns off\no\nf 2 3 4\n");
  EXPECT_EQ(mesh.triangle_count(), 3U);
  EXPECT_TRUE(mesh.warnings.empty());
}

TEST(ObjLoader, ZeroTrianglesIsAMesh) {
  EXPECT_EQ(load_square("").triangle_count(), 0U);
  EXPECT_EQ(load_text("o nothing\n").triangle_count(), 0U);
  EXPECT_EQ(load_text("o nothing\n").materials.size(), 1U);
}

TEST(ObjLoader, NumbersThatAreNotFiniteAreToldWithTheirLine) {
  for (const char* bad : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "-1e39",
                          "1e99999999999", "0x1p3", "1,5", "abc", "1.5.2", "--1"}) {
    const Mesh mesh = load_square("v 0 " + std::string(bad) + " 0\nv " + bad +
                                  " 1 2\nf 1 2 3\nf 1 2 5\nf 6 2 3\nf 2 3 4\n");
    ASSERT_EQ(mesh.triangle_count(), 4U) << bad;
    EXPECT_EQ(count_warnings(mesh, "2 vertices", "line 5;"), 1) << bad;
    EXPECT_EQ(mesh.warnings.size(), 1U) << bad;
    for (std::size_t t = 0; t < 4; ++t) {
      const bool drops = has_nan(mesh.corners[3 * t].position) ||
                         has_nan(mesh.corners[3 * t + 1].position) ||
                         has_nan(mesh.corners[3 * t + 2].position);
      EXPECT_EQ(drops, t == 1 || t == 2) << bad;
    }
  }
}

TEST(ObjLoader, MissingCoordinatesAreTold) {
  const Mesh mesh = load_square("v 1 2\nv \nf 1 2 5\nf 1 2 6\n");
  EXPECT_EQ(count_warnings(mesh, "2 vertices", "line 5;"), 1);
  EXPECT_TRUE(has_nan(mesh.corners[2].position));
  EXPECT_TRUE(has_nan(mesh.corners[5].position));
}

// The line is that of the file, whatever was joined, blank or commented out before it.
TEST(ObjLoader, LineNumbersCountEverything) {
  const Mesh mesh = load_text("# one\n\nv 0 0 \\\n0\nv 1 0 0\r\nv nan 1 0\nf 1 2 3\n");
  EXPECT_EQ(count_warnings(mesh, "1 vertex", "line 6;"), 1);
}

// The nearest float of each, ties to the even one, as the C library has it.
TEST(ObjLoader, NumbersAreRoundedOnce) {
  std::vector<std::string> numbers = {
      "16777217", "16777219", "0.1", "-0.3333333333333333", "8388608.5", "3.4028235e38", "1e-45",
      "1.17549435e-38", "4.7019774032891500318749461488889827112746622270883500860350068e-38",
      "123456789012345678901234567890", "0.000000000000000000000000000001", "+7", "5.", ".5",
      "1e-99999999", "0e99999999", "0.00000000000000000000000000000000000000000000001e20",
      // Of these the nearest double lies in the middle between two floats, and the number does not.
      "7.83626914024353", "5.95717978477478", "9.21695852279663", "1.14814692735672"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> magnitude(-9.0, 9.0);
  for (int i = 0; i < 4000; ++i) {
    std::array<char, 64> text;
    const int digits = static_cast<int>(random() % 20);
    const char* const form = i % 3 == 0 ? "%.*e" : i % 3 == 1 ? "%.*f" : "%.*g";
    std::snprintf(text.data(), text.size(), form, digits, std::pow(10.0, magnitude(random)));
    numbers.emplace_back(text.data());
  }
  std::string file;
  for (const std::string& number : numbers) file += "v " + number + " 0 1\np -1\n";
  const Mesh mesh = load_text(file);
  EXPECT_TRUE(mesh.warnings.empty());
  ASSERT_EQ(mesh.points.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(mesh.points[i].position.x, std::strtof(numbers[i].c_str(), nullptr)) << numbers[i];
}

TEST(ObjLoader, NormalsThatAreNotFiniteCountAsMissing) {
  const Mesh mesh = load_square(
      "vn nan 0 0\nvn 0 0 0\nvn 0 0 1e999\nvn 1 0 0\nf 1//1 2//2 3//3\n"
      "f 1//4 3//4 4//4\n");
  EXPECT_EQ(count_warnings(mesh, "2 normals", "line 5;"), 1);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(mesh.corners[i].normal == (Vec3{0, 0, 1}));
  for (std::size_t i = 3; i < 6; ++i) EXPECT_TRUE(mesh.corners[i].normal == (Vec3{1, 0, 0}));
}

TEST(ObjLoader, TextureCoordinatesThatAreNotFiniteBecomeZero) {
  const Mesh mesh = load_square("vt nan 1\nvt 0.5 inf\nvt 0.5 0.5 0\nf 1/1 2/2 3/3\n");
  EXPECT_EQ(count_warnings(mesh, "2 texture coordinates", "line 5;"), 1);
  EXPECT_TRUE(mesh.corners[0].texcoord == (Vec2{0, 0}));
  EXPECT_TRUE(mesh.corners[1].texcoord == (Vec2{0, 0}));
  EXPECT_TRUE(mesh.corners[2].texcoord == (Vec2{0.5F, 0.5F}));
}

TEST(ObjLoader, NegativeZeroBecomesZero) {
  const Mesh mesh = load_text(
      "v -0 -0.0 0\nv 1 -0e5 0\nv 0 1 -1e-99\nvn -0 -0 1\nvt -0 -0\n"
      "f 1/1/1 2/1/1 3/1/1\n");
  expect_well_formed(mesh);  // checks the signs
  EXPECT_EQ(mesh.triangle_count(), 1U);
}

TEST(ObjLoader, BadFacesAreDroppedCountedAndToldOnce) {
  const char* const bad_faces[] = {
      "f 1 2 99", "f 0 1 2", "f 1 2 -99", "f 1 2", "f 1", "f", "f ", "f a b c", "f 1 2 x",
      "f 1.5 2 3", "f /1 /1 /1", "f -/1 2 3", "f 1 2 --3", "f 1 2 3-", "f 1 2 3x/1",
      // These would wrap around to a valid index.
      "f 1 2 4294967297", "f 1 2 99999999999999999999", "f 1 2 -4294967297"};
  std::string text = "vn 0 0 1\nvt 0 0\nf 1 2 3\n";
  for (const char* face : bad_faces) {
    const Mesh mesh = load_square(text + face + "\nf 2 3 4\n");
    EXPECT_EQ(mesh.triangle_count(), 2U) << face;
    EXPECT_EQ(mesh.dropped_faces, 1U) << face;
    EXPECT_EQ(count_warnings(mesh, "1 face dropped", "line 8:"), 1) << face;
    EXPECT_EQ(mesh.warnings.size(), 1U) << face;
  }
  for (const char* face : bad_faces) text += std::string(face) + "\n";
  const Mesh mesh = load_square(text);
  EXPECT_EQ(mesh.triangle_count(), 1U);
  EXPECT_EQ(mesh.dropped_faces, std::size(bad_faces));
  EXPECT_EQ(count_warnings(mesh, "18 faces dropped", "line 8:"), 1);
}

// The face keeps its positions, and what is there of its texture coordinates and normals.
TEST(ObjLoader, AttributesThatAreNotThereCountAsAbsent) {
  const char* const faces[] = {"f 1/9 2/1 3/1",
                               "f 1/-9 2/1 3/1",
                               "f 1//9 2/1 3/1",
                               "f 1//-9 2/1 3/1",
                               "f 1/9/9 2/1 3/1",
                               "f 1/x 2/1 3/1",
                               "f 1/1x/1 2/1 3/1",
                               "f 1/1/x 2/1 3/1",
                               "f 1/1/1/1 2/1 3/1",
                               "f 1/-/1 2/1 3/1",
                               "f 1/1/- 2/1 3/1",
                               "f 1/1.5 2/1 3/1",
                               "f 1/4294967297 2/1 3/1",
                               "f 1//99999999999999999999 2/1 3/1",
                               "f 1//-2147483648 2/1 3/1",
                               "f 1/2147483647/2147483647 2/1 3/1"};
  std::string text = "vn 1 0 0\nvt 0.25 0.5\nf 1/1/1 2/1/1 3/1/1\n";
  for (const char* face : faces) {
    const Mesh mesh = load_square(text + face + "\n");
    ASSERT_EQ(mesh.triangle_count(), 2U) << face;
    EXPECT_EQ(mesh.dropped_faces, 0U) << face;
    EXPECT_EQ(mesh.warnings.size(), 1U) << face;
    EXPECT_EQ(count_warnings(mesh, "1 face with an index of a texture coordinate", "line 8;"), 1)
        << face;
    // The normal of the first face is the file's, those of the other are computed.
    EXPECT_TRUE(mesh.corners[0].normal == (Vec3{1, 0, 0})) << face;
    EXPECT_TRUE(mesh.corners[4].normal == (Vec3{0, 0, 1})) << face;
    EXPECT_TRUE(mesh.corners[4].texcoord == (Vec2{0.25F, 0.5F})) << face;
  }
  // Whatever is good at a corner counts.
  const Mesh normal = load_square(text + "f 1/9/1 2/1 3/1\nf 1/1/9 2 3\n");
  ASSERT_EQ(normal.triangle_count(), 3U);
  EXPECT_TRUE(normal.corners[3].normal == (Vec3{1, 0, 0}));
  EXPECT_TRUE(normal.corners[3].texcoord == (Vec2{0, 0}));
  EXPECT_TRUE(normal.corners[6].normal == (Vec3{0, 0, 1}));
  EXPECT_TRUE(normal.corners[6].texcoord == (Vec2{0.25F, 0.5F}));

  for (const char* face : faces) text += std::string(face) + "\n";
  const Mesh all = load_square(text);
  EXPECT_EQ(all.triangle_count(), 1 + std::size(faces));
  EXPECT_EQ(count_warnings(all, "16 faces with an index of a texture coordinate", "line 8;"), 1);
}

// As exporters write them that have none: a whole file of `f 1/1/1` without vt and vn.
TEST(ObjLoader, FilesWithoutTheirAttributesAreDrawn) {
  const Mesh mesh = load_square("f 1/1/1 2/2/2 3/3/3 4/4/4\nf 4/4/4 3/3/3 2/2/2\n");
  EXPECT_EQ(mesh.triangle_count(), 3U);
  EXPECT_EQ(mesh.dropped_faces, 0U);
  EXPECT_EQ(count_warnings(mesh, "2 faces with an index", "line 5;"), 1);
  const Mesh plain = load_square("f 1 2 3 4\nf 4 3 2\n");
  ASSERT_EQ(mesh.corners.size(), plain.corners.size());
  for (std::size_t i = 0; i < plain.corners.size(); ++i)
    EXPECT_TRUE(mesh.corners[i].normal == plain.corners[i].normal) << i;
}

TEST(ObjLoader, MissingNormalsAreSmoothByArea) {
  // A square in the plane z = 0 of area 1 and one in x = 0 of area 2 share the edge 1-4.
  const TempDir dir;
  LoadControl control;
  const Mesh mesh =
      load_obj(dir.write("mesh.obj", square + "v 0 0 2\nv 0 1 2\nf 1 2 3 4\nf 1 4 6 5\n"), control,
               {}, {.crease = 180});
  ASSERT_EQ(mesh.triangle_count(), 4U);
  for (const Vertex& corner : mesh.corners) {
    const Vec3 p = corner.position;
    const float root = std::sqrt(5.0F);
    const Vec3 expected = p.x > 0   ? Vec3{0, 0, 1}
                          : p.z > 0 ? Vec3{1, 0, 0}
                                    : Vec3{2 / root, 0, 1 / root};
    EXPECT_NEAR(corner.normal.x, expected.x, 1e-6F);
    EXPECT_NEAR(corner.normal.y, expected.y, 1e-6F);
    EXPECT_NEAR(corner.normal.z, expected.z, 1e-6F);
  }
}

TEST(ObjLoader, MissingNormalsOfDegenerateFaces) {
  // No area anywhere; two faces that cancel out; a face with a NaN beside a good one.
  EXPECT_TRUE(load_square("f 1 1 2\n").corners[0].normal == (Vec3{0, 0, 1}));
  const Mesh cancelled = load_square("f 3 2 1\nf 1 2 3\n");
  EXPECT_TRUE(cancelled.corners[0].normal == (Vec3{0, 0, -1}));
  EXPECT_TRUE(cancelled.corners[3].normal == (Vec3{0, 0, 1}));
  const Mesh nan = load_square("v 0 nan 0\nf 1 2 5\nf 3 2 1\n");
  EXPECT_TRUE(nan.corners[3].normal == (Vec3{0, 0, -1}));
}

TEST(ObjLoader, HugeAndTinyCoordinates) {
  EXPECT_TRUE(load_text("v 0 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n").corners[0].normal ==
              (Vec3{0, 0, 1}));
  EXPECT_TRUE(load_text("v 0 0 0\nv 1e-44 0 0\nv 0 1e-44 0\nf 1 2 3\n").corners[0].normal ==
              (Vec3{0, 0, 1}));
}

TEST(ObjLoader, StatementsNotKnownAreToldOnce) {
  const Mesh mesh = load_square("f 1 2 3\nbogus 1\ncurv 1 2\nv\n");
  EXPECT_EQ(mesh.triangle_count(), 1U);
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "3 lines", "line 6;"), 1);
}

TEST(ObjLoader, WhatIsNoObjIsAnError) {
  const TempDir dir;
  const auto expect_error = [&](std::string_view content, std::string_view part) {
    const std::string message = error_of(dir.write("file.obj", content));
    EXPECT_TRUE(contains(message, part)) << message;
    EXPECT_TRUE(contains(message, (dir / "file.obj").string())) << message;
  };
  expect_error("", "empty");
  // The system says that it has no bytes.
  EXPECT_TRUE(contains(error_of("/proc/self/status"), "OBJ statement"));
  expect_error("\n\n", "no OBJ statement");
  expect_error("# only a comment\n", "no OBJ statement");
  expect_error("\n<!DOCTYPE html>\n<html></html>\n", "file.obj:2: ");
  expect_error(std::string_view("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16), "file.obj:3: ");
  expect_error(std::string_view("v 0 0 0\nv 1 \0 0\n", 16), "file.obj:2: ");
  expect_error(std::string_view("\xFF\xFEv\0 \0"
                                "1\0",
                                8),
               "not a text file");
}

TEST(ObjLoader, WhatCannotBeReadIsAnError) {
  const TempDir dir;
  EXPECT_TRUE(contains(error_of(dir / "absent.obj"), "absent.obj: no such file"));
  EXPECT_TRUE(contains(error_of(dir / "absent"), "no such file"));
  EXPECT_TRUE(contains(error_of(dir.write("f", "v 0 0 0\n") / "below.obj"), "below.obj: "));
  EXPECT_TRUE(contains(error_of(dir.path()), "is a directory"));
  EXPECT_TRUE(contains(error_of("/dev/null"), "not a regular file"));
  EXPECT_TRUE(contains(error_of(""), "a file without a name"));
  EXPECT_TRUE(contains(error_of(std::string(5000, 'x')), "cannot be opened"));
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(error_of(dir / "pipe"), "not a regular file"));
}

TEST(ObjLoader, UnreadableFileIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempDir dir;
  const auto path = dir.write("secret.obj", square);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_TRUE(contains(error_of(path), "secret.obj: cannot be opened"));
}

// A strip of quads, large enough to be read in many blocks.
std::string large_text() {
  std::string text;
  for (int i = 0; i < 40'000; ++i) {
    const std::string x = std::to_string(i);
    text += "v " + x + " 0 0\nv " + x + " 1 0\n";
    if (i > 0) text += "f -4 -2 -1 -3\n";
  }
  return text;
}

TEST(ObjLoader, AFileThatChangesWhileItIsReadIsToldOf) {
  const TempDir dir;
  const std::string text = large_text();
  // What happens after the first block.
  const auto load_while = [](const std::filesystem::path& path, const auto& happens) {
    bool has_happened = false;
    LoadControl control([&](float) {
      if (!std::exchange(has_happened, true)) happens(path);
    });
    return load_obj(path, control);
  };
  const auto path = dir.write("file.obj", text);
  Mesh mesh = load_while(path, [](const auto&) {});
  EXPECT_TRUE(mesh.warnings.empty());
  const std::size_t triangles = mesh.triangle_count();

  mesh = load_while(path, [&text](const auto& file) {
    std::filesystem::resize_file(file, text.rfind('\n', text.size() / 2) + 1);
  });
  EXPECT_LT(mesh.triangle_count(), triangles);
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "changed while it was read"), 1);

  dir.write("file.obj", text);
  mesh = load_while(path, [](const auto& file) {
    std::filesystem::last_write_time(file, std::filesystem::file_time_type());
  });
  EXPECT_EQ(mesh.triangle_count(), triangles);
  EXPECT_EQ(count_warnings(mesh, "changed while it was read"), 1);

  // Without a statement, and with vertices alone.
  const std::string comment = "# " + std::string(200, '-') + "\n";
  for (const char* begin : {"", "v 0 0 0\n"}) {
    std::string late = begin;
    for (int i = 0; i < 5'000; ++i) late += comment;
    dir.write("file.obj", late + square + "f 1 2 3\n");
    try {
      load_while(path, [](const auto& file) { std::filesystem::resize_file(file, 1'000); });
      ADD_FAILURE() << "loaded '" << begin << "'";
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), "file.obj: it changed while it was read")) << error.what();
    }
  }
}

TEST(ObjLoader, TheWeightiestWarningComesFirst) {
  const Mesh mesh = load_text(
      "bogus\nmtllib none.mtl\nvn x\nv 0 0 0 1 2 3\nv 1 0 0\nv 0 1 0\nusemtl a\n"
      "f 1/9 2 3\nf 1 2 9\np 9\nf 1 2 3\n");
  ASSERT_EQ(mesh.warnings.size(), 8U);
  const char* const parts[] = {"1 face dropped",
                               "1 point or line",
                               "material file not found",
                               "material not defined",
                               "1 face with",
                               "1 normal",
                               "1 line",
                               "Vertex colours"};
  for (std::size_t i = 0; i < std::size(parts); ++i)
    EXPECT_TRUE(contains(mesh.warnings[i], parts[i])) << i << ": " << mesh.warnings[i];
}

// Each of these lines in a block of its own gives what they give in one: what counts from the end,
// materials, colours, points and lines refer to what stands in blocks before.
TEST(ObjLoader, BlocksAreReadAsOneFile) {
  const std::vector<std::string> lines = {"v 0 0 0\nv 1 0 0\nvt 0 1\nf 1 2 4",
                                          "v 1 1 0\nv 0 1 0 1 0.5 0\nvn 0 1 0\nvt 1 1",
                                          "usemtl a\nf -4/-2 -3/-1 -2/1",
                                          "v nan 0 0\nf 1 2 5\nf 1 2 9\nf -9 1 2\nf 1 2",
                                          "f -4//-1 3//1 4//-1\nf 1//-2 2 3\nl 1 -1 -2\np -4 -5",
                                          "usemtl b\nusemtl a\nbogus",
                                          "f 2 3 4\nvt x\nvn 0 0 x\np 6 x\np 9",
                                          "usemtl c\nf 1 3 -3 4 \\\n",
                                          "# \\",
                                          "f 1 2 3"};
  const auto text_with = [&lines](std::size_t filler) {
    std::string text;
    for (const std::string& line : lines) {
      text += line + "\n# ";
      text.append(filler, '-');
      text += '\n';
    }
    return text;
  };
  const Mesh one = load_text(text_with(1));
  expect_well_formed(one);
  EXPECT_EQ(one.triangle_count(), 9U);
  EXPECT_EQ(one.dropped_faces, 3U);
  EXPECT_EQ(one.materials.size(), 1U);
  EXPECT_EQ(one.warnings.size(), 9U);
  for (const std::size_t filler : {100'000U, 140'000U, 300'000U}) {
    const Mesh many = load_text(text_with(filler));
    EXPECT_EQ(many.warnings, one.warnings) << filler;
    EXPECT_EQ(many.dropped_faces, one.dropped_faces);
    EXPECT_EQ(many.triangle_material, one.triangle_material);
    EXPECT_EQ(many.corner_colours, one.corner_colours);
    ASSERT_EQ(many.corners.size(), one.corners.size());
    EXPECT_EQ(
        std::memcmp(many.corners.data(), one.corners.data(), one.corners.size() * sizeof(Vertex)),
        0);
    ASSERT_EQ(many.points.size(), one.points.size());
    ASSERT_EQ(many.line_ends.size(), one.line_ends.size());
    for (std::size_t i = 0; i < one.points.size(); ++i)
      EXPECT_TRUE(many.points[i].position == one.points[i].position);
    for (std::size_t i = 0; i < one.line_ends.size(); ++i)
      EXPECT_TRUE(many.line_ends[i].position == one.line_ends[i].position);
  }
}

// The rest of a file of many blocks is not read where one is no text, with lines in it or without.
TEST(ObjLoader, AByteZeroEndsTheReading) {
  const TempDir dir;
  std::string text = large_text();
  text[text.find("v 100 ")] = '\0';
  for (const auto& [begin, line] : {std::pair{text, 300}, std::pair{std::string("v 0 0 0\n"), 2}}) {
    const auto path = dir.write("binary.obj", begin);
    std::filesystem::resize_file(path, std::size_t{1} << 28U);
    double read = 0.0;
    LoadControl control([&read](float progress) { read = progress; });
    try {
      load_obj(path, control);
      FAIL();
    } catch (const Error& error) {
      const std::string where = "binary.obj:" + std::to_string(line);
      EXPECT_TRUE(contains(error.what(), where + ": contains a zero byte")) << error.what();
    }
    EXPECT_LT(read, 0.5);
  }
}

TEST(ObjLoader, LimitsAreKeptWithBothNumbers) {
  const TempDir dir;
  const auto path = dir.write("large.obj", large_text());
  const std::uint64_t corners = 39'999 * 2 * 3;
  EXPECT_EQ(load(path, {.corners = corners}).corners.size(), corners);
  std::string message = error_of(path, {.corners = corners - 1});
  EXPECT_TRUE(contains(message, std::to_string(corners))) << message;
  EXPECT_TRUE(contains(message, std::to_string(corners - 1))) << message;
  EXPECT_TRUE(contains(message, path.string())) << message;

  // Before reading, from the file's size; while reading; before the triangles are made.
  const std::uint64_t mebibyte = 1024 * 1024;
  for (const std::uint64_t memory : {mebibyte / 2, 4 * mebibyte, 9 * mebibyte}) {
    message = error_of(path, {.memory = memory});
    EXPECT_TRUE(contains(message, std::to_string(memory * 10 / mebibyte / 10) + ".")) << message;
    EXPECT_TRUE(contains(message, "MiB")) << message;
  }
  EXPECT_EQ(load(path, {.memory = 40 * mebibyte}).corners.size(), corners);
}

TEST(ObjLoader, ProgressNeverFallsAndEndsAtOne) {
  const TempDir dir;
  std::vector<float> seen;
  std::vector<std::string> phases;
  LoadControl* watched = nullptr;
  LoadControl control([&](float progress) {
    seen.push_back(progress);
    if (phases.empty() || phases.back() != watched->phase()) phases.emplace_back(watched->phase());
  });
  watched = &control;
  EXPECT_EQ(control.progress(), 0.0F);
  load_obj(dir.write("large.obj", large_text()), control);
  EXPECT_GT(seen.size(), 10U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1.0F), 1);
  EXPECT_EQ(seen.back(), 1.0F);
  EXPECT_EQ(phases.size(), 3U);
}

TEST(ObjLoader, CancelAtEveryStep) {
  const TempDir dir;
  const auto path = dir.write("large.obj", large_text());
  int steps = 0;
  LoadControl counting([&](float) { ++steps; });
  load_obj(path, counting);
  for (int last = 0; last + 1 < steps; ++last) {
    int step = 0;
    LoadControl* cancelled = nullptr;
    LoadControl control([&](float) {
      if (step++ == last) cancelled->cancel();
    });
    cancelled = &control;
    EXPECT_THROW(load_obj(path, control), LoadCancelled) << last;
    EXPECT_LT(control.progress(), 1.0F);
  }
  LoadControl before;
  before.cancel();
  EXPECT_THROW(load_obj(path, before), LoadCancelled);
}

// The request comes when half of one long line is read. A load whose work grows with the square of
// what is joined does not come as far.
TEST(ObjLoader, CancelsAmongJoinedLines) {
  std::string text;
  for (int i = 0; i < 4'000'000; ++i) text += "\\\n";
  const TempDir dir;
  const auto path = dir.write("joined.obj", text + square);
  LoadControl* cancelled = nullptr;
  int blocks = 0;
  LoadControl control([&](float progress) {
    ++blocks;
    if (progress > 0.4F) cancelled->cancel();
  });
  cancelled = &control;
  EXPECT_THROW(load_obj(path, control), LoadCancelled);
  EXPECT_GT(blocks, 20);
  EXPECT_LT(control.progress(), 0.45F);
}

TEST(ObjLoader, ABackslashAtTheEndOfTheFileSpoilsNothing) {
  const Mesh mesh = load_text("f 1 2 3\nv 0 0 0 \\\n\nv 1 0 \\\n 0\nv 0 1 0\\");
  EXPECT_TRUE(mesh.warnings.empty());
  ASSERT_EQ(mesh.corners.size(), 3U);
  EXPECT_TRUE(mesh.corners[2].position == (Vec3{0, 1, 0}));
}

// The child may take some memory, but not what the mesh needs.
TEST(ObjLoaderDeathTest, OutOfMemoryIsAnError) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer reserves more address space than the limit";
#endif
  const TempDir dir;
  std::string text = square;
  for (int i = 0; i < 500'000; ++i) text += "f 1 2 3\n";
  const auto path = dir.write("large.obj", text);
  const auto load_with_little_memory = [&](const char* told, auto... limits) {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (32U << 20U);
    const rlimit both = {limit, limit};
    if (setrlimit(RLIMIT_AS, &both) != 0) _exit(3);
    try {
      load(path, LoadLimits{limits...});
    } catch (const Error& error) {
      _exit(contains(error.what(), told) ? 0 : 2);
    }
    _exit(1);
  };
  // The limit is known in time; and where it is not, memory that cannot be had is an error.
  EXPECT_EXIT(load_with_little_memory("MiB are available"), testing::ExitedWithCode(0), "");
  constexpr std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EXIT(load_with_little_memory("out of memory", most, most), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpview
