// How scenes were left, and that they are opened so again.
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/session_state.h"
#include "gpu/catalogue.h"

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
  return false;
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

void Session::State::reset_settings() {
  SceneLoader::Request request{.description = *opened->description.asked};
  forget(memory_key(opened->description));
  VariantWishes others;
  for (const VariantWishes::Wish& wish : habits.all())
    if (model.stage(wish.stage) == nullptr) others.add(wish.stage, wish.variant);
  request.habits = habits = std::move(others);
  model.camera.look_from(Side::home);
  model.camera.up_axis = up_given.value_or(UpAxis::y);
  fit_camera();
  begun = memory_now();  // so that the rest of it is not remembered when it makes way
  start_loading(std::move(request), false);
}

bool Session::State::open_anew(const SceneLoader& failed) {
  if (!failed.memory() || fails_by_asking(failed.failure()) || next) return false;
  say(Message::Kind::warning, failed.spec() + " cannot be opened as it was left: it begins anew. " +
                                  in_words(failed.failure()));
  forget(failed.memory()->key);
  next.emplace(Next{{.description = failed.asked(), .habits = habits}, false});
  return true;
}

void Session::State::look_again(const SceneMemory::View& left) {
  model.camera.yaw = left.yaw;
  model.camera.pitch = left.pitch;
  model.camera.field_of_view = left.field_of_view;
  if (!up_given) model.camera.up_axis = left.up;
  fit_camera();
  recall(model.camera, left);
}

}  // namespace warpview
