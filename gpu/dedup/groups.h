// De-duplication in two steps: equal corners first find each other within their warp, and one of
// each group goes to the hash table for all of them.
//
// A warp holds the corners of about ten triangles, neighbours in the file and so, as a rule, in the
// mesh: many of them share vertices. Each corner that its warp settles spares the table a probe,
// which costs a random access to memory and the read of another corner, and an atomic. What it
// takes instead are operations on registers:
//   1. lanes with equal hashes learn of each other, in the way that the variant tells;
//   2. each compares its corner with that of the group's first lane, eight shuffles;
//   3. the first lane, and any that has that hash by chance but another corner, probes the table;
//   4. the group's lanes take over its slot, one shuffle.
// The first lane of a group has the smallest corner number of it: the table needs no other.
#pragma once

#include "gpu/dedup/firsts.h"
#include "gpu/dedup/linear.h"
#include "gpu/dedup/number.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// One thread a corner. `Match::equal(lanes, hash)` gives the lanes among `lanes`, all of which call
// it, that have this lane's hash.
template <class Match>
__global__ void insert_groups_kernel(const Vertex* __restrict__ corners,
                                     const std::uint32_t* __restrict__ count, std::uint32_t* table,
                                     std::uint32_t mask, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  const bool real = corner < *count;
  const warp::LaneMask lanes = warp::ballot(warp::all_lanes(), real);
  if (!real) return;

  const CornerWords mine = words_of(&corners[corner]);
  const std::uint32_t own_hash = hash(mine);
  const unsigned first = warp::first(Match::equal(lanes, own_hash));
  bool in_group = true;
  for (const std::uint32_t word : mine.word)
    in_group = (warp::shuffle(lanes, word, first) == word) && in_group;

  std::uint32_t slot = 0;
  if (!in_group || warp::lane() == first)
    slot = find_or_claim(corners, corner, mine, own_hash, table, mask);
  slot_of[corner] = warp::shuffle(lanes, slot, in_group ? first : warp::lane());
}

// The host function of these variants.
template <class Match>
void by_groups(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  const std::size_t slots = slots_for(args.n);
  auto* table = workspace.take<std::uint32_t>(slots);
  auto* first = workspace.take<std::uint32_t>(args.n);
  auto* rank = workspace.take<std::uint32_t>(args.n);

  if (!workspace.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_groups_kernel<Match>), one_thread_each(args.n), args.corners,
           args.count, table, static_cast<std::uint32_t>(slots - 1), first);
    launch(stream, KERNEL(find_firsts_kernel<std::uint32_t>), one_thread_each(args.n), args.count,
           args.n, table, first, rank);
  }
  number_vertices(stream, args, first, rank, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
