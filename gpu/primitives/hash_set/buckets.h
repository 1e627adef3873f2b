// Probing by buckets: a bucket is the eight slots of a sector of memory; one probe reads them all.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4: linear probing with buckets.
//   M. Awad et al., "Analyzing and Implementing GPU Hash Tables", APOCS 2023: buckets of the size
//   that memory fetches.
//
// A key sits in the first bucket, counted from its home, that was not full when it was inserted.
// Even at a load factor of 90 % most keys are in their first bucket.
//
// Keys of a bucket try its slots in an order that begins where the hash says and wraps around, so
// that few of many concurrent inserts want the same slot. Two equal keys try them in the same
// order, and a slot passed by one stays taken: so the other finds the first. A find uses this
// order, too. From the key's first bucket it loads the 16 bytes with the slot that the key tried
// first. It needs the other half only if these hold neither the key nor, from that slot on, an
// empty slot. For later buckets it loads both halves at once: one after the other would take
// longer.
#pragma once

#include "gpu/primitives/hash_set/slots.h"

namespace warpview::WARPVIEW_BACKEND::hash_set {

// The result of one look at a bucket: a bit for each slot that was read, at the slot's index.
struct Look {
  std::uint32_t same;
  std::uint32_t empty;
};

struct alignas(16) FourSlots {
  std::uint32_t slot[4];
};

// Four slots that other threads may write meanwhile. Each slot is read as a whole. No more is
// needed: an atomic claims a slot that is seen empty, and a taken slot stays as it is.
__device__ inline FourSlots load_changing(const std::uint32_t* slots) {
  FourSlots four;
#if defined(WARPVIEW_BACKEND_CUDA)
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.slot[0]), "=r"(four.slot[1]), "=r"(four.slot[2]), "=r"(four.slot[3])
               : "l"(slots)
               : "memory");
#else
  for (unsigned s = 0; s < 4; ++s) four.slot[s] = load_relaxed(&slots[s]);
#endif
  return four;
}

class Buckets {
 public:
  __device__ explicit Buckets(const HashSet& set)
      : memory_(set.memory), count_(set.slots / slots_a_bucket) {}

  // Returns whether a key of this hash is in the set. The set must not be written meanwhile.
  __device__ bool find(std::uint32_t hash) const {
    std::uint32_t bucket = home(hash, count_);
    const std::uint32_t first = hash % slots_a_bucket;
    const std::uint32_t half = first / 4;
    const Look near = seen(load(bucket, half), half, hash);
    if (near.same != 0) return true;
    if (near.empty >> first != 0) return false;
    Look look = seen(load(bucket, 1 - half), 1 - half, hash);
    look.empty |= near.empty;
    for (std::uint32_t looks = 1;; ++looks) {
      if (look.same != 0) return true;
      if (look.empty != 0 || looks == count_) return false;
      bucket = next(bucket);  // and now both halves at once
      const FourSlots low = load(bucket, 0);
      look = both(seen(low, 0, hash), seen(load(bucket, 1), 1, hash));
    }
  }

  // Inserts a key of this hash. With `claim_first` it claims a slot before it has looked: always
  // correct, and fast where the bucket is in a cache and usually has room.
  template <bool claim_first>
  __device__ Answer insert(std::uint32_t hash) const {
    std::uint32_t bucket = home(hash, count_);
    if (claim_first) {
      const std::uint32_t before = claim(bucket, hash % slots_a_bucket, hash);
      if (before == empty) return Answer::inserted;
      if (before == (taken | hash)) return Answer::found;
    }
    for (std::uint32_t looks = 0; looks < count_; ++looks) {
      const Look look = both(seen(load_changing(at(bucket, 0)), 0, hash),
                             seen(load_changing(at(bucket, 4)), 1, hash));
      if (look.same != 0) return Answer::found;
      const std::uint32_t first = hash % slots_a_bucket;
      // The empty slots, rotated so that bit 0 is the first to try.
      std::uint32_t left =
          (look.empty | look.empty << slots_a_bucket) >> first & ((1U << slots_a_bucket) - 1);
      for (; left != 0; left &= left - 1) {
        const std::uint32_t slot = (first + warp::first(left)) % slots_a_bucket;
        const std::uint32_t before = claim(bucket, slot, hash);
        if (before == empty) return Answer::inserted;
        if (before == (taken | hash)) return Answer::found;
      }
      bucket = next(bucket);
    }
    return Answer::no_room;
  }

 private:
  __device__ std::uint32_t* at(std::uint32_t bucket, std::uint32_t slot) const {
    return memory_ + std::size_t{bucket} * slots_a_bucket + slot;
  }
  __device__ FourSlots load(std::uint32_t bucket, std::uint32_t half) const {
    return *reinterpret_cast<const FourSlots*>(at(bucket, half * 4));
  }
  __device__ std::uint32_t next(std::uint32_t bucket) const {
    return bucket + 1 < count_ ? bucket + 1 : 0;
  }
  // Returns the slot's previous value.
  __device__ std::uint32_t claim(std::uint32_t bucket, std::uint32_t slot,
                                 std::uint32_t hash) const {
    return atomicCAS(at(bucket, slot), empty, taken | hash);
  }
  // Looks at half 0 or 1 of a bucket.
  __device__ static Look seen(const FourSlots& four, std::uint32_t half, std::uint32_t hash) {
    Look look{0, 0};
    UNROLL
    for (unsigned s = 0; s < 4; ++s) {
      look.same |= (four.slot[s] == (taken | hash) ? 1U : 0U) << s;
      look.empty |= (four.slot[s] == empty ? 1U : 0U) << s;
    }
    return {look.same << half * 4, look.empty << half * 4};
  }
  __device__ static Look both(const Look& a, const Look& b) {
    return {a.same | b.same, a.empty | b.empty};
  }

  std::uint32_t* memory_;
  std::uint32_t count_;
};

}  // namespace warpview::WARPVIEW_BACKEND::hash_set
