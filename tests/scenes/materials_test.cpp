#include "scenes/files/materials.h"

#include <sys/stat.h>

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
  EXPECT_EQ(count_warnings(mesh, "2 materials defined nowhere", "'x', 'y'"), 1);
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
  EXPECT_EQ(count_warnings(mesh, "1 material file not usable", "m.mtl", "no memory"), 1);
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
  EXPECT_EQ(count_warnings(mesh, "material defined nowhere", "xxx...xxx", "xz'"), 1);
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
  EXPECT_EQ(mesh.warnings.size(), 3U);
  EXPECT_EQ(count_warnings(mesh, "2 lines of material files", "numbers.mtl:2", "numbers.mtl:3"), 1);
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
  EXPECT_EQ(count_warnings(mesh, "1099511627776 bytes are too many"), 1);
}

// Unpacked it is a thousand times as large.
TEST(Materials, APngMustNotHoldMuchMoreThanItsPixels) {
  const std::string zeros(64U << 20U, '\0');
  expect_not_readable({{"more.png", Png{.colour = 0}.file(1, 1, zeros)},
                       {"interlaced.png", Png{.interlaced = 1}.file(9, 9, zeros)}});
}

}  // namespace
}  // namespace warpview
