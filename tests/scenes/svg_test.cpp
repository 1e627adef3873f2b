// What filled paths come to, by whichever scheduler.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scenes/files/svg_loader.h"
#include "scenes/files/svg_values.h"
#include "scenes/parts/filled_paths.h"
#include "scenes/parts/svg_reference.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/picture_world.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

const SceneKind& svg_kind() { return *find_scene_kind("svg"); }

// A picture whose page is 64 x 64.
Mesh picture_of(const std::string& shapes) {
  LoadControl control;
  return read_svg("<svg viewBox='0 0 64 64'>" + shapes + "</svg>", "a test", control);
}
// Of such a page each unit is so many pixels, and its middle is seen in the middle.
FrameView flat_view(std::uint32_t width = 64, std::uint32_t height = 64, float scale = 1.0F,
                    float right = 0.0F, float down = 0.0F) {
  FrameView view;
  view.width = width;
  view.height = height;
  view.eye = {0.0F, 0.0F, 1.0F};
  view.to_clip[0] = 64.0F * scale / static_cast<float>(width);
  view.to_clip[5] = 64.0F * scale / static_cast<float>(height);
  view.to_clip[12] = 2.0F * right / static_cast<float>(width);
  view.to_clip[13] = -2.0F * down / static_cast<float>(height);
  view.to_clip[15] = 1.0F;
  return view;
}
// From a place in the world to another one, z up.
FrameView slanted_view(Vec3 eye, Vec3 at, std::uint32_t width, std::uint32_t height) {
  const auto unit = [](Vec3 v) { return v * (1.0F / std::sqrt(dot(v, v))); };
  const Vec3 backward = unit(eye - at);
  const Vec3 right = unit(cross({0.0F, 0.6F, 0.8F}, backward));
  const Vec3 up = cross(backward, right);
  return view_along(eye, right * 1.5F, up * 1.5F, backward, width, height);
}

class SvgWorld : public PictureWorld {
 public:
  SvgWorld(Device& device, Mesh mesh, const std::vector<std::string>& settings = {},
           const std::vector<std::string>& wishes = {})
      : PictureWorld(svg_kind(), device, std::move(mesh), settings, wishes) {}
};

