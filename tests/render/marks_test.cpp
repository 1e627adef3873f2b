// Points and lines of files, colours of corners, colourings, what is lit up, and the cut: where the
// picture changes, and where it does not.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/render/renderer.h"
#include "gl_test.h"
#include "gpu/runtime/vertex.h"
#include "tests/support/pixels.h"

namespace warpview {
namespace {

constexpr int side = 128;
constexpr std::uint32_t red = 0xff0000ffU;
constexpr std::uint32_t green = 0xff00ff00U;
constexpr std::uint32_t blue = 0xffff0000U;

// Looks along -z at the square from (-1, -1) to (1, 1) at z = 0.
class MarksTest : public GlTest {
 protected:
  MarksTest() {
    camera_.yaw = camera_.pitch = 0.0F;
    camera_.target = camera_.scene_centre = glm::vec3(0.0F);
    camera_.scene_radius = 2.0F;
    camera_.distance = 1.0F / std::tan(camera_.field_of_view / 2.0F);
    std::vector<Surface> white(1);
    white[0].base_colour = {0.9F, 0.9F, 0.9F};
    white[0].roughness = 1.0F;
    renderer_.set_look({.materials = white, .images = {}});
  }

  static constexpr RenderOptions bare{
      .shadows = false, .ground = false, .horizon = false, .occlusion = false};

  GLuint keep(GlBuffer buffer) {
    owned_.push_back(std::move(buffer));
    return owned_.back().get();
  }
  // Its draw command is the one that is next.
  void add(DrawnOutput output, DrawCommand command) {
    output.command = commands_.size();
    output.drawn = command;
    commands_.push_back(command);
    outputs_.push_back(std::move(output));
  }
  void clear() {
    outputs_.clear();
    commands_.clear();
  }

  void add_marks(OutputKind kind, const std::vector<Vec3>& places,
                 const std::vector<std::uint32_t>& colours) {
    std::vector<Vertex> vertices;
    for (const Vec3& place : places) vertices.push_back({place, {0, 0, 1}, {0, 0}});
    add({.kind = kind, .buffers = {keep(upload(vertices)), keep(upload(colours))}},
        {static_cast<std::uint32_t>(places.size()), 1, 0, 0, 0});
  }
  static constexpr SurfaceStyle coloured{.has_colours = true};
  // A square of two triangles across the z axis: lower right and upper left.
  void add_square(const SurfaceStyle& style, const std::vector<std::uint32_t>& colours = {},
                  const std::vector<float>& values = {}, float half = 0.9F, float z = 0.0F) {
    std::vector<Vertex> vertices;
    for (const Vec2 corner : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}})
      vertices.push_back({{half * corner.x, half * corner.y, z}, {0, 0, 1}, {0, 0}});
    const std::vector<std::uint32_t> indices = {0, 1, 2, 0, 2, 3};
    add({.kind = OutputKind::surface,
         .buffers = {keep(upload(vertices)), keep(upload(indices)),
                     keep(upload(std::vector<std::uint32_t>{0, 0})), keep(upload(colours)),
                     keep(upload(values))},
         .style = style},
        {6, 1, 0, 0, 0});
  }

  Picture picture(const CutPlane& cut = {}) {
    const GlBuffer commands = upload(commands_);
    renderer_.draw(target_, camera_, outputs_, commands.get(), bare, cut);
    return target_.read_back();
  }
  Picture background() {
    renderer_.draw(target_, camera_, {}, 0, bare);
    return target_.read_back();
  }

  Renderer renderer_;
  Framebuffer target_{side, side};
  Camera camera_;
  std::vector<DrawnOutput> outputs_;
  std::vector<DrawCommand> commands_;

 private:
  std::vector<GlBuffer> owned_;
};

