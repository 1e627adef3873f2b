// Large host arrays whose elements are all about to be written, by several threads.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpview {

// Host memory of that size, aligned to at least 256 bytes; null if there is none. Large blocks use
// huge pages where the system grants them on request: fewer faults when they are first written, and
// fewer TLB misses later. std::free() frees it.
inline void* allocate_host_memory(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  constexpr std::size_t large_page = std::size_t{1} << 21U;
  const bool is_large = bytes >= 2 * large_page;
  const std::size_t unit = is_large ? large_page : alignment;
  if (bytes > std::numeric_limits<std::size_t>::max() - unit) return nullptr;
  const std::size_t whole = (bytes + unit - 1) / unit * unit;
  void* const memory = std::aligned_alloc(unit, whole);
#if defined(MADV_HUGEPAGE)
  if (memory && is_large) static_cast<void>(madvise(memory, whole, MADV_HUGEPAGE));
#endif
  return memory;
}

// Elements that resize() adds have undefined values.
template <class T>
struct HostAllocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  using value_type = T;

  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>&) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
      throw std::bad_array_new_length();
    void* const memory = allocate_host_memory(count * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { std::free(memory); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }

  template <class U>
  bool operator==(const HostAllocator<U>&) const {
    return true;
  }
};

template <class T>
using HostArray = std::vector<T, HostAllocator<T>>;

}  // namespace warpview