// Builds a picture from path data in units of the page. The loader would clip it to the page.
Mesh far_picture_of(const std::vector<std::pair<std::string, SvgPath>>& paths) {
  Mesh mesh = picture_of("");
  PathPicture& picture = mesh.picture;
  const SvgTransform to_world{{1.0 / 32, 0, 0, -1.0 / 32, -1, 1}};
  for (const auto& [data, wanted] : paths) {
    SvgOutlines outlines;
    EXPECT_TRUE(read_svg_path(data, outlines));
    SvgPath path = wanted;
    path.first = static_cast<std::uint32_t>(picture.segments.size());
    EXPECT_TRUE(outlines.append_to(picture.segments, to_world));
    path.count = static_cast<std::uint32_t>(picture.segments.size()) - path.first;
    picture.paths.push_back(path);
    picture.names.emplace_back();
  }
  return mesh;
}
struct Picture {
  const char* name;
  Mesh mesh;
};
const std::vector<Picture>& pictures() {
  static const std::vector<std::pair<const char*, std::string>> shapes = {
      {"nothing", ""},
      {"empty path", "<path d=''/><path d='M3 3'/><path d='M3 3Z'/><polygon points=''/>"},
      {"a triangle", "<path d='M3 5 L60 9 L20 57Z'/>"},
      {"stars",
       "<path d='M32 2 L50 60 L3 22 H61 L14 60Z'/>"
       "<path fill='red' fill-rule='evenodd' d='M32 2 L50 60 L3 22 H61 L14 60Z'/>"},
      {"holes",
       "<path d='M4 4H60V60H4Z M16 16V48H48V16Z'/>"
       "<path fill='#0f0' fill-rule='evenodd' d='M20 20H44V44H20Z M24 24H40V40H24Z M28 "
       "28H36V36H28Z'/>"},
      {"curves that cross themselves",
       "<path fill-rule='evenodd' d='M2 32 C2 90 62 -26 62 32 C62 90 2 -26 2 32Z'/>"
       "<path fill-opacity='.5' d='M5 5 Q60 5 32 32 T60 60 Q4 60 30 30Z'/>"},
      // Edges along the borders of tiles, of pixels, and through the middles of samples.
      {"borders",
       "<path fill='#123' d='M8 8H16V24H8Z'/><path fill='#321' d='M16 8H24V16H16Z'/>"
       "<path fill='#2a4' d='M32.25 32.25H40.25V40.75H32.25Z'/>"
       "<path fill='#b48' d='M0 40.25L24 64.25V40.25Z'/><path fill='#b48' d='M24.25 64L48.25 "
       "40V64Z'/>"
       "<path fill='#777' d='M0 0H64V8H0Z'/>"},
      {"clipped to the page",
       "<path d='M-900 -900H900V20H-900Z'/><path fill='red' d='M-80 10H-20V50H-80Z'/>"
       "<circle fill='#00f' cx='64' cy='64' r='20' fill-opacity='.3'/>"
       "<path fill='lime' d='M-1e9 30 L1e9 31 L1e9 34 L-1e9 33Z'/>"
       "<path fill='#fff' fill-rule='evenodd' d='M-1e6 -1e6H1e6V1e6H-1e6Z M-1e7 5e6L20 30L1e7 "
       "-2e6Z'/>"},
      {"clipped to viewports",
       "<svg x='8' y='8' width='24' height='24'><circle cx='24' cy='12' r='16'/></svg>"
       "<g transform='rotate(30 40 40)'><svg x='30' y='30' width='20' height='20' "
       "viewBox='0 0 8 8'><path fill='red' fill-rule='evenodd' "
       "d='M-3 4 C-3 20 9 -9 12 4 C12 16 -3 -9 -3 4Z'/></svg></g>"},
  };
  static const std::vector<Picture> pictures = [] {
    std::vector<Picture> found;
    for (const auto& [name, text] : shapes) found.push_back({name, picture_of(text)});
    found.push_back(
        {"beyond the picture",
         far_picture_of(
             {{"M-900 -900H900V20H-900Z", {0, 0, 0xff000000, SvgRule::nonzero}},
              {"M-80 10H-20V50H-80Z", {0, 0, 0xff0000ff, SvgRule::nonzero}},
              {"M-1e9 30 L1e9 31 L1e9 34 L-1e9 33Z", {0, 0, 0xff00ff00, SvgRule::nonzero}},
              {"M-1e6 -1e6H1e6V1e6H-1e6Z M-1e7 5e6L20 30L1e7 -2e6Z",
               {0, 0, 0xffffffff, SvgRule::even_odd}},
              {"M44 64A20 20 0 0 1 84 64A20 20 0 0 1 44 64",
               {0, 0, 0x4dff0000, SvgRule::nonzero}}})});
    return found;
  }();
  return pictures;
}

// Every sample of every path, by all edges: those that a ray to the left crosses.
bool is_inside_by_all(const std::vector<SvgEdge>& edges, SvgRule rule, std::int64_t x,
                      std::int64_t y) {
  std::int64_t winding = 0;
  for (const SvgEdge& edge : edges) {
    if ((edge.ay <= y) == (edge.by <= y)) continue;
    const bool is_down = edge.by > edge.ay;
    // ax + (y - ay) (bx - ax) / (by - ay) <= x
    const std::int64_t height = std::int64_t{edge.by} - edge.ay;
    const std::int64_t left = (y - edge.ay) * (std::int64_t{edge.bx} - edge.ax);
    const std::int64_t right = (x - edge.ax) * height;
    if (is_down ? left <= right : left >= right) winding += is_down ? 1 : -1;
  }
  return rule == SvgRule::even_odd ? winding % 2 != 0 : winding != 0;
}

