// What the compiler calls from instrumented code: the entry points of ThreadSanitizer
// (-fsanitize=thread), before each access to memory that other threads might share and instead of
// each atomic access. The sanitizer itself is not linked; only its compiler pass is used.
//
// An access is identified by its return address: each copy that inlining makes is another place.
#include <cstdint>

#include "gpu/simt/instrumented/calls.h"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

using warpview::EventKind;
using warpview::simt::instrumented::on_access;

#define HERE __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void*) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESS(bytes)                                                                            \
  void __tsan_read##bytes(void* address) { on_access(HERE, address, bytes, EventKind::read); }   \
  void __tsan_write##bytes(void* address) { on_access(HERE, address, bytes, EventKind::write); } \
  void __tsan_unaligned_read##bytes(void* address) {                                             \
    on_access(HERE, address, bytes, EventKind::read);                                            \
  }                                                                                              \
  void __tsan_unaligned_write##bytes(void* address) {                                            \
    on_access(HERE, address, bytes, EventKind::write);                                           \
  }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  on_access(HERE, address, bytes, EventKind::read);
}
void __tsan_write_range(void* address, std::size_t bytes) {
  on_access(HERE, address, bytes, EventKind::write);
}

void __tsan_atomic_thread_fence(int) {
  warpview::simt::instrumented::on_fence(HERE);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// All use the strongest memory order, whichever was requested.
#define EXCHANGE(Word, bits, name)                                                           \
  bool __tsan_atomic##bits##_compare_exchange_##name(volatile void* address, void* expected, \
                                                     Word wanted, int, int) {                \
    on_access(HERE, address, sizeof(Word), EventKind::compare_exchange);                     \
    return __atomic_compare_exchange_n(static_cast<volatile Word*>(address),                 \
                                       static_cast<Word*>(expected), wanted, false,          \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }
#define FETCH(Word, bits, name, kind)                                                            \
  Word __tsan_atomic##bits##_fetch_##name(volatile void* address, Word value, int) {             \
    on_access(HERE, address, sizeof(Word), EventKind::kind);                                     \
    return __atomic_fetch_##name(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST); \
  }
#define ATOMIC(Word, bits)                                                                      \
  Word __tsan_atomic##bits##_load(const volatile void* address, int order) {                    \
    on_access(HERE, address, sizeof(Word),                                                      \
              order == __ATOMIC_RELAXED ? EventKind::load_relaxed : EventKind::load_acquire);   \
    return __atomic_load_n(static_cast<const volatile Word*>(address), __ATOMIC_SEQ_CST);       \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile void* address, Word value, int order) {             \
    on_access(HERE, address, sizeof(Word),                                                      \
              order == __ATOMIC_RELAXED ? EventKind::store_relaxed : EventKind::store_release); \
    __atomic_store_n(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST);            \
  }                                                                                             \
  Word __tsan_atomic##bits##_exchange(volatile void* address, Word value, int) {                \
    on_access(HERE, address, sizeof(Word), EventKind::exchange);                                \
    return __atomic_exchange_n(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST);  \
  }                                                                                             \
  EXCHANGE(Word, bits, strong)                                                                  \
  EXCHANGE(Word, bits, weak)                                                                    \
  FETCH(Word, bits, add, add)                                                                   \
  FETCH(Word, bits, sub, subtract)                                                              \
  FETCH(Word, bits, and, bit_and)                                                               \
  FETCH(Word, bits, or, bit_or)                                                                 \
  FETCH(Word, bits, xor, bit_xor)                                                               \
  FETCH(Word, bits, nand, modify)
ATOMIC(std::uint8_t, 8)
ATOMIC(std::uint16_t, 16)
ATOMIC(std::uint32_t, 32)
ATOMIC(std::uint64_t, 64)

}  // extern "C"

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