using PixelRgb = std::array<int, 3>;
PixelRgb pixel(const Picture& image, float x, float y) {  // as in the square
  const auto column = static_cast<int>(0.5F * (x + 1.0F) * (side - 1) + 0.5F);
  const auto row = static_cast<int>(0.5F * (1.0F - y) * (side - 1) + 0.5F);
  const auto [r, g, b, a] = rgba_at(image, column, row);
  return {r, g, b};
}
int strongest(const PixelRgb& rgb) {
  return static_cast<int>(std::max_element(rgb.begin(), rgb.end()) - rgb.begin());
}
int lightness(const PixelRgb& rgb) { return 2 * rgb[0] + 7 * rgb[1] + rgb[2]; }
// Of the columns (or rows) that differ, those on either side of the middle.
struct Changed {
  int left = 0, right = 0, low = 0, high = 0;
};
Changed changed(const Picture& a, const Picture& b) {
  Changed pixels;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const auto at = static_cast<std::size_t>(4 * (y * side + x));
      bool differs = false;
      for (std::size_t c = at; c < at + 3; ++c) differs |= std::abs(a.rgba[c] - b.rgba[c]) > 2;
      if (!differs) continue;
      ++(x < side / 2 ? pixels.left : pixels.right);
      ++(y < side / 2 ? pixels.high : pixels.low);
    }
  return pixels;
}

TEST_F(MarksTest, DotsHaveTheirColoursAndPlaces) {
  add_marks(OutputKind::dots, {{-0.5F, 0.5F, 0}, {0.5F, -0.5F, 0}}, {red, green});
  const Picture image = picture();
  const Picture empty = background();
  EXPECT_EQ(pixel(image, -0.5F, 0.5F), (PixelRgb{255, 0, 0}));
  EXPECT_EQ(pixel(image, 0.5F, -0.5F), (PixelRgb{0, 255, 0}));
  EXPECT_EQ(pixel(image, 0.5F, 0.5F), pixel(empty, 0.5F, 0.5F));
  const Changed all = changed(image, empty);
  EXPECT_GT(all.left, 20);
  EXPECT_LT(all.left + all.right, 300);
}

TEST_F(MarksTest, LinesGoFromEndToEnd) {
  add_marks(OutputKind::lines, {{-0.8F, 0.5F, 0}, {0.2F, 0.5F, 0}, {0.5F, -0.8F, 0}, {0.5F, 0, 0}},
            {red, red, blue, blue});
  const Picture image = picture();
  const Picture empty = background();
  EXPECT_EQ(strongest(pixel(image, -0.3F, 0.5F)), 0);
  EXPECT_EQ(strongest(pixel(image, 0.5F, -0.4F)), 2);
  for (const Vec2 between : {Vec2{0.35F, -0.15F}, Vec2{0.4F, 0.5F}, Vec2{0.5F, 0.3F}})
    EXPECT_EQ(pixel(image, between.x, between.y), pixel(empty, between.x, between.y));
}

// They are bodies: whatever is drawn first, the nearer hides the farther.
TEST_F(MarksTest, NearerDotsHideFartherOnes) {
  for (const bool near_first : {true, false}) {
    clear();
    const Vec3 near{0, 0, 0.5F};
    const Vec3 far{0, 0, -0.5F};
    if (near_first)
      add_marks(OutputKind::dots, {near, far}, {green, red});
    else
      add_marks(OutputKind::dots, {far, near}, {red, green});
    EXPECT_EQ(pixel(picture(), 0, 0), (PixelRgb{0, 255, 0})) << near_first;
  }
  clear();
  add_square({});
  const Picture plain = picture();
  add_marks(OutputKind::dots, {{0, 0, -0.5F}}, {red});
  EXPECT_EQ(picture().rgba, plain.rgba) << "behind a surface";
}

TEST_F(MarksTest, ColoursOfCornersMultiplyTheMaterial) {
  constexpr std::uint32_t white = 0xffffffffU;
  add_square({});
  const Picture plain = picture();
  clear();
  add_square(coloured, std::vector<std::uint32_t>(6, white));
  EXPECT_LT(compare_images(plain, picture(), 1), 0.01);
  // The lower right triangle is red, the upper left one green; they share two vertices.
  const std::vector<std::uint32_t> two = {red, red, red, green, green, green};
  for (const bool has_edges : {false, true}) {
    clear();
    add_square(coloured, two);
    if (has_edges) {
      DrawnOutput edges = outputs_.front();
      edges.kind = OutputKind::edges;
      add(edges, {6, 1, 0, 0, 0});
    }
    const Picture image = picture();
    EXPECT_EQ(strongest(pixel(image, 0.5F, -0.5F)), 0) << has_edges;
    EXPECT_EQ(strongest(pixel(image, -0.5F, 0.5F)), 1) << has_edges;
    EXPECT_LT(pixel(image, 0.5F, -0.5F)[1], 40) << has_edges;
  }
  // Between corners colours are mixed.
  clear();
  add_square(coloured, {red, blue, blue, red, blue, blue});
  const Picture mixed = picture();
  EXPECT_GT(pixel(mixed, -0.8F, -0.85F)[0], pixel(mixed, 0.0F, -0.85F)[0]);
  EXPECT_GT(pixel(mixed, 0.0F, -0.85F)[0], pixel(mixed, 0.8F, -0.85F)[0]);
}

