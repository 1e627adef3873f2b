// The kernel language for the host compiler: with this header a kernel written for nvcc or hipcc is
// ordinary C++ that the executor runs.
//
// The names are CUDA's, double underscores included, although they are reserved.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "gpu/runtime/device.h"
#include "gpu/runtime/poison.h"
#include "gpu/simt/counting.h"
#include "gpu/simt/executor.h"

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
// An OS thread runs one block at a time, and a lane never changes its thread.
#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer leaves no gaps between variables of a thread. GCC lays them out in reverse
// order, which places a guard right behind the variable that is declared after it.
#define SHARED_GUARD_(number) shared_guard_##number
#define SHARED_GUARD(number) SHARED_GUARD_(number)
#define GUARDED_BY(guard)                        \
  alignas(1) static thread_local char guard[64]; \
  ::warpview::poison(guard, sizeof guard);       \
  static thread_local
#define __shared__ GUARDED_BY(SHARED_GUARD(__COUNTER__))
#else
#define __shared__ static thread_local
#endif

#define threadIdx (::warpview::simt::self().thread)
#define blockIdx (::warpview::simt::self().place->index)
#define blockDim (::warpview::simt::self().place->block)
#define gridDim (::warpview::simt::self().place->grid)

inline void __syncthreads(warpview::simt::Where where = {}) { warpview::simt::barrier(where); }
inline int __syncthreads_count(int predicate, warpview::simt::Where where = {}) {
  return static_cast<int>(warpview::simt::barrier_count(predicate != 0, where));
}
inline int __syncthreads_and(int predicate, warpview::simt::Where where = {}) {
  return warpview::simt::barrier_count(predicate == 0, where) == 0 ? 1 : 0;
}
inline int __syncthreads_or(int predicate, warpview::simt::Where where = {}) {
  return warpview::simt::barrier_count(predicate != 0, where) != 0 ? 1 : 0;
}

