#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

std::string coordinates(const Vec3& v) {
  return fmt::format("{}, {}, {}", format_coordinate(v.x), format_coordinate(v.y),
                     format_coordinate(v.z));
}

void draw_counts(const WorkspaceModel& workspace, const PanelState& state, float column) {
  const MeshCounts& counts = workspace.counts;
  section(state.fonts, "Mesh");
  property("Triangles", group_digits(counts.triangles), column);
  property("Corners", group_digits(counts.corners), column);
  property("Vertices", group_digits(counts.vertices), column);
  const std::array unique = {
      std::string("Unique vertices: corners that share position, normal and texture coordinate.")};
  tooltip(state.fonts, "", unique);
  property("Dropped", group_digits(counts.dropped + workspace.dropped_faces), column);
  const std::array dropped = {
      fmt::format("{} with a coordinate that is no finite number, {} faces of the file that name "
                  "what is not there.",
                  group_digits(counts.dropped), group_digits(workspace.dropped_faces))};
  tooltip(state.fonts, "", dropped);

  const Aabb& box = workspace.bounds.points;
  if (counts.triangles == 0 || box.is_empty()) {
    property("Bounds", "none", column);
  } else {
    const FontScope small(state.fonts.small);
    property("From", coordinates(box.min), 3.9F * em());
    property("To", coordinates(box.max), 3.9F * em());
  }

  section(state.fonts, "BVH");
  property("Inner nodes", group_digits(workspace.tree.inner_nodes), column);
  property("Depth", std::to_string(workspace.tree.max_depth), column);
  property("SAH cost", fmt::format("{:.2f}", workspace.tree.sah_cost), column);
  const std::array sah = {std::string(
      "Surface-area heuristic: the expected number of nodes that a ray through the root visits. "
      "Less is better.")};
  tooltip(state.fonts, "", sah);
}

// A checkbox with its key at the right end of the line.
void show_toggle(const PanelState& state, const char* label, const char* key, bool& value) {
  ImGui::Checkbox(label, &value);
  ImGui::SameLine();
  const FontScope small(state.fonts.small);
  text_to_right(colour::faint, key);
}

void draw_toggles(WorkspaceModel& workspace, const PanelState& state) {
  DrawOptions& show = workspace.show;
  section(state.fonts, "Show");
  show_toggle(state, "Mesh", "1", show.mesh);
  show_toggle(state, "Wireframe", "2", show.wire);
  show_toggle(state, "BVH boxes", "3", show.boxes);
  // The number of levels changes with the tree; a level that no longer exists shows nothing.
  const int deepest = std::max(static_cast<int>(workspace.tree.max_depth), 0);
  ImGui::BeginDisabled(!show.boxes);
  ImGui::Indent();
  ImGui::SetNextItemWidth(-1.0F);
  ImGui::SliderInt("##level", &show.level, 0, std::max(deepest, 1), "level %d",
                   ImGuiSliderFlags_AlwaysClamp);
  ImGui::Unindent();
  ImGui::EndDisabled();
  show_toggle(state, "Morton curve", "4", show.curve);
  show_toggle(state, "Unique vertices", "5", show.points);
  ImGui::Checkbox("Shadows", &show.shadows);
}

void draw_wave(WaveSettings& wave, float column) {
  static constexpr std::array axes = {"X", "Y", "Z"};
  const auto label = [column](const char* name) {
    ImGui::AlignTextToFramePadding();
    coloured_text(colour::dim, name);
    ImGui::SameLine(column);
    ImGui::SetNextItemWidth(-1.0F);
  };
  label("Travels");
  segments("axis", axes, wave.axis, ImGui::GetContentRegionAvail().x);
  label("Displaces");
  segments("direction", axes, wave.direction, ImGui::GetContentRegionAvail().x);
  label("Amplitude");
  ImGui::SliderFloat("##amplitude", &wave.amplitude, 0.0F, 0.5F, "%.2f radii");
  label("Waves");
  ImGui::SliderFloat("##waves", &wave.waves, 0.25F, 12.0F, "%.2f");
  label("Speed");
  ImGui::SliderFloat("##speed", &wave.speed, -2.0F, 2.0F, "%.2f a second");
  if (ImGui::Button(wave.running ? "Pause" : "Run", {-1.0F, 0.0F})) wave.running = !wave.running;
}

void draw_animation(WorkspaceModel& workspace, const PanelState& state, float column) {
  static constexpr std::array modes = {"Once", "Refit", "Rebuild"};
  section(state.fonts, "Each frame");
  int mode = static_cast<int>(workspace.animation);
  if (segments("animation", modes, mode, ImGui::GetContentRegionAvail().x))
    workspace.animation = static_cast<Animation>(mode);
  {
    const FontScope small(state.fonts.small);
    static constexpr std::array what = {"The mesh is at rest; its BVH was built at load.",
                                        "A wave deforms the mesh; its BVH keeps its shape.",
                                        "A wave deforms the mesh; its BVH is built anew."};
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    ImGui::PushTextWrapPos(0.0F);
    text(what[static_cast<std::size_t>(mode)]);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  ImGui::BeginDisabled(workspace.animation == Animation::once);
  draw_wave(workspace.wave, column);
  ImGui::EndDisabled();
}

}  // namespace

void draw_scene_panel(WorkspaceModel& workspace, const PanelState& state) {
  const float column = 6.6F * em();
  {
    const FontScope bold(state.fonts.bold);
    const bool open = !workspace.scene_name.empty();
    elided_text(open ? workspace.scene_name : "No scene", ImGui::GetContentRegionAvail().x);
  }
  {
    const FontScope small(state.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    elided_text(workspace.scene_spec.empty() ? "nothing is open" : workspace.scene_spec,
                ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
  }
  draw_counts(workspace, state, column);
  draw_toggles(workspace, state);
  draw_animation(workspace, state, column);
}

}  // namespace warpview
