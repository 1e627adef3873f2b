// A page of the handbook in a window of its own: a scene's, and where its links lead.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/page_view.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

void show_in_window(AboutView& view, const std::string& page, const std::string& heading) {
  constexpr std::size_t most = 100;
  if (view.trail.size() == most) view.trail.erase(view.trail.begin());
  if (!view.page.empty() && view.page != page) view.trail.push_back({view.page, view.scroll});
  view.page = page;
  view.anchor = heading;
  view.scroll_to = 0.0F;
}

void go_back_in(AboutView& view) {
  view.page = view.trail.back().page;
  view.scroll_to = view.trail.back().scroll;
  view.trail.pop_back();
}

void follow_in_window(Model& model, PanelState& state, const std::string& link) {
  const HandbookLink to = resolved(link, state.page.page);
  if (to.kind == HandbookLink::Kind::heading)
    show_in_window(state.page, state.page.page, to.anchor);
  else if (to.kind == HandbookLink::Kind::page)
    show_in_window(state.page, to.target, to.anchor);
  else
    follow_link(model, state, to);
}

void draw_page_head(PanelState& state) {
  AboutView& view = state.page;
  ImGui::BeginDisabled(view.trail.empty());
  if (ui::button("Back")) go_back_in(view);
  ImGui::EndDisabled();
  ImGui::SameLine();
  const std::string index = scene_page("README");
  ImGui::BeginDisabled(view.page == index);
  if (ui::button("All scenes")) show_in_window(state.page, index, {});
  ImGui::EndDisabled();
}

// The link that was clicked; none: none was.
std::optional<std::string> draw_contents(PanelState& state) {
  AboutView& view = state.page;
  const Page* const page = state.handbook.page(view.page);
  if (page == nullptr) {
    paragraph(colour::dim, state.handbook.why_not(view.page));
    return {};
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const auto clicked = draw_page(view.view, *page, state.handbook, state.fonts,
                                 ImGui::GetContentRegionAvail().x - 0.5F * em());
  ImGui::Dummy({0.0F, 2.0F * em()});
  if (const std::string heading = std::exchange(view.anchor, {}); !heading.empty())
    if (const auto y = view.view.layout.place_of(heading))
      view.scroll_to = origin.y - ImGui::GetWindowPos().y + ImGui::GetScrollY() + *y - 0.5F * em();
  if (view.scroll_to) ImGui::SetScrollY(*std::exchange(view.scroll_to, std::nullopt));
  view.scroll = ImGui::GetScrollY();
  return clicked;
}

}  // namespace

void show_handbook(PanelState& state, const std::string& page, const std::string& heading) {
  state.show_page = true;
  state.animates = true;  // it is there with the next frame
  show_in_window(state.page, page, heading);
}

void open_scene_page(const Model& model, PanelState& state, const std::string& heading) {
  if (model.scene_kind != nullptr)
    show_handbook(state, scene_page(model.scene_kind->name), heading);
}

void open_stage_page(Model& model, PanelState& state, const StageRow& row) {
  if (row.variant && !model.lab.busy())
    open_laboratory(model, state, (*row.variant)->primitive, row.variant, LabTask::about);
  else
    open_scene_page(model, state, "how-it-is-computed");
}

void draw_handbook(Model& model, PanelState& state) {
  if (!state.show_page) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(56.0F * em(), 0.94F * display.x), 0.84F * display.y},
                           ImGuiCond_Appearing);
  std::optional<std::string> clicked;
  if (ImGui::Begin("Handbook", &state.show_page,
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
    draw_page_head(state);
    ImGui::BeginChild(
        "page", {0.0F, 0.0F}, false,
        ImGuiWindowFlags_AlwaysVerticalScrollbar | ImGuiWindowFlags_HorizontalScrollbar);
    clicked = draw_contents(state);
    ImGui::EndChild();
  }
  ImGui::End();
  if (clicked) follow_in_window(model, state, *clicked);
}

}  // namespace warpview
