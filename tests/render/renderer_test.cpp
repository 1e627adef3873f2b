#include "app/render/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "app/render/textures.h"
#include "gl_test.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/particles.h"
#include "tests/support/colour_vision.h"
#include "tests/support/pixels.h"

namespace warpview {
namespace {

constexpr int side = 128;

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

// What of a scene is drawn: the surface alone, to begin with.
struct Shown {
  bool mesh = true;
  bool wire = false;
  bool boxes = false;
  bool curve = false;
  bool points = false;
  int level = 0;  // of the boxes, for their colour
  bool shadows = true;
  bool dims_surfaces = true;
  Theme theme = Theme::dark;

  // What surrounds the scene is left to ground_test.cpp.
  RenderOptions options() const {
    return {.shadows = shadows,
            .ground = false,
            .horizon = false,
            .occlusion = false,
            .dims_surfaces = dims_surfaces,
            .theme = theme};
  }
};
constexpr Shown everything{.wire = true, .boxes = true, .curve = true, .points = true};

class RendererTest : public GlTest {
 protected:
  // Uploads the mesh with boxes, one by default, and a curve through all its vertices.
  void show(const Mesh& mesh, const std::vector<Aabb>& boxes = {{{-1, -1, -1}, {1, 1, 1}}}) {
    std::vector<Vec3> curve;
    for (const Vertex& vertex : mesh.vertices) curve.push_back(vertex.position);
    const auto indices = static_cast<std::uint32_t>(mesh.indices.size());
    const auto vertices = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto instances = static_cast<std::uint32_t>(boxes.size());
    drawn_ = {{indices, 1, 0, 0, 0},
              {24, instances, 0, 0, 0},
              {vertices, 1, 0, 0, 0},
              {vertices, 1, 0, 0, 0}};
    owned_.clear();
    vertices_ = keep(upload(mesh.vertices));
    indices_ = keep(upload(mesh.indices));
    material_ = keep(upload(mesh.material));
    boxes_ = keep(upload(boxes));
    curve_ = keep(upload(curve));
    commands_ = keep(upload(drawn_));
  }

  std::vector<DrawnOutput> outputs(const Shown& shown) const {
    std::vector<DrawnOutput> outputs;
    const auto add = [&](bool wanted, OutputKind kind, std::vector<GLuint> buffers,
                         std::size_t command, const OutputStyle& style = {}) {
      if (wanted && commands_ != 0)
        outputs.push_back({.kind = kind,
                           .buffers = std::move(buffers),
                           .command = command,
                           .drawn = drawn_[command],
                           .style = style});
    };
    add(shown.mesh, OutputKind::surface, {vertices_, indices_, material_}, 0);
    add(shown.wire, OutputKind::edges, {vertices_, indices_, material_}, 0);
    add(shown.boxes, OutputKind::boxes, {boxes_}, 1,
        BoxStyle{.level = static_cast<std::uint32_t>(shown.level)});
    add(shown.curve, OutputKind::strip, {curve_}, 2);
    add(shown.points, OutputKind::points, {vertices_}, 3);
    return outputs;
  }

  Picture picture(const Shown& shown = {}) {
    renderer_.draw(target_, camera_, outputs(shown), commands_, shown.options());
    return target_.read_back();
  }
  // With spheres of its own, of which two overlap.
  Picture picture_with_spheres(const Shown& shown, bool transparent) {
    const std::vector<DrawnSphere> places = {
        {{0.2F, 1.4F, 0.3F}, 0.2F}, {{0.5F, 1.5F, 0.0F}, 0.9F}, {{-1.5F, 0.2F, 0.4F}, 0.5F}};
    const GlBuffer spheres = upload(places);
    std::vector<DrawCommand> commands = drawn_;
    commands.push_back({6 * static_cast<std::uint32_t>(places.size()), 1, 0, 0, 0});
    const GlBuffer all = upload(commands);
    std::vector<DrawnOutput> drawn = outputs(shown);
    drawn.push_back({.kind = OutputKind::spheres,
                     .buffers = {spheres.get()},
                     .command = commands.size() - 1,
                     .drawn = commands.back(),
                     .style = SphereStyle{.radius = 0.35F}});
    RenderOptions options = shown.options();
    options.transparent = transparent;
    renderer_.draw(target_, camera_, drawn, all.get(), options);
    return target_.read_back();
  }
  Picture background(Theme theme = Theme::dark) {
    renderer_.draw(target_, camera_, {}, 0, Shown{.theme = theme}.options());
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
    renderer_.set_look({.materials = materials, .images = {}});
  }

