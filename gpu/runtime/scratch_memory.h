// Scratch memory that grows to what primitives ask for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch.h"

namespace warpview {

// Bytes of scratch that `function(stream, args, scratch)` needs. Launches nothing.
template <class Function, class Args>
std::size_t scratch_bytes(Function* function, Stream& stream, const Args& args) {
  Scratch measure;
  function(stream, args, measure);
  return measure.used();
}

// One scratch buffer for primitives that run one after the other on one stream.
class ScratchMemory {
 public:
  explicit ScratchMemory(Device& device) : device_(&device) {}

  // Makes room; allocates only when more is requested than ever before. No work that uses the
  // buffer may be running or queued then.
  void reserve(std::size_t bytes) {
    if (bytes <= memory_.size()) return;
    memory_ = {};  // free the old one first: both together may not fit
    memory_ = Buffer<std::byte>(*device_, bytes);
  }
  Scratch scratch() const { return {memory_.data(), memory_.size()}; }
  std::size_t bytes() const { return memory_.size(); }
  // Between runs, for callers that check that no run depends on what another left here.
  void fill(Stream& stream, std::uint8_t byte) const {
    stream.fill(memory_.data(), byte, memory_.size());
  }

  // Sizes, reserves and runs.
  template <class Function, class Args>
  void run(Function* function, Stream& stream, const Args& args) {
    reserve(scratch_bytes(function, stream, args));
    Scratch space = scratch();
    arrays_.clear();
    space.list(arrays_);
    function(stream, args, space);
  }
  // The arrays that the last run() took.
  const std::vector<Region>& arrays() const { return arrays_; }

 private:
  Device* device_;
  Buffer<std::byte> memory_;
  std::vector<Region> arrays_;
};

}  // namespace warpview
