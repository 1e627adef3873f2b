// Changes to another backend, and finds out which there are.
#include <fmt/format.h>

#include <exception>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "app/common/trouble.h"
#include "app/session_state.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/backends.h"

namespace warpview {

void Session::State::poll_switch() {
  model.switching_to = other.wanted();
  if (!other.is_ready()) return;
  cancel_lab();
  if (lab_run || loader) return;  // first
  try {
    other.take_device([this](Device& on) { return make_compute(on); });
    if (!opened) {
      render.set_device(other.device(), interop);
      move_over();
      return;
    }
    SceneLoader::Request request = same_scene();
    request.habits = choices_for(other.device());
    request.before_install = [this] {
      compute->pause();
      render.set_device(other.device(), interop);
      other.note_moved();
    };
    purpose = Purpose::same;
    loader =
        std::make_unique<SceneLoader>(std::move(request), nullptr, other.device(), other.compute());
    model.loading = true;
  } catch (const std::exception& error) {
    say(Message::Kind::error, in_words(error));
    retire(other.give_up());
  }
  model.switching_to = other.wanted();
}

VariantWishes Session::State::choices_for(const Device& on) const {
  VariantWishes choices;
  for (const VariantWishes::Wish& wish : opened->said.all()) choices.add(wish.stage, wish.variant);
  for (const StageRow& stage : model.stages)
    if (stage.variant && stage.variant != stage.usual &&
        why_unavailable(*stage.variant, on).empty())
      choices.add(stage.result.name, (*stage.variant)->name);
  return choices;
}

void Session::State::move_over() {
  BackendSwitch::Side left = other.exchange({std::move(device), std::move(compute)});
  device = std::move(left.device);
  compute = std::move(left.compute);
  retire(other.give_up());
  note_device();
  // Times of one device are nothing to hold another's against.
  for (LabResults& each : model.lab.results) each.forget(LabDevice::ordinary);
  model.lab.most_items = 0;
  model.pinned.reset();
  most_items_of.reset();
  say(Message::Kind::info, fmt::format("Now computing on {}.", device->info().name));
}

void Session::State::retire(BackendSwitch::Side side) {
  if (!side.device) return;
  if (side.compute) side.compute->close();
  auto shared = std::make_shared<BackendSwitch::Side>(std::move(side));
  try {
    retired = std::async(std::launch::async, [shared] {
      shared->compute.reset();
      shared->device.reset();
    });
  } catch (const std::system_error&) {
    // No thread for it: here and now then.
  }
}

void Session::State::end_switch(const SceneLoader& done) {
  if (done.state() == SceneLoader::State::done) {
    move_over();
    take_over(done.opened(), true);
    return;
  }
  const bool moved = other.moved();
  if (!moved) {
    if (next) say(Message::Kind::info, "The change of the backend was cancelled by another open.");
    retire(other.give_up());
    compute->resume();  // it may have been about to be left
    return;
  }
  // Too late for what was open, whose buffers are gone: it is made again.
  compute->release_scene();
  SceneLoader::Request again = same_scene();
  try {
    render.set_device(*device, interop);
  } catch (const std::exception& error) {
    // Then the other device is the one, with nothing open.
    say(Message::Kind::error, in_words(error));
    move_over();
    take_over(nullptr, false);
    return;
  }
  retire(other.give_up());
  compute->resume();
  start_loading(std::move(again), Purpose::same);
}

void Session::State::try_backends() {
  if (mode == Mode::headless || backends_asked || !opened) return;
  backends_asked = backends_awaited = true;
  backends = start_thread<std::jthread>([events = events] {
    event::BackendsTried tried;
    try {
      tried.all = list_backends();
    } catch (const std::exception& error) {
      events->post(Message{Message::Kind::error, in_words(error)});
    }
    events->post(std::move(tried));
  });
}

void Session::State::take(event::BackendsTried tried) {
  backends_awaited = false;
  for (const BackendStatus& status : tried.all)
    model.absent[static_cast<std::size_t>(status.backend)] = status.why;
}

}  // namespace warpview
