// Pages of the handbook, with their drawings and links: in the laboratory's tab About, which is
// about its primitive, and in a window of their own.
#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "app/common/program_files.h"
#include "app/common/source_files.h"
#include "app/panels/actions.h"
#include "app/panels/page_view.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "kernel_source.h"

namespace warpview {
namespace {

constexpr const char* index_page = "README.md";

// Shows another page; Back leads to the one that is shown now.
void go_to(AboutView& view, const std::string& page, const std::string& anchor = {}) {
  constexpr std::size_t most = 100;
  view.anchor = anchor;
  view.scroll_to = 0.0F;
  if (page == view.page) return;
  if (view.trail.size() == most) view.trail.erase(view.trail.begin());
  if (!view.page.empty()) view.trail.push_back({view.page, view.scroll});
  view.page = page;
}

// Shows a page, and makes its primitive the laboratory's.
void show_page(Model& model, PanelState& state, const std::string& page,
               const std::string& anchor = {}) {
  if (const auto primitive = primitive_of_page(page);
      primitive && *primitive != model.lab.question.primitive)
    open_laboratory(model, state, *primitive, {}, LabTask::about);
  state.lab.about.primitive = model.lab.question.primitive;
  go_to(state.lab.about, page, anchor);
}

bool is_of_tab(const PanelState& state, const AboutView& view) { return &view == &state.lab.about; }

void show_page_in(AboutView& view, Model& model, PanelState& state, const std::string& page,
                  const std::string& anchor = {}) {
  is_of_tab(state, view) ? show_page(model, state, page, anchor) : go_to(view, page, anchor);
}

void go_back(AboutView& view, Model& model, PanelState& state) {
  const AboutView::Place place = view.trail.back();
  const auto before = static_cast<std::ptrdiff_t>(view.trail.size()) - 1;
  show_page_in(view, model, state, place.page);
  view.trail.erase(view.trail.begin() + before, view.trail.end());
  view.scroll_to = place.scroll;
}

bool is_made_of(const Variant& variant, const std::string& file) {
  const auto files = source_files(variant);
  return std::find(files.begin(), files.end(), file) != files.end();
}

// The variant with this file, else one that includes it; of several one of the chosen primitive.
std::optional<VariantId> variant_with(const std::string& file, Primitive chosen) {
  std::optional<VariantId> found;
  const auto look_at = [&](Primitive primitive, bool is_own_file) {
    for (const VariantId each : variants_of(primitive))
      if (!found && (is_own_file ? file == each->file : is_made_of(*each, file))) found = each;
  };
  for (const bool is_own_file : {true, false}) {
    look_at(chosen, is_own_file);
    for (int p = 0; p < primitive_count && !found; ++p)
      look_at(static_cast<Primitive>(p), is_own_file);
    if (found) return found;
  }
  return {};
}

void open_file(Model& model, const PanelState& state, const std::string& name) {
  const std::filesystem::path file = program_file(name);
  if (file.empty())
    model.say({Message::Kind::info, name + " did not come with this installation of the program."});
  else
    model.requests.add(request::EditFile{file.string(), 1, state.settings.editor});
}

// In the Code tab if a variant has that file, else in the user's editor.
void open_source(Model& model, PanelState& state, const std::string& file) {
  const auto variant = variant_with(file, model.lab.question.primitive);
  const bool is_other = variant && (*variant)->primitive != model.lab.question.primitive;
  if (!variant || (is_other && model.lab.busy())) return open_file(model, state, file);
  if (is_other) open_laboratory(model, state, (*variant)->primitive, variant, LabTask::code);
  state.show_lab = true;
  LabView& view = state.lab;
  view.variant = variant;
  view.open = LabTask::code;
  view.kind = Listing::source;
  view.file = file;
  view.trail.clear();
}

void follow(AboutView& view, Model& model, PanelState& state, const std::string& link) {
  const HandbookLink to = resolved(link, view.page);
  switch (to.kind) {
    case HandbookLink::Kind::heading:
      return go_to(view, view.page, to.anchor);
    case HandbookLink::Kind::page:
      return show_page_in(view, model, state, to.target, to.anchor);
    case HandbookLink::Kind::source:
      return open_source(model, state, to.target);
    case HandbookLink::Kind::file:
      return open_file(model, state, to.target);
    case HandbookLink::Kind::web:
      ImGui::SetClipboardText(to.target.c_str());
      model.say({Message::Kind::info, "Copied the address: " + to.target});
  }
}

void draw_back(AboutView& view, Model& model, PanelState& state) {
  ImGui::BeginDisabled(view.trail.empty());
  constexpr int back_button = 3;
  const bool by_mouse = !view.trail.empty() && ImGui::IsMouseClicked(back_button) &&
                        ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (ui::button("Back") || by_mouse) go_back(view, model, state);
  ImGui::EndDisabled();
}

void draw_link_to(const char* label, const std::string& page, AboutView& view, Model& model,
                  PanelState& state) {
  ImGui::SameLine(0.0F, 0.5F * em());
  ImGui::BeginDisabled(view.page == page);
  if (ui::button(label)) show_page_in(view, model, state, page);
  ImGui::EndDisabled();
}

void draw_head(AboutView& view, Model& model, PanelState& state) {
  draw_back(view, model, state);
  if (!is_of_tab(state, view)) {
    draw_link_to("All scenes", scene_page("README"), view, model, state);
    draw_link_to("Glossary", glossary_page, view, model, state);
  }
  draw_link_to("All primitives", index_page, view, model, state);
  ImGui::SameLine(0.0F, 0.5F * em());
  const std::string name = file_of_page(view.page);
  const std::string file = program_file(name).string();
  ImGui::BeginDisabled(file.empty());
  if (ui::button("Open in editor")) open_file(model, state, name);
  ImGui::EndDisabled();
  const std::array about = {file.empty() ? name + " did not come with this installation." : file};
  tooltip(state.fonts, "Open in editor", about);
}

// Scrolls to where the page was asked for.
void scroll(AboutView& view, ImVec2 origin) {
  if (const std::string anchor = std::exchange(view.anchor, {}); !anchor.empty())
    if (const auto y = view.view.layout.place_of(anchor))
      view.scroll_to = origin.y - ImGui::GetWindowPos().y + ImGui::GetScrollY() + *y - 0.5F * em();
  if (view.scroll_to) ImGui::SetScrollY(*std::exchange(view.scroll_to, std::nullopt));
  view.scroll = ImGui::GetScrollY();
}

void draw_reader(AboutView& view, Model& model, PanelState& state) {
  draw_head(view, model, state);
  ImGui::Dummy({0.0F, 0.1F * em()});
  ImGui::BeginChild(
      "page", {0.0F, 0.0F}, false,
      ImGuiWindowFlags_AlwaysVerticalScrollbar | ImGuiWindowFlags_HorizontalScrollbar);
  scroll_by_keys("##page");
  const Page* const page = state.handbook.page(view.page);
  std::optional<std::string> clicked;
  if (page == nullptr) {
    paragraph(colour::dim, state.handbook.why_not(view.page));
  } else {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    clicked = draw_page(view.view, *page, view.page, state.handbook, state.fonts,
                        ImGui::GetContentRegionAvail().x - 0.5F * em());
    ImGui::Dummy({0.0F, 2.0F * em()});
    scroll(view, origin);
  }
  ImGui::EndChild();
  if (!clicked) return;
  follow(view, model, state, *clicked);
  state.animates = true;  // what it leads to comes with the next frame
}

}  // namespace

void draw_lab_about(Model& model, PanelState& state) {
  AboutView& view = state.lab.about;
  const Primitive primitive = model.lab.question.primitive;
  if (view.page.empty() || view.primitive != primitive) {
    view.primitive = primitive;
    go_to(view, page_name(primitive));
  }
  draw_reader(view, model, state);
}

void show_handbook(PanelState& state, const std::string& page, const std::string& anchor) {
  state.show_page = true;
  go_to(state.page, page, anchor);
}

void draw_handbook(Model& model, PanelState& state) {
  if (!state.show_page) return;
  if (begin_centred("Handbook", &state.show_page, 62.0F, 0.88F))
    draw_reader(state.page, model, state);
  ImGui::End();
}

}  // namespace warpview