TEST_F(MarksTest, SurfacesAreColouredByValues) {
  constexpr Colouring ramp = Colouring::ramp;
  const auto colour = [this](float value, Colouring by) {
    clear();
    add_square({.colouring = by}, {}, {value, 1.0F - value});
    return pixel(picture(), 0.5F, -0.5F);
  };
  int before = 0;
  for (const float value : {0.0F, 0.25F, 0.5F, 0.75F, 1.0F}) {
    const PixelRgb rgb = colour(value, ramp);
    EXPECT_GT(lightness(rgb), before + 100) << value;  // each is brighter
    before = lightness(rgb);
  }
  // The other triangle has the other value.
  EXPECT_GT(lightness(colour(1.0F, ramp)), lightness(pixel(picture(), -0.5F, 0.5F)) + 500);
  // Neighbours in Morton order look different.
  constexpr Colouring blocks = Colouring::blocks;
  float turns = 0.1F;
  PixelRgb last = colour(turns, blocks);
  for (int i = 0; i < 8; ++i) {
    turns = std::fmod(turns + 0.618034F, 1.0F);
    const PixelRgb next = colour(turns, blocks);
    EXPECT_GT(
        std::abs(next[0] - last[0]) + std::abs(next[1] - last[1]) + std::abs(next[2] - last[2]), 60)
        << i;
    last = next;
  }
  // A normal along z is blue.
  EXPECT_EQ(strongest(colour(0.0F, Colouring::normal)), 2);
}

TEST_F(MarksTest, WhatIsLitUpIsSeenWhereItIs) {
  add_square({});
  const Picture plain = picture();
  add({.kind = OutputKind::marked,
       .buffers = {keep(
           upload(std::vector<Vec3>{{0.2F, 0.2F, 0}, {0.7F, 0.2F, 0}, {0.2F, 0.7F, 0}}))},
       .dims_surfaces = false},
      {3, 1, 0, 0, 0});
  const Picture lit = picture();
  EXPECT_NE(pixel(lit, 0.35F, 0.35F), pixel(plain, 0.35F, 0.35F));
  const Changed pixels = changed(lit, plain);
  EXPECT_EQ(pixels.left, 0);
  EXPECT_EQ(pixels.low, 0);
  EXPECT_GT(pixels.right, 200);
  // One far smaller than a pixel, too.
  clear();
  add_square({});
  add({.kind = OutputKind::marked,
       .buffers = {keep(
           upload(std::vector<Vec3>{{0.5F, 0.5F, 0}, {0.501F, 0.5F, 0}, {0.5F, 0.501F, 0}}))},
       .dims_surfaces = false},
      {3, 1, 0, 0, 0});
  EXPECT_GT(changed(picture(), plain).right, 2);
  commands_.back().count = outputs_.back().drawn.count = 0;
  EXPECT_EQ(picture().rgba, plain.rgba);
}

TEST_F(MarksTest, APathGrowsBrighterFromBoxToBox) {
  const auto path = [this](bool is_path) {
    clear();
    const std::vector<Aabb> boxes = {{{-0.9F, -0.9F, 0}, {0.9F, 0.9F, 0}},
                                     {{-0.5F, -0.5F, 0}, {0.5F, 0.5F, 0}}};
    add({.kind = OutputKind::boxes,
         .buffers = {keep(upload(boxes))},
         .style = BoxStyle{.is_path = is_path},
         .dims_surfaces = false},
        {24, 2, 0, 0, 0});
    return picture();
  };
  const auto brightest_near = [](const Picture& image, float x) {
    int brightest = 0;
    for (float off = -0.04F; off <= 0.04F; off += 0.005F)
      brightest = std::max(brightest, lightness(pixel(image, x + off, 0)));
    return brightest;
  };
  const Picture image = path(true);
  EXPECT_GT(brightest_near(image, 0.5F), brightest_near(image, 0.9F) + 300);
  EXPECT_NE(path(false).rgba, image.rgba);
}

