// Decoupled look-back: how the tiles of one launch tell each other what came before them.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA
// technical report NVR-2016-002, 2016.
//
// Each block handles one tile and needs what all tiles before it combine to. It first publishes
// what its own items combine to (the tile's aggregate), then walks back over its predecessors: an
// aggregate is added and the walk goes on, a prefix is added and ends it. The block then publishes
// its own prefix. Nobody waits for a chain of n tiles, since aggregates are there almost at once.
//
// The pieces: `PackedStates`, `PackedStretches` and `SplitStates`, ways to publish; `look_back`,
// the walk. Tiles are numbered by tickets (gpu/block/ticket.h), so that whoever is waited for has
// started.
// gpu/primitives/scan/lookback.cu puts them together; select, partition, reduce by key and
// run-length encoding are built on them, too.
#pragma once

#include "gpu/operators/operator.h"
#include "gpu/operators/segmented.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

enum : std::uint32_t {
  not_ready = 0,
  aggregate_ready = 1,  // what the items of the tile alone combine to
  prefix_ready = 2      // what all items up to the tile's end combine to
};

// What a tile has published. While the flag is not_ready the value is undefined.
template <class T>
struct TileState {
  std::uint32_t flag;
  T value;
};

// The states of all tiles, each in one 64-bit word, so that a relaxed load sees flag and value or
// neither, and no fence is needed. `Packing` says how a word holds them.
//
// Any such type has these members; passed to a kernel by value. The counter of the tickets lies
// beside the words, so that one fill clears both.
template <class Packing>
struct OneWordStates {
  using Value = typename Packing::Value;
  std::uint64_t* words;  // the ticket, then one word per tile

  static OneWordStates take(Scratch& scratch, std::uint32_t tiles) {
    return {scratch.take<std::uint64_t>(std::size_t{tiles} + 1, "states")};
  }
  void clear(Stream& stream, std::uint32_t tiles) const {
    stream.fill(words, 0, (std::size_t{tiles} + 1) * sizeof(*words));
  }
  __device__ std::uint32_t* ticket() const { return reinterpret_cast<std::uint32_t*>(words); }

  // By one lane of the tile's block; the aggregate before the prefix.
  __device__ void publish(std::uint32_t tile, std::uint32_t flag, const Value& value) const {
    store_relaxed(words + 1 + tile, Packing::pack(flag, value));
  }
  __device__ TileState<Value> look(std::uint32_t tile) const {
    return Packing::unpack(load_relaxed(words + 1 + tile));
  }
};

// A word of two halves, the upper and the bits of a value of 4 bytes; and that value.
template <class T>
__device__ inline std::uint64_t pack_halves(std::uint32_t upper, const T& value) {
  static_assert(sizeof(T) == 4);
  std::uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return static_cast<std::uint64_t>(upper) << 32 | bits;
}
template <class T>
__device__ inline void unpack_lower(std::uint64_t word, T& value) {
  const auto bits = static_cast<std::uint32_t>(word);
  __builtin_memcpy(&value, &bits, sizeof(bits));
}

// Values of 4 bytes below their flag.
template <class T>
struct PackedValue {
  using Value = T;

  __device__ static std::uint64_t pack(std::uint32_t flag, const T& value) {
    return pack_halves(flag, value);
  }
  __device__ static TileState<T> unpack(std::uint64_t word) {
    TileState<T> state;
    state.flag = static_cast<std::uint32_t>(word >> 32);
    unpack_lower(word, state.value);
    return state;
  }
};
template <class T>
using PackedStates = OneWordStates<PackedValue<T>>;

// How many segments begin in the tiles and the sum since the last beginning, of 4 bytes (Segmented
// in gpu/operators/segmented.h). The upper half of a word has the flag and the heads: prefixes have
// as many as there are items, 31 bits, aggregates as many as a tile has; so the flag of a prefix is
// the highest bit, and that of an aggregate the one below.
template <class T>
struct PackedStretch {
  using Value = Stretch<T>;
  static constexpr std::uint32_t is_prefix = 1U << 31;
  static constexpr std::uint32_t is_aggregate = 1U << 30;

