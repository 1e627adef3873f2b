// Radix sort, least significant digit first, by counting, scanning and reordering.
//
// N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs",
// IPDPS 2009.
//
// A pass sorts by one digit:
//   1. count    each block counts the digits of its tile: counts[digit][tile];
//   2. scan     the exclusive sum over all counts, digit by digit and tile by tile within, is where
//               each tile's keys of each digit begin in the output;
//   3. reorder  each block ranks its tile again and writes it there.
//
// A pass reads the keys twice and writes them once; Onesweep saves the second read.

#include "gpu/sort/counting.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <class Key, class Value>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  const int passes = sort::pass_count(args.begin_bit, args.end_bit);
  const auto other = sort::take_pairs<Key, Value>(args.n, workspace);
  const sort::counting::Pass<Key, Value> by_digit(stream, args.n, workspace);
  if (workspace.measuring()) return;

  for (int pass = 0; pass < passes; ++pass)
    by_digit.run(stream, sort::buffers_of_pass(args, pass, passes, other),
                 sort::digit_of_pass(pass, args.begin_bit, args.end_bit));
}

}  // namespace

void sort_count_scan_reorder(Stream& stream, const SortArgs& args, Workspace& workspace) {
  sort::sort_by_widths(stream, args, workspace, [&](auto key, auto value) {
    sort_pairs<decltype(key), decltype(value)>(stream, args, workspace);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
