#include "app/panels/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "scenes/files/input_file.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string words) {
  if (!words.empty())
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
}

// "sample" of "Samples", "patch" of "Patches", "vertex" of "Vertices".
std::string singular(std::string words) {
  if (words.ends_with("ices")) return words.replace(words.size() - 4, 4, "ex");
  if (words.ends_with("ches")) return words.substr(0, words.size() - 2);
  return words.ends_with("s") ? words.substr(0, words.size() - 1) : words;
}

// ---- The model's news -----------------------------------------------------------------------

// One more line of a notice that came now about the same file, or a notice of its own, which
// replaces those of earlier readings of the file.
void take_message(Message message, PanelState& state) {
  const double now = ImGui::GetTime();
  const bool is_more = !message.about.empty() && !state.notices.empty() &&
                       state.notices.back().message.about == message.about &&
                       state.notices.back().message.kind == message.kind &&
                       state.notices.back().since == now;
  if (is_more) {
    const std::string name = message.about + ": ";
    const auto line = [&name](std::string_view text) {
      return "\n- " + std::string(text.starts_with(name) ? text.substr(name.size()) : text);
    };
    Notice& notice = state.notices.back();
    std::string& text = notice.message.text;
    if (notice.count == 1) text = message.about + ':' + line(text);
    text += line(message.text);
    ++notice.count;
    return;
  }
  if (!message.about.empty())
    for (Notice& notice : state.notices) notice.past |= notice.message.about == message.about;
  state.notices.push_back({std::move(message), now, state.clock()});
}

void take_messages(Model& model, PanelState& state) {
  constexpr std::size_t most = 500;
  for (Message& message : model.messages) take_message(std::move(message), state);
  model.messages.clear();
  if (state.notices.size() > most)
    state.notices.erase(state.notices.begin(),
                        state.notices.end() - static_cast<std::ptrdiff_t>(most));
}

void note_opened(const Model& model, PanelState& state) {
  // What went wrong before is in the log; what came with this scene stays over it. What was said
  // of other files counts no more.
  if (std::exchange(state.known_scene, model.scene_number) != model.scene_number) {
    const std::string before = std::exchange(state.known_files, files_of(model));
    const bool has_other_files = !before.empty() && before != state.known_files;
    for (Notice& notice : state.notices) {
      if (notice.since >= ImGui::GetTime()) continue;
      notice.dismissed = true;
      notice.past |= has_other_files;
    }
  }
  if (model.scene_spec == state.known_spec) return;
  state.known_spec = model.scene_spec;
  state.comparison.clear();
  for (const MeshSource& file : model.scene_files) {
    if (is_generated(file.spec)) continue;
    state.settings.opened(file.spec);
    state.settings_changed = true;
  }
}

// ---- The menu bar -------------------------------------------------------------------------------

// The scene with its stages or the laboratory, at the right end of the menu bar.
void draw_mode(PanelState& state) {
  static constexpr std::array modes = {"Scene", "Laboratory"};
  const float width = 15.0F * em();
  const float begin = ImGui::GetWindowWidth() - width - 0.5F * em();
  if (begin < ImGui::GetCursorPosX() + em()) return;
  ImGui::SetCursorPos({begin, 0.5F * (ImGui::GetWindowHeight() - em()) - 1.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.5F * em(), 1.0F));
  int mode = state.show_lab ? 1 : 0;
  if (segments("mode", modes, mode, width)) state.show_lab = mode == 1;
  ImGui::PopStyleVar();
}

// Returns its height.
float draw_menu_bar(Model& model, PanelState& state) {
  if (!ImGui::BeginMainMenuBar()) return 0.0F;
  {
    const FontScope bold(state.fonts.bold);
    coloured_text(colour::accent, "Warpview");
  }
  draw_menus(model, state);
  draw_mode(state);
  const float height = ImGui::GetWindowSize().y;
  ImGui::EndMainMenuBar();
  return height;
}

// ---- The status line ----------------------------------------------------------------------------

std::string summary_of(const Model& model) {
  if (model.loading) return fmt::format("Opening {}: {}", model.loading_spec, model.load_phase);
  if (model.lab.busy())
    return "The laboratory is running: the scene pauses, and its times are older";
  if (model.scene_name.empty()) return "Nothing is open";
  const std::string amount = amount_of(model);
  return amount.empty() ? model.scene_name : model.scene_name + ": " + amount;
}

// "2 errors, 1 warning" of what is open, and the colour of the worst.
std::pair<std::string, ImU32> troubles(const PanelState& state) {
  const auto count = [&state](Message::Kind kind) {
    std::uint64_t n = 0;
    for (const Notice& notice : state.notices)
      if (notice.message.kind == kind && !notice.past) n += notice.count;
    return n;
  };
  const std::uint64_t errors = count(Message::Kind::error);
  const std::uint64_t warnings = count(Message::Kind::warning);
  std::string words;
  if (errors > 0) words = format_count(errors, "error");
  if (errors > 0 && warnings > 0) words += ", ";
  if (warnings > 0) words += format_count(warnings, "warning");
  return {words.empty() ? "Messages" : words, errors > 0     ? colour::error
                                              : warnings > 0 ? colour::warning
                                                             : colour::dim};
}

