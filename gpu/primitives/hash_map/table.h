// What the hash maps share: the layout of slots in memory, and how a value is combined with the
// value that its key already has.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Linear probing.
#pragma once

#include <cstdint>

#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/primitives/hash_map/mix.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::hash {

template <class Key>
inline constexpr Key empty_key = ~Key{0};

// Whether other threads may write slots while this kernel reads them. If so, each read goes to
// coherent memory; if not, neighbouring slots come from the nearest cache.
enum class Slots { changing, still };

template <class T>
__device__ inline T read(const T* p, Slots slots) {
  return slots == Slots::changing ? load_relaxed(p) : *p;
}

// A slot goes from empty to a key once; a key never leaves the table. There are three ways to fill
// one:
//
//   claim  by one atomic, concurrently with others: returns the key that was there, empty_key on
//          success
//   give   after the claim or after finding the key: combines the value with the key's, as the
//          operation says; returns the value that find_or_insert is to return
//   put    by a thread that owns the slot exclusively; so are set, with another slot's content, and
//          move, which does both in one thread
//
// None of them waits for another thread.
template <class Key>
struct Table;

// 32-bit keys: key and value share one 64-bit word, which is read, claimed and changed as a whole.
template <>
struct Table<std::uint32_t> {
  std::uint64_t* words;  // key << 32 | value
  std::uint32_t slots;
  std::uint32_t* locks;

  explicit Table(const HashTable& table)
      : words(reinterpret_cast<std::uint64_t*>(table.memory)),
        slots(table.slots),
        locks(reinterpret_cast<std::uint32_t*>(words + slots)) {}

  __device__ static std::uint64_t word(std::uint32_t key, std::uint32_t value) {
    return std::uint64_t{key} << 32U | value;
  }
  __device__ std::uint32_t key_at(std::size_t slot, Slots how) const {
    return static_cast<std::uint32_t>(read(&words[slot], how) >> 32U);
  }
  __device__ std::uint32_t value_at(std::size_t slot, Slots how) const {
    return static_cast<std::uint32_t>(read(&words[slot], how));
  }

  // Writes the value together with the key.
  __device__ std::uint32_t claim(std::size_t slot, std::uint32_t key, std::uint32_t value) const {
    return static_cast<std::uint32_t>(
        atomicCAS(&words[slot], ~std::uint64_t{0}, word(key, value)) >> 32U);
  }
  __device__ std::uint32_t give(std::size_t slot, HashOperation operation, std::uint32_t key,
                                std::uint32_t value, bool claimed) const {
    if (claimed) return value;
    if (operation == HashOperation::insert) atomicMin(&words[slot], word(key, value));
    if (operation == HashOperation::count) atomicAdd(&words[slot], std::uint64_t{value});
    return operation == HashOperation::find_or_insert ? value_at(slot, Slots::changing) : value;
  }
  __device__ void put(std::size_t slot, std::uint32_t key, std::uint32_t value) const {
    store_relaxed(&words[slot], word(key, value));
  }
  // The content of a slot, for writing it to another one.
  __device__ std::uint64_t content(std::size_t slot) const { return load_relaxed(&words[slot]); }
  __device__ void set(std::size_t slot, std::uint64_t content) const {
    store_relaxed(&words[slot], content);
  }
  __device__ void move(std::size_t to, std::size_t from) const { set(to, content(from)); }
};

// 64-bit keys leave no room for the value in a word that every GPU can change atomically, so values
// have a separate array. Between claim and give a key has no value yet. No other thread notices,
// because give starts equally well from no_value as from a value:
//   the smallest:  no_value is the largest of all;
//   the first:     a compare-and-swap against no_value, whose winner is first;
//   the count:     no_value + 1 is 0, and that 1 comes with the claim, in any order.
template <>
struct Table<std::uint64_t> {
  std::uint64_t* keys;
  std::uint32_t* values;
  std::uint32_t slots;
  std::uint32_t* locks;

  explicit Table(const HashTable& table)
      : keys(reinterpret_cast<std::uint64_t*>(table.memory)),
        values(reinterpret_cast<std::uint32_t*>(keys + table.slots)),
        slots(table.slots),
        locks(values + slots) {}

  __device__ std::uint64_t key_at(std::size_t slot, Slots how) const {
    return read(&keys[slot], how);
  }
  __device__ std::uint32_t value_at(std::size_t slot, Slots how) const {
    return read(&values[slot], how);
  }

