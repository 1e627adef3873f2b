// The last step of every variant of dedup: from equal corners to numbered vertices.
#pragma once

#include <cstdint>

#include "gpu/primitives/dedup/dedup.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// Fills args.indices, args.vertices and args.vertex_count, given first[c] for every c < *count, the
// first corner equal to c. rank[n] holds 1 for a corner that is its own first and 0 for any other
// and for padding; it is overwritten. Allowed in a measuring Scratch, where pointers are null.
void number_vertices(Stream& stream, const DedupArgs& args, const std::uint32_t* first,
                     std::uint32_t* rank, Scratch& scratch);

}  // namespace warpview::WARPVIEW_BACKEND::dedup
