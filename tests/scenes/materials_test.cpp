#include "scenes/materials.h"

#include <string>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::count_warnings;
using test::expect_well_formed;
using test::load;
using test::TempDir;
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
  EXPECT_EQ(mesh.triangle_material, (std::vector<std::uint32_t>{0, 1, 1, 2, 1}));
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
  EXPECT_EQ(mesh.triangle_material, (std::vector<std::uint32_t>{0, 0}));
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

TEST(Materials, TexturesAreLoadedOnceFromTheBottomUp) {
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
  const std::vector<std::uint8_t> bottom_up = {0,   0, 255, 255, 255, 255, 255, 255,
                                               255, 0, 0,   255, 0,   255, 0,   255};
  EXPECT_EQ(image.rgba, bottom_up);
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

}  // namespace
}  // namespace warpview
