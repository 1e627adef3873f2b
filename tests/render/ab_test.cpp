// A|B: a picture that is kept, beside the present one.
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "app/render/difference.h"
#include "app/render/render_thread.h"
#include "gl_test.h"
#include "gpu/runtime/error.h"
#include "square_scene.h"
#include "tests/support/host_device.h"

namespace warpview {
namespace {

using namespace test;
using Mode = AbView::Mode;

constexpr std::uint64_t scene_a = 7;
constexpr float size_of_a = 0.4F;
constexpr float size_of_b = 0.9F;
const std::vector<bool> both = {true, true};

class AbTest : public GlTest {
 protected:
  AbTest()
      : render_(context().shared(), device_, InteropRequest::automatic,
                RenderThread::Pictures::on_demand) {
    open(scene_a);
    run_frame(render_, size_of_a);
  }

  void open(std::uint64_t number, SurfaceLook look = {}) {
    DrawnScene scene = square_scene();
    scene.number = number;
    render_.set_scene(std::move(scene), std::move(look));
  }
  // A is the square alone, B the box with it.
  void keep_a() {
    render_.keep({true, false});
    run_frame(render_, size_of_b);
  }
  static View seen(Mode mode, float divider = 0.5F, bool swapped = false) {
    View view = view_of(both);
    view.camera.orbit(0.3F, 0.2F);
    view.ab = {.mode = mode, .divider = divider, .swapped = swapped};
    view.a.scene = scene_a;
    return view;
  }
  Picture draw(const View& view) {
    render_.set_view(view);
    render_.draw_now();
    return render_.read_back();
  }
  Picture draw_square_alone(const View& of) {
    View view = of;
    view.ab.mode = Mode::only_b;
    view.shown = {true, false};
    return draw(view);
  }
  void expect_parted(const Picture& picture, const Picture& left, const Picture& right, int at) {
    for (int row = 0; row < picture.height; ++row)
      for (int column = 0; column < picture.width; ++column) {
        const Picture& side = column < at ? left : right;
        const auto pixel =
            4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(picture.width) +
                 static_cast<std::size_t>(column));
        for (std::size_t c = 0; c < 4; ++c)
          ASSERT_EQ(picture.rgba[pixel + c], side.rgba[pixel + c])
              << row << ", " << column << ": divided at " << at;
      }
  }

  HostDevice device_;
  RenderThread render_;
};

TEST_F(AbTest, LeftOfTheDividerIsAToThePixelAndRightIsB) {
  const Picture a = draw_square_alone(seen(Mode::only_b));
  keep_a();
  const Picture b = draw(seen(Mode::only_b));
  ASSERT_GT(compare_images(a, b), 0.05);
  EXPECT_EQ(draw(seen(Mode::only_a)).rgba, a.rgba);
  for (const float divider : {0.0F, 0.2F, 0.37F, 0.5F, 0.9F, 1.0F}) {
    const int at = AbView{.divider = divider}.divided_at(picture_side);
    expect_parted(draw(seen(Mode::divided, divider)), a, b, at);
    expect_parted(draw(seen(Mode::divided, divider, true)), b, a, at);
  }
  EXPECT_EQ(draw(seen(Mode::only_b)).rgba, b.rgba);
}

// What it was drawn with stays A's own; the rest is as B has it.
TEST_F(AbTest, AHasItsOwnOptions) {
  View bright = seen(Mode::only_b);
  bright.options.shadows = false;
  bright.options.dims_surfaces = false;
  render_.keep(both);
  View view = seen(Mode::only_a);
  const Picture plain = draw(view);
  view.a.look.dims_surfaces = false;
  view.a.look.shadows = false;
  EXPECT_EQ(draw(view).rgba, draw(bright).rgba);
  EXPECT_NE(draw(view).rgba, plain.rgba) << "the box dims the square";
  view.options.theme = bright.options.theme = Theme::light;
  EXPECT_EQ(draw(view).rgba, draw(bright).rgba);
}

TEST_F(AbTest, TurningTheCameraTurnsBoth) {
  View turned = seen(Mode::only_b);
  turned.camera.orbit(0.7F, -0.4F);
  const Picture a = draw_square_alone(turned);
  keep_a();
  const Picture b = draw(turned);
  ASSERT_NE(a.rgba, draw_square_alone(seen(Mode::only_b)).rgba);
  draw(seen(Mode::divided));
  turned.ab.mode = Mode::divided;
  expect_parted(draw(turned), a, b, picture_side / 2);
}

TEST_F(AbTest, WhatIsEqualHasNoDifference) {
  render_.keep(both);
  const Picture difference = draw(seen(Mode::difference));
  for (std::size_t i = 0; i < difference.rgba.size(); ++i)
    ASSERT_EQ(difference.rgba[i], i % 4 == 3 ? 255 : 0);
  EXPECT_EQ(render_.difference(), (PictureDifference{}));
  draw(seen(Mode::divided));
  EXPECT_EQ(render_.difference(), std::nullopt) << "it is not shown";
}

TEST_F(AbTest, TheDifferenceIsThatOfThePictures) {
  const Picture a = draw_square_alone(seen(Mode::only_b));
  keep_a();
  const Picture b = draw(seen(Mode::only_b));
  View view = seen(Mode::difference);
  view.ab.gain = 3;
  const Picture shown = draw(view);
  const auto found = render_.difference();
  ASSERT_TRUE(found);
  std::size_t differing = 0;
  int largest = 0;
  for (std::size_t pixel = 0; pixel < a.rgba.size(); pixel += 4) {
    int most = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const int difference = std::abs(a.rgba[pixel + c] - b.rgba[pixel + c]);
      ASSERT_EQ(shown.rgba[pixel + c], std::min(3 * difference, 255)) << pixel / 4;
      most = std::max(most, difference);
    }
    differing += most > 0 ? 1 : 0;
    largest = std::max(largest, most);
  }
  EXPECT_GT(differing, 100U);
  EXPECT_DOUBLE_EQ(found->share, static_cast<double>(differing) / (picture_side * picture_side));
  EXPECT_EQ(found->largest, largest);
  // The next pictures are drawn as before.
  EXPECT_EQ(draw(seen(Mode::only_b)).rgba, b.rgba);
  EXPECT_EQ(draw(seen(Mode::only_a)).rgba, a.rgba);
}

