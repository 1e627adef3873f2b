#include "scenes/files/materials.h"

#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenes/picture_files.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::Bmp;
using test::bytes;
using test::count_warnings;
using test::expect_well_formed;
using test::Jpeg;
using test::load;
using test::Pixels;
using test::Png;
using test::scans_of_coefficients;
using test::TempDir;
using test::Tga;
using test::operator==;

const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

// A picture of 2 x 2 pixels: red, green above blue, white; 24-bit TGA, first row on top.
const std::string_view picture(
    "\0\0\2\0\0\0\0\0\0\0\0\0\2\0\2\0\x18\x20"
    "\0\0\xFF\0\xFF\0"
    "\xFF\0\0\xFF\xFF\xFF",
    18 + 12);

TEST(Materials, OneTriangleEach) {
  const TempDir dir;
  dir.write("m.mtl",
            "# comment\nnewmtl red\nKd 1 0 0\nKs 0.5 0.5 0.5\nKe 0.1 0.2 0.3\nNs 80\n"
            "newmtl unused\nKd 0 1 1\nnewmtl blue one\nKd 0 0 1\nNs 0\n");
  const Mesh mesh =
      load(dir.write("m.obj", "mtllib m.mtl\n" + triangle +
                                  "f 1 2 3\nusemtl red\nf 1 2 3\nf 1 2 3\ng x\n"
                                  "usemtl  blue one \nf 1 2 3\nusemtl red\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_TRUE(mesh.warnings.empty());
  EXPECT_EQ(mesh.triangle_material, (HostArray<std::uint32_t>{0, 1, 1, 2, 1}));
  ASSERT_EQ(mesh.materials.size(), 3U);
  EXPECT_EQ(mesh.materials[1].name, "red");
  EXPECT_TRUE(mesh.materials[1].diffuse == (Vec3{1, 0, 0}));
  EXPECT_TRUE(mesh.materials[1].specular == (Vec3{0.5F, 0.5F, 0.5F}));
  EXPECT_TRUE(mesh.materials[1].emissive == (Vec3{0.1F, 0.2F, 0.3F}));
  EXPECT_EQ(mesh.materials[1].shininess, 80.0F);
  EXPECT_EQ(mesh.materials[2].name, "blue one");
  EXPECT_EQ(mesh.materials[2].shininess, 1.0F);
}

TEST(Materials, SeveralLibrariesInEveryOrder) {
  const TempDir dir;
  dir.write("a.mtl", "newmtl a\nKd 1 0 0\n");
  dir.write("b c.mtl", "newmtl b\r\nKd 0 1 0\r\n");
  dir.write("d.mtl", "newmtl d\nKd 0 0 1\nnewmtl a\nKd 1 1 1\n");
  const Mesh mesh = load(dir.write(
      "m.obj", triangle + "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl d\nf 1 2 3\n"
                          "mtllib a.mtl d.mtl\nmtllib C:\\models\\b c.mtl\nmtllib a.mtl\n"));
  expect_well_formed(mesh);
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings[0];
  ASSERT_EQ(mesh.materials.size(), 4U);
  EXPECT_TRUE(mesh.materials[1].diffuse == (Vec3{1, 0, 0}));
  EXPECT_TRUE(mesh.materials[2].diffuse == (Vec3{0, 1, 0}));
  EXPECT_TRUE(mesh.materials[3].diffuse == (Vec3{0, 0, 1}));
}

TEST(Materials, MissingOnesAreToldOnceAKind) {
  const TempDir dir;
  const Mesh mesh =
      load(dir.write("m.obj", "mtllib no.mtl\nmtllib none.mtl nil.mtl\nmtllib\n" + triangle +
                                  "usemtl x\nf 1 2 3\nusemtl y\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_material, (HostArray<std::uint32_t>{0, 0}));
  EXPECT_EQ(mesh.warnings.size(), 2U);
  EXPECT_EQ(count_warnings(mesh, "3 material files not found", "no.mtl"), 1);
  EXPECT_EQ(count_warnings(mesh, "2 materials not defined", "'x', 'y'"), 1);
}

TEST(Materials, WithoutADiffuseColourTheDefaultStays) {
  const TempDir dir;
  dir.write("m.mtl", "newmtl a\nKd 0 0 0\nnewmtl b\nNs 10\n");
  const Mesh mesh = load(
      dir.write("m.obj", "mtllib m.mtl\n" + triangle + "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n"));
  EXPECT_TRUE(mesh.materials[1].diffuse == (Vec3{0, 0, 0}));
  EXPECT_TRUE(mesh.materials[2].diffuse == Material{}.diffuse);
}

// Of those that an OBJ file does not name nothing is kept, whatever there is of them.
TEST(Materials, OnlyThoseThatAreNamedTakeMemory) {
  const TempDir dir;
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "newmtl m" + std::to_string(i) + "\nKd 1 1 1\nnewmtl again\nKd 0 0 1\n";
  dir.write("m.mtl", text);
  const auto file = dir.write(
      "m.obj", "mtllib m.mtl\n" + triangle + "usemtl m19999\nf 1 2 3\nusemtl again\nf 1 2 3\n");
  const Mesh mesh = load(file, {.memory = 1U << 20U});
  expect_well_formed(mesh);
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings[0];
  ASSERT_EQ(mesh.materials.size(), 3U);
  EXPECT_TRUE(mesh.materials[1].diffuse == (Vec3{1, 1, 1}));
  EXPECT_TRUE(mesh.materials[2].diffuse == (Vec3{0, 0, 1}));
}

TEST(Materials, MoreThanTheMemoryHoldsAreAWarning) {
  const TempDir dir;
  std::string materials;
  std::string text = "mtllib m.mtl\n" + triangle;
  for (int i = 0; i < 2'000; ++i) {
    materials += "newmtl m" + std::to_string(i) + "\nKd 1 1 1\n";
    text += "usemtl m" + std::to_string(i) + "\nf 1 2 3\n";
  }
  dir.write("m.mtl", materials);
  const Mesh mesh = load(dir.write("m.obj", text), {.memory = 3U << 20U});
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.materials.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "1 material file not usable", "m.mtl", "out of memory"), 1);
}

// A line of a file may have any length, and a warning names three of them.
TEST(Materials, LongNamesAreShortened) {
  const TempDir dir;
  const std::string name(100'000, 'x');
  dir.write("m.mtl", "newmtl a\nmap_Kd " + name + "\n");
  const Mesh mesh =
      load(dir.write("m.obj", "mtllib m.mtl " + name + "y\n" + triangle +
                                  "usemtl a\nf 1 2 3\nusemtl " + name + "z\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.warnings.size(), 3U);
  EXPECT_EQ(count_warnings(mesh, "material file not found", "xxx...xxx", "xy"), 1);
  EXPECT_EQ(count_warnings(mesh, "material not defined", "xxx...xxx", "xz'"), 1);
  EXPECT_EQ(count_warnings(mesh, "texture not found", "xxx...xxx"), 1);
  for (const std::string& warning : mesh.warnings) EXPECT_LT(warning.size(), 300U);
}

TEST(Materials, TroubleInsideALibraryIsAWarning) {
  const TempDir dir;
  dir.write("numbers.mtl", "newmtl a\nKd nan 0 0\nNs many\nKs 1e999 0 0\nKd 1e999 1 1\n");
  dir.write("binary.mtl", std::string_view("newmtl \0\n", 9));
  dir.write("empty.mtl", "");
  dir.write("other.mtl", "newmtl b\nKd 1 1 1\nd 0.5\nTr 0.5\nKa spectral x\nillum 2\n");
  std::filesystem::create_directory(dir / "folder.mtl");
  const Mesh mesh = load(dir.write("m.obj",
                                   "mtllib numbers.mtl binary.mtl empty.mtl other.mtl "
                                   "folder.mtl\n" +
                                       triangle + "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.materials.size(), 3U);
  EXPECT_TRUE(mesh.materials[1].diffuse == Material{}.diffuse);
  EXPECT_EQ(mesh.warnings.size(), 4U);
  EXPECT_EQ(count_warnings(mesh, "2 lines of material files", "numbers.mtl:2", "numbers.mtl:3"), 1);
  EXPECT_EQ(count_warnings(mesh, "1 material with transparency", "'b' (d)"), 1);
  EXPECT_EQ(count_warnings(mesh, "2 material files not usable", "binary.mtl:1", "empty.mtl"), 1);
  EXPECT_EQ(count_warnings(mesh, "1 material file not found", "folder.mtl"), 1);
}

TEST(Materials, TexturesAreLoadedOnceFromTheTopDown) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "textures");
  dir.write("textures/a b.tga", picture);
  dir.write(
      "m.mtl",
      "newmtl a\nmap_Kd textures\\a b.tga\nnewmtl b\nKd 0 0 0\nmap_Kd -s 1 1 1 textures/a b.tga\n"
      "newmtl c\nKd 0.5 0.5 0.5\nmap_Kd textures/a b.tga\n");
  const Mesh mesh =
      load(dir.write("m.obj", "mtllib m.mtl\n" + triangle +
                                  "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_TRUE(mesh.warnings.empty());
  ASSERT_EQ(mesh.materials.size(), 4U);
  ASSERT_EQ(mesh.textures.size(), 1U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(mesh.materials[i].texture, 0U);
  EXPECT_TRUE(mesh.materials[1].diffuse == (Vec3{1, 1, 1}));
  EXPECT_TRUE(mesh.materials[2].diffuse == (Vec3{1, 1, 1}));
  EXPECT_TRUE(mesh.materials[3].diffuse == (Vec3{0.5F, 0.5F, 0.5F}));
  const Image& image = mesh.textures[0];
  EXPECT_EQ(image.width, 2U);
  EXPECT_EQ(image.height, 2U);
  const std::vector<std::uint8_t> top_down = {255, 0, 0,   255, 0,   255, 0,   255,
                                              0,   0, 255, 255, 255, 255, 255, 255};
  EXPECT_EQ(image.rgba, top_down);
}

TEST(Materials, MissingAndBrokenTexturesAreToldOnceAKind) {
  const TempDir dir;
  dir.write("broken.png", "this is no picture");
  dir.write("cut.tga", picture.substr(0, 10));
  dir.write("m.mtl",
            "newmtl a\nKd 0.5 0.5 0.5\nmap_Kd none.png\nnewmtl b\nmap_Kd nil.png\n"
            "newmtl c\nmap_Kd broken.png\nnewmtl d\nmap_Kd cut.tga\nnewmtl e\nmap_Kd broken.png\n");
  std::string text = "mtllib m.mtl\n" + triangle;
  for (const char* name : {"a", "b", "c", "d", "e"})
    text += std::string("usemtl ") + name + "\nf 1 2 3\n";
  const Mesh mesh = load(dir.write("m.obj", text));
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.textures.size(), 0U);
  EXPECT_EQ(mesh.materials.size(), 6U);
  for (const Material& material : mesh.materials) EXPECT_EQ(material.texture, Material::no_texture);
  EXPECT_EQ(mesh.warnings.size(), 2U);
  EXPECT_EQ(count_warnings(mesh, "2 textures not found", "none.png, nil.png"), 1);
  EXPECT_EQ(count_warnings(mesh, "2 textures not readable", "broken.png", "cut.tga"), 1);
}

// A scene with one material for each of these textures.
std::filesystem::path write_textured(const TempDir& dir, const std::vector<std::string>& textures) {
  std::string materials;
  std::string text = "mtllib m.mtl\n" + triangle;
  for (const std::string& texture : textures) {
    materials += "newmtl " + texture + "\nmap_Kd " + texture + "\n";
    text += "usemtl " + texture + "\nf 1 2 3\n";
  }
  dir.write("m.mtl", materials);
  return dir.write("m.obj", text);
}

// Loads a scene for each of these textures, and one for all of them.
void expect_not_readable(const std::vector<std::pair<std::string, std::string>>& textures) {
  const TempDir dir;
  std::vector<std::string> names;
  for (const auto& [name, content] : textures) {
    dir.write(name, content);
    names.push_back(name);
    SCOPED_TRACE(name);
    const Mesh mesh = load(write_textured(dir, {name}));
    expect_well_formed(mesh);
    EXPECT_TRUE(mesh.textures.empty());
    EXPECT_EQ(mesh.warnings.size(), 1U);
    EXPECT_EQ(count_warnings(mesh, "1 texture not readable", name), 1);
  }
  const Mesh all = load(write_textured(dir, names));
  EXPECT_TRUE(all.textures.empty());
  EXPECT_EQ(all.warnings.size(), 1U);
}

const std::string radiance = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n";

// A decoder may read twice the bytes that there are.
TEST(Materials, GreymapsOfSixteenBitsAreNoTextures) {
  expect_not_readable({{"small.pgm", "P5 4 4 65535\n" + std::string(32, 'x')},
                       {"large.pgm", "P5 16384 16384 65535\n"}});
}

// Nothing can be resized to or from no pixels.
TEST(Materials, PicturesWithoutPixelsAreNoTextures) {
  expect_not_readable({{"narrow.hdr", radiance + "-Y 4 +X 0\n" + bytes("\2\2\0")},
                       {"flat.hdr", radiance + "-Y 0 +X 8\n" + bytes("\2\2\0")},
                       {"negative.hdr", radiance + "-Y -1 +X -1\n" + bytes("\2\2\0")},
                       {"flat.psd", bytes("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\4\0\x8\0\3") +
                                        std::string(100, '\0')},
                       {"flat.png", Png{}.file(4, 0, "")},
                       {"narrow.bmp", Bmp{}.file(0, 4, "")},
                       {"narrow.tga", Tga{}.file(0, 4, "")}});
}

// Where a file is cut short, a decoder may wait for a run of some length for ever.
TEST(Materials, ALoadEndsWhereARunIsCutShort) {
  const std::string runs = bytes("\2\2\0\x8\x88\7\x88\7\x88\7\x88\7\2\2\0\x8");
  expect_not_readable({{"cut.hdr", radiance + "-Y 4 +X 8\n" + runs},
                       {"cut.tga", Tga{.kind = 10}.file(4, 4, "\x82\1\2\3")}});
}

// What is not in the file is not drawn.
TEST(Materials, AHeaderWithoutPixelsIsNoTexture) {
  expect_not_readable(
      {{"header.tga", Tga{.bits = 32}.file(64, 64, "")}, {"header.bmp", Bmp{}.file(64, 64, "")}});
}

TEST(Materials, ProgressiveJpegsWithTooLittleOrTooMuchAreNoTextures) {
  Pixels row(std::size_t{3} * 100);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(i * i);
  const std::string whole = Jpeg{.progressive = true}.file(100, 100, row);
  std::string without_tables = whole;
  for (std::size_t at = 0; (at = without_tables.find("\xff\xc4", at)) != std::string::npos;)
    without_tables[at + 1] = '\xfe';  // a comment
  const Jpeg many_scans = {.colours = JCS_GRAYSCALE, .scans = scans_of_coefficients(true)};
  expect_not_readable({{"cut.jpg", whole.substr(0, whole.size() / 2)},
                       {"without_tables.jpg", without_tables},
                       {"many_scans.jpg", many_scans.file(16, 16, Pixels(16, 77))}});
}

TEST(Materials, TexturesShareTheMemoryThatMayBeTaken) {
  const TempDir dir;
  std::string runs;  // 2048 x 2048 pixels, 16 MiB of memory
  for (int run = 0; run < 2048 * 2048 / 128; ++run) runs += "\xff\1\2\3";
  const std::string large = Tga{.kind = 10}.file(2048, 2048, runs);
  const std::vector<std::string> names = {"1.tga", "2.tga", "3.tga", "4.tga", "5.tga", "6.tga"};
  for (const std::string& name : names) dir.write(name, large);
  const Mesh mesh = load(write_textured(dir, names), {.memory = 56U << 20U});
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.textures.size(), 3U);
  EXPECT_EQ(mesh.materials[3].texture, 2U);
  EXPECT_EQ(mesh.materials[4].texture, Material::no_texture);
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "3 textures not readable", "4.tga", "memory"), 1);
}

// A scene with one material, 'a', that consists of this.
Mesh load_material(const TempDir& dir, const std::string& statements) {
  dir.write("m.mtl", "newmtl a\nKd 1 1 1\n" + statements + "\n");
  const Mesh mesh = load(dir.write("m.obj", "mtllib m.mtl\n" + triangle + "usemtl a\nf 1 2 3\n"));
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.materials.size(), 2U);
  return mesh;
}

TEST(Materials, OptionsOfTexturesAreReadWithTheirValues) {
  const TempDir dir;
  dir.write("t.tga", picture);
  dir.write("2.tga", picture);
  dir.write("a b.tga", picture);
  dir.write("a #b.tga", picture);
  struct Case {
    const char* statement;
    Vec2 scale{1, 1}, offset{0, 0};
    bool is_clamped = false;
  };
  const Case cases[] = {
      {"map_Kd t.tga"},
      {"map_kd t.tga"},
      {"MAP_KD\tt.tga"},
      {.statement = "map_Kd -o 0.1 t.tga", .offset = {0.1F, 0}},
      {.statement = "map_Kd -o 0.1 +.2 t.tga", .offset = {0.1F, 0.2F}},
      {.statement = "map_Kd -o .5 -.5 0 t.tga", .offset = {0.5F, -0.5F}},
      {.statement = "map_Kd -o 0.1 2.tga", .offset = {0.1F, 0}},
      {.statement = "map_Kd -s 2 t.tga", .scale = {2, 1}},
      {.statement = "map_Kd -s 2 3 t.tga", .scale = {2, 3}},
      {.statement = "map_Kd -s 4 4 4 t.tga", .scale = {4, 4}},
      {.statement = "map_Kd -s 2 3 -o 0.5 -clamp on a b.tga",
       .scale = {2, 3},
       .offset = {0.5F, 0},
       .is_clamped = true},
      {"map_Kd -t 0 t.tga"},
      {"map_Kd -t 0 0 0 -clamp off -cc off -mm 0 1 -bm 1 -boost 0 -blendu on -blendv on t.tga"},
      {"map_Kd -colorspace sRGB t.tga"},
      {"map_Kd \"t.tga\""},
      {"map_Kd \"a b.tga\" # comment"},
      {"map_Kd  t.tga # a comment # of two parts"},
      {"map_Kd a #b.tga"},
      {"map_Kd none.tga\nmap_Kd t.tga"},  // the last one counts
  };
  for (const Case& each : cases) {
    const Mesh mesh = load_material(dir, each.statement);
    EXPECT_TRUE(mesh.warnings.empty()) << each.statement << ": " << mesh.warnings.front();
    ASSERT_EQ(mesh.textures.size(), 1U) << each.statement;
    const Material& material = mesh.materials[1];
    EXPECT_EQ(material.texture, 0U) << each.statement;
    EXPECT_TRUE(material.placement.scale == each.scale) << each.statement;
    EXPECT_TRUE(material.placement.offset == each.offset) << each.statement;
    EXPECT_EQ(material.placement.is_clamped, each.is_clamped) << each.statement;
  }
}

TEST(Materials, OptionsThatChangeNothingAreToldOnce) {
  const TempDir dir;
  dir.write("t.tga", picture);
  for (const char* option : {"-t 1", "-t 0 0 .5", "-mm 0.1 1", "-mm 0 2", "-bm 0.5", "-boost 2",
                             "-texres 256", "-blendu off", "-blendv off", "-cc on", "-imfchan r",
                             "-type sphere", "-colorspace linear"}) {
    const Mesh mesh = load_material(dir, std::string("map_Kd ") + option + " t.tga");
    EXPECT_EQ(mesh.textures.size(), 1U) << option;
    EXPECT_EQ(mesh.warnings.size(), 1U) << option;
    const std::string name(option, std::string_view(option).find(' '));
    EXPECT_EQ(count_warnings(mesh, "1 option of textures", name + " of 'a'"), 1) << option;
  }
  const Mesh mesh = load_material(dir, "map_Kd -t 1 -cc on -t 1 1 t.tga");
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "2 options of textures", "-t of 'a', -cc of 'a'"), 1);
}

TEST(Materials, OptionsWithoutTheirValuesAreTold) {
  const TempDir dir;
  dir.write("t.tga", picture);
  for (const char* option : {"-o", "-s x", "-s 1e99", "-mm 0", "-clamp", "-cc 1", "-boost"}) {
    const Mesh mesh = load_material(dir, std::string("map_Kd ") + option + " t.tga");
    EXPECT_EQ(count_warnings(mesh, "1 line of material files with missing values", "m.mtl:3"), 1)
        << option;
    EXPECT_TRUE(mesh.materials[1].placement.scale == (Vec2{1, 1})) << option;
  }
  for (const char* nothing : {"map_Kd", "map_Kd \"\"", "map_Kd # comment", "map_Bump"}) {
    const Mesh mesh = load_material(dir, nothing);
    EXPECT_EQ(mesh.warnings.size(), 1U) << nothing;
    EXPECT_EQ(count_warnings(mesh, "1 line of material files with missing values"), 1) << nothing;
  }
  const Mesh mesh = load_material(dir, "map_Kd -o 0.1 none.tga");
  EXPECT_EQ(count_warnings(mesh, "1 texture not found", ": none.tga"), 1);
}

TEST(Materials, WhatIsNotDrawnIsToldOnceAKind) {
  const TempDir dir;
  dir.write("t.tga", picture);
  struct Case {
    const char* statements;
    const char* told;  // empty: nothing is
    const char* named = "";
  };
  const Case cases[] = {
      {"d 1\nTr 0\nTf 1 1 1\nillum 2\nKa 1 1 1\nNi 1.5\nsharpness 60\nillum 1", ""},
      {"d 1\nTr 1", ""},  // by some programs Tr is d
      {"map_Kd t.tga\nmap_Ka t.tga", ""},
      {"Pm 0\nPs 0\naniso 0", ""},
      {"d 0.4", "1 material with transparency", "'a' (d)"},
      {"Tr 0.6", "1 material with transparency", "'a' (Tr)"},
      {"d 0.4\nTr 0.6", "1 material with transparency", "'a' (d)"},
      {"d -halo 1", "1 material with transparency", "'a' (d -halo)"},
      {"d 0.5\nTf 0.5 1 1", "1 material with transparency", "'a' (d, Tf)"},
      {"Tf 0.5 1 1", "1 material with a transmission filter", "'a' (Tf)"},
      {"Kt 0.5", "1 material with a transmission filter", "'a' (Kt)"},
      {"Tf xyz 1 1 1", "1 material with a transmission filter", "'a' (Tf)"},
      {"map_d t.tga\nmap_D t.tga", "2 textures of unsupported kinds", "map_d of 'a', map_D of 'a'"},
      {"map_Ka t.tga", "1 texture of unsupported kinds", "map_Ka of 'a'"},
      {"map_Ke t.tga", "1 texture of unsupported kinds", "map_Ke of 'a'"},
      {"map_Ks t.tga", "1 texture of unsupported kinds", "map_Ks of 'a'"},
      {"map_Ns t.tga", "1 texture of unsupported kinds", "map_Ns of 'a'"},
      {"map_Bump -bm 0.5 t.tga", "1 texture of unsupported kinds", "map_Bump of 'a'"},
      {"bump t.tga", "1 texture of unsupported kinds", "bump of 'a'"},
      {"norm t.tga", "1 texture of unsupported kinds", "norm of 'a'"},
      {"disp t.tga", "1 texture of unsupported kinds", "disp of 'a'"},
      {"decal t.tga", "1 texture of unsupported kinds", "decal of 'a'"},
      {"refl -type sphere t.tga", "1 texture of unsupported kinds", "refl of 'a'"},
      {"map_Pr t.tga\nmap_Pm t.tga", "2 textures of unsupported kinds",
       "map_Pr of 'a', map_Pm of 'a'"},
      {"illum 0", "1 material with an illumination model", "'a' (illum 0)"},
      {"illum 8", "1 material with an illumination model", "'a' (illum 8)"},
      {"illum 3", "1 material with mirrors or refraction", "'a' (illum 3)"},
      {"illum 7", "1 material with mirrors or refraction", "'a' (illum 7)"},
      {"Pr 0.5\nPm 1\nPr 0.5", "1 material with physically based", "'a' (Pr, Pm)"},
      {"d\nTr x\nillum\nTf", "4 lines of material files with missing values", "m.mtl:3"},
      {"kd 1 0 0\nbogus", "2 lines of material files with unknown statements", "m.mtl:3"}};
  for (const Case& each : cases) {
    const Mesh mesh = load_material(dir, each.statements);
    const bool is_told = *each.told != '\0';
    EXPECT_EQ(mesh.warnings.size(), is_told ? 1U : 0U)
        << each.statements << ": " << (mesh.warnings.empty() ? "" : mesh.warnings.back());
    if (is_told) {
      EXPECT_EQ(count_warnings(mesh, each.told, each.named), 1) << each.statements;
    }
  }
  // Of materials that no face names nothing is told.
  const Mesh mesh = load_material(dir, "newmtl b\nd 0.5\nbump t.tga\nbogus");
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings.front();
}

// What path tracing draws of transparency, mirrors and refraction.
TEST(Materials, OpticsAreRead) {
  const TempDir dir;
  const auto optics = [&dir](const std::string& statements) {
    return load_material(dir, statements).materials[1].optics;
  };
  EXPECT_EQ(optics("Kd 1 1 1").clear, 0.0F);
  EXPECT_EQ(optics("Ni 1.3").index, 1.0F);
  EXPECT_EQ(optics("d 0.25").clear, 0.75F);
  EXPECT_EQ(optics("d 0.25").index, 1.0F);
  EXPECT_EQ(optics("Tr 0.75").clear, 0.75F);
  EXPECT_EQ(optics("Tr 0.75\nd 0.5").clear, 0.5F);
  EXPECT_EQ(optics("d -3").clear, 1.0F);
  EXPECT_EQ(optics("illum 6").clear, 1.0F);
  EXPECT_EQ(optics("illum 7\nd 1").clear, 0.0F);
  EXPECT_EQ(optics("illum 4\nTf 1 1 1").clear, 0.0F);
  EXPECT_EQ(optics("illum 7").index, 1.5F);
  EXPECT_EQ(optics("illum 9\nNi 1.3").index, 1.3F);
  EXPECT_EQ(optics("illum 7\nNi 0.2").index, 1.0F);
  EXPECT_EQ(optics("illum 7\nNi nan").index, 1.5F);
  EXPECT_TRUE(optics("Tf 0.5").filter == (Vec3{0.5F, 0.5F, 0.5F}));
  EXPECT_TRUE(optics("Kt 0.5 0.25 7").filter == (Vec3{0.5F, 0.25F, 1.0F}));
  EXPECT_EQ(optics("illum 2").mirror, Optics::Mirror::none);
  EXPECT_EQ(optics("illum 3").mirror, Optics::Mirror::plain);
  EXPECT_EQ(optics("illum 5").mirror, Optics::Mirror::fresnel);
}

TEST(Materials, TransparentTexelsAreTold) {
  const TempDir dir;
  dir.write("clear.tga", Tga{.bits = 32, .descriptor = 0x28}.file(1, 1, bytes("\1\2\3\0")));
  dir.write("full.tga", Tga{.bits = 32, .descriptor = 0x28}.file(1, 1, bytes("\1\2\3\xff")));
  Mesh mesh = load_material(dir, "map_Kd clear.tga");
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "1 texture with transparent texels", "clear.tga"), 1);
  mesh = load_material(dir, "map_Kd full.tga");
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings.front();
}

