// The menus, made from rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "app/common/shell_command.h"
#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/commands.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

constexpr const char* nothing_open = "Nothing is open.";

// The words with a number where `mark` stands in them.
std::string with_number(std::string words, std::string_view mark, const std::string& number) {
  const std::size_t at = words.find(mark);
  return at == std::string::npos ? words : words.replace(at, mark.size(), number);
}

void copy_as_command(Model& model) {
  ImGui::SetClipboardText(shell_command(scene_command(model)).c_str());
  model.messages.push_back(
      {Message::Kind::info,
       "Copied to the clipboard: the command that opens this scene with these settings."});
}

// Collects the rows of one menu after the other.
class Menus {
 public:
  Menus(Model& model, PanelState& state) : model_(model), state_(state) {}

  std::vector<Action> collect() {
    file();
    edit();
    scene();
    view();
    help();
    return std::move(rows_);
  }

 private:
  void in(std::vector<std::string> path) { path_ = std::move(path); }
  void line() { begins_group_ = true; }
  Action& add(std::string label, std::function<void()> act) {
    Action& row = rows_.emplace_back();
    row.path = path_;
    row.label = std::move(label);
    row.begins_group = std::exchange(begins_group_, false);
    row.act = std::move(act);
    return row;
  }
  Action& add(std::string label, Command command) {
    Action& row = add(std::move(label), [&model = model_, &state = state_, command] {
      run_command(command, model, state);
    });
    row.keys = keys_of(command);
    return row;
  }
  // Needs a scene that is open.
  Action& add_of_scene(std::string label, Command command) {
    Action& row = add(std::move(label), command);
    if (model_.scene_name.empty()) row.why_not = nothing_open;
    return row;
  }
  // Needs the picture of a scene that is open.
  Action& add_of_view(std::string label, Command command) {
    Action& row = add_of_scene(std::move(label), command);
    if (row.why_not.empty() && state_.layout.view <= 0.0F) row.why_not = "The scene is hidden.";
    return row;
  }
  // A switch of the settings.
  Action& add_switch(std::string label, bool& setting) {
    Action& row = add(std::move(label), [&setting, &state = state_] {
      setting = !setting;
      state.settings_changed = true;
    });
    row.on = setting;
    return row;
  }

  void file() {
    in({"File"});
    add("Open...", Command::open_file);
    add("Gallery...", Command::gallery);
    add_of_scene("Reload", Command::reload);
    add_switch("Reload when the file changes", state_.settings.reload_on_change).about =
        "Checks the mesh, its materials and textures once a second, and reloads after a change";
    generated();
    recent();
    in({"File"});
    line();
    add_of_scene("Screenshot", Command::screenshot);
    add_of_scene("Save picture...", Command::save_picture);
    add_of_scene("Save scene...", Command::save_scene);
    Action& video = add_of_scene("Record video...", Command::record_video);
    if (model_.video.records()) video.why_not = "A video is being recorded.";
    Action& copy = add("Copy as command", [&model = model_] { copy_as_command(model); });
    if (scene_command(model_).empty()) copy.why_not = nothing_open;
    line();
    add("Quit", Command::quit);
  }

  void generated() {
    constexpr std::array<std::uint64_t, 4> sizes = {10'000, 100'000, 1'000'000, 4'000'000};
    const auto add_mesh = [this](const std::string& label, const std::string& spec) {
      add(capitalised(label), [&model = model_, spec] { open_file_in(model, spec); }).hint = spec;
    };
    in({"File", "Open generated"});
    for (const GeneratedMesh& mesh : generated_meshes()) {
      const std::string spec(mesh.spec);
      const std::string summary(mesh.summary);
      if (!spec.ends_with("<N>")) {
        add_mesh(summary, spec);
        continue;
      }
      for (const std::uint64_t n : sizes)
        add_mesh(with_number(summary, "N", group_digits(n)),
                 with_number(spec, "<N>", std::to_string(n)));
    }
  }

