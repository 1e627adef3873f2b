#include "app/panels/imgui_layer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// Width of a picture that is as high as the view. One of the view's shape, but for a rounded pixel,
// fills it.
float shown_width(float width, float height, const Area& view) {
  const float aspect = view.width / std::max(view.height, 1.0F);
  if (std::abs(width - aspect * height) <= 1.0F + aspect) return view.width;
  return view.height * width / std::max(height, 1.0F);
}

}  // namespace

ImguiLayer::ImguiLayer(const std::filesystem::path& layout_file)
    : layout_file_(layout_file.string()),
      letters_([this](char32_t letter, const AcceptFont& accept) {
        return machine_fonts_.with(letter, accept);
      }) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = layout_file_.empty() ? nullptr : layout_file_.c_str();
  if (!ImGui_ImplOpenGL3_Init("#version 450 core")) {
    ImGui::DestroyContext();
    throw UnavailableError("the panels", "libGL.so.1 cannot be loaded",
                           "Install it: apt install libgl1");
  }
  set_scale(1.0F, 1.0F);
}

ImguiLayer::~ImguiLayer() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
}

void ImguiLayer::set_scale(float scale, float density) {
  if (scale == scale_ && density == density_) return;
  scale_ = scale;
  density_ = density;
  apply_style(scale, theme_);
  use_fonts();
  make_texture();
}

void ImguiLayer::use_fonts() { fonts_ = load_fonts(scale_, density_, letters_.more()); }

void ImguiLayer::make_texture() const {
  if (!has_begun_) return;  // the first begin_frame() makes the texture
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImguiLayer::set_theme(Theme theme) {
  if (theme == theme_) return;
  theme_ = theme;
  apply_style(scale_, theme_);
}

void ImguiLayer::set_display(int width, int height, double seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {1.0F, 1.0F};
  io.DeltaTime = static_cast<float>(seconds);
}

void ImguiLayer::begin_frame() {
  if (letters_.take()) {
    use_fonts();
    ImGui::GetIO().Fonts->Build();  // then they know what they lack
    if (letters_.look_for_fonts(*fonts_.regular)) use_fonts();
    make_texture();
  }
  has_begun_ = true;
  ImGui_ImplOpenGL3_NewFrame();
  feed_focus();
  ImGui::NewFrame();
}

void ImguiLayer::show_picture(unsigned texture, int width, int height, const Area& view) {
  // ImGui's OpenGL renderer takes a texture's number in the place of a pointer.
  const auto number = static_cast<std::uintptr_t>(texture);
  auto* const id = reinterpret_cast<ImTextureID>(number);  // NOLINT(performance-no-int-to-ptr)
  const float middle = view.x + 0.5F * view.width;
  const float half =
      0.5F * shown_width(static_cast<float>(width), static_cast<float>(height), view);
  const ImVec2 corner{view.x + view.width, view.y + view.height};
  ImDrawList* const list = ImGui::GetBackgroundDrawList();
  list->PushClipRect({view.x, view.y}, corner);
  // ImGui's textures have their first row on top, OpenGL's at the bottom.
  list->AddImage(id, {middle - half, view.y}, {middle + half, corner.y}, {0.0F, 1.0F},
                 {1.0F, 0.0F});
  list->PopClipRect();
}

void ImguiLayer::end_frame() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace warpview
