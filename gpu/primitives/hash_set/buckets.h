// Probing by buckets: a bucket is the eight slots of a sector of memory, which are looked at as
// one.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4: linear probing with buckets.
//   M. Awad et al., "Analyzing and Implementing GPU Hash Tables", APOCS 2023: buckets of the size
//   that memory fetches.
//
// A key is in the first bucket from its home on that had a slot left when it came. At 90 % load,
// too, most keys are in their first bucket.
//
// Keys of a bucket try its slots in an order that begins where the hash says and goes round: of
// many that come at the same time few want the same slot. Two of the same key try them in the same
// order, and what the one passes is taken for good: so the other meets it. And so does who seeks
// the key: of its first bucket it loads the 16 bytes with the slot that the key tried first, and
// needs the other half only where neither the key nor, from that slot on, an empty one is among
// them. Of the buckets behind it loads both halves at once: one after the other would take longer.
#pragma once

#include "gpu/primitives/hash_set/slots.h"

namespace warpview::WARPVIEW_BACKEND::hash_set {

// What one look tells of a bucket: a bit for each slot that was looked at, at its number.
struct Look {
  std::uint32_t same;
  std::uint32_t empty;
};

struct alignas(16) FourSlots {
  std::uint32_t slot[4];
};

// Four slots that others may write meanwhile. Each is a whole; no more is needed, since a slot that
// is seen empty is claimed by an atomic, and one that is taken stays as it is.
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

  // Is a key of this hash there? Nobody writes meanwhile.
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

  // Brings a key of this hash in. With `claim_first` it claims a slot before it has looked: right
  // whenever, fast where the bucket is in a cache and has room as a rule.
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
      // The empty slots, turned so that bit 0 is the first to try.
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
  // Gives what was there.
  __device__ std::uint32_t claim(std::uint32_t bucket, std::uint32_t slot,
                                 std::uint32_t hash) const {
    return atomicCAS(at(bucket, slot), empty, taken | hash);
  }
  // Of half 0 or 1 of a bucket.
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
