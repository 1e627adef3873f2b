// Operations of a warp (wavefront), the same on every backend.
//
// A warp has 32 or 64 lanes; no kernel assumes either. Every collective names the participating
// lanes in a 64-bit mask; exactly those call it, with that mask, at one line. Only `sync` orders
// memory. Between collectives lanes may run in any order: no kernel assumes that a warp converges.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::warp {

using LaneMask = std::uint64_t;

// The largest and smallest warp: for sizing shared arrays at compile time.
inline constexpr unsigned max_size = 64;
inline constexpr unsigned min_size = 32;

#if defined(WARPVIEW_BACKEND_CPU)

// Defined over the executor: see gpu/simt/language.h.
inline unsigned size() { return simt::self().warp_size; }
inline unsigned lane() { return simt::self().lane; }

#else

__device__ constexpr unsigned size() {
#if defined(WARPVIEW_BACKEND_CUDA)
  return 32;
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
  return __AMDGCN_WAVEFRONT_SIZE;
#else
  return 64;  // hipcc's pass over the host code
#endif
}
// One-dimensional blocks.
__device__ inline unsigned lane() { return threadIdx.x % size(); }

#endif

// Number of this thread's warp in its (one-dimensional) block.
__device__ inline unsigned index() { return threadIdx.x / size(); }

// All lanes of a full warp. Blocks are multiples of 64 threads, so every warp is full.
__device__ inline LaneMask all_lanes() {
  return size() == 64 ? ~LaneMask{0} : LaneMask{0xffffffffU};
}
// Mask of the lanes before this one.
__device__ inline LaneMask lanes_before() { return (LaneMask{1} << lane()) - 1; }

__device__ inline unsigned count(LaneMask mask) {
#if defined(WARPVIEW_BACKEND_CPU)
  return static_cast<unsigned>(__builtin_popcountll(mask));
#elif defined(WARPVIEW_BACKEND_CUDA)
  return static_cast<unsigned>(__popc(static_cast<unsigned>(mask)));
#else
  return static_cast<unsigned>(__popcll(mask));
#endif
}
// Index of the lowest set bit; the mask is not 0.
__device__ inline unsigned first(LaneMask mask) {
#if defined(WARPVIEW_BACKEND_CPU)
  return static_cast<unsigned>(__builtin_ctzll(mask));
#elif defined(WARPVIEW_BACKEND_CUDA)
  return static_cast<unsigned>(__ffs(static_cast<int>(mask)) - 1);
#else
  return static_cast<unsigned>(__ffsll(static_cast<unsigned long long>(mask)) - 1);
#endif
}

// Index of the highest set bit; the mask is not 0.
__device__ inline unsigned last(LaneMask mask) {
#if defined(WARPVIEW_BACKEND_CPU)
  return 63U - static_cast<unsigned>(__builtin_clzll(mask));
#elif defined(WARPVIEW_BACKEND_CUDA)
  return 31U - static_cast<unsigned>(__clz(static_cast<int>(mask)));
#else
  return 63U - static_cast<unsigned>(__clzll(static_cast<long long>(mask)));
#endif
}

// The lanes that run this call together with this one, which is among them; the same for all of
// them. Which lanes those are is chance: lanes of one warp that reach one line may arrive together
// or apart. A kernel may use it to share work among the lanes that are here, in divergent code, but
// never to find out which lanes took a branch.
#if defined(WARPVIEW_BACKEND_CPU)
inline LaneMask active(simt::Where where = {}) { return simt::warp_active(where); }
#elif defined(WARPVIEW_BACKEND_CUDA)
__device__ inline LaneMask active() { return __activemask(); }
#else
__device__ inline LaneMask active() { return __ballot(1); }
#endif

#if defined(WARPVIEW_BACKEND_CPU)

inline void sync(LaneMask mask, simt::Where where = {}) { simt::warp_sync(mask, where); }
inline LaneMask ballot(LaneMask mask, bool predicate, simt::Where where = {}) {
  return simt::warp_ballot(mask, predicate, where);
}
// Lanes of the mask whose low `bits` bits of `value` equal this lane's.
template <int bits>
LaneMask match(LaneMask mask, std::uint32_t value, simt::Where where = {}) {
  return simt::warp_match(mask, bits >= 32 ? value : value & ((1U << (bits & 31)) - 1), where);
}
// The value of lane `source` of this warp, which must be in the mask.
template <class T>
T shuffle(LaneMask mask, T value, unsigned source, simt::Where where = {}) {
  return simt::warp_shuffle(mask, value, source, where);
}

#else