// They are followed, and told: a picture of the scene would show what is in them.
TEST(Materials, FilesOutsideTheFolderAreTold) {
  const TempDir dir;
  std::filesystem::create_directories(dir / "models/textures");
  dir.write("t.tga", picture);
  dir.write("models/textures/t.tga", picture);
  dir.write("m.mtl", "newmtl a\nmap_Kd t.tga\n");
  const auto load_with = [&dir](const std::string& library, const std::string& texture) {
    dir.write("models/m.mtl", "newmtl a\nmap_Kd " + texture + "\n");
    return load(
        dir.write("models/m.obj", "mtllib " + library + "\n" + triangle + "usemtl a\nf 1 2 3\n"));
  };
  const std::string outside = (dir / "t.tga").string();
  const std::string inside = (dir / "models/textures/t.tga").string();
  for (const std::string& texture :
       {inside, std::string("textures/t.tga"), std::string("textures/../textures/t.tga"),
        std::string("../models/textures/t.tga")}) {
    const Mesh mesh = load_with("m.mtl", texture);
    EXPECT_EQ(mesh.textures.size(), 1U) << texture;
    EXPECT_TRUE(mesh.warnings.empty()) << texture << ": " << mesh.warnings.front();
  }
  for (const std::string& texture :
       {outside, std::string("../t.tga"), std::string("textures/../../t.tga")}) {
    const Mesh mesh = load_with("m.mtl", texture);
    EXPECT_EQ(mesh.textures.size(), 1U) << texture;
    EXPECT_EQ(mesh.warnings.size(), 1U) << texture;
    EXPECT_EQ(count_warnings(mesh, "1 file opened outside the folder", "t.tga"), 1) << texture;
  }
  for (const std::string& library : {(dir / "m.mtl").string(), std::string("../m.mtl")}) {
    const Mesh mesh = load_with(library, "unused.tga");
    EXPECT_EQ(mesh.warnings.size(), 1U) << library;
    EXPECT_EQ(count_warnings(mesh, "2 files opened outside the folder", "m.mtl, ", "t.tga"), 1)
        << library;
  }
}

