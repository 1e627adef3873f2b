// De-duplication by sorted hashes, for any sort: gpu/primitives/dedup/sort.cu.
#pragma once

#include "gpu/primitives/dedup/dedup.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// `sort` is stable and takes 32-bit keys with 32-bit values; vertices are numbered by args.scan.
void by_sorted_hashes(Stream& stream, const DedupArgs& args, SortFunction* sort, Scratch& scratch);

}  // namespace warpview::WARPVIEW_BACKEND::dedup
