// Opens scenes: on the loading thread, and what becomes of the one that is open.
#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/session_state.h"
#include "gpu/catalogue.h"

namespace warpview {
namespace {

std::string name_of(const OpenedScene& scene) {
  const bool is_plain = scene.kind == &scene_kinds().front();
  return is_plain ? scene.mesh->name : std::string(scene.kind->title) + ", " + scene.mesh->name;
}

// Are the names equal, one by one?
bool same_files(const std::vector<MeshSource>& a, const std::vector<MeshSource>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const MeshSource& x, const MeshSource& y) { return x.spec == y.spec; });
}

}  // namespace

void Session::State::start_loading(SceneLoader::Request request, Purpose purpose_of_it) {
  if (loader) {
    loader->cancel();
    next.emplace(Next{std::move(request), purpose_of_it});
    return;
  }
  if (opened) opened = as_it_is();
  purpose = purpose_of_it;
  loader = std::make_unique<SceneLoader>(std::move(request), opened, *device, *compute);
}

std::shared_ptr<const OpenedScene> Session::State::as_it_is() const {
  auto now = std::make_shared<OpenedScene>(*opened);
  for (std::size_t i = 0; i < now->controls.size(); ++i)
    if (now->controls.all()[i].effect != Effect::remake)
      now->controls.set(i, model.controls.value(i));
  now->variants = {};
  for (const StageRow& stage : model.stages)
    if (stage.variant) now->variants.add(stage.result.name, (*stage.variant)->name);
  for (std::size_t i = 0; i < now->shown.size(); ++i) now->shown[i] = model.outputs[i].shown;
  return now;
}

void Session::State::start_opening(SceneDescription description) {
  carry_variants();
  SceneLoader::Request request{.description = std::move(description)};
  remember();  // it may be the same scene that is opened again
  if (const SceneMemory* memory = memory_for(request.description)) request.memory = *memory;
  // A scene file says itself how its scene is set.
  const std::vector<MeshSource>& files = request.description.files;
  if (files.size() != 1 || !is_scene_file(files.front().spec)) {
    request.habits = habits;
    if (opened) request.shown = shown_names();
    if (!request.memory || !request.memory->controls) carry_controls(request.description);
  }
  start_loading(std::move(request), Purpose::another);
}

void Session::State::carry_variants() {
  const auto habit = [this](const std::string& stage) {
    std::string variant;
    for (const VariantWishes::Wish& wish : habits.all())
      if (wish.stage == stage) variant = wish.variant;
    return variant;
  };
  for (const StageRow& stage : model.stages) {
    const bool is_of_file = opened->of_file && stage.variant == stage.usual;
    if (!stage.variant || is_of_file) continue;
    const char* const now = (*stage.variant)->name;
    const std::string before = habit(stage.result.name);
    const bool is_chosen = stage.variant != stage.usual || !before.empty();
    if (is_chosen && before != now) habits.add(stage.result.name, now);
  }
}

void Session::State::carry_controls(SceneDescription& description) const {
  if (!opened || &kind_of(description) != opened->kind) return;
  // What a scene file said of what is open is that file's.
  const std::optional<Controls>& of_file = opened->of_file;
  const auto asked = std::make_shared<const SceneDescription>(description);
  std::vector<std::pair<std::string, std::string>> carried;
  for (std::size_t i = 0; i < model.controls.size(); ++i) {
    const Control& control = model.controls.all()[i];
    const double begins = of_file ? of_file->value(i) : control.initial;
    if (control.kind != Control::Kind::action && model.controls.value(i) != begins)
      carried.emplace_back(control.name, model.controls.text(i));
  }
  if (carried.empty()) return;
  description.asked = asked;
  // What is asked for now comes last, and counts.
  description.controls.insert(description.controls.begin(), carried.begin(), carried.end());
}

std::vector<std::string> Session::State::shown_names() const {
  std::vector<std::string> names;
  for (const OutputRow& output : model.outputs)
    if (output.shown) names.push_back(output.name);
  return names;
}

