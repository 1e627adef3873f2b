#include "gpu/runtime/staging.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "gpu/runtime/upload.h"

namespace warpview {
namespace {

// Below, the vendor's own copy takes no longer.
constexpr std::size_t least_staged_bytes = std::size_t{1} << 18U;

// The device's, made when it is first asked for; null where it has none.
std::shared_ptr<Staging> staging_of(Device& device) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (!device.stages_uploads()) return nullptr;
  if (!device.staging && !device.staging_failed) {
    try {
      device.staging = std::make_shared<Staging>(device);
    } catch (const Error&) {
      device.staging_failed = true;  // page-locked memory is scarce; nobody has to have it
    }
  }
  return device.staging;
}

}  // namespace

Staging::Staging(Device& device, unsigned threads)
    : memory_(static_cast<std::byte*>(device.allocate_pinned(blocks * block_bytes)), {&device}),
      crew_(std::min(threads, std::max(1U, std::thread::hardware_concurrency()))) {
  for (std::size_t i = 0; i < blocks; ++i) {
    slots_[i].memory = memory_.get() + i * block_bytes;
    slots_[i].fetched = device.create_event();
  }
  // Starts the threads.
  crew_.for_each(blocks, [this](std::size_t i) { std::memset(slots_[i].memory, 0, block_bytes); });
}

Staging::~Staging() {
  try {
    for (Slot& each : slots_) each.fetched->synchronize();
  } catch (const Error&) {
    // The device is lost, and fetches nothing.
  }
}

void Staging::copy(Stream& stream, void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t count = (bytes + block_bytes - 1) / block_bytes;
  const auto size_of = [&](std::size_t block) {
    return std::min(block_bytes, bytes - block * block_bytes);
  };
  // Whatever is thrown, nobody reads `from` afterwards.
  struct Finish {
    Crew& crew;
    ~Finish() { crew.finish(); }
  } const finish{crew_};

  std::size_t begun = 0;
  for (std::size_t block = 0; block < count; ++block) {
    // Filled is as much as the GPU has left room for, this block at least.
    while (begun < count && begun < block + blocks &&
           (begun == block || slot(begun).fetched->ready())) {
      Slot& next = slot(begun);
      if (begun == block) next.fetched->synchronize();
      next.full.store(false, std::memory_order_relaxed);
      crew_.add([&next, bytes_of_block = static_cast<const std::byte*>(from) + begun * block_bytes,
                 size = size_of(begun)] {
        std::memcpy(next.memory, bytes_of_block, size);
        next.full.store(true, std::memory_order_release);
        next.full.notify_one();
      });
      ++begun;
    }
    Slot& here = slot(block);
    while (!here.full.load(std::memory_order_acquire))
      if (!crew_.help()) here.full.wait(false, std::memory_order_acquire);
    stream.copy(static_cast<std::byte*>(to) + block * block_bytes, here.memory, size_of(block),
                Copy::host_to_device);
    stream.record(*here.fetched);
  }
  first_ = (first_ + count) % blocks;
}

void upload(Stream& stream, void* to, const void* from, std::size_t bytes) {
  if (bytes >= least_staged_bytes && !stream.capturing())
    if (const auto staging = staging_of(stream.device())) {
      staging->copy(stream, to, from, bytes);
      return;
    }
  stream.copy(to, from, bytes, Copy::host_to_device);
}

void prepare_uploads(Device& device) { static_cast<void>(staging_of(device)); }

}  // namespace warpview
