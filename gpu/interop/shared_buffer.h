// GL buffers that kernels write.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "gpu/interop/gl_handle.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"

namespace warpview {

enum class InteropMode {
  direct,  // kernels write the memory that GL draws from
  copy     // kernels write device memory; it goes to GL through the host
};
enum class InteropRequest { automatic, direct, copy };

struct InteropChoice {
  InteropMode mode = InteropMode::copy;
  // For people and reports: "direct: ..." or "copied: ..." with the reason.
  std::string description;
};

// Decides how the buffers of `device` reach the GL context that is current. `automatic` takes
// direct where the device says yes and a trial registration succeeds. Requesting `direct` where it
// is impossible throws UnavailableError with the reason.
InteropChoice choose_interop(Device& device, InteropRequest request);

// A GL buffer of a fixed size whose contents come from kernels. A frame goes
//
//     T* out = static_cast<T*>(buffer.map(stream));
//     ...launch kernels that write `out`...
//     buffer.unmap(stream);
//     ...draw from buffer.id()...
//     buffer.drawn();
//
// Mapped memory has undefined contents and is only written, in full as far as it will be drawn:
// on the cpu device in direct mode it is write-combined memory, and the last frame's data lies in
// another buffer. A buffer that is not mapped again keeps its contents and may be drawn any number
// of times. All calls need the GL context of the constructor to be current.
//
// How each kind works:
//   cuda, hip, direct  one GL buffer, registered with the device
//   cpu, direct        up to three GL buffers, mapped for good, used in turn: kernels write one
//                      while GL may still draw from the others. A fence that `drawn` places tells
//                      when a buffer may be written again. Static buffers only ever need one.
//   copy               a device buffer; unmap downloads it to pinned memory, waits, and uploads it
class SharedBuffer {
 public:
  // `bytes` may be 0: there is a GL buffer all the same, of the smallest size GL takes.
  SharedBuffer(Device& device, std::size_t bytes, InteropMode mode);
  ~SharedBuffer();
  SharedBuffer(SharedBuffer&&) noexcept;
  SharedBuffer& operator=(SharedBuffer&&) noexcept;

  // Device address for kernels, 16-byte aligned at least, valid until `unmap`. Waits where GL still
  // draws from the memory. The address may differ from map to map; it is part of a graph's key.
  void* map(Stream& stream);
  // What the stream holds so far is in id() for every GL command issued from here on.
  void unmap(Stream& stream);

  // The GL buffer to draw from. It changes with `unmap`; before the first one its contents are
  // undefined.
  GLuint id() const;
  // To be called after the draws that read id().
  void drawn();

  std::size_t size() const;  // bytes, as asked for
  InteropMode mode() const;
  bool mapped() const;
  void* last_mapped() const;  // what the last `map` returned; null before the first

  class Storage;  // one of the three kinds

 private:
  std::unique_ptr<Storage> storage_;
};

}  // namespace warpview
