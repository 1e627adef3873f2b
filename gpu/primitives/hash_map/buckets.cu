// Hash map by buckets: four slots of 8 bytes are a sector of memory; one probe reads them all.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4: linear probing with buckets.
//   M. Awad et al., "Analyzing and Implementing GPU Hash Tables", APOCS 2023.
//   S. Manegold, P. Boncz, M. Kersten, "Optimizing Main-Memory Join on Modern Hardware", IEEE TKDE
//   14(4), 2002: keys radix-partitioned by home.
//
// A key sits in the first bucket, counted from its home, that was not full when it was inserted.
// The order in which slots are tried begins where the hash says and wraps around, so that few of
// many concurrent inserts want the same slot. A find loads two slots of the key's first bucket, 16
// bytes, by that order, and the other two only if it must (hash_set/buckets.h).
//
// Tables larger than L2 are filled from keys that are radix-partitioned by home (parts.h): the
// stretch of the table for a partition stays in L2. With a result for each key (find,
// find_or_insert) this no longer pays: results of 4 bytes would be scattered one by one all over
// memory.
#include "gpu/block/tuning.h"
#include "gpu/primitives/hash_map/parts.h"
#include "gpu/primitives/hash_map/table.h"

namespace warpview::WARPVIEW_BACKEND {

namespace hash {
namespace {

constexpr std::uint32_t bucket_slots = 4;

// 16 bytes of slots: key and value for 32-bit keys, keys for 64 bits.
struct alignas(16) TwoSlots {
  std::uint64_t word[2];
};
// For changing slots: each word is read as a whole (hash_set/buckets.h says why that suffices).
__device__ inline TwoSlots load_two(const std::uint64_t* words, Slots how) {
  if (how == Slots::still) return *reinterpret_cast<const TwoSlots*>(words);
  TwoSlots two;
#if defined(WARPVIEW_BACKEND_CUDA)
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(two.word[0]), "=l"(two.word[1])
               : "l"(words)
               : "memory");
#else
  for (unsigned s = 0; s < 2; ++s) two.word[s] = load_relaxed(&words[s]);
#endif
  return two;
}
__device__ inline const std::uint64_t* key_words(const Table<std::uint32_t>& table) {
  return table.words;
}
__device__ inline const std::uint64_t* key_words(const Table<std::uint64_t>& table) {
  return table.keys;
}
template <class Key>
__device__ inline Key key_of(std::uint64_t word) {
  return static_cast<Key>(sizeof(Key) == 8 ? word : word >> 32U);
}

template <class Key>
class MapBuckets {
 public:
  // Where a key is, or was inserted; table.slots: absent.
  struct Place {
    std::uint32_t slot;
    bool claimed;
    std::uint64_t word;  // the content that a search found there
  };

  __device__ MapBuckets(const Table<Key>& table, Slots how)
      : table_(table), how_(how), count_(table.slots / bucket_slots) {}

  __device__ Place find(Key key) const {
    const Key hash = mix(key);
    std::uint32_t bucket = home(hash, count_);
    const std::uint32_t first = first_slot(hash);
    Look look = look_at(bucket, first / 2, key);
    if (look.same == 0 && look.empty >> first == 0)
      look = both(look, look_at(bucket, 1 - first / 2, key));
    for (std::uint32_t looks = 1; look.same == 0; ++looks) {
      if (look.empty != 0 || looks == count_) return {table_.slots, false, 0};
      bucket = next(bucket);
      look = look_at(bucket, key);
    }
    return {bucket * bucket_slots + warp::first(look.same), false, look.word};
  }

  // Inserts a key if it is absent. With `claim_first` it claims a slot before it has looked.
  template <bool claim_first>
  __device__ Place find_or_claim(Key key, std::uint32_t value) const {
    const Key hash = mix(key);
    std::uint32_t bucket = home(hash, count_);
    const std::uint32_t first = first_slot(hash);
    if (claim_first) {
      const std::uint32_t slot = bucket * bucket_slots + first;
      const Key before = table_.claim(slot, key, value);
      if (before == empty_key<Key> || before == key) return {slot, before != key, 0};
    }
    for (std::uint32_t looks = 0; looks < count_; ++looks) {
      const Look look = look_at(bucket, key);
      if (look.same != 0) return {bucket * bucket_slots + warp::first(look.same), false, 0};
      // The empty slots, rotated so that bit 0 is the first to try.
      std::uint32_t left =
          (look.empty | look.empty << bucket_slots) >> first & ((1U << bucket_slots) - 1);
      for (; left != 0; left &= left - 1) {
        const std::uint32_t slot =
            bucket * bucket_slots + (first + warp::first(left)) % bucket_slots;
        const Key before = table_.claim(slot, key, value);
        if (before == empty_key<Key> || before == key) return {slot, before != key, 0};
      }
      bucket = next(bucket);
    }
    return {table_.slots, false, 0};
  }

