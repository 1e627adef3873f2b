#include "app/render/renderer.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "gl_test.h"
#include "gpu/dedup/dedup.h"
#include "gpu/pipeline/mesh_kernels.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr int side = 128;

template <class T>
GlBuffer upload(const std::vector<T>& items) {
  GlBuffer buffer = create_gl_buffer();
  const auto bytes = static_cast<GLsizeiptr>(std::max<std::size_t>(items.size() * sizeof(T), 16));
  glNamedBufferData(buffer.get(), bytes, nullptr, GL_STATIC_DRAW);
  glNamedBufferSubData(buffer.get(), 0, static_cast<GLsizeiptr>(items.size() * sizeof(T)),
                       items.data());
  return buffer;
}

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;
  std::vector<std::uint32_t> material;
};

// A rectangle across the z axis, facing +z, of one material.
void add_rectangle(Mesh& mesh, Vec2 low, Vec2 high, float z, std::uint32_t material) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec2 place : {Vec2{0, 0}, Vec2{1, 0}, Vec2{1, 1}, Vec2{0, 1}})
    mesh.vertices.push_back(
        {{low.x + place.x * (high.x - low.x), low.y + place.y * (high.y - low.y), z},
         {0, 0, 1},
         place});
  for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U})
    mesh.indices.push_back(first + corner);
  mesh.material.insert(mesh.material.end(), 2, material);
}

Mesh sphere() {
  constexpr int rings = 24;
  constexpr int segments = 48;
  Mesh mesh;
  for (int ring = 0; ring <= rings; ++ring) {
    for (int segment = 0; segment <= segments; ++segment) {
      const float polar = 3.14159265F * static_cast<float>(ring) / rings;
      const float azimuth = 2 * 3.14159265F * static_cast<float>(segment) / segments;
      const Vec3 n{std::sin(polar) * std::cos(azimuth), std::cos(polar),
                   -std::sin(polar) * std::sin(azimuth)};
      mesh.vertices.push_back({n, n, {0, 0}});
    }
  }
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      const std::uint32_t a = ring * (segments + 1) + segment;
      const std::uint32_t b = a + segments + 1;
      for (const std::uint32_t corner : {a, b, b + 1, a, b + 1, a + 1})
        mesh.indices.push_back(corner);
      mesh.material.insert(mesh.material.end(), 2, 0);
    }
  }
  return mesh;
}

class RendererTest : public GlTest {
 protected:
  // Uploads the mesh with one box and a curve through all its vertices.
  void show(const Mesh& mesh) {
    const std::vector<Aabb> boxes{{{-1, -1, -1}, {1, 1, 1}}};
    std::vector<Vec3> curve;
    for (const Vertex& vertex : mesh.vertices) curve.push_back(vertex.position);
    const auto indices = static_cast<std::uint32_t>(mesh.indices.size());
    const auto vertices = static_cast<std::uint32_t>(mesh.vertices.size());
    const std::vector<DrawCommands> commands{
        {{indices, 1, 0, 0, 0}, {24, 1, 0, 0}, {vertices, 1, 0, 0}, {vertices, 1, 0, 0}}};
    owned_.clear();
    buffers_.vertices = keep(upload(mesh.vertices));
    buffers_.indices = keep(upload(mesh.indices));
    buffers_.triangle_material = keep(upload(mesh.material));
    buffers_.boxes = keep(upload(boxes));
    buffers_.curve = keep(upload(curve));
    buffers_.commands = keep(upload(commands));
  }

  Picture picture(const DrawOptions& options = {}) {
    renderer_.draw(target_, camera_, buffers_, options);
    return target_.read_back();
  }
  Picture background() {
    renderer_.draw(target_, camera_, {}, {});
    return target_.read_back();
  }

  // Looks along -z at the square from (-1, -1) to (1, 1) at z = 0.
  void look_straight() {
    camera_.yaw = camera_.pitch = 0.0F;
    camera_.target = glm::vec3(0.0F);
    camera_.scene_centre = camera_.target;
    camera_.scene_radius = 2.0F;
    camera_.distance = 1.0F / std::tan(camera_.field_of_view / 2.0F);
  }

  // Three plain materials: red, green, blue.
  void set_plain_materials() {
    std::vector<Surface> materials(3);
    materials[0].base_colour = {0.8F, 0.02F, 0.02F};
    materials[1].base_colour = {0.02F, 0.8F, 0.02F};
    materials[2].base_colour = {0.02F, 0.02F, 0.8F};
    for (Surface& material : materials) material.roughness = 1.0F;
    renderer_.set_materials(materials, {});
  }

  Renderer renderer_;
  Framebuffer target_{side, side};
  Camera camera_;
  DrawBuffers buffers_;