SvgView view_of(const FrameView& seen, std::uint32_t side) {
  SvgView view{};
  constexpr std::size_t rows[] = {0, 1, 3};
  constexpr std::size_t columns[] = {0, 4, 12};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      view.to_clip[row][column] = seen.to_clip[columns[column] + rows[row]];
  view.width = seen.width;
  view.height = seen.height;
  view.side = side;
  view.columns = (seen.width + svg_tile - 1) / svg_tile;
  view.rows = (seen.height + svg_tile - 1) / svg_tile;
  view.nearest = 1e-6F;
  return view;
}

void expect_as_by_all(const PathPicture& picture, const SvgView& view) {
  const SvgReference found = svg_one_by_one(picture.paths, picture.segments, view);
  auto next = found.covered.begin();
  const std::uint32_t along = svg_tile * view.side;
  for (std::uint32_t tile = 0; tile < view.columns * view.rows; ++tile)
    for (std::uint32_t path = 0; path < picture.paths.size(); ++path) {
      const std::vector<SvgEdge> edges =
          svg_edges_of(picture.paths[path], picture.segments, view).edges;
      std::array<std::uint32_t, svg_mask_words(4)> mask{};
      for (std::uint32_t i = 0; i < along * along; ++i) {
        const std::uint32_t x = tile % view.columns * along + i % along;
        const std::uint32_t y = tile / view.columns * along + i / along;
        if (x < view.width * view.side && y < view.height * view.side &&
            is_inside_by_all(edges, picture.paths[path].rule, x * svg_unit + svg_unit / 2,
                             y * svg_unit + svg_unit / 2))
          mask[i / 32] |= 1U << i % 32;
      }
      const bool is_there = next != found.covered.end() && next->key == svg_key(tile, path);
      const bool is_empty =
          std::all_of(mask.begin(), mask.end(), [](std::uint32_t word) { return word == 0; });
      ASSERT_EQ(is_there, !is_empty) << "path " << path << ", tile " << tile;
      if (!is_there) continue;
      ASSERT_TRUE(next->mask == mask) << "path " << path << ", tile " << tile;
      ++next;
    }
  EXPECT_TRUE(next == found.covered.end());
}

TEST(SvgReferenceTest, IsWhatAllEdgesSay) {
  for (const Picture& one : pictures()) {
    SCOPED_TRACE(one.name);
    const Mesh& mesh = one.mesh;
    expect_as_by_all(mesh.picture, view_of(flat_view(61, 35, 0.7F, 3.0F, -2.0F), 1));
    expect_as_by_all(mesh.picture, view_of(flat_view(24, 64, 1.0F), 2));
    expect_as_by_all(mesh.picture,
                     view_of(slanted_view({0.3F, -1.2F, 0.4F}, {0.1F, 0.3F, 0.0F}, 40, 30), 1));
  }
}

// Whatever is above, below, or to the right of the picture was left out of its edges: the same
// picture as a part of a larger one has all of it.
TEST(SvgReferenceTest, PartsOfAPictureAreAsInTheWhole) {
  for (const Picture& one : pictures()) {
    SCOPED_TRACE(one.name);
    const Mesh& mesh = one.mesh;
    const auto pixels = [&mesh](const SvgView& view) {
      return svg_pixels(svg_one_by_one(mesh.picture.paths, mesh.picture.segments, view).covered,
                        mesh.picture.paths, view);
    };
    const std::vector<std::uint32_t> whole = pixels(view_of(flat_view(64, 64), 1));
    const std::vector<std::uint32_t> part =
        pixels(view_of(flat_view(16, 16, 1.0F, -16.0F, 8.0F), 1));
    std::size_t others = 0;
    for (std::size_t y = 0; y < 16; ++y)
      for (std::size_t x = 0; x < 16; ++x)
        others += part[16 * y + x] != whole[64 * (y + 16) + x + 40] ? 1U : 0U;
    // Curves may be cut otherwise where less of them is seen.
    EXPECT_LE(others, 2U);
  }
}

