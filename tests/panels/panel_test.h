// ImGui without a window and without OpenGL, and a user who clicks.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/named_widgets.h"
#include "app/panels/panels.h"
#include "app/panels/style.h"
#include "gpu/catalogue.h"
#include "scenes/scene.h"

namespace warpview {

// A model as after opening a mesh of a million triangles.
inline Model loaded_model() {
  Model model;
  model.scene_kind = &scene_kinds().front();
  model.scene_name = "dragon";
  model.scene_spec = "/home/someone/meshes/dragon.obj";
  model.scene_files = {{model.scene_spec}};
  model.scene_bounds = {{-1.5F, -2.25F, -0.125F}, {1.5F, 2.25F, 123456.7F}};
  model.controls = model.scene_kind->initial_controls();
  model.outputs = {{"mesh", "Mesh", '1', true},
                   {"wire", "Wireframe", '2', false},
                   {"boxes", "BVH boxes", '3', false},
                   {"curve", "Morton curve", '4', false},
                   {"points", "Unique vertices", '5', false}};
  model.device.name = "CPU (SIMT executor, 2 threads)";
  model.device.memory = 8'000'000'000;
  model.absent[0] = "no driver: libcuda.so.1 cannot be loaded";
  model.gl_renderer = "llvmpipe (LLVM 15.0.6, 256 bits)";
  model.interop = "direct: the cpu device writes buffers that OpenGL maps";
  model.results.change().facts = {
      {.name = "mesh.triangles", .title = "Triangles", .value = std::uint64_t{1'000'000}},
      {.name = "mesh.unique_vertices", .title = "Vertices", .value = std::uint64_t{500'003}},
      {.name = "mesh.bounds", .title = "Bounds", .value = model.scene_bounds},
      {.name = "bvh.max_depth", .title = "Depth", .value = std::uint64_t{31}},
      {.name = "bvh.sah_cost", .title = "SAH cost", .value = 81.5, .tooltip = "Lower is better."}};
  model.results.change().moving = true;
  model.results.change().kernels_ms = 1.25;
  model.results.change().copy_gb_per_s = 27.5;
  model.results.change().frame_parts = {
      .parts = {{.order = 7,
                 .title = "Sort",
                 .about = "A stage.",
                 .place = TimePart::Place::device,
                 .ms = 6.0},
                {.order = 1000, .title = "Wait", .about = "Until.", .ms = 4.0}},
      .whole_ms = 10.0,
      .last_wholes = {9.0F, 11.0F}};
  model.window_parts = {.parts = {{.order = 0, .title = "Panels", .about = "ImGui.", .ms = 2.0},
                                  {.order = 3, .title = "Swap", .about = "Display.", .ms = 6.0}},
                        .whole_ms = 8.0,
                        .last_wholes = {8.0F}};
  model.picture_ms = 16.7;
  const auto add = [&model](const char* name, const char* title,
                            std::optional<Primitive> primitive = {}) {
    StageRow row;
    if (primitive) {
      row.variant = default_variant(*primitive, Backend::cpu);
      row.variants = variants_of(*primitive);
      row.why_not.resize(row.variants.size());
    }
    row.has_run = true;
    row.result = StageResult{.name = name,
                             .title = title,
                             .primitive = primitive,
                             .variant = row.variant,
                             .work = {1'000'000, 64'000'000},
                             .last_ms = 1.59,
                             .median_ms = 0.995,
                             .gb_per_s = 64.3,
                             .copy_share = 0.72};
    for (int i = 0; i < 120; ++i)
      row.result.change().milliseconds.push_back(0.4F + 0.01F * static_cast<float>(i));
    model.stages.push_back(std::move(row));
  };
  add("upload", "Upload");
  add("scan", "Drop (scan)", Primitive::scan);
  add("dedup", "De-duplication", Primitive::dedup);
  add("deform", "Deform");
  add("boxes", "Triangle boxes");
  add("bounds", "Bounds", Primitive::reduce);
  add("morton", "Morton codes", Primitive::morton);
  add("sort", "Sort", Primitive::sort);
  add("build", "Build", Primitive::build);
  add("refit", "Refit", Primitive::refit);
  add("statistics", "Statistics");
  add("write", "Write");
  model.stages.back().result.change().repeatable = false;
  return model;
}

inline StageRow& stage(Model& model, const std::string& name) {
  for (StageRow& row : model.stages)
    if (row.result->name == name) return row;
  throw std::logic_error("no stage " + name);
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
      feed_focus();
      ImGui::NewFrame();
      draw_panels(model_, state_);
      ImGui::Render();
    }
  }

  void say(Message::Kind kind, std::string text) {
    Message& message = model_.messages.emplace_back();
    message.kind = kind;
    message.text = std::move(text);
  }

  static ImGuiWindow* window(const char* name) { return ImGui::FindWindowByName(name); }
  // Of the ground of a window in the last frame, which is what it draws first.
  static float opacity_of(const char* name) {
    const ImU32 ground = window(name)->DrawList->VtxBuffer.front().col;
    return ImGui::ColorConvertU32ToFloat4(ground).w;
  }

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
    click_here();
    return true;
  }

