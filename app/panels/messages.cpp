// What is told over the picture: how loading goes, what went wrong, and the log of both.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

ImU32 colour_of_kind(Message::Kind kind) {
  switch (kind) {
    case Message::Kind::info:
      return colour::accent;
    case Message::Kind::warning:
      return colour::warning;
    case Message::Kind::error:
      return colour::error;
  }
  return colour::text;
}

const char* name_of(Message::Kind kind) {
  switch (kind) {
    case Message::Kind::info:
      return "Note";
    case Message::Kind::warning:
      return "Warning";
    case Message::Kind::error:
      return "Error";
  }
  return "";
}

std::string notice_title(const Notice& notice) {
  const bool is_group = notice.count > 1 && notice.message.kind == Message::Kind::warning;
  return is_group ? format_count(notice.count, "warning") : name_of(notice.message.kind);
}

// As the log has it, and what is copied of it.
std::string line_of(const Notice& notice) {
  return fmt::format("{} {}: {}", time_of_day(notice.at), notice_title(notice),
                     notice.message.text);
}

// Seconds over the picture; errors stay until they are dismissed, or another scene is open.
double patience(Message::Kind kind) {
  switch (kind) {
    case Message::Kind::info:
      return 5.0;
    case Message::Kind::warning:
      return 12.0;
    case Message::Kind::error:
      return 1e30;
  }
  return 0.0;
}

// Text of any length and any characters, without room for more than `most_lines` of it.
void wrapped_text(const std::string& s, float width, float most_lines) {
  const float height = ImGui::CalcTextSize(s.c_str(), nullptr, false, width).y;
  const float most = most_lines * ImGui::GetTextLineHeight();
  if (height > most) ImGui::BeginChild("text", {width, most});
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width -
                         (height > most ? ImGui::GetStyle().ScrollbarSize : 0.0F));
  text(s);
  ImGui::PopTextWrapPos();
  if (height > most) ImGui::EndChild();
}

// Returns the height of the card. Its lower edge is `above` the bottom of the view.
float draw_notice(Notice& notice, std::size_t number, const PanelState& state, float above) {
  const float margin = 0.8F * em();
  const Area over = area_of_cards(state);
  const float width = std::min(26.0F * em(), over.width - 2.0F * margin);
  ImGui::SetNextWindowPos({over.x + over.width - margin, over.y + over.height - margin - above},
                          ImGuiCond_Always, {1.0F, 1.0F});
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour::card);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(1.0F * em(), 0.5F * em()));
  const std::string id = fmt::format("##notice{}", number);
  begin_card(id.c_str());
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const ImU32 c = colour_of_kind(notice.message.kind);
  const ImVec2 corner{at.x + size.x, at.y + size.y};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->PushClipRect(at, corner);
  list->AddRectFilled(at, {at.x + 0.25F * em(), corner.y}, c, ImGui::GetStyle().WindowRounding,
                      ImDrawFlags_RoundCornersLeft);
  list->PopClipRect();
  {
    const FontScope bold(state.fonts.bold);
    coloured_text(c, notice_title(notice));
  }
  constexpr const char* dismiss = "Dismiss";
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(dismiss).x -
                  2.0F * ImGui::GetStyle().FramePadding.x);
  if (ui::small_button(dismiss)) notice.dismissed = true;
  wrapped_text(notice.message.text, ImGui::GetContentRegionAvail().x, 8.0F);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && !ImGui::IsAnyItemHovered())
    ImGui::SetTooltip("%s", time_of_day(notice.at).c_str());
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return size.y;
}

}  // namespace

void begin_card(const char* name) {
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
}

void begin_top_card(const Model& model, const PanelState& state, const char* name, float ems,
                    const std::string& title) {
  const Area over = area_of_cards(state);
  const float width = std::min(ems * em(), over.width - 1.6F * em());
  const float left = over.x + 0.5F * (over.width - width);
  // Below the corners where there is no room beside the legend.
  const bool has_room = left > state.view.x + state.legend_width;
  const float top = has_room ? 1.2F * em() : height_of_corners(model, state) + 0.6F * em();
  ImGui::SetNextWindowPos({left, over.y + top});
  ImGui::SetNextWindowSize({width, 0.0F});
  begin_card(name);
  const FontScope bold(state.fonts.bold);
  elided_text(title, ImGui::GetContentRegionAvail().x);
}

