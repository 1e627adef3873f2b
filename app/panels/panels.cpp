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

#include "app/common/shell_command.h"
#include "app/panels/commands.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "app/panels/widgets.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string words) {
  if (!words.empty())
    words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
  return words;
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

// ---- Menus --------------------------------------------------------------------------------------

void item(const char* label, const char* keys, Command command, Model& model, PanelState& state,
          bool enabled = true) {
  if (ui::menu_item(label, keys, false, enabled)) run_command(command, model, state);
}

void generated_items(Model& model) {
  constexpr std::string_view number = "<N>";
  constexpr std::array<std::uint64_t, 4> sizes = {10'000, 100'000, 1'000'000, 4'000'000};
  for (const GeneratedMesh& mesh : generated_meshes()) {
    const std::string spec(mesh.spec);
    const std::string label(mesh.summary);
    const std::size_t at = spec.find(number);
    if (at == std::string::npos) {
      if (ui::menu_item(label.c_str(), spec.c_str())) open_file_in(model, spec);
    } else if (ui::begin_menu(label.c_str())) {
      for (const std::uint64_t n : sizes) {
        const std::string sized = std::string(spec).replace(at, number.size(), std::to_string(n));
        const std::string line = group_digits(n) + " triangles";
        if (ui::menu_item(line.c_str(), sized.c_str())) open_file_in(model, sized);
      }
      ImGui::EndMenu();
    }
  }
}

