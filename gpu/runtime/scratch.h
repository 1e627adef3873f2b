// Scratch memory of a primitive, measured before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/runtime/error.h"
#include "gpu/runtime/poison.h"
#include "gpu/runtime/region.h"

namespace warpview {

// A variant's host function takes its scratch arrays from a Scratch, in the same order each time:
//
//     auto* tiles = scratch.take<TileState>(tile_count, "tiles");
//     if (scratch.measuring()) return;
//
// A call with a measuring Scratch thus gives the bytes it needs (only the sizes in its arguments
// matter then, pointers may be null); a call with memory runs it. One function gives both answers,
// so they cannot disagree.
//
// For AddressSanitizer a gap follows each array, which must not be accessed as long as the Scratch
// exists: on the CPU device that is while the kernels run. A graph that was captured runs later,
// unguarded.
class Scratch {
 public:
  static constexpr std::size_t alignment = 256;

  Scratch() = default;  // measuring
  Scratch(void* memory, std::size_t bytes)
      : memory_(static_cast<std::byte*>(memory)), capacity_(bytes), measuring_(false) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { unpoison(memory_, used_ < capacity_ ? used_ : capacity_); }

  bool measuring() const { return measuring_; }
  std::size_t used() const { return used_; }

  // Lists each array that is taken from now on in `arrays`, which must outlive this.
  void list(std::vector<Region>& arrays) { arrays_ = &arrays; }

  // `count` elements of T, 256-byte aligned, undefined contents. Null while measuring. `name`, a
  // literal, is the kernel's name for the array.
  template <class T>
  T* take(std::size_t count, std::string_view name) {
    const std::size_t begin = used_;
    const std::size_t end = begin + count * sizeof(T);
    used_ = (end + alignment - 1) / alignment * alignment + least_gap;
    if (used_ > capacity_ && !measuring_)
      throw Error("scratch too small", "a primitive used more scratch memory than it requested",
                  "Measure it with the same arguments first");
    T* const array = measuring_ ? nullptr : reinterpret_cast<T*>(memory_ + begin);
    if (arrays_) arrays_->push_back({name, element_type<T>(), array, count * sizeof(T)});
    if (array) poison(memory_ + end, used_ - end);
    return array;
  }

 private:
  static constexpr std::size_t least_gap = poisons ? alignment : 0;

  std::byte* memory_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  bool measuring_ = true;
  std::vector<Region>* arrays_ = nullptr;
};

}  // namespace warpview