// After it, the lanes of the mask see each other's earlier writes to shared and global memory.
__device__ inline void sync([[maybe_unused]] LaneMask mask) {
#if defined(WARPVIEW_BACKEND_CUDA)
  __syncwarp(static_cast<unsigned>(mask));
#else
  // A wavefront runs in lockstep; only memory accesses must not be moved across.
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

__device__ inline LaneMask ballot([[maybe_unused]] LaneMask mask, bool predicate) {
#if defined(WARPVIEW_BACKEND_CUDA)
  return __ballot_sync(static_cast<unsigned>(mask), predicate);
#else
  return __ballot(predicate) & mask;
#endif
}

// Lanes whose bit `bit` of `value` equals this lane's; bits of lanes outside of the mask mean
// nothing.
__device__ inline LaneMask agreeing(LaneMask mask, std::uint32_t value, int bit) {
#if defined(WARPVIEW_BACKEND_CUDA)
  // Complementing the ballot by a predicate saves the compiler a selection between two values.
  unsigned lanes = 0;
  asm("{\n"
      "  .reg .pred is_set;\n"
      "  and.b32 %0, %1, %2;\n"
      "  setp.ne.u32 is_set, %0, 0;\n"
      "  vote.sync.ballot.b32 %0, is_set, %3;\n"
      "  @!is_set not.b32 %0, %0;\n"
      "}"
      : "=&r"(lanes)
      : "r"(value), "r"(1U << bit), "r"(static_cast<unsigned>(mask)));
  return lanes;
#else
  const bool is_set = (value >> bit & 1U) != 0;
  const LaneMask with_bit = ballot(mask, is_set);
  return is_set ? with_bit : ~with_bit;
#endif
}

// Lanes of the mask whose low `bits` bits of `value` equal this lane's, by one ballot per bit.
// Faster than match.any for the 8 bits of a digit, and the only way on hip.
template <int bits>
__device__ LaneMask match(LaneMask mask, std::uint32_t value) {
  LaneMask peers = mask;
  // Two at a time: three masks are one instruction.
  UNROLL
  for (int bit = 0; bit + 1 < bits; bit += 2)
    peers = peers & agreeing(mask, value, bit) & agreeing(mask, value, bit + 1);
  if constexpr (bits % 2 != 0) peers &= agreeing(mask, value, bits - 1);
  return peers;
}

// The value of lane `source` of this warp, which must be in the mask.
template <class T>
__device__ inline T shuffle([[maybe_unused]] LaneMask mask, T value, unsigned source) {
  static_assert(sizeof(T) % 4 == 0 && std::is_trivially_copyable_v<T>);
  int words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned i = 0; i < sizeof(T) / 4; ++i) {
#if defined(WARPVIEW_BACKEND_CUDA)
    words[i] = __shfl_sync(static_cast<unsigned>(mask), words[i], static_cast<int>(source));
#else
    words[i] = __shfl(words[i], static_cast<int>(source));
#endif
  }
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

#endif

// The value of the lane `delta` before this one; lanes without one keep their own value. Full
// warps.
template <class T>
__device__ inline T shuffle_up(LaneMask mask, T value, unsigned delta) {
  return shuffle(mask, value, lane() >= delta ? lane() - delta : lane());
}
template <class T>
__device__ inline T shuffle_xor(LaneMask mask, T value, unsigned lane_bits) {
  return shuffle(mask, value, lane() ^ lane_bits);
}

__device__ inline bool any(LaneMask mask, bool predicate) { return ballot(mask, predicate) != 0; }

// Combines the values of a full warp with an associative, commutative operator. Every lane holds
// the result (butterfly of shuffles by xor).
template <class T, class Operator>
__device__ inline T reduce(T value, Operator combine) {
  for (unsigned step = size() / 2; step > 0; step /= 2)
    value = combine(value, shuffle_xor(all_lanes(), value, step));
  return value;
}

// Combines by an operator that need not be commutative: lane 0's value is the leftmost.
template <class T, class Operator>
__device__ inline T reduce_in_order(T value, Operator combine) {
  for (unsigned step = 1; step < size(); step *= 2) {
    const T other = shuffle_xor(all_lanes(), value, step);
    value = (lane() & step) == 0 ? combine(value, other) : combine(other, value);
  }
  return value;
}

// Inclusive prefixes over a full warp by an associative operator (Kogge-Stone: log2(size) steps,
// every lane combines).
template <class T, class Operator>
__device__ inline T inclusive_scan(T value, Operator combine) {
  for (unsigned step = 1; step < size(); step *= 2) {
    const T before = shuffle_up(all_lanes(), value, step);
    if (lane() >= step) value = combine(before, value);
  }
  return value;
}
template <class T>
__device__ inline T inclusive_sum(T value) {
  return inclusive_scan(value, [](T a, T b) { return a + b; });
}

// The exclusive prefix of this lane, from its inclusive prefix and its own value. Full warps;
// `Operator` as in gpu/operators/operator.h.
template <class Operator>
__device__ inline typename Operator::Type before_lane(typename Operator::Type upto,
                                                      typename Operator::Type own) {
  using T = typename Operator::Type;
  if constexpr (requires(T x) { Operator::without_last(x, x); }) {
    return Operator::without_last(upto, own);
  } else {
    const T before = shuffle_up(all_lanes(), upto, 1);
    return lane() == 0 ? Operator::identity() : before;
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::warp