 private:
  GLuint keep(GlBuffer buffer) {
    owned_.push_back(std::move(buffer));
    return owned_.back().get();
  }
  std::vector<GlBuffer> owned_;
};

std::span<const std::uint8_t, 3> pixel(const Picture& image, int x, int y) {
  const auto index = 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                          static_cast<std::size_t>(x));
  return std::span<const std::uint8_t, 3>(&image.rgba[index], 3);
}

// 0 red, 1 green, 2 blue: the strongest channel.
int hue(const Picture& image, int x, int y) {
  const auto rgb = pixel(image, x, y);
  return static_cast<int>(std::max_element(rgb.begin(), rgb.end()) - rgb.begin());
}

TEST_F(RendererTest, SphereCoversItsDiscAndNothingElse) {
  show(sphere());
  camera_.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  const Picture empty = background();
  const Picture image = picture();
  const double covered = compare_images(image, empty);
  EXPECT_GT(covered, 0.15);
  EXPECT_LT(covered, 0.8);
  EXPECT_GT(pixel(image, side / 2, side / 2)[0], 60);
  for (const int x : {0, side - 1})
    for (const int y : {0, side - 1})
      for (int channel = 0; channel < 3; ++channel)
        EXPECT_EQ(pixel(image, x, y)[channel], pixel(empty, x, y)[channel]);
}

TEST_F(RendererTest, SameInputSamePicture) {
  show(sphere());
  const DrawOptions everything{.wire = true, .boxes = true, .curve = true, .points = true};
  const Picture first = picture(everything);
  EXPECT_EQ(picture(everything).rgba, first.rgba);
}

TEST_F(RendererTest, EveryPassChangesThePicture) {
  show(sphere());
  camera_.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  const Picture empty = background();
  const Picture lit = picture();
  EXPECT_GT(compare_images(lit, picture({.wire = true})), 0.02);
  EXPECT_GT(compare_images(lit, picture({.boxes = true})), 0.02);
  EXPECT_GT(compare_images(lit, picture({.curve = true})), 0.02);
  EXPECT_GT(compare_images(lit, picture({.points = true})), 0.02);
  EXPECT_GT(compare_images(empty, picture({.mesh = false, .wire = true})), 0.02);
  EXPECT_GT(compare_images(empty, picture({.mesh = false, .boxes = true})), 0.02);
  EXPECT_GT(compare_images(empty, picture({.mesh = false, .curve = true})), 0.02);
  EXPECT_GT(compare_images(empty, picture({.mesh = false, .points = true})), 0.02);
  EXPECT_EQ(compare_images(empty, picture({.mesh = false})), 0.0);
  EXPECT_GT(
      compare_images(picture({.boxes = true, .level = 0}), picture({.boxes = true, .level = 1})),
      0.01);
}

TEST_F(RendererTest, NearerSurfacesHideFartherOnesInAnyOrder) {
  look_straight();
  set_plain_materials();
  for (const bool nearer_first : {true, false}) {
    Mesh mesh;
    if (nearer_first) add_rectangle(mesh, {-0.5F, -0.5F}, {0.5F, 0.5F}, 0.3F, 1);
    add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
    if (!nearer_first) add_rectangle(mesh, {-0.5F, -0.5F}, {0.5F, 0.5F}, 0.3F, 1);
    show(mesh);
    const Picture image = picture();
    EXPECT_EQ(hue(image, side / 2, side / 2), 1);
    EXPECT_EQ(hue(image, side / 16, side / 2), 0);
  }
}

TEST_F(RendererTest, TheTopOfTheSceneIsTheTopOfTheImage) {
  look_straight();
  set_plain_materials();
  Mesh mesh;
  add_rectangle(mesh, {-1, 0}, {1, 1}, 0.0F, 1);
  add_rectangle(mesh, {-1, -1}, {1, 0}, 0.0F, 2);
  show(mesh);
  const Picture image = picture();
  EXPECT_EQ(hue(image, side / 2, side / 4), 1);
  EXPECT_EQ(hue(image, side / 2, 3 * side / 4), 2);
}

// Clipped triangles must not lose their number.
TEST_F(RendererTest, MaterialsFollowTrianglesThatAreCutByTheView) {
  look_straight();
  set_plain_materials();
  Mesh mesh;
  for (std::uint32_t strip = 0; strip < 9; ++strip) {
    const float x = -1.0F + static_cast<float>(strip) * 2.0F / 9.0F;
    add_rectangle(mesh, {x, -50.0F}, {x + 2.0F / 9.0F, 50.0F}, 0.0F, strip % 3);
  }
  show(mesh);
  for (const bool wire : {false, true}) {
    const Picture image = picture({.wire = wire});
    for (int strip = 0; strip < 9; ++strip)
      EXPECT_EQ(hue(image, (2 * strip + 1) * side / 18, side / 3), strip % 3) << strip;
  }
}