TEST_F(AbTest, OnePixelsDifferenceIsShown) {
  constexpr int side = 8;
  constexpr int column = 3;
  constexpr int row = 5;  // from the top
  const auto picture = [](bool other) {
    Framebuffer drawn(side, side, 1);
    drawn.bind();
    glClearColor(10 / 255.0F, 20 / 255.0F, 30 / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    if (!other) return drawn;
    glEnable(GL_SCISSOR_TEST);
    glScissor(column, side - 1 - row, 1, 1);
    glClearColor(13 / 255.0F, 20 / 255.0F, 26 / 255.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    return drawn;
  };
  DifferenceRenderer renderer;
  const Framebuffer target(side, side);
  for (const int gain : {1, 8, 64}) {
    const PictureDifference found = renderer.draw(target, picture(true), picture(false), gain);
    EXPECT_EQ(found, (PictureDifference{.share = 1.0 / (side * side), .largest = 4}));
    const Picture shown = target.read_back();
    for (int pixel = 0; pixel < side * side; ++pixel) {
      const bool is_it = pixel == row * side + column;
      const std::array<int, 3> expected = {is_it ? std::min(3 * gain, 255) : 0, 0,
                                           is_it ? std::min(4 * gain, 255) : 0};
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(shown.rgba[4 * static_cast<std::size_t>(pixel) + c], expected[c]) << pixel;
    }
  }
  EXPECT_EQ(difference_in_words({.share = 1.0 / 64, .largest = 4}),
            "1.56 % of the pixels differ, by 4 of 255 at most");
  EXPECT_EQ(difference_in_words({.share = 1e-6, .largest = 255}),
            "Less than 0.01 % of the pixels differ, by 255 of 255 at most");
  EXPECT_EQ(difference_in_words({}), "No pixel differs");
}

// The same scene in another size; A has the materials that it had.
TEST_F(AbTest, StaysWhereTheSceneIsReplaced) {
  const auto painted = [](Vec3 colour) {
    SurfaceLook look;
    look.materials.push_back({.base_colour = colour});
    return look;
  };
  open(scene_a, painted({1.0F, 0.0F, 0.0F}));
  run_frame(render_, size_of_a);
  const Picture a = draw_square_alone(seen(Mode::only_b));
  render_.keep({true, false});
  constexpr std::uint64_t scene_b = scene_a + 1;
  open(scene_b, painted({0.0F, 1.0F, 0.0F}));
  run_frame(render_, size_of_a);
  View view = seen(Mode::only_a);
  EXPECT_NE(draw(view).rgba, a.rgba) << "A is not said to belong to this scene";
  view.a.scene = scene_b;
  EXPECT_EQ(draw(view).rgba, a.rgba);
  EXPECT_GT(compare_images(draw_square_alone(view), a), 0.02) << "B is green";
}

TEST_F(AbTest, IsForgotten) {
  keep_a();
  const Picture b = draw(seen(Mode::only_b));
  EXPECT_TRUE(render_.keeps());
  render_.forget_kept();
  EXPECT_EQ(draw(seen(Mode::divided)).rgba, b.rgba);
  EXPECT_EQ(draw(seen(Mode::difference)).rgba, b.rgba);
  EXPECT_FALSE(render_.keeps());
  render_.keep(both);
  HostDevice other;
  render_.set_device(other, InteropRequest::automatic);
  EXPECT_FALSE(render_.keeps());
  EXPECT_THROW(render_.keep(both), Error) << "there is no picture";
  EXPECT_FALSE(render_.keeps());
  render_.set_device(device_, InteropRequest::automatic);
}

// Where frames depend on the view, A has frames of its own.
TEST_F(AbTest, FramesOfAReplaceWhatWasKept) {
  run_frame(render_, 0.7F);
  const Picture next = draw_square_alone(seen(Mode::only_b));
  run_frame(render_, size_of_a);
  const Picture first = draw_square_alone(seen(Mode::only_b));
  keep_a();
  const Picture b = draw(seen(Mode::only_b));
  const auto write_a = [this](float size) {
    const RenderThread::Targets targets =
        render_.map({true, true, true, false}, RenderThread::Side::a);
    EXPECT_EQ(targets.streams[index_stream], nullptr) << "written once and for all, and kept";
    write(targets, size);
  };
  write_a(0.7F);
  render_.abandon(RenderThread::Side::a);
  EXPECT_EQ(draw(seen(Mode::only_a)).rgba, first.rgba);
  for (int i = 0; i < 4; ++i) {
    write_a(0.7F);
    render_.publish_a(written(), true);
    EXPECT_EQ(draw(seen(Mode::only_a)).rgba, next.rgba);
    EXPECT_EQ(draw(seen(Mode::only_b)).rgba, b.rgba);
  }
}

}  // namespace
}  // namespace warpview