void recent_items(Model& model, PanelState& state) {
  const std::vector<std::string>& recent = state.settings.recent;
  const float longest = std::min(24.0F * em(), 0.35F * ImGui::GetIO().DisplaySize.x);
  for (std::size_t i = 0; i < recent.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    // The file's name, and where it lies as the shortcut's dim text.
    const fs::path path(recent[i]);
    const std::string name = elided(path.filename().string(), longest, Cut::middle);
    const std::string folder = elided(path.parent_path().string(), longest, Cut::middle);
    if (ui::menu_item(name.c_str(), folder.c_str())) open_file_in(model, std::string(recent[i]));
    if (name.size() + folder.size() + 1 < recent[i].size()) whole_as_tooltip(recent[i]);
    ImGui::PopID();
  }
  ImGui::Separator();
  if (ui::menu_item("Forget these")) {
    state.settings.recent.clear();
    model.requests.add(request::ForgetScenes{});
    state.settings_changed = true;
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Also forgets the scenes' settings");
}

// Opens the current files in another scene. One that is not made for them shows those that were
// open before and that it is made for, or else its own.
void open_in_scene(const SceneKind& kind, Model& model, PanelState& state) {
  const std::vector<MeshSource>& now = model.scene_files;
  std::vector<MeshSource>& pictures = state.files_before[1];
  std::vector<MeshSource>& meshes = state.files_before[0];
  if (!now.empty() && model.scene_kind != nullptr)
    (is_made_for(*model.scene_kind, now.front().spec) == model.scene_kind->draws_pictures
         ? pictures
         : meshes) = now;
  SceneDescription description{.scene = kind.name,
                               .files = kind.draws_pictures ? pictures : meshes};
  const bool is_other = !now.empty() && (description.files.empty() ||
                                         description.files.front().spec != now.front().spec);
  if (is_other)
    model.messages.push_back(
        {Message::Kind::info,
         fmt::format(
             "{} draws {}, which {} is not: it shows {}.", kind.title,
             kind.draws_pictures ? "pictures in SVG" : "meshes", name_of_file(now.front()),
             description.files.empty() ? "its own" : name_of_file(description.files.front()))});
  model.requests.add(request::Open{std::move(description)});
}

void scene_items(Model& model, PanelState& state) {
  for (const SceneKind& kind : scene_kinds()) {
    if (ui::menu_item(kind.title, nullptr, model.scene_kind == &kind))
      open_in_scene(kind, model, state);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", kind.summary);
  }
}

// Ticked where it can be seen.
void panel_item(const char* label, Panel panel, PanelState& state) {
  const bool shown = is_shown(state, panel);
  if (ui::menu_item(label, nullptr, shown)) show_panel(state, panel, !shown);
}

void view_items(Model& model, PanelState& state) {
  for (OutputRow& output : model.outputs) {
    const std::string key(output.key != 0 ? 1 : 0, output.key);
    ui::menu_item(output.title.c_str(), key.c_str(), &output.shown);
  }
  const auto toggle = [](const char* label, const std::string& missing, bool& value) {
    ImGui::BeginDisabled(!missing.empty());
    ui::menu_item(label, nullptr, &value);
    ImGui::EndDisabled();
  };
  toggle("Shadows", shadows_miss(model), model.show.shadows);
  toggle("Dim under overlays", dimming_misses(model), model.show.dims_surfaces);
  if (ui::menu_item("Legend", nullptr, &state.settings.legend)) state.settings_changed = true;
  ImGui::Separator();
  item("Fit", "F", Command::fit, model, state);
  if (ui::menu_item("Fly", "Shift+F", state.flies, !model.scene_name.empty()))
    run_command(Command::fly, model, state);
  if (ui::begin_menu("Look from")) {
    struct Row {
      Side side;
      const char *title, *key;
    };
    static constexpr std::array sides = {
        Row{Side::home, "Home", "Home"},
        Row{Side::front, "Front", "Keypad 1"},
        Row{Side::back, "Back", "Ctrl+Keypad 1"},
        Row{Side::right, "Right", "Keypad 3"},
        Row{Side::left, "Left", "Ctrl+Keypad 3"},
        Row{Side::top, "Top", "Keypad 7"},
        Row{Side::bottom, "Bottom", "Ctrl+Keypad 7"},
    };
    for (const Row& row : sides)
      if (ui::menu_item(row.title, row.key)) model.requests.add(request::LookFrom{row.side});
    camera_items(model, state);
    ImGui::EndMenu();
  }
  const bool z_up = model.camera.up_axis == UpAxis::z;
  if (ui::menu_item("Z is up", "U", z_up)) run_command(Command::turn_up_axis, model, state);
  ImGui::Separator();
  if (ui::begin_menu("Theme")) {
    const auto choose = [&state](const char* label, Theme theme) {
      if (!ui::menu_item(label, nullptr, state.settings.theme == theme)) return;
      state.settings.theme = theme;
      state.settings_changed = true;
    };
    choose("Dark", Theme::dark);
    choose("Light", Theme::light);
    ImGui::EndMenu();
  }
  if (ui::begin_menu("Size of panels")) {
    item("Larger", "Ctrl +", Command::larger, model, state);
    item("Smaller", "Ctrl -", Command::smaller, model, state);
    item("Default size", "Ctrl 0", Command::usual_size, model, state);
    ImGui::EndMenu();
  }
  panel_item("Scene panel", Panel::scene, state);
  panel_item("Timings panel", Panel::timings, state);
  item("Both panels", "Tab", Command::toggle_panels, model, state);
  item("Next panel", "Shift+Tab", Command::next_panel, model, state);
  if (ui::menu_item("Laboratory", "L", state.show_lab))
    run_command(Command::toggle_lab, model, state);
  ui::menu_item("Messages", nullptr, &state.show_log);
}

void draw_menus(Model& model, PanelState& state) {
  if (ui::begin_menu("File")) {
    item("Open...", "Ctrl+O", Command::open_file, model, state);
    item("Reload", "F5", Command::reload, model, state, !model.scene_name.empty());
    if (ui::menu_item("Reload when the file changes", nullptr, &state.settings.reload_on_change))
      state.settings_changed = true;
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip(
          "Checks the mesh, its materials and textures once a second, and reloads after a change");
    if (ui::begin_menu("Open generated")) {
      generated_items(model);
      ImGui::EndMenu();
    }
    if (ui::begin_menu("Open recent", !state.settings.recent.empty())) {
      recent_items(model, state);
      ImGui::EndMenu();
    }
    ImGui::Separator();
    item("Screenshot", "Ctrl+S", Command::screenshot, model, state, !model.scene_name.empty());
    item("Save picture...", "Ctrl+Shift+S", Command::save_picture, model, state,
         !model.scene_name.empty());
    item("Save scene...", "Ctrl+E", Command::save_scene, model, state, !model.scene_name.empty());
    item("Record video...", "Ctrl+R", Command::record_video, model, state,
         !model.scene_name.empty() && !model.video.records());
    const std::vector<std::string> command = scene_command(model);
    if (ui::menu_item("Copy as command", nullptr, false, !command.empty())) {
      ImGui::SetClipboardText(shell_command(command).c_str());
      model.messages.push_back(
          {Message::Kind::info,
           "Copied to the clipboard: the command that opens this scene with these settings."});
    }
    ImGui::Separator();
    item("Quit", "Ctrl+Q", Command::quit, model, state);
    ImGui::EndMenu();
  }
  if (ui::begin_menu("Edit")) {
    const auto step = [&](const char* verb, const std::string& what, const char* keys,
                          Command command) {
      const std::string label = what.empty() ? verb : fmt::format("{}: {}", verb, what);
      item((label + "###" + verb).c_str(), keys, command, model, state, !what.empty());
    };
    step("Undo", model.undoes, "Ctrl+Z", Command::undo);
    step("Redo", model.redoes, "Ctrl+Shift+Z", Command::redo);
    ImGui::EndMenu();
  }
  if (ui::begin_menu("Scene")) {
    scene_items(model, state);
    ImGui::Separator();
    if (ui::menu_item("Reset settings of this scene", nullptr, false, !model.scene_name.empty()))
      model.requests.add(request::ResetSettings{});
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("Restores this scene's default camera, controls, variants and outputs");
    ImGui::Separator();
    draw_backend_menu(model, state);
    ImGui::EndMenu();
  }
  if (ui::begin_menu("View")) {
    view_items(model, state);
    ImGui::EndMenu();
  }
  if (ui::begin_menu("Help")) {
    item("Mouse and keys", "F1", Command::toggle_help, model, state);
    ui::menu_item("About", nullptr, &state.show_about);
    ImGui::EndMenu();
  }
}

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
    right += fmt::format("    first picture after {:.2f} s", *state.first_picture_seconds);
  right += "    F1: help";
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
  begin_fixed("##status", area, ImGuiWindowFlags_NoScrollbar);
  draw_status(model, state);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}