void draw_status(const Model& model, PanelState& state) {
  const FontScope small(state.fonts.small);
  const auto [words, worst] = troubles(state);
  std::string right = model.gl_renderer;
  if (state.first_picture_seconds)
    right += fmt::format("    first picture {:.2f} s after start", *state.first_picture_seconds);
  right += fmt::format("    {}: commands    {}: keys", keys_of(Command::open_palette),
                       keys_of(Command::toggle_help));
  const float gap = 1.5F * em();
  const float words_width = ImGui::CalcTextSize(words.c_str()).x;
  const float right_width = ImGui::CalcTextSize(right.c_str()).x;
  const float end = ImGui::GetWindowContentRegionMax().x;
  const bool has_room = ImGui::GetWindowWidth() > 46.0F * em() + right_width;
  const float words_at = has_room ? end - right_width - gap - words_width : end - words_width;

  elided_text(summary_of(model), words_at - gap - ImGui::GetCursorPosX());
  ImGui::SameLine(words_at);
  ImGui::PushStyleColor(ImGuiCol_Text, worst);
  if (ui::selectable(words.c_str(), state.show_log, ImGuiSelectableFlags_None, {words_width, 0.0F}))
    state.show_log = !state.show_log;
  ImGui::PopStyleColor();
  if (has_room) {
    ImGui::SameLine(end - right_width);
    coloured_text(colour::dim, right);
  }
}

void draw_status_line(const Model& model, PanelState& state, const Area& area) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.8F * em(), 0.25F * em()));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour::card);
  begin_fixed("##status", area, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
  draw_status(model, state);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

// Arrows, Enter and Escape work in menus and lists, and where a widget has the keyboard's focus;
// elsewhere they would go to the widget that was last clicked, and Space with them. The palette and
// the list of the file browser have keys of their own.
void give_keys_to_focus(PanelState& state) {
  state.popup_open =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  const bool in_popup = state.popup_open && !state.browser.is_open() && !state.saver.is_open();
  if ((in_popup || state.keyboard.ring) && !state.palette.open)
    flags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

// The picture's place, for the map of the window and the tour.
void note_view(const PanelState& state) {
  const Area& view = state.view;
  const bool hovered = ImGui::IsMousePosValid() && !ImGui::GetIO().WantCaptureMouse &&
                       ImGui::IsMouseHoveringRect(
                           {view.x, view.y}, {view.x + view.width, view.y + view.height}, false);
  ui::note_view({view.x, view.y}, {view.x + view.width, view.y + view.height}, hovered);
}

// ---- Over the view ------------------------------------------------------------------------------

void draw_invitation(const Model& model, const PanelState& state) {
  if (!model.scene_name.empty() || model.loading || state.layout.view <= 0.0F) return;
  const Area& view = state.view;
  ImGui::SetNextWindowPos({view.x + 0.5F * view.width, view.y + 0.5F * view.height},
                          ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::Begin("##invitation", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
  coloured_text(colour::dim, fmt::format("Drop an {} here, or open one: {}", readable_files,
                                         keys_of(Command::open_file)));
  ImGui::End();
}

}  // namespace

PanelState panel_state_for(const Settings& settings) {
  PanelState state;
  state.settings = settings;
  state.show_scene = settings.scene_panel;
  state.show_timings = settings.timings_panel;
  state.show_lab = settings.lab_panel;
  return state;
}

std::string amount_of(const Model& model) {
  for (const Fact& fact : model.results->facts)
    if (const auto* n = std::get_if<std::uint64_t>(&fact.value))
      return group_digits(*n) + " " + lower_case(*n == 1 ? singular(fact.title) : fact.title);
  return {};
}

void draw_panels(Model& model, PanelState& state) {
  const FontScope regular(state.fonts.regular);
  state.animates = model.loading || model.lab.busy();
  begin_keyboard(state);
  state.lab.steps.has_keys = false;  // unless its tab says otherwise
  give_keys_to_focus(state);
  model.show.theme = state.settings.theme;
  model.reload_on_change = state.settings.reload_on_change;
  model.lab.keeps_runs = state.settings.keep_runs;
  take_messages(model, state);
  note_opened(model, state);
  look_for_toured(model, state);
  show_opened_recording(model, state);
  show_watched_stage(model, state);

  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // Whole numbers, so that the picture's pixels are the window's.
  const float top = std::ceil(draw_menu_bar(model, state));
  const float status = std::ceil(ImGui::GetTextLineHeight() + 0.5F * em());
  const float height = std::max(std::floor(display.y) - top - status, 1.0F);
  draw_side_panels(model, state, top, height);
  note_view(state);
  if (state.layout.view <= 0.0F) state.flies = false;  // the cursor would be lost for nothing
  draw_status_line(model, state, {0.0F, display.y - status, display.x, status});

  draw_ab(model, state);
  draw_gizmo(model, state);
  draw_lag(model, state);
  draw_emptiness(model, state);
  draw_glance(model, state);
  draw_legend(model, state);
  draw_flight(state);
  draw_invitation(model, state);
  draw_loading(model, state);
  draw_recording(model, state);
  draw_failure(model, state);
  draw_notices(state);
  draw_log(state);
  draw_help(model, state);
  draw_about(state);
  draw_handbook(model, state);
  draw_browsers(model, state);
  draw_save_picture(model, state);
  draw_record_video(model, state);
  draw_cameras(model, state);
  draw_welcome(model, state);
  draw_tour(model, state);
  draw_palette(model, state);
  end_keyboard(state);
  give_keys_to_focus(state);  // the next key may be there with the next frame
  model.is_setting = ImGui::IsAnyItemActive();

  if (std::exchange(state.settings.scene_panel, state.show_scene) != state.show_scene ||
      std::exchange(state.settings.timings_panel, state.show_timings) != state.show_timings ||
      std::exchange(state.settings.lab_panel, state.show_lab) != state.show_lab)
    state.settings_changed = true;
}

}  // namespace warpview