  void recent() {
    in({"File", "Open recent"});
    const std::vector<std::string>& files = state_.settings.recent;
    for (const std::string& file : files) {
      const fs::path path(file);
      Action& row =
          add(path.filename().string(), [&model = model_, file] { open_file_in(model, file); });
      row.hint = path.parent_path().string();
      row.about = file;
      row.id = file;
    }
    if (!files.empty()) line();
    Action& forget = add("Forget these", [&model = model_, &state = state_] {
      state.settings.recent.clear();
      model.requests.add(request::ForgetScenes{});
      state.settings_changed = true;
    });
    forget.about = "Also forgets the scenes' settings";
    if (files.empty()) forget.why_not = "No files were opened yet.";
  }

  void edit() {
    in({"Edit"});
    const auto step = [this](const char* verb, const std::string& what, Command command) {
      Action& row = add(what.empty() ? verb : fmt::format("{}: {}", verb, what), command);
      row.id = verb;
      if (what.empty())
        row.why_not =
            fmt::format("There is nothing to {}.", command == Command::undo ? "undo" : "redo");
    };
    step("Undo", model_.undoes, Command::undo);
    step("Redo", model_.redoes, Command::redo);
  }

  void scene() {
    in({"Scene"});
    for (const SceneKind& kind : scene_kinds()) {
      Action& row = add(kind.title, [&model = model_, &state = state_, &kind] {
        open_in_scene(kind, model, state);
      });
      row.on = model_.scene_kind == &kind;
      row.about = kind.summary;
    }
    line();
    Action& reset = add("Reset settings of this scene",
                        [&model = model_] { model.requests.add(request::ResetSettings{}); });
    reset.about = "Restores this scene's default camera, controls, variants and outputs";
    if (model_.scene_name.empty()) reset.why_not = nothing_open;
    line();
    backends();
  }

  void backends() {
    in({"Scene", "Compute on"});
    for (const Backend backend : all_backends) {
      const bool used = backend == model_.device.backend;
      Action& row = add(to_string(backend), [&model = model_, backend, used] {
        if (!used) model.requests.add(request::SwitchBackend{backend});
      });
      row.on = used;
      if (used || model_.can_switch_to(backend)) continue;
      const std::string& absent = model_.absent[static_cast<std::size_t>(backend)];
      row.why_not = absent.empty() ? "Another backend is being opened." : absent;
    }
  }

  void outputs() {
    for (OutputRow& output : model_.outputs) {
      Action& row = add(output.title, [&model = model_, name = output.name] {
        if (OutputRow* const found = model.output(name)) found->shown = !found->shown;
      });
      row.keys = std::string(output.key != 0 ? 1 : 0, output.key);
      row.on = output.shown;
      if (output.empty) row.why_not = "The scene has none.";
    }
    in({"View", "Light and ground"});
    for (const LookSwitch& look : look_switches) {
      Action& row = add(look.title, [&model = model_, value = look.value] {
        model.show.*value = !(model.show.*value);
      });
      row.on = model_.show.*look.value;
      row.why_not = look_misses(model_, look);
      row.about = look.about;
    }
    in({"View"});
    add_switch("Legend", state_.settings.legend);
  }