TEST(Materials, LibrariesInQuotesAndBeforeCommentsAreFound) {
  const TempDir dir;
  dir.write("a b.mtl", "newmtl a\nKd 1 0 0\n");
  dir.write("c.mtl", "newmtl c\nKd 0 1 0\n");
  for (const char* libraries :
       {"\"a b.mtl\" c.mtl", "\"a b.mtl\" \"c.mtl\" # comment", "c.mtl # comment\nmtllib a b.mtl",
        "a b.mtl # comment\nmtllib \"c.mtl\""}) {
    const Mesh mesh = load(dir.write("m.obj", std::string("mtllib ") + libraries + "\n" + triangle +
                                                  "usemtl a\nf 1 2 3\nusemtl c\nf 1 2 3\n"));
    EXPECT_TRUE(mesh.warnings.empty()) << libraries << ": " << mesh.warnings.front();
    EXPECT_EQ(mesh.materials.size(), 3U) << libraries;
  }
}

TEST(Materials, FilesThatChangeWhileTheyAreReadAreTold) {
  const TempDir dir;
  dir.write("t.tga", picture);
  dir.write("m.mtl", "newmtl a\nmap_Kd t.tga\n");
  const auto path = dir.write("m.obj", "mtllib m.mtl\n" + triangle + "usemtl a\nf 1 2 3\n");
  LoadControl control;
  // Asked after each file was opened, and before its end was reached.
  int asked = 0;
  std::filesystem::path opened;
  control.on_file([&opened](const std::filesystem::path& file) { opened = file; });
  control.stop_if([&] {
    if (opened != path)
      std::filesystem::last_write_time(
          opened, std::filesystem::file_time_type() + std::chrono::hours(++asked));
    return false;
  });
  const Mesh mesh = load_obj(path, control);
  EXPECT_EQ(mesh.textures.size(), 1U);
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "2 files changed while being read", "m.mtl", "t.tga"), 1);
}

