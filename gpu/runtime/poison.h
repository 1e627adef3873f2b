// Marks memory that must not be accessed, for AddressSanitizer; does nothing in an ordinary build.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace warpview {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool poisons = true;
inline void poison(const void* begin, std::size_t bytes) {
  __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(const void* begin, std::size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
#else
inline constexpr bool poisons = false;
inline void poison(const void*, std::size_t) {}
inline void unpoison(const void*, std::size_t) {}
#endif

}  // namespace warpview
