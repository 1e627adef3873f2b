// Hash map that neighbouring lanes probe together, by the groups of cooperative groups.
//
//   CUDA C++ Programming Guide, Cooperative Groups: tiled_partition, thread_block_tile.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020.
//
// This is cooperative.cu with objects in place of masks and lane indices. A block is cut into teams
// of 16 lanes and each of these into tiles of 4. A tile probes four neighbouring slots, as there;
// its ballot counts bits from its own first lane, and its collectives need no mask, since the
// object knows its members. Tiles of a team diverge and reconverge after the loop: shuffles down
// add up how many keys of the team did not fit, and one lane reports it.
//
// The ranks distribute the work: thread_rank() in the tile is the slot of a window, and
// meta_group_rank() of the tile in its team selects the four of the team's keys that it serves.

#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <cooperative_groups.h>

#include "gpu/primitives/hash_map/linear.h"
#include "gpu/primitives/hash_map/table.h"

namespace warpview::cuda {

namespace hash {
namespace {

namespace cg = cooperative_groups;

constexpr unsigned tile_lanes = 4;  // also the slots of a window
constexpr unsigned team_lanes = 16;
using Team = cg::thread_block_tile<team_lanes, cg::thread_block>;
using TeamTile = cg::thread_block_tile<tile_lanes, Team>;

// As find_or_claim_together in together.h: claims only the lowest empty slot, and if the claim
// fails the tile examines what is there.
template <class Key>
__device__ inline Found<Key> find_or_claim_by_tile(const TeamTile& tile,
                                                   const KeyEntry<Key>& entry) {
  const std::uint32_t windows = entry.slots / tile_lanes;
  std::uint32_t window = entry.home(windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const std::uint32_t first_slot = window * tile_lanes;
    const std::uint32_t slot = first_slot + tile.thread_rank();
    Key held = entry.look(slot);
    for (;;) {
      if (const unsigned matches = tile.ballot(entry.is_same(held)); matches != 0)
        return {first_slot + warp::first(matches), false, held};
      const unsigned empties = tile.ballot(entry.is_empty(held));
      if (empties == 0) break;
      bool mine = false;
      if (tile.thread_rank() == warp::first(empties)) {
        held = entry.claim(slot);
        mine = entry.is_empty(held);
      }
      if (tile.any(mine)) return {first_slot + warp::first(empties), true, held};
    }
    window = window + 1 < windows ? window + 1 : 0;
  }
  return {entry.slots, false, {}};
}

// Returns the slot of an entry, or entry.slots. The table must not be written meanwhile.
template <class Key>
__device__ inline std::uint32_t find_by_tile(const TeamTile& tile, const KeyEntry<Key>& entry) {
  const std::uint32_t windows = entry.slots / tile_lanes;
  std::uint32_t window = entry.home(windows);
  for (std::uint32_t looks = 0; looks < windows; ++looks) {
    const std::uint32_t first_slot = window * tile_lanes;
    const Key held = entry.look(first_slot + tile.thread_rank());
    if (const unsigned matches = tile.ballot(entry.is_same(held)); matches != 0)
      return first_slot + warp::first(matches);
    if (tile.any(entry.is_empty(held))) break;
    window = window + 1 < windows ? window + 1 : 0;
  }
  return entry.slots;
}

// Calls serve(key, value) with the whole tile for each key of its four lanes, and returns to each
// lane the result for its own key, otherwise `none`. Lanes without a key stay, to probe for the
// others.
template <class Key, class Answer, class Serve>
__device__ inline Answer serve_each(const TeamTile& tile, Key own_key, std::uint32_t own_value,
                                    const Answer& none, Serve serve) {
  Answer own = none;
  for (unsigned i = 0; i < tile_lanes; ++i) {
    const Key key = tile.shfl(own_key, i);
    const std::uint32_t value = tile.shfl(own_value, i);
    if (key == empty_key<Key>) continue;
    const Answer answer = serve(key, value);
    if (tile.thread_rank() == i) own = answer;
  }
  return own;
}

// Index of this thread's key: its tile serves those of its own four lanes.
__device__ inline std::uint32_t own_number(const Team& team, const TeamTile& tile) {
  const std::uint32_t teams_before = blockIdx.x * team.meta_group_size() + team.meta_group_rank();
  return teams_before * team_lanes + tile.meta_group_rank() * tile_lanes + tile.thread_rank();
}

template <class Key>
__global__ void insert_by_tiles_kernel(Table<Key> table, Work<Key> work) {
  const Team team = cg::tiled_partition<team_lanes>(cg::this_thread_block());
  const TeamTile tile = cg::tiled_partition<tile_lanes>(team);
  const std::uint32_t own = own_number(team, tile);
  const Key own_key = own < work.n ? work.keys[own] : empty_key<Key>;
  std::uint32_t own_value = own < work.n ? work.value(own) : 0;

  const Found<Key> none{table.slots, false, {}};
  const Found<Key> found =
      serve_each(tile, own_key, own_value, none, [&](Key key, std::uint32_t value) {
        return find_or_claim_by_tile(tile, KeyEntry<Key>(table, Slots::changing, key, value));
      });
  const bool fits = found.slot < table.slots;
  if (fits) own_value = table.give(found.slot, work.operation, own_key, own_value, found.claimed);
  if (own < work.n && work.operation == HashOperation::find_or_insert)
    work.results[own] = fits ? own_value : no_value;

  std::uint32_t failed = own < work.n && !fits ? 1 : 0;
  for (unsigned step = team_lanes / 2; step > 0; step /= 2) failed += team.shfl_down(failed, step);
  if (team.thread_rank() == 0 && failed > 0) atomicAdd(work.not_fitted, failed);
}

template <class Key>
__global__ void find_by_tiles_kernel(Table<Key> table, Work<Key> work) {
  const Team team = cg::tiled_partition<team_lanes>(cg::this_thread_block());
  const TeamTile tile = cg::tiled_partition<tile_lanes>(team);
  const std::uint32_t own = own_number(team, tile);
  const Key own_key = own < work.n ? work.keys[own] : empty_key<Key>;

  const std::uint32_t slot =
      serve_each(tile, own_key, 0U, table.slots, [&](Key key, std::uint32_t) {
        return find_by_tile(tile, KeyEntry<Key>(table, Slots::still, key, 0));
      });
  if (own < work.n)
    work.results[own] = slot < table.slots ? table.value_at(slot, Slots::still) : no_value;
}

template <class Key>
void by_tiles(Stream& stream, const HashMapArgs& args) {
  if (args.operation == HashOperation::list) {
    list<Key>(stream, args);
  } else if (args.operation == HashOperation::find) {
    launch(stream, KERNEL(find_by_tiles_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  } else {
    stream.fill(args.not_fitted, 0, sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_by_tiles_kernel<Key>), one_thread_each(args.n),
           Table<Key>(*args.table), Work<Key>(args));
  }
}

}  // namespace
}  // namespace hash

void hash_map_tiles(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.table->key_bits == 32)
    hash::by_tiles<std::uint32_t>(stream, args);
  else
    hash::by_tiles<std::uint64_t>(stream, args);
}

}  // namespace warpview::cuda

#endif
