#include "app/panels/imgui_layer.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "app/render/framebuffer.h"
#include "tests/panels/panel_test.h"
#include "tests/render/gl_test.h"
#include "tests/support/pixels.h"

namespace warpview {
namespace {

using ImguiLayerTest = GlTest;

struct ByteColour {
  int r, g, b;
  bool operator==(const ByteColour&) const = default;
};

ByteColour pixel(const Picture& picture, int x, int y) {
  const auto [r, g, b, a] = rgba_at(picture, x, y);
  return {r, g, b};
}

void fill(GLint bottom, GLsizei height, GLsizei width, ByteColour c) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(0, bottom, width, height);
  glClearColor(static_cast<float>(c.r) / 255.0F, static_cast<float>(c.g) / 255.0F,
               static_cast<float>(c.b) / 255.0F, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

TEST_F(ImguiLayerTest, PutsThePictureUprightBetweenThePanels) {
  constexpr int width = 1280;
  constexpr int height = 800;
  const Framebuffer whole(width, height, 1);
  ImguiLayer layer;
  Model model = loaded_model();
  PanelState panels;
  const auto begin = [&] {
    layer.set_display(width, height, 1.0 / 60.0);
    layer.begin_frame();
    panels.fonts = layer.fonts();
    draw_panels(model, panels);
  };
  for (int i = 0; i < 3; ++i) {
    begin();
    whole.bind();
    layer.end_frame();
  }

  const auto view_width = static_cast<int>(panels.view.width);
  const auto view_height = static_cast<int>(panels.view.height);
  const Framebuffer view(view_width, view_height, 1);
  const ByteColour above{200, 40, 20};
  const ByteColour below{20, 60, 220};
  view.bind();
  fill(0, view_height / 2, view_width, below);
  fill(view_height / 2, view_height - view_height / 2, view_width, above);
  begin();
  layer.show_picture(view.texture(), view_width, view_height, panels.view);
  whole.bind();
  layer.end_frame();

  const Picture picture = whole.read_back();
  const auto left = static_cast<int>(panels.view.x);
  const auto top = static_cast<int>(panels.view.y);
  EXPECT_EQ(pixel(picture, left + 1, top + 1), above);
  EXPECT_EQ(pixel(picture, left + view_width - 2, top + 1), above);
  EXPECT_EQ(pixel(picture, left + 1, top + view_height - 2), below);
  EXPECT_NE(pixel(picture, left - 2, top + 40), above);
  EXPECT_NE(pixel(picture, left + view_width + 1, top + 40), above);

  // A panel with text is not of one colour.
  int bright = 0;
  for (int y = top; y < top + view_height; ++y)
    for (int x = left + view_width + 2; x < width; ++x)
      if (pixel(picture, x, y).g > 180) ++bright;
  EXPECT_GT(bright, 1000);
}

// Until there is one of the view's shape.
TEST_F(ImguiLayerTest, APictureOfAnotherShapeIsNotStretched) {
  constexpr int width = 1280;
  constexpr int height = 800;
  const Framebuffer whole(width, height, 1);
  ImguiLayer layer;
  Model model = loaded_model();
  PanelState panels;
  const auto show = [&](const Framebuffer* picture) {
    layer.set_display(width, height, 1.0 / 60.0);
    layer.begin_frame();
    panels.fonts = layer.fonts();
    draw_panels(model, panels);
    if (picture)
      layer.show_picture(picture->texture(), picture->width(), picture->height(), panels.view);
    whole.bind();
    fill(0, height, width, {});
    layer.end_frame();
    return whole.read_back();
  };
  for (int i = 0; i < 3; ++i) show(nullptr);
  const auto view_width = static_cast<int>(panels.view.width);
  const auto view_height = static_cast<int>(panels.view.height);
  const auto left = static_cast<int>(panels.view.x);
  const int right = left + view_width - 1;
  const int middle = static_cast<int>(panels.view.y) + view_height / 2;
  const std::array<ByteColour, 4> stripes = {
      ByteColour{200, 40, 20}, {20, 200, 40}, {40, 20, 200}, {9, 99, 99}};
  const auto striped = [&](int w, int h) {
    auto picture = std::make_unique<Framebuffer>(w, h, 1);
    picture->bind();
    for (std::size_t i = stripes.size(); i-- > 0;)
      fill(0, h, w * (static_cast<int>(i) + 1) / 4, stripes[i]);
    return picture;
  };

  const Picture wide = show(striped(2 * view_width, view_height).get());
  EXPECT_EQ(pixel(wide, left + 1, middle), stripes[1]) << "it is cut";
  EXPECT_EQ(pixel(wide, right - 1, middle), stripes[2]);
  EXPECT_NE(pixel(wide, left - 2, middle), stripes[0]) << "it is seen behind a panel";
  const Picture narrow = show(striped(view_width / 2, view_height).get());
  EXPECT_EQ(pixel(narrow, left + 1, middle), ByteColour{}) << "it is stretched";
  EXPECT_EQ(pixel(narrow, right - 1, middle), ByteColour{});
  EXPECT_EQ(pixel(narrow, left + view_width / 4 + 4, middle), stripes[0]);
  EXPECT_EQ(pixel(narrow, right - view_width / 4 - 4, middle), stripes[3]);
  // As a view that was lower: it is seen larger, as the camera does.
  const Picture low = show(striped(view_width, view_height / 2).get());
  EXPECT_EQ(pixel(low, left + 1, middle), stripes[1]);
  EXPECT_EQ(pixel(low, right - 1, middle), stripes[2]);
  // Half of the pixels of an odd number: the shape is the view's.
  for (const int w : {view_width / 2, (view_width + 1) / 2})
    for (const int h : {view_height / 2, (view_height + 1) / 2}) {
      const Picture coarse = show(striped(w, h).get());
      EXPECT_EQ(pixel(coarse, left, middle), stripes[0]);
      EXPECT_EQ(pixel(coarse, right, middle), stripes[3]);
    }
}

TEST_F(ImguiLayerTest, ThemeStaysWhateverTheScale) {
  ImguiLayer layer;
  EXPECT_LT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.2F);
  layer.set_theme(Theme::light);
  EXPECT_EQ(theme_in_use(), Theme::light);
  EXPECT_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.9F);
  layer.set_scale(2.0F, 1.0F);
  EXPECT_GT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.9F);
  EXPECT_GT(ImGui::GetStyle().WindowPadding.x, 20.0F);
  layer.set_theme(Theme::dark);
  EXPECT_LT(ImGui::GetStyle().Colors[ImGuiCol_WindowBg].x, 0.2F);
  EXPECT_GT(ImGui::GetStyle().WindowPadding.x, 20.0F);
}

TEST_F(ImguiLayerTest, ScaleChangesTheFontsBetweenFrames) {
  const Framebuffer whole(640, 480, 1);
  ImguiLayer layer;
  float last = 0.0F;
  for (const float scale : {1.0F, 1.25F, 2.0F}) {
    layer.set_scale(scale, 1.0F);
    layer.set_display(640, 480, 1.0 / 60.0);
    layer.begin_frame();
    EXPECT_GT(ImGui::GetFontSize(), last);
    last = ImGui::GetFontSize();
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize({400.0F, 100.0F});
    ImGui::Begin("words");
    ImGui::TextUnformatted("Something that is bright");
    ImGui::End();
    whole.bind();
    fill(0, 480, 640, {0, 0, 0});
    layer.end_frame();
    const Picture picture = whole.read_back();
    int bright = 0;
    for (int y = 0; y < 480; ++y)
      for (int x = 0; x < 640; ++x) bright += pixel(picture, x, y).g > 180 ? 1 : 0;
    EXPECT_GT(bright, 20) << "at scale " << scale;
  }
}

}  // namespace
}  // namespace warpview
