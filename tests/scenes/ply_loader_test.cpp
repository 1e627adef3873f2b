#include "scenes/files/ply_loader.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "scenes/files/open_mesh.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::count_warnings;
using test::expect_well_formed;
using test::TempDir;
using test::operator==;

using Number = std::variant<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                            std::uint32_t, float, double>;

enum class Order { ascii, little, big };
constexpr std::array orders = {Order::ascii, Order::little, Order::big};

// A file of numbers, each in the type that the header says.
struct Ply {
  std::string header;  // the lines between the format and the end
  std::vector<std::vector<Number>> records;

  std::string text(Order order, const std::string& line_end = "\n") const {
    static constexpr std::array formats = {"ascii", "binary_little_endian", "binary_big_endian"};
    std::string lines = std::string("ply\nformat ") + formats.at(static_cast<std::size_t>(order)) +
                        " 1.0\n" + header + "end_header\n";
    std::string all;
    for (const char c : lines) all += c == '\n' ? line_end : std::string(1, c);
    for (const std::vector<Number>& record : records) {
      for (const Number& number : record)
        all += std::visit([order](auto value) { return written(value, order); }, number);
      if (order == Order::ascii) all += line_end;
    }
    return all;
  }

 private:
  template <class T>
  static std::string written(T value, Order order) {
    if (order == Order::ascii) {
      std::array<char, 64> digits{};
      std::snprintf(digits.data(), digits.size(), "%.17g ", static_cast<double>(value));
      return digits.data();
    }
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (order == Order::big) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
};

std::string packed(const std::string& bytes) {
  z_stream z{};
  EXPECT_EQ(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&z, bytes.size()) + 64, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

Mesh load_file(const std::filesystem::path& path, const LoadLimits& limits = {}) {
  LoadControl control;
  Mesh mesh = load_ply(path, control, limits);
  EXPECT_EQ(control.progress(), 1.0F);
  expect_well_formed(mesh);
  return mesh;
}

Mesh load_ply_text(std::string_view text) {
  const TempDir dir;
  return load_file(dir.write("mesh.ply", text));
}

std::string error_of_ply(std::string_view text, const LoadLimits& limits = {}) {
  const TempDir dir;
  try {
    load_file(dir.write("mesh.ply", text), limits);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << text.substr(0, 300) << " was loaded";
  return "";
}

// A square of two triangles and a quad above it, with everything that a vertex can say.
Ply everything() {
  Ply ply;
  ply.header =
      "comment made by a test\nobj_info nothing\n"
      "element vertex 4\nproperty float x\nproperty double y\nproperty float32 z\n"
      "property float nx\nproperty float ny\nproperty float nz\n"
      "property uchar red\nproperty uint8 green\nproperty uchar blue\n"
      "property float s\nproperty float t\n"
      "element weather 2\nproperty list uchar short rain\nproperty int16 wind\n"
      "element face 2\nproperty uchar flag\nproperty list uchar int vertex_indices\n";
  using V = std::vector<Number>;
  const auto vertex = [](float x, double y, std::uint8_t red) {
    return V{x, y, 0.0F, 0.0F, 0.0F, 2.0F, red, std::uint8_t{128}, std::uint8_t{255}, 0.25F, 0.75F};
  };
  ply.records = {vertex(0, 0, 0), vertex(1, 0, 255), vertex(1, 1.5, 10), vertex(0, 1, 20)};
  ply.records.push_back(
      V{std::uint8_t{3}, std::int16_t{-1}, std::int16_t{2}, std::int16_t{3}, std::int16_t{-30000}});
  ply.records.push_back(V{std::uint8_t{0}, std::int16_t{7}});
  ply.records.push_back(V{std::uint8_t{9}, std::uint8_t{3}, 0, 1, 2});
  ply.records.push_back(V{std::uint8_t{9}, std::uint8_t{4}, 0, 1, 2, 3});
  return ply;
}

void expect_everything(const Mesh& mesh) {
  EXPECT_EQ(mesh.name, "mesh");
  EXPECT_EQ(mesh.warnings, std::vector<std::string>{});
  ASSERT_EQ(mesh.triangle_count(), 3U);
  EXPECT_TRUE(mesh.corners[1].position == (Vec3{1, 0, 0}));
  EXPECT_TRUE(mesh.corners[2].position == (Vec3{1, 1.5F, 0}));
  for (const Vertex& corner : mesh.corners) {
    EXPECT_TRUE(corner.normal == (Vec3{0, 0, 1}));
    EXPECT_TRUE(corner.texcoord == (Vec2{0.25F, 0.75F}));
  }
  ASSERT_EQ(mesh.corner_colours.size(), 9U);
  EXPECT_EQ(mesh.corner_colours[0], 0xffff8000U);
  EXPECT_EQ(mesh.corner_colours[1], 0xffff80ffU);
  EXPECT_EQ(mesh.corner_colours[2], 0xffff800aU);
}

TEST(PlyLoader, EachFormatSaysTheSame) {
  for (const Order order : orders) {
    SCOPED_TRACE(static_cast<int>(order));
    expect_everything(load_ply_text(everything().text(order)));
  }
}

TEST(PlyLoader, LinesEndInThreeWays) {
  for (const Order order : orders)
    for (const char* const end : {"\n", "\r\n", "\r"}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(order)) + " " + std::to_string(end[0]));
      expect_everything(load_ply_text(everything().text(order, end)));
    }
}

TEST(PlyLoader, PackedFilesAreUnpacked) {
  const TempDir dir;
  for (const Order order : orders) {
    const std::string whole = everything().text(order);
    expect_everything(load_file(dir.write("mesh.ply.gz", packed(whole))));
    // In two members, cut anywhere, with padding behind them.
    const std::string two = packed(whole.substr(0, 301)) + packed(whole.substr(301));
    expect_everything(load_file(dir.write("mesh.ply.gz", two + std::string(64, '\0'))));
    // By its content, not its name.
    expect_everything(load_file(dir.write("mesh.ply", packed(whole))));
    expect_everything(load_file(dir.write("mesh.ply.gz", whole)));
  }
}

TEST(PlyLoader, AFileLongerThanItsBuffers) {
  Ply ply;
  constexpr int side = 400;
  ply.header = "element vertex " + std::to_string(side * side) +
               "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
               std::to_string((side - 1) * (side - 1)) + "\nproperty list uchar int vertex_index\n";
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      ply.records.push_back({static_cast<float>(x), static_cast<float>(y), 0.0F});
  for (int y = 0; y + 1 < side; ++y)
    for (int x = 0; x + 1 < side; ++x) {
      const int first = y * side + x;
      ply.records.push_back({std::uint8_t{4}, first, first + 1, first + side + 1, first + side});
    }
  const TempDir dir;
  for (const Order order : orders) {
    const Mesh mesh = load_file(dir.write("mesh.ply.gz", packed(ply.text(order))));
    ASSERT_EQ(mesh.triangle_count(), 2U * (side - 1) * (side - 1));
    EXPECT_TRUE(mesh.warnings.empty());
    const Vertex& last = mesh.corners[mesh.corners.size() - 1];
    EXPECT_TRUE(last.normal == (Vec3{0, 0, 1}));
    float largest = 0.0F;
    for (const Vertex& corner : mesh.corners) largest = std::max(largest, corner.position.x);
    EXPECT_EQ(largest, side - 1);
  }
}

constexpr const char* three_vertices =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
const std::vector<std::vector<Number>> corner_of_square = {
    {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}};

TEST(PlyLoader, VerticesAloneArePoints) {
  for (const std::string rest : {"", "element face 0\nproperty list uchar int vertex_indices\n"}) {
    const Mesh mesh =
        load_ply_text(Ply{three_vertices + rest, corner_of_square}.text(Order::little));
    EXPECT_EQ(mesh.triangle_count(), 0U);
    ASSERT_EQ(mesh.points.size(), 3U);
    EXPECT_TRUE(mesh.points[2].position == (Vec3{0, 1, 0}));
    EXPECT_TRUE(mesh.warnings.empty());
  }
}

TEST(PlyLoader, ColoursOfEachType) {
  const auto colour_of = [](const std::string& type, const Number& value) {
    Ply ply{"element vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty " +
                type + " red\nproperty " + type + " green\nproperty " + type + " blue\n",
            {{0.0F, 0.0F, 0.0F, value, value, value}}};
    const Mesh mesh = load_ply_text(ply.text(Order::big));
    EXPECT_EQ(mesh.points.size(), 1U);
    return mesh.points.at(0).colour & 0xffU;
  };
  EXPECT_EQ(colour_of("uchar", std::uint8_t{51}), 51U);
  EXPECT_EQ(colour_of("ushort", std::uint16_t{51 * 257}), 51U);
  EXPECT_EQ(colour_of("float", 0.2F), 51U);
  EXPECT_EQ(colour_of("double", 0.2), 51U);
  EXPECT_EQ(colour_of("int", 51), 51U);
}

TEST(PlyLoader, AlphaAndColoursOfFacesAreTold) {
  const Ply ply{
      "comment TextureFile skin of a cat.png\n"
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
      "element face 1\nproperty list uchar uint vertex_indices\nproperty uchar red\n",
      {{0.0F, 0.0F, 0.0F, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}},
       {1.0F, 0.0F, 0.0F, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}},
       {0.0F, 1.0F, 0.0F, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}, std::uint8_t{4}},
       {std::uint8_t{3}, 0U, 1U, 2U, std::uint8_t{7}}}};
  const Mesh mesh = load_ply_text(ply.text(Order::ascii));
  EXPECT_EQ(mesh.triangle_count(), 1U);
  EXPECT_EQ(count_warnings(mesh, "Alpha"), 1);
  EXPECT_EQ(count_warnings(mesh, "Colours of faces"), 1);
  EXPECT_EQ(count_warnings(mesh, "skin of a cat.png"), 1);
  EXPECT_EQ(mesh.warnings.size(), 3U);
}