class Svg : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Svg, testing::ValuesIn(every_schedule()),
                         [](const auto& one) { return one.param.name; });

// Each scheduler on each device: the picture of the reference, bit by bit, so all the same.
TEST_P(Svg, EverySchedulerDrawsTheSame) {
  std::vector<std::uint32_t> first;
  for (const Row& row : rows_of(Primitive::schedule)) {
    if (!why_unavailable(row.index, device()).empty()) continue;
    const std::string name = row.index->name;
    SCOPED_TRACE(name);
    SvgWorld world(device(), make_emblem(), {"samples=1"}, {"schedule=" + name});
    world.draw(flat_view(77, 50, 1.1F));
    expect_sound(world.scene());
    const std::vector<std::uint32_t> pixels = world.pixels();
    if (first.empty()) first = pixels;
    EXPECT_TRUE(pixels == first);
    EXPECT_GT(count(world.scene(), "svg.coarse_square"), 5U);
    EXPECT_GT(count(world.scene(), "svg.fine"), 100U);
    EXPECT_EQ(count(world.scene(), "svg.refused"), 0U);
  }
}

class SvgOnOne : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, SvgOnOne, testing::ValuesIn(devices_for(SIZE_MAX)),
                         [](const auto& one) { return one.param.name; });

TEST_P(SvgOnOne, AllPicturesFromEverywhere) {
  for (const Picture& one : pictures()) {
    SCOPED_TRACE(one.name);
    SvgWorld world(device(), one.mesh);
    for (const FrameView& view :
         {flat_view(), flat_view(90, 17, 3.0F, 20.0F, 9.0F), flat_view(1, 1),
          flat_view(9, 130, 2.0F), slanted_view({0.3F, -1.2F, 0.4F}, {0.1F, 0.3F, 0.0F}, 80, 60),
          slanted_view({0.2F, -0.1F, 0.05F}, {0.9F, 0.1F, 0.0F}, 40, 40),
          slanted_view({0.0F, 0.0F, 2.0F}, {0.1F, 0.2F, 4.0F}, 40, 40)}) {
      world.draw(view);
      expect_sound(world.scene());
    }
  }
}

// Squares of whole pixels are just these pixels, and half a pixel is half of it.
TEST_P(SvgOnOne, SquaresCoverWhatTheyShould) {
  SvgWorld world(device(),
                 picture_of("<path fill='#102030' d='M8 8H24V24H8Z'/>"
                            "<rect x='32' y='32' width='8.5' height='8' fill='#ff0000'/>"),
                 {"page=off", "samples=4"});
  world.draw(flat_view());
  const std::vector<std::uint32_t> pixels = world.pixels();
  for (std::size_t y = 0; y < 64; ++y)
    for (std::size_t x = 0; x < 64; ++x) {
      std::uint32_t wanted = 0;
      if (x >= 8 && x < 24 && y >= 8 && y < 24) wanted = 0xff302010U;
      if (x >= 32 && x < 40 && y >= 32 && y < 40) wanted = 0xff0000ffU;
      if (x == 40 && y >= 32 && y < 40) wanted = 0x800000ffU;
      ASSERT_EQ(pixels[64 * y + x], wanted) << x << ", " << y;
    }
}

