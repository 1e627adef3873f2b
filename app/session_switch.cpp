// Changes to another backend.
#include <fmt/format.h>

#include <exception>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "app/common/trouble.h"
#include "app/session_state.h"

namespace warpview {

void Session::State::poll_switch() {
  model.switching_to = other.wanted();
  if (!other.is_ready()) return;
  lab.cancel();
  if (lab.is_busy() || opening.is_busy()) return;  // first
  try {
    other.take_device([this](Device& on) { return make_compute(on); });
    if (!opening.scene()) {
      render.set_device(other.device(), interop);
      move_over();
      return;
    }
    opening.make_elsewhere({other.device(), other.compute()}, [this] {
      compute->pause();
      render.set_device(other.device(), interop);
      other.note_moved();
    });
  } catch (const std::exception& error) {
    fail(error);
    retire(other.give_up());
  }
  model.switching_to = other.wanted();
}

void Session::State::move_over() {
  BackendSwitch::Side left = other.exchange({std::move(device), std::move(compute)});
  device = std::move(left.device);
  compute = std::move(left.compute);
  retire(other.give_up());
  note_device();
  model.pinned.reset();  // times of another device
  model.say({Message::Kind::info, fmt::format("Now computing on {}.", device->info().name)});
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
    if (opening.has_next())
      model.say({Message::Kind::info, "The change of the backend was cancelled by another open."});
    retire(other.give_up());
    compute->resume();  // it may have been about to be left
    return;
  }
  // Too late for what was open, whose buffers are gone: it is made again.
  compute->release_scene();
  SceneLoader::Request again = opening.same_scene();
  try {
    render.set_device(*device, interop);
  } catch (const std::exception& error) {
    // Then the other device is the one, with nothing open.
    fail(error);
    move_over();
    take_over(nullptr, false);
    return;
  }
  retire(other.give_up());
  compute->resume();
  opening.make_again(std::move(again), here());
}

}  // namespace warpview