TEST(PlyLoader, CornersMayHaveTextureCoordinatesOfTheirOwn) {
  const Ply ply{
      "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property float u\nproperty float v\n"
      "element face 3\nproperty list uchar int vertex_indices\n"
      "property list uchar float texcoord\n",
      {{0.0F, 0.0F, 0.0F, 9.0F, 9.0F},
       {1.0F, 0.0F, 0.0F, 9.0F, 9.0F},
       {0.0F, 1.0F, 0.0F, 9.0F, 9.0F},
       {std::uint8_t{3}, 0, 1, 2, std::uint8_t{6}, 0.0F, 0.1F, 0.2F, 0.3F, 0.4F, 0.5F},
       {std::uint8_t{3}, 0, 1, 2, std::uint8_t{0}},
       {std::uint8_t{3}, 0, 1, 2, std::uint8_t{6}, 0.6F, 0.7F, 0.8F, 0.9F, 0.5F, 1.0F}}};
  const Mesh mesh = load_ply_text(ply.text(Order::little));
  ASSERT_EQ(mesh.triangle_count(), 3U);
  EXPECT_TRUE(mesh.corners[0].texcoord == (Vec2{0.0F, 0.1F}));
  EXPECT_TRUE(mesh.corners[7].texcoord == (Vec2{0.8F, 0.9F}));
  EXPECT_TRUE(mesh.corners[2].texcoord == (Vec2{0.4F, 0.5F}));
  EXPECT_TRUE(mesh.corners[3].texcoord == (Vec2{0.0F, 0.0F}));
}

