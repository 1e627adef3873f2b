// De-duplication in two steps: equal corners first find each other within their warp, and one of
// each group goes to the hash table for all of them.
//
// A warp holds the corners of about ten triangles, neighbours in the file and so, as a rule, in the
// mesh: many of them share vertices. Each corner that its warp settles spares the table a probe,
// which costs a random access to memory and the read of another corner, and an atomic. What it
// takes instead are operations on registers:
//   1. lanes with equal hashes learn of each other: see match_ballot.cu and match_any.cu;
//   2. each compares its corner with that of the group's first lane, eight shuffles;
//   3. the first lane, and any that has that hash by chance but another corner, probes the table;
//   4. the group's lanes take over its slot, one shuffle.
// The first lane of a group has the smallest corner number of it: the table needs no other.
#pragma once

#include "gpu/primitives/dedup/linear.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// Steps 2 to 4, called by `lanes` together, each with its own corner: the slot of the corner's
// kind. `equal` are those of the lanes that have this lane's hash.
__device__ inline std::uint32_t slot_by_group(const CornerEntry& entry, warp::LaneMask lanes,
                                              warp::LaneMask equal) {
  const unsigned first = warp::first(equal);
  bool in_group = true;
  for (const std::uint32_t word : entry.words.word)
    in_group = (warp::shuffle(lanes, word, first) == word) && in_group;

  std::uint32_t slot = 0;
  if (!in_group || warp::lane() == first) slot = slot_of_kind(entry);
  return warp::shuffle(lanes, slot, in_group ? first : warp::lane());
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
