// GL buffers that kernels write.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/interop/choice.h"
#include "gpu/interop/gl_handle.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Decides how the buffers of `device` reach the GL context that is current. `automatic` takes
// direct where the device supports it and a trial registration succeeds. Requesting `direct` where
// it is impossible throws UnavailableError with the reason.
InteropChoice choose_interop(Device& device, InteropRequest request);

// A GL buffer of a fixed size whose contents come from kernels. A frame goes
//
//     T* out = static_cast<T*>(buffer.map(stream));
//     ...launch kernels that write `out`, and wait for them...
//     buffer.unmap(stream);
//     ...draw from buffer.id()...
//     buffer.drawn();
//
// It has up to `slots` copies that are used in turn, so that kernels write the next frame while GL
// still draws the last: between `map` and `unmap`, id() is what was published before.
//
// Mapped memory has undefined contents and is write-only; the part that will be drawn must be
// written in full. A buffer that is not mapped again keeps its contents and may be drawn any number
// of times. All calls need the GL context of the constructor to be current.
//
// How each kind works:
//   cuda, hip, direct  GL buffers that are registered with the device
//   cpu, direct        GL buffers that are mapped for good, in write-combined memory. A fence that
//                      `drawn` places says when one may be written again.
//   copy               a device buffer; unmap downloads it to pinned memory, waits, and uploads it.
//                      One slot is enough: GL has its own copy.
class SharedBuffer {
 public:
  // `bytes` may be 0: a GL buffer of the smallest size GL takes still exists. Slots beyond the
  // first are made when they are first needed.
  SharedBuffer(Device& device, std::size_t bytes, InteropMode mode, std::size_t slots);
  ~SharedBuffer();
  SharedBuffer(SharedBuffer&&) noexcept;
  SharedBuffer& operator=(SharedBuffer&&) noexcept;

  // Device address for kernels, 16-byte aligned at least, valid until `unmap` for all work that the
  // stream has not yet passed. Waits where GL still draws from the memory.
  void* map(Stream& stream);
  // Publishes what was written: id() holds it for every GL command issued from here on. The kernels
  // have ended. After an Error of the device the buffer is no longer mapped, as after the next
  // call, and id() stays.
  void unmap(Stream& stream);
  // Instead of unmap: discards what was written; id() stays.
  void abandon(Stream& stream);

  // The GL buffer to draw from. It changes with `unmap`; before the first one its contents are
  // undefined.
  GLuint id() const;
  // Called after the draws that read id().
  void drawn();

  std::size_t size() const { return bytes_; }  // bytes, as asked for

  class Slot;

 private:
  Device* device_;
  std::size_t bytes_;
  InteropMode mode_;
  std::size_t slot_count_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::size_t published_ = 0;
  std::size_t writing_ = 0;
  bool is_mapped_ = false;
  bool ever_published_ = false;
};

}  // namespace warpview