TEST(PlyLoader, StripsTurnTheSameWay) {
  const Ply ply{
      "element vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 1\nproperty list int int vertex_indices\n",
      {{0.0F, 0.0F, 0.0F},
       {1.0F, 0.0F, 0.0F},
       {0.0F, 1.0F, 0.0F},
       {1.0F, 1.0F, 0.0F},
       {0.0F, 2.0F, 0.0F},
       {9, 0, 1, 2, 3, 4, -1, 0, 1, 3}}};
  const Mesh mesh = load_ply_text(ply.text(Order::big));
  ASSERT_EQ(mesh.triangle_count(), 4U);
  EXPECT_TRUE(mesh.warnings.empty());
  for (const Vertex& corner : mesh.corners) EXPECT_TRUE(corner.normal == (Vec3{0, 0, 1}));
  EXPECT_TRUE(mesh.corners[11].position == (Vec3{1, 1, 0}));
}

TEST(PlyLoader, EdgesAreLines) {
  const Ply ply{three_vertices + std::string("element edge 2\nproperty int vertex1\nproperty int "
                                             "vertex2\nproperty uchar red\n"),
                {{0.0F, 0.0F, 0.0F},
                 {1.0F, 0.0F, 0.0F},
                 {0.0F, 1.0F, 0.0F},
                 {0, 2, std::uint8_t{0}},
                 {1, 3, std::uint8_t{0}}}};
  const Mesh mesh = load_ply_text(ply.text(Order::little));
  EXPECT_TRUE(mesh.points.empty());
  ASSERT_EQ(mesh.line_count(), 1U);
  EXPECT_TRUE(mesh.line_ends[1].position == (Vec3{0, 1, 0}));
  EXPECT_EQ(count_warnings(mesh, "1 point or line", "the first is number 2"), 1);
}

