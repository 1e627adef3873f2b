// Scratch memory as the primitives of CUB and rocPRIM expect it.
#pragma once

#include <cstddef>

#include "gpu/runtime/scratch.h"

namespace warpview {

// Calls `call(memory, bytes)` as these libraries are called: without memory it only sets the bytes
// of scratch that it needs, and with them it queues the work. A measuring Scratch makes the first
// call only.
template <class Call>
void with_scratch(Scratch& scratch, const Call& call) {
  std::size_t bytes = 0;
  call(nullptr, bytes);
  void* memory = scratch.take<std::byte>(bytes + 1, "library");  // never null
  if (!scratch.measuring()) call(memory, bytes);
}

}  // namespace warpview