void Session::State::reload_files() {
  SceneLoader::Request request = same_scene();
  request.mesh.reset();
  start_loading(std::move(request), Purpose::same);
}

void Session::State::reload_on_change() {
  const std::uint64_t wanted = model.reload_on_change && opened ? opened->number : 0;
  if (watched != wanted) {
    watch.watch(wanted > 0 ? opened->files : std::vector<ReadFile>());
    watched = wanted;
  }
  // What runs now reads them itself, or is followed by a look at what it is about to replace.
  if (!loader && !lab_run && !other.has_device() && watch.take_change()) reload_files();
}

SceneLoader::Request Session::State::same_scene() const {
  SceneLoader::Request request{.description = opened->description,
                               .habits = as_it_is()->variants,
                               .shown = shown_names(),
                               .mesh = opened->mesh,
                               .files = opened->files,
                               .controls = model.controls,
                               .of_file = opened->of_file,
                               .said = opened->said};
  request.description.camera.reset();
  request.description.show.reset();
  request.description.seconds.reset();
  request.description.variants = {};
  return request;
}

bool Session::State::needs_files() const {
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    if (model.controls.all()[i].of_files && model.controls.value(i) != opened->controls.value(i))
      return true;
  return false;
}

void Session::State::remake() {
  SceneLoader::Request request = same_scene();
  if (needs_files()) request.mesh.reset();
  auto& said = request.description.controls;
  if (const char* const size = opened->kind->size_control) {
    // What the scene is called by from now on.
    std::erase_if(said, [size](const auto& control) { return control.first == size; });
    said.emplace_back(size, model.controls.text(model.controls.find(size)));
  }
  start_loading(std::move(request), Purpose::same);
}

void Session::State::poll_loader() {
  model.loading = loader != nullptr;
  if (!loader) return;
  model.loading_spec = loader->spec();
  model.load_progress = loader->progress();
  model.load_phase = loader->phase();
  if (loader->state() == SceneLoader::State::loading) return;
  const auto done = std::move(loader);
  model.loading = false;
  const bool begins_anew = open_anew(*done);
  if (done->state() == SceneLoader::State::failed && !begins_anew)
    say(Message::Kind::error, in_words(done->failure()));
  if (done->state() == SceneLoader::State::cancelled && !next)
    say(Message::Kind::info, "Loading " + done->spec() + " was cancelled.");
  if (other.has_device())
    end_switch(*done);
  else if (done->opened() != opened)
    take_over(done->opened(), done->state() == SceneLoader::State::done);
  else if (opened)
    take_sizes_back();
  if (auto following = std::exchange(next, {})) {
    start_loading(std::move(following->request), following->purpose);
    model.loading = true;
  }
}

void Session::State::take_sizes_back() {
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    if (model.controls.all()[i].effect == Effect::remake)
      model.controls.set(i, opened->controls.value(i));
}

