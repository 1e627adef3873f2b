// De-duplication composed from the vendor's library: hash, radix sort, unique.
//
//   CUB DeviceRadixSort and DeviceScan, rocPRIM radix_sort_pairs and scan, oneTBB parallel_sort and
//   parallel_scan.
//
// This is sort.cu with the library's sort in place of the catalogue's. The library's scan numbers
// the vertices, whatever scan was chosen for the other variants.
#include "gpu/primitives/dedup/sorted.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

void dedup_library_radix(Stream& stream, const DedupArgs& args, Scratch& scratch) {
  DedupArgs by_library = args;
  by_library.scan = scan_library;
  dedup::by_sorted_hashes(stream, by_library, sort_library, scratch);
}

}  // namespace warpview::WARPVIEW_BACKEND
