#include "app/opening.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/remembering.h"
#include "app/viewpoints.h"
#include "gpu/catalogue.h"

namespace warpview {
namespace {

std::string name_of(const OpenedScene& scene) {
  const SceneKind& kind = *scene.kind;
  if (!kind.shows_mesh(scene.choices.controls)) return kind.title;
  const bool is_plain = &kind == &scene_kinds().front();
  return is_plain ? scene.mesh->name : std::string(kind.title) + ", " + scene.mesh->name;
}

// Are the names equal, one by one?
bool same_files(const std::vector<MeshSource>& a, const std::vector<MeshSource>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const MeshSource& x, const MeshSource& y) { return x.spec == y.spec; });
}

std::vector<std::string> shown_in(const Choices& choices) {
  return {choices.shown.begin(), choices.shown.end()};
}

bool is_of_pick(const Output& output) {
  return output.kind == OutputKind::marked ||
         (output.kind == OutputKind::boxes && style_as<BoxStyle>(output.style).is_path);
}

// Does what was asked for make no sense, however it was left?
bool fails_by_asking(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError&) {
    return true;
  } catch (const ChoiceError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void Opening::cancel() {
  if (loader_) loader_->cancel();
}

void Opening::wait() const {
  if (loader_) loader_->wait();
}

void Opening::start(SceneLoader::Request request, Purpose purpose, On on) {
  if (loader_) {
    loader_->cancel();
    next_.emplace(Next{std::move(request), purpose});
    return;
  }
  if (opened_) opened_ = as_it_is();
  purpose_ = purpose;
  loader_ = std::make_unique<SceneLoader>(std::move(request), opened_, on.device, on.compute);
}

std::shared_ptr<const OpenedScene> Opening::as_it_is() const {
  auto now = std::make_shared<OpenedScene>(*opened_);
  now->choices = model_.choices();
  // It has the size that it was made with.
  Controls& controls = now->choices.controls = opened_->choices.controls;
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (controls.all()[i].effect != Effect::remake) controls.set(i, model_.controls.value(i));
  return now;
}

void Opening::open(SceneDescription description, On on) {
  carry_variants();
  SceneLoader::Request request{.description = std::move(description)};
  remember();  // it may be the same scene that is opened again
  if (const SceneMemory* memory = memory_for(request.description)) request.memory = *memory;
  // A scene file says itself how its scene is set.
  const std::vector<MeshSource>& files = request.description.files;
  if (files.size() != 1 || !is_scene_file(files.front().spec)) {
    request.habits = habits_;
    if (!request.memory || !request.memory->controls) carry_controls(request.description);
  }
  start(std::move(request), Purpose::another, on);
}

void Opening::open_as_described(SceneDescription description, On on) {
  start({.description = std::move(description), .habits = habits_}, Purpose::another, on);
}

void Opening::carry_variants() {
  const auto habit = [this](const std::string& stage) {
    std::string variant;
    for (const VariantWishes::Wish& wish : habits_.all())
      if (wish.stage == stage) variant = wish.variant;
    return variant;
  };
  for (const StageRow& stage : model_.stages) {
    const bool is_of_file = opened_->of_file && stage.variant == stage.usual;
    if (!stage.variant || is_of_file) continue;
    const char* const now = (*stage.variant)->name;
    const std::string before = habit(stage.result->name);
    const bool is_chosen = stage.variant != stage.usual || !before.empty();
    if (is_chosen && before != now) habits_.add(stage.result->name, now);
  }
}

void Opening::carry_controls(SceneDescription& description) const {
  if (!opened_ || &kind_of(description) != opened_->kind) return;
  // What a scene file said of what is open is that file's.
  const std::optional<Controls>& of_file = opened_->of_file;
  const auto asked = std::make_shared<const SceneDescription>(description);
  std::vector<std::pair<std::string, std::string>> carried;
  for (std::size_t i = 0; i < model_.controls.size(); ++i) {
    const Control& control = model_.controls.all()[i];
    const double begins = of_file ? of_file->value(i) : control.initial;
    if (control.kind != Control::Kind::action && model_.controls.value(i) != begins)
      carried.emplace_back(control.name, model_.controls.text(i));
  }
  if (carried.empty()) return;
  description.asked = asked;
  // What is asked for now comes last, and counts.
  description.controls.insert(description.controls.begin(), carried.begin(), carried.end());
}

void Opening::read_again(On on) {
  SceneLoader::Request request = same_scene();
  request.mesh.reset();
  start(std::move(request), Purpose::same, on);
}

void Opening::watch_files(bool may_read, On on) {
  const std::uint64_t wanted = model_.reload_on_change && opened_ ? opened_->number : 0;
  if (watched_ != wanted) {
    watch_.watch(wanted > 0 ? opened_->files : std::vector<ReadFile>());
    watched_ = wanted;
  }
  // What runs now reads them itself, or is followed by a look at what it is about to replace.
  if (may_read && !loader_ && watch_.take_change()) read_again(on);
}

SceneLoader::Request Opening::same_scene() const {
  const Choices now = model_.choices();
  SceneLoader::Request request{.description = opened_->description,
                               .habits = now.wishes(),
                               .shown = shown_in(now),
                               .mesh = opened_->mesh,
                               .files = opened_->files,
                               .controls = now.controls,
                               .of_file = opened_->of_file,
                               .said = opened_->said};
  request.description.camera.reset();
  request.description.playing.reset();
  request.description.show.reset();
  request.description.seconds.reset();
  request.description.variants = {};
  return request;
}

bool Opening::needs_files() const {
  for (std::size_t i = 0; i < model_.controls.size(); ++i)
    if (model_.controls.all()[i].of_files &&
        model_.controls.value(i) != opened_->choices.controls.value(i))
      return true;
  return false;
}

void Opening::remake(On on) {
  SceneLoader::Request request = same_scene();
  if (needs_files()) request.mesh.reset();
  auto& said = request.description.controls;
  if (const char* const size = opened_->kind->size_control) {
    // What the scene is called by from now on.
    std::erase_if(said, [size](const auto& control) { return control.first == size; });
    said.emplace_back(size, model_.controls.text(model_.controls.find(size)));
  }
  start(std::move(request), Purpose::same, on);
}

void Opening::reset(On on) {
  start({.description = opened_->description.as_asked(), .habits = habits_of_other_scenes()},
        Purpose::anew, on);
}

void Opening::make_again(SceneLoader::Request request, On on) {
  start(std::move(request), Purpose::same, on);
}

void Opening::make_elsewhere(On other, std::function<void()> before_install) {
  SceneLoader::Request request = same_scene();
  request.habits = choices_for(other.device);
  request.before_install = std::move(before_install);
  purpose_ = Purpose::same;
  loader_ = std::make_unique<SceneLoader>(std::move(request), nullptr, other.device, other.compute);
  model_.loading = true;
}

VariantWishes Opening::choices_for(const Device& device) const {
  VariantWishes choices;
  for (const VariantWishes::Wish& wish : opened_->said.all()) choices.add(wish.stage, wish.variant);
  for (const StageRow& stage : model_.stages)
    if (stage.variant && stage.variant != stage.usual &&
        why_unavailable(*stage.variant, device).empty())
      choices.add(stage.result->name, (*stage.variant)->name);
  return choices;
}

std::unique_ptr<SceneLoader> Opening::take_ended() {
  model_.loading = loader_ != nullptr;
  if (!loader_) return nullptr;
  model_.loading_spec = loader_->spec();
  model_.load_progress = loader_->progress();
  model_.load_phase = loader_->phase();
  if (loader_->state() == SceneLoader::State::loading) return nullptr;
  auto done = std::move(loader_);
  model_.loading = false;
  const bool begins_anew = open_anew(*done);
  if (done->state() == SceneLoader::State::failed && !begins_anew)
    model_.say({Message::Kind::error, in_words(done->failure())});
  if (done->state() == SceneLoader::State::cancelled && !next_)
    model_.say({Message::Kind::info, "Loading " + done->spec() + " was cancelled."});
  return done;
}

void Opening::go_on(On on) {
  auto following = std::exchange(next_, {});
  if (!following) return;
  start(std::move(following->request), following->purpose, on);
  model_.loading = true;
}

void Opening::take_sizes_back() {
  if (!opened_) return;
  for (std::size_t i = 0; i < model_.controls.size(); ++i)
    if (model_.controls.all()[i].effect == Effect::remake)
      model_.controls.set(i, opened_->choices.controls.value(i));
}

Opening::Change Opening::publish(std::shared_ptr<const OpenedScene> scene, bool is_new) {
  Change change{.is_new = is_new,
                .is_remade = is_new && purpose_ == Purpose::same,
                .is_another = is_new && purpose_ != Purpose::same};
  if (is_new && purpose_ == Purpose::anew) {
    forget(memory_key(scene->description));
    habits_ = habits_of_other_scenes();
  } else if (change.is_another) {
    remember();
  }
  const bool has_other_files = scene && !same_files(scene->description.files, model_.scene_files);
  change.begins_at_home = purpose_ == Purpose::anew || has_other_files;
  // Once for each file, in however many scenes it is shown. One that is read again may have other
  // faults than before.
  const bool is_other_mesh =
      scene && (!opened_ || has_other_files || scene->mesh->name != opened_->mesh->name);
  change.has_new_warnings = is_new && scene &&
                            (is_other_mesh ? !scene->mesh->warnings.empty()
                                           : scene->mesh->warnings != opened_->mesh->warnings);
  opened_ = std::move(scene);
  if (is_new) {
    opened_at_ = std::chrono::steady_clock::now();
    model_.load_times = opened_->phases;
    ++model_.scene_number;
  }
  if (!opened_) {
    publish_nothing();
    return change;
  }
  if (change.is_another) oldest_picture_ = opened_->number;
  publish_names();
  model_.picked.clear();
  model_.glanced.clear();
  if (change.is_another) model_.forget_pinned();
  // What was set while another size was being made stays.
  if (!change.is_remade) model_.controls = opened_->choices.controls;
  const std::vector<OutputRow> before = std::exchange(model_.outputs, {});
  for (std::size_t i = 0; i < opened_->outputs.size(); ++i) {
    const Output& output = opened_->outputs[i];
    const bool shown = change.is_remade && i < before.size()
                           ? before[i].shown
                           : opened_->choices.shown.contains(output.name);
    model_.outputs.push_back({output.name, output.title, output.key, shown, output.empty,
                              output.kind, output.dims_surfaces && is_overlay(output.kind),
                              output.about, is_of_pick(output)});
  }
  if (change.is_another) publish_kept();
  change.stages_before = std::exchange(model_.stages, opened_->stages);
  return change;
}

// What a scene file says beside the choices, or how it was left.
void Opening::publish_kept() {
  const SceneDescription& scene = opened_->description;
  Camera usual;
  usual.up_axis = model_.usual_up;
  model_.cameras.clear();
  for (const NamedViewpoint& each : scene.cameras)
    model_.cameras.push_back({each.name, view_of(each.view, usual)});
  model_.playing = scene.playing.value_or(true);
}

void Opening::publish_nothing() {
  model_.cameras.clear();
  model_.scene_kind = nullptr;
  model_.scene_name.clear();
  model_.scene_spec.clear();
  model_.scene_files.clear();
  model_.scene_file.clear();
  model_.scene_bounds = Aabb::empty();
  model_.scene_outline.reset();
  model_.controls = {};
  model_.forget_pinned();
  model_.picked.clear();
  model_.glanced.clear();
  model_.outputs.clear();
  model_.stages.clear();
  model_.results = Snapshot{.copy_gb_per_s = model_.results->copy_gb_per_s};
}

void Opening::publish_names() {
  model_.scene_kind = opened_->kind;
  model_.scene_name = name_of(*opened_);
  model_.scene_spec = opened_->description.spec();
  model_.scene_files = opened_->description.files;
  const std::vector<MeshSource>& asked = opened_->description.as_asked().files;
  const bool is_said = asked.size() == 1 && is_scene_file(asked.front().spec);
  model_.scene_file = is_said ? asked.front().spec : "";
  model_.scene_bounds = opened_->bounds;
  model_.scene_outline = opened_->outline;
}

void Opening::choose_again(const std::vector<StageRow>& before) {
  for (StageRow& stage : model_.stages) {
    const auto was = std::find_if(before.begin(), before.end(), [&stage](const StageRow& each) {
      return each.result->name == stage.result->name;
    });
    if (was == before.end()) continue;
    const auto wanted = was->variant == was->usual ? stage.usual : was->variant;
    const auto offered = std::find(stage.variants.begin(), stage.variants.end(), wanted);
    if (offered == stage.variants.end()) continue;
    const auto place = static_cast<std::size_t>(offered - stage.variants.begin());
    if (stage.why_not[place].empty()) stage.variant = wanted;
  }
}

void Opening::tell_warnings() {
  const std::string& name = opened_->mesh->name;
  for (const std::string& warning : opened_->mesh->warnings)
    model_.say({Message::Kind::warning, fmt::format("{}: {}", name, warning), name});
  if (opened_->mesh->warnings.empty())
    model_.say({Message::Kind::info, fmt::format("{}: reloaded, no warnings", name), name});
}

// ---- How scenes were left -----------------------------------------------------------------------

SceneMemory Opening::memory_now() const {
  return memory_of(model_, memory_key(opened_->description), viewing_.fits());
}

void Opening::remember() {
  if (opened_ && model_.remembers) warpview::remember(model_.memories, memory_now(), begun_);
}

const SceneMemory* Opening::memory_for(const SceneDescription& description) const {
  return model_.remembers ? find_memory(model_.memories, memory_key(description)) : nullptr;
}

void Opening::forget(const std::string& key) {
  std::erase_if(model_.memories, [&key](const SceneMemory& each) { return each.key == key; });
}

void Opening::forget_scenes() {
  model_.memories.clear();
  if (opened_) begun_ = memory_now();
}

void Opening::forget_file(const std::string& file) {
  const std::string key = memory_key({.files = {{file}}});
  forget(key);
  if (opened_ && memory_key(opened_->description) == key) begun_ = memory_now();
}

VariantWishes Opening::habits_of_other_scenes() const {
  VariantWishes others;
  for (const VariantWishes::Wish& wish : habits_.all())
    if (model_.stage(wish.stage) == nullptr) others.add(wish.stage, wish.variant);
  return others;
}

bool Opening::open_anew(const SceneLoader& failed) {
  if (!failed.memory() || next_) return false;
  std::string why;
  if (failed.state() == SceneLoader::State::failed && !fails_by_asking(failed.failure()))
    why = failed.spec() + " cannot be opened with its last settings: it opens with the defaults. " +
          in_words(failed.failure());
  else if (failed.state() == SceneLoader::State::cancelled && !failed.opened())
    why = "Opening " + failed.spec() +
          " with its last settings was cancelled: it opens with the defaults.";
  if (why.empty()) return false;
  model_.say({Message::Kind::warning, std::move(why)});
  forget(failed.memory()->key);
  next_.emplace(Next{{.description = failed.asked(), .habits = habits_}, Purpose::another});
  return true;
}

}  // namespace warpview