TEST_F(MarksTest, BoxesAreColouredByHowFarTheirChildrenOverlap) {
  const auto boxes = [this](const std::vector<float>& overlaps) {
    clear();
    const std::vector<Aabb> two_boxes = {{{-0.9F, -0.9F, 0}, {-0.1F, 0.9F, 0}},
                                         {{0.1F, -0.9F, 0}, {0.9F, 0.9F, 0}}};
    DrawnOutput output{.kind = OutputKind::boxes,
                       .buffers = {keep(upload(two_boxes))},
                       .style = BoxStyle{.by_overlap = !overlaps.empty()},
                       .dims_surfaces = false};
    if (!overlaps.empty()) output.buffers.push_back(keep(upload(overlaps)));
    add(output, {24, 2, 0, 0, 0});
    return picture();
  };
  const Picture of_a_level = boxes({});
  const Picture same = boxes({0.0F, 0.0F});
  const Picture image = boxes({0.0F, 1.0F});
  const Changed differs = changed(image, same);
  EXPECT_GT(differs.right, 500);
  EXPECT_EQ(differs.left, 0);
  const auto red_of = [](const Picture& of) {
    int most = 0;
    for (float off = -0.04F; off <= 0.04F; off += 0.005F)
      most = std::max(most, static_cast<int>(pixel(of, 0.9F + off, 0)[0]));
    return most;
  };
  EXPECT_GT(red_of(image), red_of(same) + 40) << "what overlaps wholly is red";
  EXPECT_EQ(boxes({}).rgba, of_a_level.rgba) << "a later output need not have the second stream";
}

// --- The cut

TEST_F(MarksTest, TheCutTakesAwayWhatLiesBeyondIt) {
  const CutPlane right_half{{1, 0, 0}, 0.0F};
  add_square({});
  add_marks(OutputKind::dots, {{-0.5F, 0.95F, 0}, {0.5F, 0.95F, 0}}, {red, green});
  add_marks(OutputKind::lines, {{-0.95F, -0.95F, 0}, {0.95F, -0.95F, 0}}, {red, red});
  add({.kind = OutputKind::boxes,
       .buffers = {keep(upload(std::vector<Aabb>{{{-0.7F, -0.7F, 0}, {0.7F, 0.7F, 0}}}))},
       .dims_surfaces = false},
      {24, 1, 0, 0, 0});
  const Picture whole = picture();
  const Picture cut = picture(right_half);
  const Picture empty = background();
  const Changed against_whole = changed(cut, whole);
  const Changed against_nothing = changed(cut, empty);
  EXPECT_GT(against_whole.right, 3000);
  EXPECT_EQ(against_whole.left, 0);
  EXPECT_GT(against_nothing.left, 3000);
  EXPECT_LE(against_nothing.right, side);  // a line's round end
  EXPECT_EQ(picture({{1, 0, 0}, 5.0F}).rgba, whole.rgba);
  EXPECT_EQ(picture({{0, -1, 0}, -5.0F}).rgba, empty.rgba);
}

// What lies behind the part that is cut off comes to light, from behind too.
TEST_F(MarksTest, TheCutShowsWhatLiesBehind) {
  add_square(coloured, std::vector<std::uint32_t>(6, red), {}, 0.5F, 0.5F);
  add_square(coloured, std::vector<std::uint32_t>(6, blue), {}, 0.9F, -0.5F);
  EXPECT_EQ(strongest(pixel(picture(), 0, 0)), 0);
  EXPECT_EQ(strongest(pixel(picture({{0, 0, 1}, 0.0F}), 0, 0)), 2);
  camera_.yaw = 3.14159265F;
  EXPECT_EQ(strongest(pixel(picture({{0, 0, -1}, 0.0F}), 0, 0)), 0);
}

}  // namespace
}  // namespace warpview