  // Two pictures in one: View > A|B.
  void ab() {
    in({"View", "A|B"});
    add_of_scene("Show A beside B", Command::compare_ab).on = model_.shows_a();
    line();
    const std::string missing = ab_misses(model_);
    const auto mode = [this, &missing](const char* label, AbView::Mode each, const char* about) {
      Action& row = add(label, [&model = model_, each] { model.ab.mode = each; });
      row.on = model_.shows_a() && model_.ab.mode == each;
      row.why_not = missing;
      row.about = about;
    };
    mode("Divider", AbView::Mode::divided, "A on the left of a line that can be dragged");
    mode("Difference", AbView::Mode::difference, "How much each pixel differs, amplified");
    mode("A alone", AbView::Mode::only_a, "The picture of A, by the present camera");
    add("Next of these", Command::next_ab).why_not = missing;
    Action& swap = add("Swap the sides", Command::swap_ab);
    swap.on = model_.ab.swapped;
    swap.why_not = missing;
    line();
    Action& pins =
        add(model_.pinned ? "Pin again as A" : "Pin as A", [&model = model_] { pin(model); });
    pins.about = "Keeps the picture with all its settings and times as A";
    if (model_.scene_name.empty()) pins.why_not = nothing_open;
    Action& back = add("Go back to A", [&model = model_] { go_back_to_pinned(model); });
    back.about = "Restores A's variants, controls and outputs";
    Action& unpin = add("Unpin", [&model = model_] { model.pinned.reset(); });
    unpin.about = "Forgets A";
    if (!model_.pinned) back.why_not = unpin.why_not = "Nothing is pinned as A.";
  }

  // Ticked while the panel can be seen.
  void panel(const char* label, Panel which) {
    const bool shown = is_shown(state_, which);
    add(label, [&state = state_, which, shown] { show_panel(state, which, !shown); }).on = shown;
  }

  void camera() {
    add_of_scene("Fit", Command::fit);
    add_of_view("Fly", Command::fly).on = state_.flies;
    in({"View", "Look from"});
    for (const SideKeys& row : side_keys)
      add(row.title, [&model = model_, side = row.side] {
        model.requests.add(request::LookFrom{side});
      }).keys = row.keys;
    cameras();
    in({"View"});
    add("Z is up", Command::turn_up_axis).on = model_.camera.up_axis == UpAxis::z;
  }

  // The kept cameras and their window, in View > Look from.
  void cameras() {
    line();
    for (const SceneMemory::NamedCamera& camera : model_.cameras)
      add(camera.name, [&model = model_, name = camera.name] {
        model.requests.add(request::LookThrough{name});
      });
    if (!model_.cameras.empty()) line();
    add_of_view("Cameras...", Command::cameras).on = state_.cameras.open;
  }

  void view() {
    in({"View"});
    outputs();
    line();
    camera();
    line();
    in({"View", "Theme"});
    for (const auto& [label, theme] : {std::pair{"Dark", Theme::dark}, {"Light", Theme::light}})
      add(label, [&state = state_, theme = theme] {
        state.settings.theme = theme;
        state.settings_changed = true;
      }).on = state_.settings.theme == theme;
    in({"View", "Size of panels"});
    add("Larger", Command::larger);
    add("Smaller", Command::smaller);
    add("Default size", Command::usual_size);
    in({"View"});
    panel("Scene panel", Panel::scene);
    panel("Timings panel", Panel::timings);
    add("Both panels", Command::toggle_panels);
    add("Next panel", Command::next_panel);
    add("Laboratory", Command::toggle_lab).on = state_.show_lab;
    add("Messages", [&state = state_] { state.show_log = !state.show_log; }).on = state_.show_log;
    line();
    ab();
  }

  void help() {
    in({"Help"});
    add("Welcome", Command::welcome);
    add("Take the tour", Command::tour);
    add("Search commands...", Command::open_palette);
    line();
    Action& here = add("This scene", [&model = model_, &state = state_] {
      show_handbook(state, scene_page(model.scene_kind->name));
    });
    here.about = "The page of the scene that is open";
    if (model_.scene_kind == nullptr) here.why_not = nothing_open;
    const Primitive primitive = primitive_in_view(model_, state_);
    Action& about = add("This primitive", [&model = model_, &state = state_, primitive] {
      open_laboratory(model, state, primitive, {}, LabTask::about);
    });
    about.about = fmt::format("The page of {}, in the laboratory", title(primitive));
    about.why_not = lab_misses(model_, primitive);
    add("Using the window", [&state = state_] { show_handbook(state, window_page); });
    add("Glossary", [&state = state_] { show_handbook(state, glossary_page); });
    add("Keys", Command::toggle_help);
    line();
    add("About Warpview", [&state = state_] { state.show_about = !state.show_about; }).on =
        state_.show_about;
  }

