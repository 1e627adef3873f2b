// ImGui without a window and without OpenGL, and a user who clicks.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <string>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/style.h"
#include "gpu/catalogue.h"

namespace warpview {

// A workspace as after opening a mesh of a million triangles.
inline WorkspaceModel loaded_workspace() {
  WorkspaceModel workspace;
  workspace.scene_name = "dragon";
  workspace.scene_spec = "/home/someone/meshes/dragon.obj";
  workspace.device.name = "CPU (SIMT executor, 2 threads)";
  workspace.device.memory = 8'000'000'000;
  workspace.absent[0] = "no driver: libcuda.so.1 cannot be loaded";
  workspace.gl_renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
  workspace.interop = "direct: the cpu device writes buffers that OpenGL maps";
  workspace.counts = {1'000'000, 3'000'000, 500'003, 2};
  workspace.tree = {999'999, 31, 81.5};
  workspace.bounds.points = {{-1.5F, -2.25F, -0.125F}, {1.5F, 2.25F, 123456.7F}};
  workspace.frame_gpu_ms = 1.25;
  workspace.frame_ms = 16.7;
  workspace.copy_gb_per_s = 27.5;
  for (const Stage stage : all_stages) {
    StageRow row;
    row.stage = stage;
    row.items = 1'000'000;
    row.bytes = 64'000'000;
    if (const auto primitive = primitive_of(stage)) row.variants = variants_of(*primitive);
    for (int i = 0; i < 120; ++i) row.milliseconds.push_back(0.4F + 0.01F * static_cast<float>(i));
    row.last_ms = 1.59;
    row.median_ms = 0.995;
    row.gb_per_s = 64.3;
    row.copy_share = 0.72;
    workspace.stages.push_back(row);
  }
  return workspace;
}

class PanelTest : public testing::Test {
 protected:
  PanelTest() : context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
    state_.fonts = load_fonts(1.0F, 1.0F);
    apply_style(1.0F);
    io.Fonts->Build();
    set_size(1280, 800);
  }
  ~PanelTest() override { ImGui::DestroyContext(context_); }

  static void set_size(int width, int height) {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  }

  void frames(int count = 1, float seconds = 1.0F / 60.0F) {
    for (int i = 0; i < count; ++i) {
      ImGui::GetIO().DeltaTime = seconds;
      ImGui::NewFrame();
      draw_panels(workspace_, state_);
      ImGui::Render();
    }
  }

  void say(Message::Kind kind, std::string text) {
    Message& message = workspace_.messages.emplace_back();
    message.kind = kind;
    message.text = std::move(text);
  }

  static ImGuiWindow* window(const char* name) { return ImGui::FindWindowByName(name); }

  static ImGuiID id_in(ImGuiID parent, const char* label) { return ImHashStr(label, 0, parent); }

  // Moves the mouse over a window until it is on the widget. False when the widget is not there.
  bool hover(const ImGuiWindow* in, ImGuiID id) {
    constexpr float step = 6.0F;
    const ImRect area = in->Rect();
    for (float y = area.Min.y + 3.0F; y < area.Max.y; y += step)
      for (float x = area.Min.x + 8.0F; x < area.Max.x; x += 4.0F * step) {
        ImGui::GetIO().MousePos = {x, y};
        frames();
        if (context_->HoveredId == id) return true;
      }
    return false;
  }

  bool click(const ImGuiWindow* in, ImGuiID id) {
    if (in == nullptr || !hover(in, id)) return false;
    frames();
    ImGui::GetIO().MouseDown[0] = true;
    frames();
    ImGui::GetIO().MouseDown[0] = false;
    frames();
    return true;
  }

  void press(ImGuiKey key) {
    ImGui::GetIO().KeysDown[key] = true;
    frames();
    ImGui::GetIO().KeysDown[key] = false;
    frames();
  }

  // The list, menu or dialog that was opened last.
  ImGuiWindow* popup() const {
    return context_->OpenPopupStack.empty() ? nullptr : context_->OpenPopupStack.back().Window;
  }

  ImGuiContext* context_;
  WorkspaceModel workspace_;
  PanelState state_;
};

}  // namespace warpview
