// The end that every variant of dedup shares: from equal corners to numbered vertices.
#pragma once

#include <cstdint>

#include "gpu/primitives/dedup/dedup.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// Fills args.indices, args.vertices and args.vertex_count, given the first corner that equals each:
// first[c] for every c < *count. rank[n] holds 1 for a corner that is its own first and 0 for any
// other, padding too; it is overwritten. Allowed in a measuring Scratch, where pointers are null.
void number_vertices(Stream& stream, const DedupArgs& args, const std::uint32_t* first,
                     std::uint32_t* rank, Scratch& scratch);

}  // namespace warpview::WARPVIEW_BACKEND::dedup