TEST(Materials, OnlyRegularFilesAreTextures) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "folder.png");
  ASSERT_EQ(mkfifo((dir / "pipe.png").c_str(), 0600), 0);
  std::filesystem::create_symlink("loop.png", dir / "loop.png");
  std::filesystem::create_symlink("/dev/zero", dir / "zero.png");
  const Mesh mesh = load(write_textured(dir, {"folder.png", "pipe.png", "loop.png", "zero.png"}));
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "4 textures not found"), 1);
}

TEST(Materials, AFileLargerThanAnyPictureIsNotRead) {
  const TempDir dir;
  dir.write("large.png", "\x89PNG\r\n\x1a\n");
  std::filesystem::resize_file(dir / "large.png", std::uintmax_t{1} << 40U);  // takes no room
  const Mesh mesh = load(write_textured(dir, {"large.png"}));
  EXPECT_EQ(mesh.warnings.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "1099511627776 bytes exceed the limit"), 1);
}

// Unpacked it is a thousand times as large.
TEST(Materials, APngMustNotHoldMuchMoreThanItsPixels) {
  const std::string zeros(64U << 20U, '\0');
  expect_not_readable({{"more.png", Png{.colour = 0}.file(1, 1, zeros)},
                       {"interlaced.png", Png{.interlaced = 1}.file(9, 9, zeros)}});
}

}  // namespace
}  // namespace warpview