// Arrows, Enter and Escape work in menus and lists; elsewhere they would go to the widget that was
// last clicked, and Space with them. The file browser has keys of its own.
void give_keys_to_popups(const PanelState& state) {
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  if (state.popup_open && !state.browser.is_open() && !state.saver.is_open())
    flags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
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
  coloured_text(colour::dim, "Drop an OBJ file here, or open one: Ctrl+O");
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
      return group_digits(*n) + " " + lower_case(fact.title);
  return {};
}

void draw_panels(Model& model, PanelState& state) {
  const FontScope regular(state.fonts.regular);
  state.animates = model.loading || model.lab.busy();
  state.lab.steps.has_keys = false;  // unless its tab says otherwise
  state.popup_open =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  give_keys_to_popups(state);
  model.show.theme = state.settings.theme;
  model.reload_on_change = state.settings.reload_on_change;
  take_messages(model, state);
  note_opened(model, state);
  show_opened_recording(model, state);
  show_watched_stage(model, state);

  const ImVec2 display = ImGui::GetIO().DisplaySize;
  // Whole numbers, so that the picture's pixels are the window's.
  const float top = std::ceil(draw_menu_bar(model, state));
  const float status = std::ceil(ImGui::GetTextLineHeight() + 0.5F * em());
  const float height = std::max(std::floor(display.y) - top - status, 1.0F);
  draw_side_panels(model, state, top, height);
  if (state.layout.view <= 0.0F) state.flies = false;  // the cursor would be lost for nothing
  draw_status_line(model, state, {0.0F, display.y - status, display.x, status});

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
  draw_browsers(model, state);
  draw_save_picture(model, state);
  draw_record_video(model, state);
  draw_cameras(model, state);
  model.is_setting = ImGui::IsAnyItemActive();

  if (std::exchange(state.settings.scene_panel, state.show_scene) != state.show_scene ||
      std::exchange(state.settings.timings_panel, state.show_timings) != state.show_timings ||
      std::exchange(state.settings.lab_panel, state.show_lab) != state.show_lab)
    state.settings_changed = true;
}

}  // namespace warpview