TEST(PlyLoader, WhatIsBadIsLeftOutAndNumbered) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Ply ply{
      "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\n"
      "element face 5\nproperty list uchar int vertex_indices\n",
      {{0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 1.0F},
       {1.0F, 0.0F, 0.0F, nan, 0.0F, 1.0F},
       {0.0F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F},
       {nan, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F},
       {std::uint8_t{3}, 0, 1, 2},
       {std::uint8_t{3}, 0, 1, 4},
       {std::uint8_t{2}, 0, 1},
       {std::uint8_t{3}, 0, 1, -1},
       {std::uint8_t{3}, 0, 1, 3}}};
  for (const Order order : {Order::little, Order::big}) {
    const Mesh mesh = load_ply_text(ply.text(order));
    EXPECT_EQ(mesh.triangle_count(), 2U);  // one of them has the vertex that is not finite
    EXPECT_EQ(mesh.dropped_faces, 3U);
    EXPECT_EQ(count_warnings(mesh, "3 faces dropped, the first is number 2"), 1);
    EXPECT_EQ(count_warnings(mesh, "1 vertex without", "the first is number 4"), 1);
    EXPECT_EQ(count_warnings(mesh, "1 normal without", "the first is number 2"), 1);
    EXPECT_TRUE(mesh.corners[1].normal == (Vec3{0, 0, 1}));  // computed
    EXPECT_TRUE(mesh.corners[2].normal == (Vec3{0, 0, 1}));
  }
}

TEST(PlyLoader, NumbersOfAsciiFilesMayBeWrittenAnyhow) {
  const Mesh mesh = load_ply_text(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "+0.5 1e0 -0 \n\n\t1e-999 .5 5.\n1 2\n3\n3 0 1\n2");
  ASSERT_EQ(mesh.triangle_count(), 1U);
  EXPECT_TRUE(mesh.corners[0].position == (Vec3{0.5F, 1, 0}));
  EXPECT_TRUE(mesh.corners[1].position == (Vec3{0, 0.5F, 5}));
  EXPECT_TRUE(mesh.corners[2].position == (Vec3{1, 2, 3}));
}

