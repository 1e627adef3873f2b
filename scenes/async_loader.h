// Opens a scene on a thread of its own.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "scenes/load_control.h"
#include "scenes/mesh.h"

namespace warpview {

// One load, started by the constructor. Destruction cancels it and waits for its thread. All
// members but those of the loading thread belong to the thread that made the object.
class AsyncLoader {
 public:
  enum class State { loading, done, failed, cancelled };

  // `spec` and `limits` as for open_scene().
  explicit AsyncLoader(std::string spec, const LoadLimits& limits = {});
  ~AsyncLoader();
  AsyncLoader(const AsyncLoader&) = delete;
  AsyncLoader& operator=(const AsyncLoader&) = delete;

  const std::string& spec() const { return spec_; }
  float progress() const { return control_.progress(); }
  const char* phase() const { return control_.phase(); }
  // Asks to stop; the state becomes `cancelled` soon, or `done` if the load was faster.
  void cancel() { control_.cancel(); }

  State state() const { return state_.load(std::memory_order_acquire); }
  // Returns when the state is no longer `loading`.
  void wait() const { state_.wait(State::loading, std::memory_order_acquire); }
  // Once, when the state is `done`.
  Mesh take_mesh();
  // What to tell the user, when the state is `failed`; else empty.
  std::string error() const;

 private:
  void load(const LoadLimits& limits);

  const std::string spec_;
  LoadControl control_;
  std::atomic<State> state_{State::loading};
  // Written by the loading thread before the state changes, read by others after.
  std::optional<Mesh> mesh_;
  std::string error_;
  std::jthread thread_;  // last, so that all else exists while it runs
};

}  // namespace warpview
