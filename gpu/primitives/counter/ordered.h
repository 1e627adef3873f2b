// Adds 1 with an order and a scope, in the terms of each backend.
#pragma once

#include "gpu/runtime/kernel.h"
#if defined(WARPVIEW_BACKEND_CUDA)
#include <cuda/atomic>
#endif

namespace warpview::WARPVIEW_BACKEND::counter {

enum class Order {
  relaxed,  // orders this counter only
  seq_cst   // and all threads agree on one order of all accesses with this order
};
// Which other threads may access the counter.
enum class Scope {
  block,
  device,
  system  // the host and other devices, too
};

#if defined(WARPVIEW_BACKEND_CUDA)

// cuda::atomic_ref is a cuda::atomic on an existing word.
template <Order order, Scope scope>
__device__ inline void add_one(std::uint32_t* count) {
  constexpr auto whose = scope == Scope::block    ? ::cuda::thread_scope_block
                         : scope == Scope::device ? ::cuda::thread_scope_device
                                                  : ::cuda::thread_scope_system;
  constexpr auto how =
      order == Order::relaxed ? ::cuda::memory_order_relaxed : ::cuda::memory_order_seq_cst;
  ::cuda::atomic_ref<std::uint32_t, whose>(*count).fetch_add(1U, how);
}

#elif defined(WARPVIEW_BACKEND_HIP)

template <Order order, Scope scope>
__device__ inline void add_one(std::uint32_t* count) {
  constexpr int how = order == Order::relaxed ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST;
  if constexpr (scope == Scope::block)
    __hip_atomic_fetch_add(count, 1U, how, __HIP_MEMORY_SCOPE_WORKGROUP);
  else if constexpr (scope == Scope::device)
    __hip_atomic_fetch_add(count, 1U, how, __HIP_MEMORY_SCOPE_AGENT);
  else
    __hip_atomic_fetch_add(count, 1U, how, __HIP_MEMORY_SCOPE_SYSTEM);
}

#else

// A CPU has one scope. On x86 the instruction is the same for both orders.
template <Order order, Scope>
void add_one(std::uint32_t* count, simt::Where where = {}) {
  const cpu::detail::Publication publication(count);
  constexpr int how = order == Order::relaxed ? __ATOMIC_RELAXED : __ATOMIC_SEQ_CST;
  cpu::detail::changed_if(true, __atomic_fetch_add(count, 1U, how), where);
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND::counter