bool draw_progress_card(const Model& model, const PanelState& state, const char* name,
                        const std::string& title, float progress, const std::string& note) {
  begin_top_card(model, state, name, 26.0F, title);
  const float button = 5.0F * em();
  ImGui::ProgressBar(progress,
                     {ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x,
                      ImGui::GetFrameHeight()});
  ImGui::SameLine();
  const bool cancels = ui::button("Cancel", {button, 0.0F});
  {
    const FontScope small(state.fonts.small);
    coloured_text(colour::dim, note.empty() ? " " : note);
  }
  ImGui::End();
  return cancels;
}

void draw_loading(Model& model, const PanelState& state) {
  const auto* const open = model.requests.find<request::Open>();
  const bool waits = model.lab.busy() && open != nullptr;
  if (!model.loading && !waits) return;
  const std::string spec = waits ? open->scene.spec() : model.loading_spec;
  const std::string phase = waits ? "waits until the laboratory is done" : model.load_phase;
  const float progress = waits ? 0.0F : std::clamp(model.load_progress, 0.0F, 1.0F);
  if (!draw_progress_card(model, state, "##loading", "Opening " + spec, progress, phase)) return;
  if (waits)
    model.requests.drop<request::Open>();
  else
    model.requests.add(request::CancelLoad{});
}

void draw_notices(PanelState& state) {
  constexpr std::size_t most_shown = 4;
  const double now = ImGui::GetTime();
  std::vector<Notice*> shown;
  for (Notice& notice : state.notices) {
    if (now - notice.since > patience(notice.message.kind)) notice.dismissed = true;
    if (!notice.dismissed) shown.push_back(&notice);
  }
  // The lowest is the weightiest, and of such the newest. They stay in the lower half of the view;
  // the rest waits in the log.
  std::reverse(shown.begin(), shown.end());
  std::stable_sort(shown.begin(), shown.end(), [](const Notice* a, const Notice* b) {
    return a->message.kind > b->message.kind;
  });
  if (shown.size() > most_shown) shown.resize(most_shown);
  float above = state.ab_height;
  for (std::size_t i = 0; i < shown.size() && above <= 0.5F * state.view.height + state.ab_height;
       ++i) {
    above += draw_notice(*shown[i], i, state, above) + 0.5F * em();
    // A new card needs more frames than one: it is shown when ImGui knows its height.
    constexpr double settling = 0.5;
    state.animates |=
        shown[i]->message.kind != Message::Kind::error || now - shown[i]->since < settling;
  }
}

void draw_log(PanelState& state) {
  if (!state.show_log) return;
  const Area over = area_of_cards(state);
  const float width = std::min(40.0F * em(), over.width - 2.0F * em());
  const float height = std::min(16.0F * em(), 0.5F * over.height);
  ImGui::SetNextWindowPos({over.x + em(), over.y + over.height - height - em()},
                          ImGuiCond_Appearing);
  ImGui::SetNextWindowSize({width, height}, ImGuiCond_Appearing);
  if (ImGui::Begin("Messages", &state.show_log,
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
    // It has them all: those over the picture would be behind it, or beside it a second time.
    if (ImGui::IsWindowAppearing())
      for (Notice& notice : state.notices) notice.dismissed = true;
    ImGui::BeginDisabled(state.notices.empty());
    if (ui::button("Copy all")) {
      std::string all;
      for (const Notice& notice : state.notices) all += line_of(notice) + '\n';
      ImGui::SetClipboardText(all.c_str());
    }
    ImGui::SameLine();
    if (ui::button("Clear")) state.notices.clear();
    ImGui::EndDisabled();
    ImGui::Separator();
    ImGui::BeginChild("list");
    scroll_by_keys("##scroll");
    if (state.notices.empty()) coloured_text(colour::dim, "No messages.");
    for (const Notice& notice : state.notices) {
      ImGui::PushTextWrapPos(0.0F);
      coloured_text(colour::dim, time_of_day(notice.at));
      ImGui::SameLine(5.0F * em());
      coloured_text(notice.past ? colour::dim : colour_of_kind(notice.message.kind),
                    notice_title(notice));
      ImGui::SameLine(10.5F * em());
      if (notice.past)
        coloured_text(colour::dim, notice.message.text);
      else
        text(notice.message.text);
      ImGui::PopTextWrapPos();
    }
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1.0F);
    ImGui::EndChild();
  }
  ImGui::End();
}

}  // namespace warpview