// Later paths lie over earlier ones, and let them through as far as they are translucent.
TEST_P(SvgOnOne, PathsArePaintedInTheirOrder) {
  SvgWorld world(device(), picture_of("<rect width='40' height='40' fill='#ff0000'/>"
                                      "<rect x='20' width='44' height='64' fill='#0000ff' "
                                      "fill-opacity='0.5'/><rect width='64' height='8'/>"));
  world.draw(flat_view());
  EXPECT_EQ(world.pixel(5, 30), 0xff0000ffU);
  EXPECT_EQ(world.pixel(30, 4), 0xff000000U);
  const std::uint32_t mixed = world.pixel(30, 30);  // over red
  EXPECT_NEAR(static_cast<int>(mixed & 255U), 127, 1);
  EXPECT_NEAR(static_cast<int>(mixed >> 16U & 255U), 128, 1);
  EXPECT_EQ(world.pixel(50, 50) & 0xffffU, (world.pixel(50, 50) & 255U) * 257U);  // over white
  EXPECT_EQ(world.pixel(10, 60), 0xffffffffU);                                    // the page
  set(world.scene(), "page=off");
  world.draw(flat_view());
  EXPECT_EQ(world.pixel(10, 60), 0U);
}

// Nothing is drawn outside a viewport or the page, also where the view shows more than the page.
TEST_P(SvgOnOne, NothingIsDrawnBeyondViewports) {
  SvgWorld world(device(),
                 picture_of("<rect x='-99' y='20' width='999' height='4'/>"
                            "<svg x='8' y='40' width='8' height='8'><circle r='99'/></svg>"),
                 {"page=off", "samples=1"});
  world.draw(flat_view(96, 96));  // with 16 pixels around the page
  expect_sound(world.scene());
  const std::vector<std::uint32_t> pixels = world.pixels();
  for (std::size_t y = 0; y < 96; ++y)
    for (std::size_t x = 0; x < 96; ++x) {
      const bool in_band = x >= 16 && x < 80 && y >= 36 && y < 40;
      const bool in_viewport = x >= 24 && x < 32 && y >= 56 && y < 64;
      ASSERT_EQ(pixels[96 * y + x], in_band || in_viewport ? 0xff000000U : 0U) << x << ", " << y;
    }
}

// A circle's curves stay within an eighth of a pixel of it, however near one looks.
TEST_P(SvgOnOne, CurvesAreRoundFromNearBy) {
  SvgWorld world(device(), picture_of("<circle cx='32' cy='32' r='20'/>"), {"samples=1"});
  for (const float scale : {1.0F, 300.0F, 20000.0F}) {
    world.draw(flat_view(64, 64, scale, -20.0F * scale, 0.0F));  // its rightmost place
    expect_sound(world.scene());
    const std::vector<std::uint32_t> pixels = world.pixels();
    const double radius = 20.0 * scale;
    int wrong = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        const double off = std::hypot(x + 0.5 - 32 + radius, y + 0.5 - 32) - radius;
        // Four cubic curves are 0.03 % off a circle.
        const bool is_in = pixels[static_cast<std::size_t>(64 * y + x)] == 0xff000000U;
        if (std::abs(off) > 0.125 + 3e-4 * radius && is_in != (off < 0)) ++wrong;
      }
    EXPECT_EQ(wrong, 0) << scale;
    EXPECT_LT(count(world.scene(), "svg.edges"), 200U);
  }
}

TEST_P(SvgOnOne, ThousandsOfPaths) {
  std::string shapes;
  for (int i = 0; i < 3000; ++i)
    shapes += "<circle cx='" + std::to_string(i * 7919 % 640 / 10.0) + "' cy='" +
              std::to_string(i * 104729 % 640 / 10.0) + "' r='0.4' fill-opacity='.5'/>";
  SvgWorld world(device(), picture_of(shapes), {"samples=1"});
  world.draw(flat_view(40, 40, 0.6F));
  expect_sound(world.scene());
  EXPECT_EQ(count(world.scene(), "svg.paths"), 3001U);
  world.draw(flat_view(8, 8, 0.1F));  // all in a tile
  expect_sound(world.scene());
}