  Model& model_;
  PanelState& state_;
  std::vector<Action> rows_;
  std::vector<std::string> path_;
  bool begins_group_ = false;
};

// ImGui takes what follows "##" for an identifier, which it does not draw.
std::string without_marks(std::string label) {
  for (std::size_t at = label.find("##"); at != std::string::npos; at = label.find("##"))
    label.insert(at + 1, 1, ' ');
  return label;
}

void draw_item(const Action& row) {
  const float longest = std::min(24.0F * em(), 0.35F * ImGui::GetIO().DisplaySize.x);
  const std::string label = elided(row.label, longest, Cut::middle);
  const std::string hint = row.hint.empty() ? row.keys : elided(row.hint, longest, Cut::middle);
  const std::string named = without_marks(label) + (row.id.empty() ? "" : "###" + row.id);
  if (ui::menu_item(named.c_str(), hint.c_str(), row.on.value_or(false), row.why_not.empty()))
    row.act();
  const bool is_cut = label != row.label || hint != (row.hint.empty() ? row.keys : row.hint);
  const bool is_file = !row.id.empty() && row.id == row.about;
  const std::string& words = !row.why_not.empty() ? row.why_not : row.about;
  if (!words.empty() && (!is_file || is_cut)) whole_as_tooltip(words);
}

// Draws the rows from `first` on that belong to the open menu, which is `depth` names deep. Returns
// the first row of another.
std::size_t draw_rows(const std::vector<Action>& rows, std::size_t first, std::size_t depth) {
  const std::vector<std::string> path(
      rows[first].path.begin(), rows[first].path.begin() + static_cast<std::ptrdiff_t>(depth));
  const auto is_within = [&](std::size_t i) {
    return i < rows.size() && rows[i].path.size() >= depth &&
           std::equal(path.begin(), path.end(), rows[i].path.begin());
  };
  std::size_t i = first;
  while (is_within(i)) {
    // The line above a submenu is its first row's, too: it is not drawn again inside.
    if (rows[i].begins_group && i != first) ImGui::Separator();
    if (rows[i].path.size() == depth) {
      draw_item(rows[i++]);
      continue;
    }
    const std::string& name = rows[i].path[depth];
    const auto is_of_it = [&](std::size_t row) {
      return is_within(row) && rows[row].path.size() > depth && rows[row].path[depth] == name;
    };
    std::size_t end = i;
    bool can_any = false;
    for (; is_of_it(end); ++end) can_any |= rows[end].why_not.empty();
    if (ui::begin_menu(name.c_str(), can_any)) {
      draw_rows(rows, i, depth + 1);
      ImGui::EndMenu();
    }
    i = end;
  }
  return i;
}

}  // namespace

std::span<const char* const> menu_names() {
  static constexpr std::array names = {"File", "Edit", "Scene", "View", "Help"};
  return names;
}

std::vector<Action> menu_actions(Model& model, PanelState& state) {
  return Menus(model, state).collect();
}

void draw_menus(Model& model, PanelState& state) {
  for (std::size_t menu = 0; menu < menu_names().size(); ++menu) {
    const char* const name = menu_names()[menu];
    prepare_menu(state, menu, name);
    if (!ui::begin_menu(name)) continue;
    const std::vector<Action> rows = menu_actions(model, state);
    const auto first = std::find_if(rows.begin(), rows.end(),
                                    [name](const Action& row) { return row.path[0] == name; });
    draw_rows(rows, static_cast<std::size_t>(first - rows.begin()), 1);
    ImGui::EndMenu();
  }
}

}  // namespace warpview
