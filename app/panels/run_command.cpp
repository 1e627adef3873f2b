// What menus and keys do.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/parts.h"
#include "app/panels/saved_files.h"
#include "gpu/recording/file.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

// By steps of a tenth; 0: the size that the desktop asks for.
void resize_panels(PanelState& state, int steps) {
  constexpr int step = 10;
  int& percent = state.settings.scale_percent;
  const int wanted = steps == 0 ? Settings::usual_scale : percent + steps * step;
  percent = std::clamp(wanted, Settings::least_scale, Settings::most_scale);
  state.settings_changed = true;
}

// Does it show what the mouse is needed for?
bool needs_cursor(Command command) {
  return command == Command::open_file || command == Command::toggle_lab ||
         command == Command::toggle_help || command == Command::save_picture ||
         command == Command::save_scene || command == Command::record_video ||
         command == Command::cameras || command == Command::open_palette ||
         command == Command::focus_menus || command == Command::welcome ||
         command == Command::gallery || command == Command::tour;
}

void close_topmost(PanelState& state) {
  if (!is_in_dialog(state) && leave_focus(state)) return;
  if (state.show_page) {
    state.show_page = false;
  } else if (state.cameras.open) {
    state.cameras.open = false;
  } else if (state.show_about) {
    state.show_about = false;
  } else if (state.show_help) {
    state.show_help = false;
  } else if (state.show_log) {
    state.show_log = false;
  } else if (state.tour.step) {
    state.tour = {};
  } else {
    for (std::size_t i = state.notices.size(); i-- > 0;) {
      if (state.notices[i].dismissed) continue;
      state.notices[i].dismissed = true;
      break;
    }
  }
}

// A name for what is open: that of its scene file, or of its first mesh and its kind.
std::string scene_file(const Model& model) {
  if (!model.scene_file.empty()) return std::filesystem::path(model.scene_file).filename().string();
  const std::string kind = model.scene_kind->name;
  if (model.scene_files.empty() || is_generated(model.scene_files.front().spec))
    return kind + ".json";
  return std::filesystem::path(model.scene_files.front().spec).stem().string() + "-" + kind +
         ".json";
}

}  // namespace

std::string name_of_file(const MeshSource& file) {
  return is_generated(file.spec) ? file.spec : std::filesystem::path(file.spec).filename().string();
}

std::string files_of(const Model& model) {
  if (model.scene_files.empty())
    return model.scene_kind != nullptr ? std::string(model.scene_kind->own_mesh) : std::string();
  std::string names;
  for (const MeshSource& file : model.scene_files) names += file.spec + '\n';
  return names;
}

void open_file_in(Model& model, const std::string& spec) { open_files_in(model, {spec}); }

void open_files_in(Model& model, std::vector<std::string> specs) {
  for (const std::string& spec : specs)
    if (is_recording_file(spec)) model.requests.add(request::OpenRecording{spec});
  std::erase_if(specs, is_recording_file);
  if (specs.empty()) return;
  SceneDescription description;
  for (const std::string& spec : specs) description.files.push_back({spec});
  const SceneKind* const here = model.scene_kind;
  if (here != nullptr && !is_scene_file(specs.front())) {
    if (is_made_for(*here, specs.front()))
      description.scene = here->name;
    else
      model.messages.push_back(
          {Message::Kind::info,
           fmt::format("{} cannot show {}: it opens in {}.", here->title,
                       name_of_file(description.files.front()), kind_of(description).title)});
  }
  model.requests.add(request::Open{std::move(description)});
}

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

void toggle_output(char key, Model& model) {
  for (OutputRow& output : model.outputs)
    if (key != 0 && output.key == key) output.shown = !output.shown;
}

void run_command(Command command, Model& model, PanelState& state) {
  if (needs_cursor(command)) state.flies = false;
  switch (command) {
    case Command::open_file:
      state.browser.open(state.settings.folder);
      break;
    case Command::reload:
      if (!model.scene_name.empty()) model.requests.add(request::Reload{});
      break;
    case Command::screenshot:
      if (!model.scene_name.empty()) model.requests.add(request::SavePicture{free_screenshot()});
      break;
    case Command::save_picture:
      if (!model.scene_name.empty()) state.picture.open = true;
      break;
    case Command::save_scene:
      if (!model.scene_name.empty())
        state.saver.open_to_save(state.settings.folder, scene_file(model));
      break;
    case Command::record_video:
      if (!model.scene_name.empty() && !model.video.records()) state.video.open = true;
      break;
    case Command::cameras:
      state.cameras.open = !state.cameras.open && !model.scene_name.empty();
      break;
    case Command::undo:
      model.requests.add(request::Undo{});
      break;
    case Command::redo:
      model.requests.add(request::Redo{});
      break;
    case Command::quit:
      state.quit = true;
      break;
    case Command::fit:
      model.requests.add(request::FitCamera{});
      break;
    case Command::fly:
      state.flies = !state.flies && !model.scene_name.empty();
      break;
    case Command::turn_up_axis:
      model.camera.up_axis = model.camera.up_axis == UpAxis::y ? UpAxis::z : UpAxis::y;
      model.usual_up = model.camera.up_axis;
      state.settings.z_up = model.usual_up == UpAxis::z;
      state.settings_changed = true;
      model.requests.add(request::FitCamera{});
      break;
    case Command::larger:
      resize_panels(state, 1);
      break;
    case Command::smaller:
      resize_panels(state, -1);
      break;
    case Command::usual_size:
      resize_panels(state, 0);
      break;
    case Command::toggle_panels:
      toggle_panels(state);
      break;
    case Command::next_panel:
      show_next_panel(state);
      break;
    case Command::toggle_lab:
      state.show_lab = !state.show_lab;
      break;
    case Command::toggle_help:
      state.show_help = !state.show_help;
      break;
    case Command::welcome:
      state.welcome.form = WelcomeView::Form::welcome;
      break;
    case Command::gallery:
      state.welcome.form = WelcomeView::Form::gallery;
      break;
    case Command::tour:
      begin_tour(model, state);
      break;
    case Command::compare_ab:
      toggle_ab(model);
      break;
    case Command::next_ab:
      show_next_ab(model);
      break;
    case Command::swap_ab:
      if (model.shows_a()) model.ab.swapped = !model.ab.swapped;
      break;
    case Command::pause:
      if (model.results->moving) model.playing = !model.playing;
      break;
    case Command::step:
      if (model.results->moving && !model.playing) model.requests.add(request::Step{});
      break;
    case Command::close_dialog:
      close_topmost(state);
      break;
    case Command::open_palette:
      state.palette = {.open = true, .appears = true};
      break;
    case Command::focus_next:
      state.keyboard.wish = KeyboardFocus::Move::next;
      break;
    case Command::focus_previous:
      state.keyboard.wish = KeyboardFocus::Move::previous;
      break;
    case Command::focus_next_panel:
      state.keyboard.wish = KeyboardFocus::Move::next_panel;
      break;
    case Command::focus_previous_panel:
      state.keyboard.wish = KeyboardFocus::Move::previous_panel;
      break;
    case Command::focus_menus:
      state.keyboard.wish = KeyboardFocus::Move::menus;
      break;
  }
}

}  // namespace warpview