// More is touched than there is room for at first: it is told, the arrays and queues grow, and the
// picture is whole.
TEST_P(SvgOnOne, WhatIsFullGrows) {
  std::string shapes;
  for (int i = 0; i < 60; ++i)
    shapes += "<circle cx='32' cy='32' r='" + std::to_string(31.5 - i / 2.0) +
              "' fill='#08f' fill-opacity='.1'/>";
  for (const std::string scheduler : {"kernel_by_kernel", "run_to_completion"}) {
    SCOPED_TRACE(scheduler);
    SvgWorld world(device(), picture_of(shapes), {"samples=1"}, {"schedule=" + scheduler});
    world.draw(flat_view(140, 140, 2.2F));
    EXPECT_GT(count(world.scene(), "svg.grown"), 0U);
    EXPECT_EQ(count(world.scene(), "svg.refused"), 0U);
    expect_sound(world.scene());
  }
}

// And where there is no memory for larger ones, it says so, and goes on when it may.
TEST_P(SvgOnOne, WhatCannotGrowIsToldOf) {
  std::string shapes;
  for (int i = 0; i < 60; ++i)
    shapes += "<circle cx='32' cy='32' r='" + std::to_string(31.5 - i / 2.0) + "'/>";
  SmallDevice small(GetParam().device);
  SvgWorld world(small, picture_of(shapes), {"samples=1"}, {"schedule=kernel_by_kernel"});
  Targets targets(world.scene());
  Frame frame = targets.all();
  frame.view = flat_view(140, 140, 2.2F);
  world.scene().queue(frame);
  world.scene().collect();
  ASSERT_TRUE(world.scene().lacks_room());
  small.refuse_beyond(1U << 10U);
  try {
    world.scene().queue(frame);
    FAIL() << "there was memory";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lists"), std::string::npos) << error.what();
  }
  small.refuse_nothing();
  world.draw(frame.view);
  EXPECT_FALSE(world.scene().lacks_room());
  expect_sound(world.scene());
}

// What is not finite, or out of all bounds, is left out: of the view all, of a mesh its triangles.
TEST_P(SvgOnOne, WhatIsNotFiniteIsLeftOut) {
  Mesh mesh = with_non_finite(40, 3);
  mesh.corners[5].position.x = 1e30F;
  mesh.corners[9].position.y = -3e38F;
  SvgWorld world(device(), std::move(mesh), {"samples=1"});
  EXPECT_LT(count(world.scene(), "svg.paths"), 40U);
  FrameView view = flat_view();
  world.draw(view);
  expect_sound(world.scene());
  for (const float value : {std::numeric_limits<float>::quiet_NaN(), 3e38F, -1e30F, 1e-38F})
    for (const std::size_t place : {0U, 5U, 12U, 15U}) {
      view = flat_view();
      view.to_clip[place] = value;
      world.draw(view);
      expect_sound(world.scene());
    }
}

TEST_P(SvgOnOne, PointingTellsThePath) {
  SvgWorld world(device(), picture_of("<rect id='under' width='40' height='40'/>"
                                      "<path id='over' fill='#ff8000' fill-rule='evenodd' "
                                      "d='M10 10H30V30H10ZM15 15H25V25H15Z'/>"));
  const auto named_at = [&world](float x, float y) -> std::string {
    const Ray ray{{x / 32.0F - 1.0F, 1.0F - y / 32.0F, 3.0F}, {0.0F, 0.0F, -2.0F}};
    for (const Fact& fact : world.scene().pick(ray).facts)
      if (fact.name == "pick.name") return std::get<std::string>(fact.value);
    return "";
  };
  EXPECT_EQ(named_at(12, 12), "over");
  EXPECT_EQ(named_at(20, 20), "under");
  EXPECT_EQ(named_at(50, 50), "page");
  EXPECT_EQ(named_at(99, 20), "");
  set(world.scene(), "page=off");
  EXPECT_EQ(named_at(50, 50), "");
  EXPECT_TRUE(world.scene().pick({{0.0F, 0.0F, 1.0F}, {1.0F, 0.0F, 0.0F}}).empty());
  EXPECT_TRUE(world.scene().pick({{0.0F, 0.0F, 1.0F}, {0.0F, 0.0F, 1.0F}}).empty());
}

}  // namespace
}  // namespace warpview::test
