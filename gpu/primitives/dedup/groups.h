// De-duplication in two steps: equal corners first find each other within their warp, and one of
// each group probes the hash table for all of them.
//
// A warp holds the corners of about ten triangles, neighbours in the file and so usually in the
// mesh: many of them share vertices. Each corner that its warp resolves saves the table a probe,
// which costs a random access to memory, the read of another corner, and an atomic. In exchange it
// takes operations on registers:
//   1. lanes with equal hashes find each other: see match_ballot.cu and match_any.cu;
//   2. each compares its corner with that of the group's first lane, eight shuffles;
//   3. the first lane probes the table, and so does any lane whose hash collides with it;
//   4. the group's lanes take over its slot, one shuffle.
// The first lane of a group has its smallest corner index: the table needs no other.
#pragma once

#include "gpu/primitives/dedup/linear.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// Steps 2 to 4, called by `lanes` together, each with its own corner: returns the slot of the
// corner. `equal` are the lanes that have this lane's hash.
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