TEST_F(RendererTest, MaterialNumbersBeyondTheTableTakeTheLast) {
  look_straight();
  set_plain_materials();
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 1000);
  show(mesh);
  EXPECT_EQ(hue(picture(), side / 2, side / 2), 2);
  buffers_.triangle_material = 0;
  EXPECT_EQ(hue(picture(), side / 2, side / 2), 0);
}

TEST_F(RendererTest, BothSidesAreLitAlikeWhateverTheWinding) {
  look_straight();
  Mesh mesh;
  add_rectangle(mesh, {-0.8F, -0.8F}, {0.8F, 0.8F}, 0.0F, 0);
  show(mesh);
  const Picture front = picture();
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
    std::swap(mesh.indices[i], mesh.indices[i + 1]);
  show(mesh);
  EXPECT_LT(compare_images(front, picture(), 1), 0.01);
  for (Vertex& vertex : mesh.vertices) vertex.normal = vertex.normal * -1.0F;
  show(mesh);
  EXPECT_LT(compare_images(front, picture(), 1), 0.01);
  for (Vertex& vertex : mesh.vertices) vertex.normal = {0, 0, 0};  // the face's own is taken
  show(mesh);
  EXPECT_LT(compare_images(front, picture(), 1), 0.01);
}

TEST_F(RendererTest, TexturesStandUpright) {
  look_straight();
  Picture image{2, 2, {}};
  constexpr std::array<std::uint8_t, 4> red{255, 0, 0, 255};
  constexpr std::array<std::uint8_t, 4> green{0, 255, 0, 255};
  constexpr std::array<std::uint8_t, 4> blue{0, 0, 255, 255};
  for (const auto& colour : {red, green, blue, blue})  // top left, top right, below
    image.rgba.insert(image.rgba.end(), colour.begin(), colour.end());
  Surface material;
  material.base_colour = {1, 1, 1};
  material.roughness = 1.0F;
  material.texture = 0;
  renderer_.set_materials({&material, 1}, {&image, 1});
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
  show(mesh);
  const Picture shown = picture();
  EXPECT_EQ(hue(shown, side / 4, side / 4), 0);
  EXPECT_EQ(hue(shown, 3 * side / 4, side / 4), 1);
  EXPECT_EQ(hue(shown, side / 4, 3 * side / 4), 2);
  EXPECT_EQ(hue(shown, 3 * side / 4, 3 * side / 4), 2);

  material.texture = 1;
  EXPECT_THROW(renderer_.set_materials({&material, 1}, {&image, 1}), Error);
}

TEST_F(RendererTest, SurfacesCastShadows) {
  look_straight();
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
  add_rectangle(mesh, {-0.9F, 0.3F}, {-0.3F, 0.9F}, 0.5F, 0);
  show(mesh);
  const double shaded = compare_images(picture(), picture({.shadows = false}));
  EXPECT_GT(shaded, 0.02);
  EXPECT_LT(shaded, 0.25);
}

TEST_F(RendererTest, NothingIsDrawnOfAnEmptyMesh) {
  show({});
  const DrawOptions everything{.wire = true, .curve = true, .points = true};
  const Picture empty = background();
  EXPECT_EQ(picture(everything).rgba, empty.rgba);
  buffers_ = {};
  EXPECT_EQ(picture(everything).rgba, empty.rgba);
}

TEST_F(RendererTest, LinesThroughTheEyeAreCut) {
  look_straight();
  Mesh mesh;
  mesh.vertices = {{{-0.5F, -0.5F, -1}, {0, 0, 1}, {}}, {{0.1F, 0.1F, 100}, {0, 0, 1}, {}}};
  show(mesh);
  const double drawn = compare_images(background(), picture({.mesh = false, .curve = true}));
  EXPECT_GT(drawn, 0.001);
  EXPECT_LT(drawn, 0.1);
}

TEST_F(RendererTest, OneSampleAndOddSizesWork) {
  show(sphere());
  target_ = Framebuffer(97, 61, 1);
  EXPECT_EQ(target_.samples(), 1);
  EXPECT_GT(compare_images(background(), picture()), 0.1);
}

TEST_F(RendererTest, PicturesWithoutExtentAreRefused) {
  EXPECT_THROW(Framebuffer(0, 10), Error);
  EXPECT_THROW(Framebuffer(10, 1 << 30), Error);
}

}  // namespace
}  // namespace warpview