void Session::State::take_over(std::shared_ptr<const OpenedScene> scene, bool is_new) {
  const bool is_remade = is_new && purpose == Purpose::same;
  const bool is_another = is_new && !is_remade;
  if (is_new && purpose == Purpose::anew) {
    forget(memory_key(scene->description));
    habits = habits_of_other_scenes();
  } else if (is_another) {
    remember();
  }
  const bool has_other_files = scene && !same_files(scene->description.files, model.scene_files);
  // Once for each file, in however many scenes it is shown. One that is read again may have other
  // faults than before.
  const bool is_other_mesh =
      scene && (!opened || has_other_files || scene->mesh->name != opened->mesh->name);
  const bool warns = is_new && scene &&
                     (is_other_mesh ? !scene->mesh->warnings.empty()
                                    : scene->mesh->warnings != opened->mesh->warnings);
  opened = std::move(scene);
  if (is_another || !opened) give_up_pictures("another scene was opened before it was drawn");
  if (is_new) opened_at = std::chrono::steady_clock::now();
  if (is_new) model.load_times = opened->phases;
  if (!opened) {
    model.scene_kind = nullptr;
    model.scene_name.clear();
    model.scene_spec.clear();
    model.scene_files.clear();
    model.scene_file.clear();
    model.scene_bounds = Aabb::empty();
    model.controls = {};
    model.pinned.reset();
    model.picked.clear();
    model.glanced.clear();
    model.outputs.clear();
    model.stages.clear();
    model.results = {.copy_gb_per_s = model.results.copy_gb_per_s};
    say(Message::Kind::error,
        "The previous scene was closed and could not be restored: open it again.");
    return;
  }
  if (is_new) ++model.scene_number;
  if (is_another) oldest_picture = opened->number;
  model.scene_kind = opened->kind;
  model.scene_name = name_of(*opened);
  model.scene_spec = opened->description.spec();
  model.scene_files = opened->description.files;
  const std::vector<MeshSource>& asked = opened->description.as_asked().files;
  const bool is_said = asked.size() == 1 && is_scene_file(asked.front().spec);
  model.scene_file = is_said ? asked.front().spec : "";
  model.scene_bounds = opened->bounds;
  model.picked.clear();
  model.glanced.clear();
  if (is_another) model.pinned.reset();
  // What was set while another size was being made stays.
  if (!is_remade) model.controls = opened->controls;
  const std::vector<OutputRow> before = std::exchange(model.outputs, {});
  for (std::size_t i = 0; i < opened->outputs.size(); ++i) {
    const Output& output = opened->outputs[i];
    const bool shown = is_remade && i < before.size() ? before[i].shown : opened->shown[i];
    model.outputs.push_back({output.name, output.title, output.key, shown, output.empty,
                             output.kind, output.dims && is_overlay(output.kind)});
  }
  const std::vector<StageRow> stages_before = std::exchange(model.stages, {});
  for (const OpenedScene::Stage& stage : opened->stages)
    model.stages.push_back(
        {.variants = stage.variants, .why_not = stage.why_not, .usual = stage.usual});
  wishes = {};
  most_items_of.reset();
  take_results(true);
  if (!is_new) return;
  if (is_remade) choose_again(stages_before);
  if (is_another) {
    model.camera.up_axis = model.usual_up;
    if (purpose == Purpose::anew || has_other_files) model.camera.look_from(Side::home);
    fit_camera();
    if (opened->view) look_again(*opened->view);
  }
  if (warns) tell_warnings();
  if (const auto& camera = opened->description.camera) look_from(*camera);
  if (!is_another) return;
  begun = memory_now();
  history.begin(set_in(model));
}

void Session::State::choose_again(const std::vector<StageRow>& before) {
  for (StageRow& stage : model.stages) {
    const auto was = std::find_if(before.begin(), before.end(), [&stage](const StageRow& each) {
      return each.result.name == stage.result.name;
    });
    if (was == before.end()) continue;
    const auto wanted = was->variant == was->usual ? stage.usual : was->variant;
    const auto offered = std::find(stage.variants.begin(), stage.variants.end(), wanted);
    if (offered == stage.variants.end()) continue;
    const auto place = static_cast<std::size_t>(offered - stage.variants.begin());
    if (stage.why_not[place].empty()) stage.variant = wanted;
  }
}

void Session::State::look_from(const Viewpoint& viewpoint) {
  fit_camera();
  model.requests.drop<request::FitCamera>();
  model.camera.look_from({viewpoint.eye.x, viewpoint.eye.y, viewpoint.eye.z},
                         {viewpoint.target.x, viewpoint.target.y, viewpoint.target.z},
                         viewpoint.field_of_view);
}

void Session::State::fit_camera() {
  const float aspect =
      view.height > 0 ? static_cast<float>(view.width) / static_cast<float>(view.height) : 1.0F;
  model.camera.fit(model.scene_bounds, aspect);
  fitted = model.camera;
}

void Session::State::set_view(int width, int height) {
  if (view.width == width && view.height == height) return;
  view.width = width;
  view.height = height;
  model.view_width = width;
  model.view_height = height;
  if (fitted == model.camera) fit_camera();
}

}  // namespace warpview