  __device__ static std::uint64_t pack(std::uint32_t flag, const Value& value) {
    return pack_halves(value.heads | (flag == prefix_ready ? is_prefix : is_aggregate), value.sum);
  }
  __device__ static TileState<Value> unpack(std::uint64_t word) {
    const auto upper = static_cast<std::uint32_t>(word >> 32);
    TileState<Value> state{not_ready, {upper & ~is_prefix, {}}};
    if ((upper & is_prefix) != 0) {
      state.flag = prefix_ready;
    } else if ((upper & is_aggregate) != 0) {
      state.flag = aggregate_ready;
      state.value.heads = upper & ~is_aggregate;
    }
    unpack_lower(word, state.value.sum);
    return state;
  }
};
template <class T>
using PackedStretches = OneWordStates<PackedStretch<T>>;

// The states for values of any size, which no single store can publish together with a flag: the
// value is written first and the flag released after it, and who acquires the flag sees the value.
// Aggregate and prefix each have a place of their own, because one may be read while the other is
// written.
template <class T>
struct SplitStates {
  using Value = T;
  std::uint32_t* flags;  // the ticket, then one flag per tile
  T* aggregates;
  T* prefixes;

  static SplitStates take(Scratch& scratch, std::uint32_t tiles) {
    return {scratch.take<std::uint32_t>(std::size_t{tiles} + 1, "flags"),
            scratch.take<T>(tiles, "aggregates"), scratch.take<T>(tiles, "prefixes")};
  }
  void clear(Stream& stream, std::uint32_t tiles) const {
    stream.fill(flags, 0, (std::size_t{tiles} + 1) * sizeof(*flags));
  }
  __device__ std::uint32_t* ticket() const { return flags; }

  __device__ void publish(std::uint32_t tile, std::uint32_t flag, const T& value) const {
    (flag == prefix_ready ? prefixes : aggregates)[tile] = value;
    store_release(flags + 1 + tile, flag);
  }
  __device__ TileState<T> look(std::uint32_t tile) const {
    TileState<T> state;
    state.flag = load_acquire(flags + 1 + tile);
    if (state.flag != not_ready)
      state.value = (state.flag == prefix_ready ? prefixes : aggregates)[tile];
    return state;
  }
};

template <class T>
using StatesOf = std::conditional_t<sizeof(T) == 4, PackedStates<T>, SplitStates<T>>;

// Waits until a tile has published anything.
template <class States>
__device__ inline TileState<typename States::Value> wait_for(const States& states,
                                                             std::uint32_t tile) {
  for (Spin spin;;) {
    const TileState<typename States::Value> state = states.look(tile);
    if (state.flag != not_ready) return state;
    spin.back_off();
  }
}

// The walk, by a whole warp. Lane i looks at the i-th predecessor, nearest first; a window of a
// warp's size is combined at a time. Every lane gets what all tiles before `tile` combine to.
template <class Operator, class States>
__device__ inline typename Operator::Type look_back(const States& states, std::uint32_t tile) {
  using T = typename Operator::Type;
  T sum = Operator::identity();
  for (std::uint32_t end = tile; end > 0;) {
    // Lanes that look beyond tile 0 see an empty prefix.
    TileState<T> state{prefix_ready, Operator::identity()};
    if (warp::lane() < end) state = wait_for(states, end - 1 - warp::lane());
    const warp::LaneMask prefixes = warp::ballot(warp::all_lanes(), state.flag == prefix_ready);
    // What lies beyond the nearest prefix is already in it.
    const bool counts = prefixes == 0 || warp::lane() <= warp::first(prefixes);
    const T window = warp::reduce_in_order(
        counts ? state.value : Operator::identity(),
        [](T nearer, T farther) { return Operator::combine(farther, nearer); });
    sum = Operator::combine(window, sum);
    if (prefixes != 0) break;
    end -= warp::size();  // no prefix: all lanes had a predecessor
  }
  return sum;
}

// What the block of a tile does to learn what comes before it. First, by one thread, as soon as the
// tile's own sum is known: tells it to the successors.
template <class States>
__device__ inline void publish_sum(const States& states, std::uint32_t tile,
                                   const typename States::Value& tile_sum) {
  states.publish(tile, tile > 0 ? aggregate_ready : prefix_ready, tile_sum);
}
// Then, by a whole warp, whose lane 0 has published: looks back, and publishes the prefix. Every
// lane gets what all tiles before `tile` combine to. What lies between the two the successors need
// not wait for.
template <class Operator, class States>
__device__ inline typename Operator::Type before_tile(const States& states, std::uint32_t tile,
                                                      typename Operator::Type tile_sum) {
  const typename Operator::Type before = look_back<Operator>(states, tile);
  if (warp::lane() == 0 && tile > 0)
    states.publish(tile, prefix_ready, Operator::combine(before, tile_sum));
  return before;
}

}  // namespace warpview::WARPVIEW_BACKEND::block