#if defined(WARPVIEW_SANITIZE_THREAD)
// GCC's ThreadSanitizer does not model fences. Here each is a read-modify-write of one word, which
// acquires all that earlier ones released. That orders everything that fences around relaxed
// atomics order (the writer's fence comes before its atomic, that before the reader's, and that
// before the reader's fence), so correct code is not reported. It orders more, namely fences that
// no atomic connects, but nothing for a thread that lacks its fence. Relaxed atomics themselves
// order nothing.
namespace warpview::simt {
inline constinit unsigned device_fence = 0;
inline constinit thread_local unsigned block_fence = 0;  // a block stays on its OS thread
}  // namespace warpview::simt
inline void __threadfence() {
  __atomic_fetch_add(&warpview::simt::device_fence, 1, __ATOMIC_ACQ_REL);
}
inline void __threadfence_block() {
  __atomic_fetch_add(&warpview::simt::block_fence, 1, __ATOMIC_ACQ_REL);
}
#else
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
inline int __clzll(long long v) {
  return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v));
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace warpview::cpu {

// Read-modify-writes, relaxed as on a GPU; each returns the old value. One that leaves its word as
// it was (a lock that stays taken) counts as a read, not as a change: a spin over it alone ends
// nothing.
namespace detail {
// Encloses a change of a word by which blocks may communicate. Where publications are late
// (simt::Options) the lane may have to wait here, before the change or after it. The counted build,
// in which blocks take turns, has no late publications.
class Publication {
 public:
  explicit Publication(const void* word) : word_(word) { come_late(); }
  ~Publication() { come_late(); }
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;

 private:
  void come_late() const {
    if constexpr (!simt::counting::on)
      if (simt::publications_are_late) simt::come_late(word_);
  }
  const void* word_;
};

template <class T>
T changed_if(bool changed, T old, simt::Where where) {
  if (changed)
    simt::note_change();
  else
    simt::note_look(where);
  return old;
}
// Implements atomics for which the hardware has no instruction.
template <class T, class Operation>
T modify(T* p, Operation next, simt::Where where) {
  const Publication publication(p);
  const simt::OneAtomic one(p, sizeof(T));
  T old;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  for (;;) {
    T wanted = next(old);
    if (std::memcmp(&wanted, &old, sizeof(T)) == 0) return changed_if(false, old, where);
    if (__atomic_compare_exchange(p, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return changed_if(true, old, where);
  }
}
}  // namespace detail

// The operand is converted to the word's type, as overload resolution does on a GPU.
template <class T>
using Operand = std::type_identity_t<T>;

template <class T>
T atomicAdd(T* p, Operand<T> v, simt::Where where = {}) {
  if constexpr (std::is_integral_v<T>) {
    const detail::Publication publication(p);
    return detail::changed_if(v != 0, __atomic_fetch_add(p, v, __ATOMIC_RELAXED), where);
  } else {
    return detail::modify(
        p, [v](T old) { return old + v; }, where);
  }
}
template <class T>
T atomicSub(T* p, Operand<T> v, simt::Where where = {}) {
  const detail::Publication publication(p);
  return detail::changed_if(v != 0, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED), where);
}
template <class T>
T atomicMin(T* p, Operand<T> v, simt::Where where = {}) {
  return detail::modify(
      p, [v](T old) { return v < old ? v : old; }, where);
}
template <class T>
T atomicMax(T* p, Operand<T> v, simt::Where where = {}) {
  return detail::modify(
      p, [v](T old) { return v > old ? v : old; }, where);
}
template <class T>
T atomicAnd(T* p, Operand<T> v, simt::Where where = {}) {
  const detail::Publication publication(p);
  const T old = __atomic_fetch_and(p, v, __ATOMIC_RELAXED);
  return detail::changed_if((old & v) != old, old, where);
}
template <class T>
T atomicOr(T* p, Operand<T> v, simt::Where where = {}) {
  const detail::Publication publication(p);
  const T old = __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
  return detail::changed_if((old | v) != old, old, where);
}
template <class T>
T atomicExch(T* p, Operand<T> v, simt::Where where = {}) {
  const detail::Publication publication(p);
  const T old = __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
  return detail::changed_if(old != v, old, where);
}
template <class T>
T atomicCAS(T* p, Operand<T> expected, Operand<T> v, simt::Where where = {}) {
  const detail::Publication publication(p);
  const T wanted = expected;
  __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return detail::changed_if(expected == wanted && wanted != v, expected, where);
}

template <class T>
T load_relaxed(const T* p, simt::Where where = {}) {
  simt::note_look(where);
  return __atomic_load_n(p, __ATOMIC_RELAXED);
}
template <class T>
T load_acquire(const T* p, simt::Where where = {}) {
  simt::note_look(where);
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
template <class T>
void store_relaxed(T* p, Operand<T> v) {
  const detail::Publication publication(p);
  __atomic_store_n(p, v, __ATOMIC_RELAXED);
  simt::note_change();
}
template <class T>
void store_release(T* p, Operand<T> v) {
  const detail::Publication publication(p);
  __atomic_store_n(p, v, __ATOMIC_RELEASE);
  simt::note_change();
}

inline void backoff(simt::Where where = {}) { simt::back_off(where); }
// Launches are serialized.
inline void wait_for_launch_before() {}
inline void let_launch_behind_begin() {}

// What each thread of a launch does, whatever the kernel and its arguments: run(state.get()).
struct KernelCall {
  std::shared_ptr<const void> state;
  void (*run)(const void*);
};
template <class Call>
KernelCall kernel_call(Call call) {
  return {std::make_shared<const Call>(std::move(call)),
          [](const void* state) { (*static_cast<const Call*>(state))(); }};
}
// Runs the kernel at once, or adds it to the graph that the stream captures.
void submit(Stream& stream, const simt::Launch& launch, KernelCall call);
// Runs or captures host work: what `library` variants do on this backend. Never called on a lane.
void run_host(Stream& stream, std::function<void()> work);

template <class... Parameters>
void launch_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                   dim3 block, std::size_t /*large_shared*/,
                   std::type_identity_t<Parameters>... arguments) {
  submit(stream, {.kernel = name, .grid = grid, .block = block},
         kernel_call([=] { kernel(arguments...); }));
}
template <class... Parameters>
void launch_concurrent_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...),
                              dim3 grid, dim3 block, std::size_t /*large_shared*/,
                              std::type_identity_t<Parameters>... arguments) {
  submit(stream, {.kernel = name, .grid = grid, .block = block, .concurrent = true},
         kernel_call([=] { kernel(arguments...); }));
}
template <class... Parameters>
void launch_kernel_sparsely(Stream& stream, const char* name, void (*kernel)(Parameters...),
                            dim3 grid, dim3 block, unsigned /*share*/,
                            std::type_identity_t<Parameters>... arguments) {
  launch_kernel(stream, name, kernel, grid, block, 0, arguments...);
}
template <class... Parameters>
void launch_early_kernel(Stream& stream, const char* name, void (*kernel)(Parameters...), dim3 grid,
                         dim3 block, std::size_t large_shared,
                         std::type_identity_t<Parameters>... arguments) {
  launch_kernel(stream, name, kernel, grid, block, large_shared, arguments...);
}
template <class... Parameters>
unsigned concurrent_blocks(Stream&, void (*)(Parameters...), unsigned block,
                           std::size_t /*large_shared*/ = 0) {
  return simt::concurrent_blocks(block);
}

}  // namespace warpview::cpu
