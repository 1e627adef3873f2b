#include "scenes/async_loader.h"

#include <exception>
#include <utility>

#include "scenes/open_scene.h"

namespace warpview {

AsyncLoader::AsyncLoader(std::string spec, const LoadLimits& limits)
    : spec_(std::move(spec)), thread_([this, limits] { load(limits); }) {}

AsyncLoader::~AsyncLoader() { cancel(); }

Mesh AsyncLoader::take_mesh() {
  if (state() != State::done || !mesh_)
    throw Error(spec_, "there is no loaded mesh to take", "Take it once, when the load is done");
  Mesh mesh = *std::move(mesh_);
  mesh_.reset();
  return mesh;
}

std::string AsyncLoader::error() const { return state() == State::failed ? error_ : ""; }

void AsyncLoader::load(const LoadLimits& limits) {
  State end = State::failed;
  try {
    mesh_ = open_scene(spec_, control_, limits);
    end = State::done;
  } catch (const LoadCancelled&) {
    end = State::cancelled;
  } catch (const std::exception& exception) {
    error_ = exception.what();
  }
  state_.store(end, std::memory_order_release);
  state_.notify_all();
}

}  // namespace warpview
