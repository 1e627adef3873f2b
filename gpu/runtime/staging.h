// Uploads of ordinary memory at the speed of page-locked memory.
//
// A GPU reads host memory by itself, in parallel with host and device work, but only from
// page-locked memory. Ordinary memory has to be copied into such pages first, which a vendor's copy
// does on one thread: at the speed of one core, a fifth of the bus bandwidth. Here several threads
// fill blocks of page-locked memory while the GPU copies those that are full.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/device.h"

namespace warpview {

// The page-locked blocks of one device, which are used in turn.
class Staging {
 public:
  // Error if there is no page-locked memory for it. The device must outlive it. At most this many
  // threads fill blocks, the caller's among them.
  explicit Staging(Device& device, unsigned threads = most_threads);
  // Waits until the GPU has copied everything.
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  // Returns when all of `from` has been read; the stream has it in `to` when it has passed what was
  // queued. Several callers wait for each other.
  void copy(Stream& stream, void* to, const void* from, std::size_t bytes);

  // Chosen for a file's corners that other threads have just written, with an H200 beside 16 cores;
  // bench/results/h200.md has the alternatives that were measured.
  static constexpr std::size_t block_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t blocks = 32;
  static constexpr unsigned most_threads = 12;

 private:
  struct Slot {
    std::byte* memory = nullptr;
    std::unique_ptr<Event> fetched;  // the last block that lay here
    std::atomic<bool> full{false};
  };

  Slot& slot(std::size_t block) { return slots_[(first_ + block) % blocks]; }

  struct Release {
    Device* device;
    void operator()(std::byte* memory) const noexcept { device->release_pinned(memory); }
  };

  std::mutex mutex_;
  std::unique_ptr<std::byte, Release> memory_;
  std::array<Slot, blocks> slots_;
  std::size_t first_ = 0;  // slot of the next copy's first block
  Crew crew_;              // last: destroyed first, which ends its work
};

}  // namespace warpview
