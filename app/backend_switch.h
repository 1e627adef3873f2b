// The way from one backend to another while the program runs: the device that is being opened, and
// what computes on it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "app/compute.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Used by one thread; note_moved() alone is called by the loading thread.
class BackendSwitch {
 public:
  // A device and what computes on it, which must go first.
  struct Side {
    std::unique_ptr<Device> device{};
    std::unique_ptr<Compute> compute{};
  };

  // Opens a device on a thread of its own; `news` is called there when it is open or cannot be.
  void start(Backend backend, std::function<std::unique_ptr<Device>(Backend)> opener,
             std::function<void()> news);
  // The backend of a running switch; nothing: none runs.
  std::optional<Backend> wanted() const { return wanted_; }
  // Can take_device() be called, which then doesn't wait?
  bool is_ready() const;
  // Takes the device and makes what computes on it. What opening it has thrown.
  void take_device(const std::function<std::unique_ptr<Compute>(Device&)>& make_compute);

  // From take_device() to give_up(): what is loading is then being made on it.
  bool has_device() const { return side_.device != nullptr; }
  Device& device() const { return *side_.device; }
  Compute& compute() const { return *side_.compute; }
  // The render thread works for this device now.
  void note_moved() { moved_ = true; }
  bool moved() const { return moved_; }

  // Gives what it has for `left`.
  Side exchange(Side left);
  // Ends the switch. Returns what is no longer needed; without a device: nothing.
  Side give_up();

 private:
  std::optional<Backend> wanted_;
  std::future<std::unique_ptr<Device>> opening_;
  Side side_;
  bool moved_ = false;
};

}  // namespace warpview