  __device__ std::uint64_t claim(std::size_t slot, std::uint64_t key, std::uint32_t) const {
    return atomicCAS(&keys[slot], empty_key<std::uint64_t>, key);
  }
  __device__ std::uint32_t give(std::size_t slot, HashOperation operation, std::uint64_t,
                                std::uint32_t value, bool claimed) const {
    std::uint32_t* const held = &values[slot];
    if (operation == HashOperation::count) atomicAdd(held, claimed ? value + 1 : value);
    if (operation == HashOperation::insert) atomicMin(held, value);
    if (operation != HashOperation::find_or_insert) return value;
    const std::uint32_t before = atomicCAS(held, no_value, value);
    return before == no_value ? value : before;
  }
  __device__ void put(std::size_t slot, std::uint64_t key, std::uint32_t value) const {
    store_relaxed(&values[slot], value);
    store_relaxed(&keys[slot], key);
  }
  struct Content {
    std::uint64_t key;
    std::uint32_t value;
  };
  __device__ Content content(std::size_t slot) const {
    return {load_relaxed(&keys[slot]), load_relaxed(&values[slot])};
  }
  __device__ void set(std::size_t slot, const Content& content) const {
    put(slot, content.key, content.value);
  }
  // One after another, which takes fewer registers.
  __device__ void move(std::size_t to, std::size_t from) const {
    store_relaxed(&values[to], load_relaxed(&values[from]));
    store_relaxed(&keys[to], load_relaxed(&keys[from]));
  }
};

// A key and the value to insert it with, as an Entry of linear.h. The key is not the one that means
// empty.
template <class Key>
struct KeyEntry {
  using Held = Key;

  Table<Key> table;
  Slots how;
  Key key;
  std::uint32_t value;
  std::uint32_t slots;

  __device__ KeyEntry(const Table<Key>& in, Slots read_how, Key own_key, std::uint32_t own_value)
      : table(in), how(read_how), key(own_key), value(own_value), slots(in.slots) {}

  __device__ std::uint32_t home(std::uint32_t places) const { return hash::home(mix(key), places); }
  __device__ Key look(std::uint32_t slot) const { return table.key_at(slot, how); }
  __device__ bool is_empty(Key held) const { return held == empty_key<Key>; }
  __device__ bool is_same(Key held) const { return held == key; }
  __device__ Key claim(std::uint32_t slot) const { return table.claim(slot, key, value); }
};

// The data of an operation's threads: thread i works on keys[i].
template <class Key>
struct Work {
  HashOperation operation;
  const Key* keys;
  const std::uint32_t* values;
  std::uint32_t* results;
  std::uint32_t n;
  std::uint32_t* not_fitted;

  explicit Work(const HashMapArgs& args)
      : operation(args.operation),
        keys(static_cast<const Key*>(args.keys)),
        values(args.values),
        results(args.results),
        n(args.n),
        not_fitted(args.not_fitted) {}

  // A key is counted by adding 1 to its value.
  __device__ std::uint32_t value(std::uint32_t i) const {
    return operation == HashOperation::count ? 1 : values[i];
  }
  // Records the outcome of key i: the value that it has now, or that it did not fit.
  __device__ void finish(std::uint32_t i, bool fits, std::uint32_t value) const {
    if (!fits) atomicAdd(not_fitted, 1U);
    if (operation == HashOperation::find_or_insert) results[i] = fits ? value : no_value;
  }
};

// One thread per slot, full warps: appends the content of the slot to the list. A warp allocates
// room for all of its pairs at once.
template <class Key>
__global__ void list_kernel(Table<Key> table, Key* __restrict__ keys,
                            std::uint32_t* __restrict__ values, std::uint32_t* count) {
  const std::uint32_t slot = global_thread();
  const Key key = slot < table.slots ? table.key_at(slot, Slots::still) : empty_key<Key>;
  const warp::LaneMask taken = warp::ballot(warp::all_lanes(), key != empty_key<Key>);
  std::uint32_t begin = 0;
  if (warp::lane() == 0) begin = atomicAdd(count, warp::count(taken));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);
  if (key == empty_key<Key>) return;
  const std::uint32_t place = begin + warp::count(taken & warp::lanes_before());
  keys[place] = key;
  values[place] = table.value_at(slot, Slots::still);
}

template <class Key>
void list(Stream& stream, const HashMapArgs& args) {
  stream.fill(args.listed_count, 0, sizeof(std::uint32_t));
  launch(stream, KERNEL(list_kernel<Key>), one_thread_each(args.table->slots),
         Table<Key>(*args.table), static_cast<Key*>(args.listed_keys), args.listed_values,
         args.listed_count);
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
