// How scenes were left, and that they are opened so again.
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/session_state.h"

namespace warpview {
namespace {

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

SceneMemory Session::State::memory_now() const {
  return memory_of(model, memory_key(opened->description), fitted == model.camera);
}

void Session::State::remember() {
  if (opened && model.remembers) warpview::remember(model.memories, memory_now(), begun);
}

const SceneMemory* Session::State::memory_for(const SceneDescription& description) const {
  return model.remembers ? find_memory(model.memories, memory_key(description)) : nullptr;
}

void Session::State::forget(const std::string& key) {
  std::erase_if(model.memories, [&key](const SceneMemory& each) { return each.key == key; });
}

void Session::State::forget_scenes() {
  model.memories.clear();
  if (opened) begun = memory_now();
}

void Session::State::reset_settings() {
  start_loading({.description = opened->description.as_asked(), .habits = habits_of_other_scenes()},
                Purpose::anew);
}

VariantWishes Session::State::habits_of_other_scenes() const {
  VariantWishes others;
  for (const VariantWishes::Wish& wish : habits.all())
    if (model.stage(wish.stage) == nullptr) others.add(wish.stage, wish.variant);
  return others;
}

bool Session::State::open_anew(const SceneLoader& failed) {
  if (!failed.memory() || next) return false;
  std::string why;
  if (failed.state() == SceneLoader::State::failed && !fails_by_asking(failed.failure()))
    why = failed.spec() + " cannot be opened with its last settings: it opens with the defaults. " +
          in_words(failed.failure());
  else if (failed.state() == SceneLoader::State::cancelled && !failed.opened())
    why = "Opening " + failed.spec() +
          " with its last settings was cancelled: it opens with the defaults.";
  if (why.empty()) return false;
  say(Message::Kind::warning, std::move(why));
  forget(failed.memory()->key);
  next.emplace(Next{{.description = failed.asked(), .habits = habits}, Purpose::another});
  return true;
}

void Session::State::look_again(const SceneMemory::View& left) {
  model.camera.yaw = left.yaw;
  model.camera.pitch = left.pitch;
  model.camera.field_of_view = left.field_of_view;
  if (!up_is_given) model.camera.up_axis = left.up;
  fit_camera();
  recall(model.camera, left);
}

void Session::State::note_set() {
  if (opened) history.note(set_in(model), model.is_setting);
}

void Session::State::follow_set() {
  model.undoes.clear();
  model.redoes.clear();
  if (!opened) return;
  // What is being set becomes a step only when it is let go, from how it was before.
  if (!model.is_setting) history.follow(set_in(model));
  const auto words = [this](const SceneMemory* step) {
    return step != nullptr ? difference_in_words(model, history.now(), *step) : std::string();
  };
  model.undoes = words(history.before());
  model.redoes = words(history.after());
}

void Session::State::undo() {
  if (!opened) return;
  if (const auto was = history.undo()) set_again(model, *was);
}

void Session::State::redo() {
  if (!opened) return;
  if (const auto next_one = history.redo()) set_again(model, *next_one);
}

}  // namespace warpview