// As some programs write them, whose header does not say all.
TEST(PlyLoader, MoreOnALineThanIsDeclaredIsIgnored) {
  const Mesh mesh = load_ply_text(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 2\nproperty list uchar int vertex_indices\nproperty uchar red\nend_header\n"
      "0 0 0 9 9\n1 0 0\n0 1 0  \n3 0 1 2 9 1 1 1 1\n3 2 1 0 9 1 1 1 1\n");
  EXPECT_EQ(mesh.triangle_count(), 2U);
  EXPECT_EQ(count_warnings(mesh, "3 lines with more numbers"), 1);
}

TEST(PlyLoader, AFileThatEndsEarlyGivesWhatIsThere) {
  std::string text = everything().text(Order::little);
  text.resize(text.size() - 1);
  const Mesh mesh = load_ply_text(text);
  EXPECT_EQ(mesh.triangle_count(), 1U);
  EXPECT_EQ(count_warnings(mesh, "ends early: 1 of 2 records of the element face"), 1);
}

// Cut anywhere it is a mesh or an error; the same packed.
TEST(PlyLoader, EveryPartOfAFile) {
  const TempDir dir;
  for (const Order order : orders) {
    const std::string whole = everything().text(order);
    const std::string whole_packed = packed(whole);
    for (const std::string& file : {whole, whole_packed})
      for (std::size_t size = 0; size < file.size(); size += size < 40 ? 1 : 7) {
        SCOPED_TRACE(size);
        try {
          LoadControl control;
          const Mesh mesh = load_ply(dir.write("mesh.ply", file.substr(0, size)), control);
          expect_well_formed(mesh);
          EXPECT_LE(mesh.triangle_count(), 3U);
        } catch (const Error& error) {
          EXPECT_FALSE(std::string(error.what()).empty());
        }
      }
  }
}

TEST(PlyLoader, DamagedFilesAreMeshesOrErrors) {
  const TempDir dir;
  std::mt19937 random(1);  // NOLINT(cert-msc32-c, cert-msc51-cpp): the same each time
  for (int i = 0; i < 600; ++i) {
    std::string text = everything().text(orders.at(static_cast<std::size_t>(i % 3)));
    if (i % 2 == 1) text = packed(text);
    for (int flips = 0; flips < 3; ++flips)
      text[random() % text.size()] = static_cast<char>(random());
    try {
      LoadControl control;
      expect_well_formed(load_ply(dir.write("mesh.ply", text), control));
    } catch (const Error&) {
      continue;
    }
  }
}

TEST(PlyLoader, HeadersThatSayNothingUsable) {
  const std::string start = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  struct Row {
    std::string text;
    std::string message;
  };
  const std::vector<Row> rows = {
      {"", "the file is empty"},
      {"plyy\n", ":1: a PLY file begins"},
      {"v 0 0 0\nf 1 2 3\n", ":1: a PLY file begins"},
      {"ply\nformat ascii 1.0\n", "does not end"},
      {"hello", ":1: a PLY file begins"},
      {"ply\n" + std::string(5000, 'x'), "does not end"},
      {"ply\nend_header\n", ":2: no line says the format"},
      {"ply\nformat ascii 2.0\n", "only version 1.0"},
      {"ply\nformat text 1.0\n", "no format \"text\""},
      {start + "format ascii 1.0\n", ":3: the format is said twice"},
      {start + "element vertex many\n", "\"many\" is not a number"},
      {start + "element vertex -1\n", "\"-1\" is not a number"},
      {start + "element vertex 99999999999999999999\n", "is not a number"},
      {start + "element vertex 1 2\n", "\"2\" does not belong"},
      {start + "element vertex 1\nelement vertex 1\n", "declared twice"},
      {start + "property float x\n", "before any element"},
      {start + "element vertex 1\nproperty colour x\n", "no type \"colour\""},
      {start + "element vertex 1\nproperty list float int x\n", "is a fraction"},
      {start + "element vertex 1\nproperty float\n", "has no name"},
      {start + "nonsense\n", "not a statement"},
      {start + "end_header\n", "no element vertex"},
      {start + "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
       "no number z"},
      {start + "element vertex 1\nproperty list int float x\nproperty float y\nproperty float "
               "z\nend_header\n1 0 0 0\n",
       "no number x"},
      {start + "element vertex 1\n" + xyz +
           "element face 1\nproperty int vertex_indices\nend_header\n0 0 0\n3\n",
       "no list vertex_indices"},
      {start + "element vertex 1\n" + xyz +
           "element edge 1\nproperty int vertex1\nend_header\n0 0 0\n3\n",
       "vertex1 and vertex2"},
      {start + "element vertex 1\n" + xyz + "end_header\n", "before its first vertex"},
      {start + "element vertex 1\n" + xyz +
           "element face 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n-3 1 2\n",
       "length of a list in line"},
  };
  for (const Row& row : rows) {
    const std::string error = error_of_ply(row.text);
    EXPECT_TRUE(contains(error, row.message)) << error << "\nwanted: " << row.message;
    EXPECT_TRUE(contains(error, "mesh.ply")) << error;
  }
}

