// Scratch memory of a primitive, sized before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/error.h"

namespace warpview {

// A variant's host function takes its scratch arrays from a Workspace, in the same order each time:
//
//     auto* tiles = workspace.take<TileState>(tile_count);
//     if (workspace.measuring()) return;
//
// Called once with a measuring Workspace it thus tells the bytes it needs (only the sizes in its
// arguments matter then, pointers may be null); called again with memory, it runs. One function
// holds both answers, so they cannot disagree.
class Workspace {
 public:
  static constexpr std::size_t alignment = 256;

  Workspace() = default;  // measuring
  Workspace(void* memory, std::size_t bytes)
      : memory_(static_cast<std::byte*>(memory)), capacity_(bytes), measuring_(false) {}

  bool measuring() const { return measuring_; }
  std::size_t used() const { return used_; }

  // `count` elements of T, 256-byte aligned, undefined contents. Null while measuring.
  template <class T>
  T* take(std::size_t count) {
    const std::size_t begin = used_;
    used_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
    if (measuring_) return nullptr;
    if (used_ > capacity_)
      throw Error("workspace too small",
                  "a primitive took more scratch memory than it had asked for",
                  "Measure it with the same arguments first");
    return reinterpret_cast<T*>(memory_ + begin);
  }

 private:
  std::byte* memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  bool measuring_ = true;
};

}  // namespace warpview
