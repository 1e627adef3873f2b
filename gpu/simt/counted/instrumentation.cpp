// What the compiler calls from instrumented code: the entry points of ThreadSanitizer
// (-fsanitize=thread), before each access to memory that other threads might share and instead of
// each atomic access, and that of -fsanitize-coverage=trace-pc, in each basic block. The sanitizer
// itself is not linked; only its compiler pass is used.
//
// An access is identified by its return address: each copy that inlining makes counts separately.
#include <cstdint>

#include "gpu/simt/counted/recorder.h"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace counting = warpview::simt::counting;

#define HERE __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit(void*) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

#define ACCESS(bytes)                                                                          \
  void __tsan_read##bytes(void* address) { counting::access(HERE, address, bytes); }           \
  void __tsan_write##bytes(void* address) { counting::access(HERE, address, bytes); }          \
  void __tsan_unaligned_read##bytes(void* address) { counting::access(HERE, address, bytes); } \
  void __tsan_unaligned_write##bytes(void* address) { counting::access(HERE, address, bytes); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

void __tsan_read_range(void* address, std::size_t bytes) { counting::access(HERE, address, bytes); }
void __tsan_write_range(void* address, std::size_t bytes) {
  counting::access(HERE, address, bytes);
}

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

// Loads and stores are accesses like others; the rest are read-modify-writes. All use the strongest
// memory order, whichever was requested.
#define EXCHANGE(Word, bits, name)                                                           \
  bool __tsan_atomic##bits##_compare_exchange_##name(volatile void* address, void* expected, \
                                                     Word wanted, int, int) {                \
    counting::access(HERE, address, sizeof(Word), counting::Kind::atomic);                   \
    return __atomic_compare_exchange_n(static_cast<volatile Word*>(address),                 \
                                       static_cast<Word*>(expected), wanted, false,          \
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                  \
  }
#define FETCH(Word, bits, name)                                                                  \
  Word __tsan_atomic##bits##_fetch_##name(volatile void* address, Word value, int) {             \
    counting::access(HERE, address, sizeof(Word), counting::Kind::atomic);                       \
    return __atomic_fetch_##name(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST); \
  }
#define ATOMIC(Word, bits)                                                                     \
  Word __tsan_atomic##bits##_load(const volatile void* address, int) {                         \
    counting::access(HERE, address, sizeof(Word));                                             \
    return __atomic_load_n(static_cast<const volatile Word*>(address), __ATOMIC_SEQ_CST);      \
  }                                                                                            \
  void __tsan_atomic##bits##_store(volatile void* address, Word value, int) {                  \
    counting::access(HERE, address, sizeof(Word));                                             \
    __atomic_store_n(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST);           \
  }                                                                                            \
  Word __tsan_atomic##bits##_exchange(volatile void* address, Word value, int) {               \
    counting::access(HERE, address, sizeof(Word), counting::Kind::atomic);                     \
    return __atomic_exchange_n(static_cast<volatile Word*>(address), value, __ATOMIC_SEQ_CST); \
  }                                                                                            \
  EXCHANGE(Word, bits, strong)                                                                 \
  EXCHANGE(Word, bits, weak)                                                                   \
  FETCH(Word, bits, add)                                                                       \
  FETCH(Word, bits, sub)                                                                       \
  FETCH(Word, bits, and)                                                                       \
  FETCH(Word, bits, or)                                                                        \
  FETCH(Word, bits, xor)                                                                       \
  FETCH(Word, bits, nand)
ATOMIC(std::uint8_t, 8)
ATOMIC(std::uint16_t, 16)
ATOMIC(std::uint32_t, 32)
ATOMIC(std::uint64_t, 64)

void __sanitizer_cov_trace_pc() { counting::basic_block(HERE); }

}  // extern "C"

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