TEST(PlyLoader, CountsAreNotBelieved) {
  const std::string huge =
      "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n"
      "property float x\nproperty float y\nproperty float z\n"
      "element nothing 18446744073709551615\nend_header\n" +
      std::string(12, '\0');
  const Mesh mesh = load_ply_text(huge);
  EXPECT_EQ(mesh.points.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "1 of 4000000000 records"), 1);
  // Records without properties have nothing to read.
  const std::string nothing =
      "ply\nformat ascii 1.0\nelement nothing 18446744073709551615\n"
      "element vertex 1\nproperty float x\nproperty float y\n"
      "property float z\nend_header\n1 2 3\n";
  EXPECT_EQ(load_ply_text(nothing).points.size(), 1U);
  // A list that is longer than the file.
  const std::string list =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
      "property float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list int int vertex_indices\nend_header\n" +
      std::string(12, '\0') + std::string("\xff\xff\xff\x00", 4);
  EXPECT_EQ(count_warnings(load_ply_text(list), "0 of 1 record"), 1);
}

TEST(PlyLoader, ADamagedPackedFileIsAnError) {
  std::string bytes = packed(everything().text(Order::little));
  bytes[20] = static_cast<char>(~bytes[20]);
  bytes[21] = static_cast<char>(~bytes[21]);
  const TempDir dir;
  try {
    LoadControl control;
    load_ply(dir.write("mesh.ply.gz", bytes), control);
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "mesh.ply.gz")) << error.what();
    return;
  }
  FAIL() << "it was loaded";
}

TEST(PlyLoader, StaysWithinLimits) {
  const std::string text = everything().text(Order::little);
  EXPECT_TRUE(contains(error_of_ply(text, {.corners = 8}), "9"));
  EXPECT_TRUE(contains(error_of_ply(text, {.memory = 100}), "mesh.ply"));
}

TEST(PlyLoader, CanBeCancelled) {
  const TempDir dir;
  LoadControl control;
  control.cancel();
  const auto path = dir.write("mesh.ply", everything().text(Order::little));
  EXPECT_THROW(load_ply(path, control), LoadCancelled);
}

TEST(PlyLoader, IsChosenByTheEnding) {
  for (const char* const name : {"a.ply", "A.PLY", "a.ply.gz", "b.c.Ply.GZ"})
    EXPECT_TRUE(is_ply(name)) << name;
  for (const char* const name : {".ply", ".ply.gz", "ply", "a.ply.obj", "a.gz", "a.ply.bz2", ""})
    EXPECT_FALSE(is_ply(name)) << name;
  const TempDir dir;
  LoadControl control;
  const auto path = dir.write("a dragon.ply.gz", packed(everything().text(Order::big)));
  const Mesh mesh = open_mesh(path.string(), control);
  EXPECT_EQ(mesh.name, "a dragon");
  EXPECT_EQ(mesh.file, path);
  EXPECT_EQ(mesh.triangle_count(), 3U);
}

}  // namespace
}  // namespace warpview