  // Where the mouse is.
  void click_here() {
    ImGui::GetIO().MouseDown[0] = true;
    frames();
    ImGui::GetIO().MouseDown[0] = false;
    frames();
  }

  // Can these words be read in one of the windows that the last frame has drawn, spaces aside? From
  // the glyphs, so that what no widget knows of is found too.
  bool can_read(const std::string& words) const {
    std::map<std::pair<float, float>, char> letters;
    for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible != 0 && glyph.Codepoint < 0x7f)
          letters[{glyph.U0, glyph.V0}] = static_cast<char>(glyph.Codepoint);
    std::string wanted = words;
    std::erase(wanted, ' ');
    for (const ImGuiWindow* each : context_->Windows) {
      if (!each->Active || each->Hidden) continue;
      std::string read;
      for (const ImDrawVert& vertex : each->DrawList->VtxBuffer)
        if (const auto letter = letters.find({vertex.uv.x, vertex.uv.y}); letter != letters.end())
          read += letter->second;
      if (read.find(wanted) != std::string::npos) return true;
    }
    return false;
  }

  // The upper left corners of a letter in what the last frame drew of a window and what is in it.
  std::vector<ImVec2> places_of(const std::string& in, char letter) const {
    std::vector<ImVec2> places;
    for (const ImGuiWindow* each : context_->Windows) {
      if (!each->Active || each->Hidden || !std::string(each->Name).starts_with(in)) continue;
      const ImVector<ImDrawVert>& corners = each->DrawList->VtxBuffer;
      for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
        const ImFontGlyph& glyph = *font->FindGlyph(static_cast<ImWchar>(letter));
        for (const ImDrawVert& corner : corners)
          if (corner.uv.x == glyph.U0 && corner.uv.y == glyph.V0) places.push_back(corner.pos);
      }
    }
    return places;
  }

  // The widgets of the next frame.
  std::vector<ui::WidgetRecord> widgets() {
    std::vector<ui::WidgetRecord> log;
    ui::write_down(&log);
    frames();
    ui::write_down(nullptr);
    return log;
  }
  // A widget as the next frame draws it; none where nothing of it can be seen.
  std::optional<ui::WidgetRecord> find(const std::string& in, const std::string& name) {
    for (const ui::WidgetRecord& each : widgets())
      if (each.window == in && each.name == name && each.visible) return each;
    return {};
  }
  // The middle of it.
  ImVec2 place(const std::string& in, const std::string& name) {
    const auto widget = find(in, name);
    if (!widget) {
      ADD_FAILURE() << name << " is not in " << in;
      return {};
    }
    return {0.5F * (widget->from.x + widget->to.x), 0.5F * (widget->from.y + widget->to.y)};
  }
  void click(const std::string& in, const std::string& name) {
    ImGui::GetIO().MousePos = place(in, name);
    frames(2);
    click_here();
    frames();
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
  Model model_;
  PanelState state_;
};

}  // namespace warpview