  Renderer renderer_;
  Framebuffer target_{side, side};
  Camera camera_;
  GLuint commands_ = 0;

 private:
  GLuint keep(GlBuffer buffer) {
    owned_.push_back(std::move(buffer));
    return owned_.back().get();
  }
  std::vector<GlBuffer> owned_;
  std::vector<DrawCommand> drawn_;
  GLuint vertices_ = 0, indices_ = 0, material_ = 0, boxes_ = 0, curve_ = 0;
};

std::array<int, 3> pixel(const Picture& image, int x, int y) {
  const auto [r, g, b, a] = rgba_at(image, x, y);
  return {r, g, b};
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

Rgb rgb_of(const std::array<int, 3>& c) {
  return decoded({c[0] / 255.0, c[1] / 255.0, c[2] / 255.0});
}

// Of the pixel that stands out most from what is behind it.
double most_contrast(const Picture& image, const Picture& behind) {
  double most = 1.0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      most = std::max(most, contrast(rgb_of(pixel(image, x, y)), rgb_of(pixel(behind, x, y))));
  return most;
}

TEST_F(RendererTest, LinesAndPointsAreSeenInBothThemes) {
  show(sphere());
  camera_.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const bool light = theme == Theme::light;
    const Picture empty = background(theme);
    for (const int place : {0, side / 2, side - 1}) {
      const double paper = luminance(rgb_of(pixel(empty, place, place)));
      if (light) {
        EXPECT_GE(paper, 0.55);
      } else {
        EXPECT_LE(paper, 0.08);
      }
    }
    constexpr double visible = 3.0;
    const auto alone = [&](Shown shown) {
      shown.mesh = false;
      shown.theme = theme;
      return most_contrast(picture(shown), empty);
    };
    for (int level = 0; level < 8; ++level)
      EXPECT_GE(alone({.boxes = true, .level = level}), visible) << level << ", light: " << light;
    EXPECT_GE(alone({.curve = true}), visible) << "light: " << light;
    EXPECT_GE(alone({.points = true}), visible) << "light: " << light;
    EXPECT_GE(alone({.wire = true}), visible) << "light: " << light;
    // Over the surface, which steps back behind them.
    Shown over{.curve = true};
    Shown under;
    over.theme = under.theme = theme;
    EXPECT_GE(most_contrast(picture(over), picture(under)), 1.5) << "light: " << light;
  }
}

// Of a colour, 0 to 1: how far it is from grey.
double saturation(const std::array<int, 3>& c) {
  const double least = std::min({c[0], c[1], c[2]});
  const double most = std::max({c[0], c[1], c[2]});
  return most > 0.0 ? (most - least) / most : 0.0;
}

// A legend says what its hue means: it must be told under the lines, too.
TEST_F(RendererTest, SurfacesKeepTheirHueUnderLines) {
  set_plain_materials();
  look_straight();
  const std::vector<Aabb> out_of_sight = {{{8, 8, 0}, {9, 9, 1}}};
  for (const Theme theme : {Theme::dark, Theme::light})
    for (std::uint32_t material = 0; material < 3; ++material) {
      SCOPED_TRACE(std::string(name_of(theme)) + ", material " + std::to_string(material));
      Mesh mesh;
      add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, material);
      show(mesh, out_of_sight);
      const auto middle = [&](bool boxes, bool dims) {
        const Picture drawn = picture({.boxes = boxes, .dims_surfaces = dims, .theme = theme});
        const auto rgb = pixel(drawn, side / 2, side / 2);
        EXPECT_EQ(hue(drawn, side / 2, side / 2), static_cast<int>(material));
        return std::array{rgb[0], rgb[1], rgb[2]};
      };
      const auto bare = middle(false, true);
      const auto dimmed = middle(true, true);
      EXPECT_NE(dimmed, bare) << "nothing is dimmed";
      EXPECT_EQ(middle(true, false), bare) << "dimmed though it should not be";
      EXPECT_GT(saturation(dimmed), theme == Theme::dark ? 0.6 : 0.2);
    }
}

// Front and back of a level can be told apart, and deep levels do not fill the picture.
TEST_F(RendererTest, BoxesFadeWithDepthAndThinWithTheirLevel) {
  look_straight();
  show(sphere(),
       {{{-0.8F, -0.5F, 1.2F}, {-0.3F, 0.5F, 1.3F}}, {{0.3F, -0.5F, -1.3F}, {0.8F, 0.5F, -1.2F}}});
  const auto strongest = [&](const Picture& drawn, const Picture& bare, bool left) {
    int most = 0;
    for (int y = 0; y < side; ++y)
      for (int x = left ? 0 : side / 2; x < (left ? side / 2 : side); ++x)
        most = std::max(most, pixel(drawn, x, y)[2] - pixel(bare, x, y)[2]);
    return most;
  };
  const Picture near_and_far = picture({.mesh = false, .boxes = true});
  const int near = strongest(near_and_far, background(), true);
  const int far = strongest(near_and_far, background(), false);
  EXPECT_GT(far, 20);
  EXPECT_GT(near, far + far / 2);
  const auto inked = [&](int level) {
    return compare_images(picture({.mesh = false, .boxes = true, .level = level}), background());
  };
  EXPECT_GT(inked(0), 1.05 * inked(10));
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

TextureArrays textures(const std::vector<Image>& images) {
  return make_textures(images, ~std::uint64_t{0}, [](float) {});
}

TEST_F(RendererTest, TexturesStandUpright) {
  look_straight();
  Image image{.file = {}, .width = 2, .height = 2, .rgba = {}};
  constexpr std::array<std::uint8_t, 4> red{255, 0, 0, 255};
  constexpr std::array<std::uint8_t, 4> green{0, 255, 0, 255};
  constexpr std::array<std::uint8_t, 4> blue{0, 0, 255, 255};
  for (const auto& colour : {red, green, blue, blue})  // top left, top right, below
    image.rgba.insert(image.rgba.end(), colour.begin(), colour.end());
  Surface material;
  material.base_colour = {1, 1, 1};
  material.roughness = 1.0F;
  material.texture = 0;
  renderer_.set_look({.materials = {material}, .images = textures({image})});
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
  show(mesh);
  const Picture shown = picture();
  EXPECT_EQ(hue(shown, side / 4, side / 4), 0);
  EXPECT_EQ(hue(shown, 3 * side / 4, side / 4), 1);
  EXPECT_EQ(hue(shown, side / 4, 3 * side / 4), 2);
  EXPECT_EQ(hue(shown, 3 * side / 4, 3 * side / 4), 2);

  // What cannot be taken changes nothing.
  material.texture = 1;
  EXPECT_THROW(renderer_.set_look({.materials = {material}, .images = textures({image})}), Error);
  EXPECT_EQ(picture().rgba, shown.rgba);
}

class TexturePlacementTest : public RendererTest {
 protected:
  // The square with a picture of its size: the left half red, the right half green, the lowest
  // quarter blue.
  Picture placed(Vec2 scale, Vec2 offset, bool is_clamped) {
    look_straight();
    constexpr std::uint32_t pixels = 64;
    Image image{.file = {}, .width = pixels, .height = pixels, .rgba = {}};
    for (std::uint32_t y = 0; y < pixels; ++y)
      for (std::uint32_t x = 0; x < pixels; ++x) {
        const std::size_t first = image.rgba.size();
        image.rgba.insert(image.rgba.end(), {0, 0, 0, 255});
        image.rgba[first + (y >= 3 * pixels / 4 ? 2 : x < pixels / 2 ? 0 : 1)] = 255;
      }
    Surface material;
    material.base_colour = {1, 1, 1};
    material.roughness = 1.0F;
    material.texture = 0;
    material.texture_scale = scale;
    material.texture_offset = offset;
    material.is_clamped = is_clamped ? 1 : 0;
    renderer_.set_look({.materials = {material}, .images = textures({image})});
    Mesh mesh;
    add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
    show(mesh);
    return picture();
  }

  // At these eighths of the picture's width, in its upper half.
  static std::vector<int> row(const Picture& shown) {
    std::vector<int> hues;
    for (const int eighth : {1, 3, 5, 7}) hues.push_back(hue(shown, eighth * side / 8, side / 5));
    return hues;
  }
};

TEST_F(TexturePlacementTest, TextureCoordinatesAreScaledAndMoved) {
  EXPECT_EQ(row(placed({1, 1}, {0, 0}, false)), (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(row(placed({2, 1}, {0, 0}, false)), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(row(placed({1, 1}, {0.5F, 0}, false)), (std::vector<int>{1, 1, 0, 0}));
  EXPECT_EQ(row(placed({2, 1}, {0.5F, 0}, false)), (std::vector<int>{1, 0, 1, 0}));
  EXPECT_EQ(row(placed({-1, 1}, {1, 0}, false)), (std::vector<int>{1, 1, 0, 0}));
  // What is above 1/4 of the picture's height comes to its lower edge.
  const Picture raised = placed({1, 1}, {0, 0.25F}, false);
  EXPECT_EQ(hue(raised, side / 4, 7 * side / 8), 0);
  EXPECT_EQ(hue(raised, side / 4, side / 8), 2);
  const Picture halved = placed({1, 2}, {0, 0}, false);
  for (const int eighth : {3, 7}) EXPECT_EQ(hue(halved, side / 4, eighth * side / 8 + 4), 2);
}

// The edge goes on, and nothing of the opposite one is mixed in, however coarse the level is.
TEST_F(TexturePlacementTest, ClampedTexturesDoNotRepeat) {
  EXPECT_EQ(row(placed({3, 1}, {0, 0}, true)), (std::vector<int>{0, 1, 1, 1}));
  for (const float scale : {3.0F, 10.0F, 60.0F, 500.0F}) {
    const Picture shown = placed({scale, scale}, {(1 - scale) / 2, (1 - scale) / 2}, true);
    const int edge = side / 2 - std::max(1, static_cast<int>(0.75F * side / scale));
    for (int x = 1; x < edge; ++x) {
      const auto left = pixel(shown, x, side / 8);
      const auto right = pixel(shown, side - 1 - x, side / 8);
      ASSERT_GT(left[0], 2 * left[1]) << scale << ", " << x;
      ASSERT_GT(right[1], 2 * right[0]) << scale << ", " << x;
      ASSERT_GT(left[0], 2 * left[2]) << scale << ", " << x;
    }
  }
}

// So unlike that they hardly share an array.
TEST_F(RendererTest, TexturesOfAllSizesAreFound) {
  look_straight();
  std::vector<Image> images;
  std::vector<Surface> materials;
  constexpr std::array<std::uint32_t, 8> widths = {1, 3, 9, 27, 81, 243, 729, 2048};
  constexpr std::uint32_t count = widths.size();
  for (std::uint32_t i = 0; i < count; ++i) {
    Image& image = images.emplace_back();
    image.width = widths.at(i);
    image.height = 2048 / image.width;
    const std::uint32_t pixels = image.width * image.height;
    for (std::uint32_t p = 0; p < pixels; ++p) {
      const std::size_t first = image.rgba.size();
      image.rgba.insert(image.rgba.end(), {0, 0, 0, 255});
      image.rgba[first + i % 3] = 255;
    }
    Surface& material = materials.emplace_back();
    material.base_colour = {1, 1, 1};
    material.roughness = 1.0F;
    material.texture = static_cast<std::int32_t>(i);
  }
  const TextureArrays arrays = textures(images);
  EXPECT_GT(arrays.arrays.size(), most_texture_arrays / 2);
  renderer_.set_look({.materials = materials, .images = arrays});
  Mesh mesh;
  for (std::uint32_t strip = 0; strip < count; ++strip)
    add_rectangle(mesh, {-1.0F + 2.0F * static_cast<float>(strip) / count, -1},
                  {-1.0F + 2.0F * static_cast<float>(strip + 1) / count, 1}, 0.0F, strip);
  show(mesh);
  for (const bool wire : {false, true}) {
    const Picture shown = picture({.wire = wire});
    for (int strip = 0; strip < static_cast<int>(count); ++strip)
      EXPECT_EQ(hue(shown, (2 * strip + 1) * side / static_cast<int>(2 * count), side / 3),
                strip % 3)
          << strip;
  }
}

// More than one array of OpenGL's holds: the last of them, and not another, is drawn.
TEST_F(RendererTest, ThousandsOfTexturesAreDrawnAsTheyAre) {
  look_straight();
  Image white{.file = {}, .width = 1, .height = 1, .rgba = {255, 255, 255, 255}};
  std::vector<Image> images(2100, white);
  images.back().rgba = {0, 255, 0, 255};
  Surface material;
  material.base_colour = {1, 1, 1};
  material.roughness = 1.0F;
  material.texture = static_cast<std::int32_t>(images.size() - 1);
  renderer_.set_look({.materials = {material}, .images = textures(images)});
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
  show(mesh);
  EXPECT_EQ(hue(picture(), side / 2, side / 2), 1);
}

// What OpenGL does not take is an error that says so, and changes nothing.
TEST_F(RendererTest, TexturesThatOpenGlDoesNotTakeAreRefused) {
  look_straight();
  set_plain_materials();
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 1);
  show(mesh);
  const Picture before = picture();
  const auto refusal = [&](TextureArray array) {
    SurfaceLook look;
    look.images.arrays.push_back(std::move(array));
    try {
      renderer_.set_look(look);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  GLint most_layers = 0;
  GLint longest = 0;
  glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &most_layers);
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &longest);
  TextureArray many;
  many.layers.resize(static_cast<std::size_t>(most_layers) + 1);
  EXPECT_NE(refusal(many).find(std::to_string(most_layers)), std::string::npos) << refusal(many);
  // It is refused before anything is read of the layers, of which there is nothing.
  const std::string wide = refusal({.width = 2 * longest, .height = 1, .layers = {}});
  EXPECT_NE(wide.find("refuses it"), std::string::npos) << wide;
  TextureArray large{.width = longest, .height = longest, .layers = {}};
  large.layers.resize(static_cast<std::size_t>(most_layers));
  const std::string memory = refusal(std::move(large));
  // A GPU's driver may promise the memory; then it is the missing pixels that are refused.
  const auto* const renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  if (std::string(renderer).find("llvmpipe") != std::string::npos) {
    EXPECT_NE(memory.find("has no memory for it"), std::string::npos) << memory;
    EXPECT_NE(memory.find("smaller textures"), std::string::npos) << memory;
  }
  EXPECT_NE(memory, "taken");
  EXPECT_EQ(picture().rgba, before.rgba);
}

// Where the CPU draws, each texel of the shadow map costs under each triangle.
TEST_F(RendererTest, ASmallPictureHasASmallShadowMap) {
  look_straight();
  Mesh mesh;
  add_rectangle(mesh, {-1, -1}, {1, 1}, 0.0F, 0);
  add_rectangle(mesh, {-0.9F, 0.3F}, {-0.3F, 0.9F}, 0.5F, 0);
  show(mesh);
  const Picture first = picture();
  EXPECT_LE(renderer_.shadow_side(), 1024);
  const auto side_for = [&](int width, int height) {
    const Framebuffer target(width, height);
    renderer_.draw(target, camera_, outputs({}), commands_, Shown{}.options());
    return renderer_.shadow_side();
  };
  EXPECT_EQ(side_for(16, 16), 256);
  EXPECT_EQ(side_for(1280, 720), 2048);
  EXPECT_EQ(side_for(1, 4096), 2048);
  EXPECT_EQ(picture().rgba, first.rgba);
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
  show({}, {});
  const Picture empty = background();
  for (const bool slices : {true, false}) {
    renderer_.draw_in_slices(slices);
    EXPECT_EQ(picture(everything).rgba, empty.rgba);
  }
  commands_ = 0;
  EXPECT_EQ(picture(everything).rgba, empty.rgba);
}

// More than fits into one slice, so that materials, the strip's joints and the boxes' places must
// go on where the last slice ended.
TEST_F(RendererTest, SlicesAreDrawnAsOnePiece) {
  constexpr int columns = 181;
  constexpr int rows = 180;
  look_straight();
  set_plain_materials();
  Mesh mesh;
  std::vector<Aabb> boxes;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const Vec2 low = {-1.0F + 2.0F * static_cast<float>(column) / columns,
                        -1.0F + 2.0F * static_cast<float>(row) / rows};
      const Vec2 high = {low.x + 2.0F / columns, low.y + 2.0F / rows};
      add_rectangle(mesh, low, high, 0.01F * static_cast<float>((row + column) % 7),
                    static_cast<std::uint32_t>(row / 20 + column / 30) % 3);
      if (row % 3 == 0) boxes.push_back({{low.x, low.y, 0.0F}, {high.x, high.y, 0.1F}});
    }
  ASSERT_GT(mesh.indices.size(), 180'000U);
  ASSERT_GT(mesh.vertices.size(), 120'000U);
  ASSERT_GT(24 * boxes.size(), 180'000U);
  show(mesh, boxes);
  const std::array parts = {Shown{},
                            Shown{.wire = true},
                            Shown{.mesh = false, .wire = true},
                            Shown{.mesh = false, .boxes = true},
                            Shown{.mesh = false, .curve = true},
                            Shown{.mesh = false, .points = true},
                            everything};
  const Picture empty = background();
  Picture whole;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    SCOPED_TRACE(i);
    renderer_.draw_in_slices(false);
    whole = picture(parts[i]);
    EXPECT_GT(compare_images(whole, empty), 0.1);
    renderer_.draw_in_slices(true);
    EXPECT_EQ(picture(parts[i]).rgba, whole.rgba);
  }
  // One that is given up after a slice leaves nothing behind that the next one shows.
  for (const int most : {1, 12}) {
    int left = most;
    const Interruptible gives_up([&left] {
      if (--left == 0) throw Interrupted();
    });
    EXPECT_THROW(picture(everything), Interrupted);
    EXPECT_EQ(glIsEnabled(GL_BLEND), GL_FALSE);
    EXPECT_EQ(glIsEnabled(GL_DEPTH_TEST), GL_FALSE);
    EXPECT_EQ(picture(everything).rgba, whole.rgba);
  }
}

// Around the length of a slice: 10 000 vertices, of which slices of a strip share one. The line
// goes far where one slice ends and the next begins, so that a gap shows.
TEST_F(RendererTest, SlicesEndWhereTheStripEnds) {
  constexpr int slice = 10'000;
  look_straight();
  for (const int length : {2, slice - 1, slice, slice + 1, slice + 2, 2 * slice - 1, 2 * slice,
                           2 * slice + 1, 2 * slice + 2}) {
    SCOPED_TRACE(length);
    Mesh mesh;
    for (int i = 0; i < length; ++i) {
      const auto corner = static_cast<float>((i + 1) / slice + i / slice);
      mesh.vertices.push_back(
          {{0.9F * std::cos(corner), 0.9F * std::sin(corner), 0}, {0, 0, 1}, {}});
    }
    show(mesh, {});
    for (const Shown& part :
         {Shown{.mesh = false, .curve = true}, Shown{.mesh = false, .points = true}}) {
      renderer_.draw_in_slices(false);
      const Picture whole = picture(part);
      renderer_.draw_in_slices(true);
      EXPECT_EQ(picture(part).rgba, whole.rgba);
      if (part.points) {
        EXPECT_NE(whole.rgba, background().rgba);
      }
    }
  }
}

// Two surfaces in one picture keep their own buffers, and the edges of one are not the other's.
TEST_F(RendererTest, SurfacesSideBySide) {
  look_straight();
  set_plain_materials();
  Mesh left;
  add_rectangle(left, {-1, -1}, {-0.1F, 1}, 0.0F, 0);
  show(left);
  std::vector<DrawnOutput> both = outputs({});
  Mesh right;
  add_rectangle(right, {0.1F, -1}, {1, 1}, 0.0F, 2);
  const GlBuffer vertices = upload(right.vertices);
  const GlBuffer indices = upload(right.indices);
  const GlBuffer material = upload(right.material);
  both.push_back(both.front());
  both.back().buffers = {vertices.get(), indices.get(), material.get()};
  const auto draw = [&] {
    renderer_.draw(target_, camera_, both, commands_, Shown{}.options());
    return target_.read_back();
  };
  const Picture plain = draw();
  EXPECT_EQ(hue(plain, side / 4, side / 2), 0);
  EXPECT_EQ(hue(plain, 3 * side / 4, side / 2), 2);
  both.push_back(both.back());
  both.back().kind = OutputKind::edges;
  const Picture edges = draw();
  double changed_left = 0;
  double changed_right = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      if (!std::ranges::equal(pixel(plain, x, y), pixel(edges, x, y)))
        ++(x < side / 2 ? changed_left : changed_right);
  EXPECT_EQ(changed_left, 0);
  EXPECT_GT(changed_right, 100);
}

// One sphere of a radius in the middle of the view, by its style.
TEST_F(RendererTest, SpheresAreAsTheirStyleSays) {
  look_straight();
  const auto draw = [&](float value, const SphereStyle& style) {
    const GlBuffer spheres = upload(std::vector<DrawnSphere>{{{0, 0, 0}, value}});
    const std::vector<DrawCommand> one = {{6, 1, 0, 0, 0}};
    const GlBuffer commands = upload(one);
    renderer_.draw(target_, camera_,
                   {{.kind = OutputKind::spheres,
                     .buffers = {spheres.get()},
                     .drawn = one.front(),
                     .style = style}},
                   commands.get(), Shown{.shadows = false}.options());
    return target_.read_back();
  };
  const Picture empty = background();
  // The view is two wide; perspective makes them a little larger than their disc.
  for (const float radius : {0.1F, 0.25F, 0.5F}) {
    const double disc = 3.14159265 * double{radius} * double{radius} / 4.0;
    const double covered = compare_images(draw(0.5F, {.radius = radius}), empty);
    EXPECT_GT(covered, 0.9 * disc) << radius;
    EXPECT_LT(covered, 1.4 * disc) << radius;
  }
  EXPECT_EQ(draw(0.5F, {}).rgba, empty.rgba);
  // The ends of low to high differ; those of a circle of hues are neighbours.
  const auto centre = [](const Picture& picture) {
    const auto rgb = pixel(picture, side / 2, side / 2);
    return std::array<int, 3>{rgb[0], rgb[1], rgb[2]};
  };
  const auto distance = [](const std::array<int, 3>& a, const std::array<int, 3>& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
  };
  const auto colour = [&](float value, bool has_hues) {
    return centre(draw(value, {0.5F, has_hues}));
  };
  EXPECT_GT(distance(colour(0.0F, false), colour(1.0F, false)), 60);
  EXPECT_LT(distance(colour(0.0F, true), colour(1.0F, true)), 30);
  EXPECT_GT(distance(colour(0.0F, true), colour(0.5F, true)), 60);
}

// A picture that a kernel made, with what lies behind it.
TEST_F(RendererTest, PicturesAreShownAsTheyAreOverTheWholeView) {
  std::vector<std::uint32_t> pixels(std::size_t{side} * side);
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x)
      pixels[std::size_t{y} * side + x] = 0xff000000U | (x ^ y) << 16U | y << 8U | x;
  const auto draw = [&](std::uint32_t width, std::uint32_t height) {
    const GlBuffer image = upload(pixels);
    const std::vector<DrawCommand> one = {{3, 1, 0, 0, 0}};
    const GlBuffer commands = upload(one);
    renderer_.draw(target_, camera_,
                   {{.kind = OutputKind::image,
                     .buffers = {image.get()},
                     .drawn = one.front(),
                     .style = ImageStyle{width, height}}},
                   commands.get(), Shown{}.options());
    return target_.read_back();
  };
  const Picture empty = background();
  const Picture whole = draw(side, side);
  for (const int y : {0, 1, 50, side - 1})
    for (const int x : {0, 7, 64, side - 1}) {
      const std::array<int, 3> want = {x, y, x ^ y};
      const auto found = pixel(whole, x, y);
      EXPECT_TRUE(std::equal(want.begin(), want.end(), found.begin())) << x << ", " << y;
    }
  // Twice as wide as high: bars above and below, and each column as it was.
  const Picture wide = draw(side, side / 2);
  for (const int x : {3, side / 2, side - 3}) {
    EXPECT_TRUE(std::ranges::equal(pixel(wide, x, side / 4 - 2), pixel(empty, x, side / 4 - 2)));
    EXPECT_EQ(pixel(wide, x, side / 2)[0], x);
    EXPECT_EQ(pixel(wide, x, side / 2)[1], side / 4);
    EXPECT_TRUE(std::ranges::equal(pixel(wide, x, side - 9), pixel(empty, x, side - 9)));
  }
  // Smaller ones become larger.
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = 0xff000000U | static_cast<std::uint32_t>(i % (side / 2));
  const Picture large = draw(side / 2, side / 2);
  EXPECT_NEAR(pixel(large, side / 2, side / 2)[0], side / 4, 1);
  // Half of what lies behind is seen.
  std::fill(pixels.begin(), pixels.end(), 0x800000ffU);
  const Picture half = draw(side, side);
  EXPECT_NEAR(pixel(half, 20, 20)[0], (pixel(empty, 20, 20)[0] + 255) / 2, 2);
  EXPECT_NEAR(pixel(half, 20, 20)[2], pixel(empty, 20, 20)[2] / 2, 2);
  EXPECT_EQ(draw(0, side).rgba, empty.rgba);
}

// Whatever else is drawn stands before it.
TEST_F(RendererTest, BodiesStandBeforePictures) {
  look_straight();
  set_plain_materials();
  Mesh mesh;
  add_rectangle(mesh, {-0.5F, -0.5F}, {0.5F, 0.5F}, 0.0F, 0);
  show(mesh);
  std::vector<DrawnOutput> all = outputs({});
  const std::vector<std::uint32_t> pixels(std::size_t{side} * side, 0xffff0000U);
  const GlBuffer image = upload(pixels);
  all.push_back({.kind = OutputKind::image,
                 .buffers = {image.get()},
                 .command = 0,
                 .drawn = {3, 1, 0, 0, 0},
                 .style = ImageStyle{side, side}});
  renderer_.draw(target_, camera_, all, commands_, Shown{}.options());
  const Picture both = target_.read_back();
  EXPECT_EQ(hue(both, side / 2, side / 2), 0);
  EXPECT_EQ(hue(both, 4, 4), 2);
}

// Laid over a background it is what is drawn before that background: with its colours multiplied by
// their alpha as they are drawn, and as a file has them.
TEST_F(RendererTest, ATransparentPictureLiesOverAnyBackground) {
  show(sphere());
  camera_.fit({{-1.5F, -1.5F, -1.5F}, {1.5F, 1.5F, 1.5F}}, 1.0F);
  constexpr Shown cases[] = {
      {}, {.mesh = false, .boxes = true, .curve = true}, everything, {.wire = true, .boxes = true}};
  for (const Theme theme : {Theme::dark, Theme::light})
    for (Shown shown : cases) {
      shown.theme = theme;
      const Picture behind = background(theme);
      const Picture opaque = picture_with_spheres(shown, false);
      const Picture drawn = picture_with_spheres(shown, true);
      const Picture file = unmultiplied(drawn);
      std::array<std::size_t, 3> alphas{};  // none, some, all
      int worst = 0;
      for (std::size_t i = 0; i < drawn.rgba.size(); i += 4) {
        const int alpha = drawn.rgba[i + 3];
        ++alphas[alpha == 0 ? 0 : alpha < 255 ? 1 : 2];
        ASSERT_EQ(file.rgba[i + 3], alpha);
        ASSERT_EQ(opaque.rgba[i + 3], 255);
        for (std::size_t c = i; c < i + 3; ++c) {
          ASSERT_LE(drawn.rgba[c], alpha);
          const double shines = (1.0 - alpha / 255.0) * behind.rgba[c];
          const double over = drawn.rgba[c] + shines;
          const double from_file = file.rgba[c] * alpha / 255.0 + shines;
          for (const double found : {over, from_file})
            worst =
                std::max(worst, static_cast<int>(std::lround(std::abs(found - opaque.rgba[c]))));
        }
      }
      EXPECT_LE(worst, 3);  // of rounding, layer by layer
      const std::size_t pixels = drawn.rgba.size() / 4;
      EXPECT_GT(alphas[0], pixels / 10) << "nothing is free";
      EXPECT_GT(alphas[1], pixels / 100) << "edges are not smooth";
      EXPECT_GT(alphas[2], shown.mesh ? pixels / 10 : pixels / 200);
    }
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