 private:
  __device__ static std::uint32_t first_slot(Key hash) {
    return static_cast<std::uint32_t>(hash % bucket_slots);
  }
  // The result of a look: one bit per slot, at its index in the bucket, for the key's slot or an
  // empty one, and the word of the key's slot.
  struct Look {
    std::uint64_t word;
    std::uint32_t same;
    std::uint32_t empty;
  };
  __device__ TwoSlots load(std::uint32_t bucket, std::uint32_t half) const {
    return load_two(key_words(table_) + std::size_t{bucket} * bucket_slots + half * 2, how_);
  }
  __device__ static Look seen(const TwoSlots& two, std::uint32_t half, Key key) {
    Look look{0, 0, 0};
    UNROLL
    for (unsigned s = 0; s < 2; ++s) {
      const Key held = key_of<Key>(two.word[s]);
      const std::uint32_t bit = 1U << (half * 2 + s);
      if (held == key) look = {two.word[s], bit, look.empty};
      if (held == empty_key<Key>) look.empty |= bit;
    }
    return look;
  }
  __device__ static Look both(const Look& a, const Look& b) {
    return {a.same != 0 ? a.word : b.word, a.same | b.same, a.empty | b.empty};
  }
  // Looks at half 0 or 1 of a bucket, or at both.
  __device__ Look look_at(std::uint32_t bucket, std::uint32_t half, Key key) const {
    return seen(load(bucket, half), half, key);
  }
  __device__ Look look_at(std::uint32_t bucket, Key key) const {
    const TwoSlots low = load(bucket, 0);
    return both(seen(low, 0, key), seen(load(bucket, 1), 1, key));
  }
  __device__ std::uint32_t next(std::uint32_t bucket) const {
    return bucket + 1 < count_ ? bucket + 1 : 0;
  }

  Table<Key> table_;
  Slots how_;
  std::uint32_t count_;
};

template <class Key>
__global__ void insert_buckets_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const Key key = work.keys[i];
  std::uint32_t value = work.value(i);
  bool fits = false;
  if (key != empty_key<Key>) {
    const auto place =
        MapBuckets<Key>(table, Slots::changing).template find_or_claim<false>(key, value);
    fits = place.slot < table.slots;
    if (fits) value = table.give(place.slot, work.operation, key, value, place.claimed);
  }
  work.finish(i, fits, value);
}

template <class Key>
__global__ void find_buckets_kernel(Table<Key> table, Work<Key> work) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const Key key = work.keys[i];
  std::uint32_t value = no_value;
  if (key != empty_key<Key>) {
    const auto place = MapBuckets<Key>(table, Slots::still).find(key);
    if (place.slot < table.slots)
      value = sizeof(Key) == 4 ? static_cast<std::uint32_t>(place.word)
                               : table.value_at(place.slot, Slots::still);
  }
  work.results[i] = value;
}

// The hash for parts.h.
struct MapHash {
  __device__ std::uint32_t operator()(std::uint32_t key) const { return mix(key); }
};

// Inserts partitioned keys, which are recovered from their hashes.
__global__ void insert_parts_kernel(Table<std::uint32_t> table, Work<std::uint32_t> work,
                                    Parted parted) {
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  const std::uint32_t key = unmix(parted.hashes[i]);
  const std::uint32_t value = work.operation == HashOperation::count ? 1 : parted.values[i];
  bool fits = false;
  if (key != empty_key<std::uint32_t>) {
    const auto place =
        MapBuckets<std::uint32_t>(table, Slots::changing).find_or_claim<true>(key, value);
    fits = place.slot < table.slots;
    if (fits) table.give(place.slot, work.operation, key, value, place.claimed);
  }
  if (!fits) atomicAdd(work.not_fitted, 1U);
}

template <class Key>
void in_buckets(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  const bool answers_each =
      args.operation != HashOperation::insert && args.operation != HashOperation::count;
  const bool is_parted =
      sizeof(Key) == 4 && !answers_each &&
      args.table->slots * sizeof(std::uint64_t) >= block::Tuning::parted_from_bytes;
  if (is_parted) {
    const Parted parted = Parted::take(scratch, args.n);
    if (scratch.measuring()) return;
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    if (args.n == 0) return;
    const Work<std::uint32_t> work(args);
    part_keys(stream, work.keys, args.operation == HashOperation::count ? nullptr : args.values,
              args.n, MapHash(), parted);
    launch(stream, KERNEL(insert_parts_kernel), one_thread_each(args.n),
           Table<std::uint32_t>(*args.table), work, parted);
    return;
  }
  if (scratch.measuring()) return;
  if (args.operation == HashOperation::list) return list<Key>(stream, args);
  if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_buckets_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_buckets_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  }
}

}  // namespace
}  // namespace hash

void hash_map_buckets(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (args.table->key_bits == 32)
    hash::in_buckets<std::uint32_t>(stream, args, scratch);
  else
    hash::in_buckets<std::uint64_t>(stream, args, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
