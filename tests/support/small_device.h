// A device that lacks something or behaves differently, in front of a complete one.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"

namespace warpview::test {

// Memory is what `capacity` leaves beyond what was allocated through this device. Streams, and with
// them what they launch, copy and log, belong to the inner device. Thread-safe, as devices are.
class SmallDevice final : public Device {
 public:
  explicit SmallDevice(std::shared_ptr<Device> behind, std::uint64_t capacity = UINT64_MAX)
      : behind_(std::move(behind)),
        info_(behind_->info()),
        table_(behind_->table()),
        capacity_(capacity) {}

  // From now on single allocations beyond this fail, however much is free.
  void refuse_beyond(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    largest_ = bytes;
  }
  // After this many more allocations the next one fails, page-locked memory included, and so do all
  // that follow it.
  void refuse_after(std::uint64_t allocations) {
    const std::lock_guard lock(mutex_);
    left_ = allocations;
  }
  // After this many more streams and events the next one fails, and so do all that follow it.
  void refuse_queues_after(std::uint64_t queues) { queues_left_ = queues; }
  // Nothing is refused any more except for lack of capacity.
  void refuse_nothing() {
    const std::lock_guard lock(mutex_);
    largest_ = SIZE_MAX;
    left_ = UINT64_MAX;
  }
  // Allocations that were not released yet.
  std::size_t live_allocations() const {
    const std::lock_guard lock(mutex_);
    return sizes_.size();
  }

  // From now on the host has no more memory for the device.
  void run_out_of_host_memory() { host_has_memory_ = false; }

  // From now on it reports this backend, whose kernels do not write OpenGL's buffers.
  void pretend_to_be(Backend backend) { info_.backend = backend; }

  // As if the backend did not have this row of the catalogue.
  void remove_variant(VariantId variant) { table_.functions[variant.index()] = nullptr; }

  // From now on this row's function is another one, of the same type.
  void replace_variant(VariantId variant, BackendTable::Any function) {
    table_.functions[variant.index()] = function;
  }

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t memory_available() const override {
    const std::lock_guard lock(mutex_);
    return capacity_ > used_ ? capacity_ - used_ : 0;
  }
  void* allocate(std::size_t bytes) override {
    if (!host_has_memory_) throw std::bad_alloc();
    const std::lock_guard lock(mutex_);
    refuse_or_count(bytes, capacity_ > used_ ? capacity_ - used_ : 0);
    void* const memory = behind_->allocate(bytes);
    sizes_[memory] = bytes;
    used_ += bytes;
    return memory;
  }
  void release(void* memory) noexcept override {
    const std::lock_guard lock(mutex_);
    used_ -= sizes_[memory];
    sizes_.erase(memory);
    behind_->release(memory);
  }
  void* allocate_pinned(std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    refuse_or_count(0, 0);
    void* const memory = behind_->allocate_pinned(bytes);
    sizes_[memory] = 0;
    return memory;
  }
  void release_pinned(void* memory) noexcept override {
    const std::lock_guard lock(mutex_);
    sizes_.erase(memory);
    behind_->release_pinned(memory);
  }
  std::unique_ptr<Stream> create_stream() override {
    refuse_or_count_queue();
    return behind_->create_stream();
  }
  std::unique_ptr<Event> create_event() override {
    refuse_or_count_queue();
    return behind_->create_event();
  }
  bool events_in_graphs() const override { return behind_->events_in_graphs(); }
  bool shares_gl_context(std::string& why) const override {
    if (info_.backend == behind_->info().backend) return behind_->shares_gl_context(why);
    why = "the device only pretends";
    return false;
  }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned buffer) override {
    return behind_->register_gl_buffer(buffer);
  }
  const BackendTable& table() const override { return table_; }

 private:
  void refuse_or_count(std::size_t bytes, std::uint64_t available) {
    if (bytes > largest_ || bytes > available || left_ == 0)
      throw Error("an allocation of " + std::to_string(bytes) + " bytes",
                  "the device refuses it for the test", "");
    --left_;
  }

  void refuse_or_count_queue() {
    if (queues_left_-- == 0) {
      queues_left_ = 0;
      throw Error("a stream or an event", "the device refuses it for the test", "");
    }
  }

  std::shared_ptr<Device> behind_;
  DeviceInfo info_;
  BackendTable table_;
  const std::uint64_t capacity_;
  bool host_has_memory_ = true;
  std::atomic<std::uint64_t> queues_left_ = UINT64_MAX;
  mutable std::mutex mutex_;  // of what follows
  std::uint64_t used_ = 0;
  std::size_t largest_ = SIZE_MAX;
  std::uint64_t left_ = UINT64_MAX;
  std::map<void*, std::size_t> sizes_;
};

}  // namespace warpview::test
