// Radix sort, most significant digit first, in every pass.
//
// D. Knuth, The Art of Computer Programming 3, section 5.2.5; on GPUs: E. Stehle, H.-A. Jacobsen,
// "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", SIGMOD 2017.
//
// Keys that share all digits so far form a segment, and never leave it again. A pass splits all
// segments in parallel, each by its next digit, as count_scan_reorder.cu does with the whole input:
//
//   1. count    a block for each tile of each segment counts its digits;
//   2. scan     the counts, segment by segment, digit by digit and tile by tile within;
//   3. reorder  each block ranks its tile again and writes it to its places in its segment;
//   4. split    keys with the same digit are a segment of the next pass, if larger than a tile;
//   5. finish   a block sorts smaller ones completely in shared memory; neighbours go together, as
//               many as fit into a tile.
//
// A pass thus reads less the more segments there are, and evenly distributed keys are done after
// two or three passes, however long they are. In exchange there are work lists on the device: the
// host knows only bounds on their lengths, and launches as many blocks. In msd.cu each bucket has
// one block after the first pass; here segments of any size are split by as many blocks as they
// have tiles.

#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/sort/counting.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace segments {
namespace {

using sort::Digit;
using sort::digit_values;
using sort::Digits;
using sort::PassBuffers;

using Word = std::uint32_t;  // the type of values

template <class Key>
using Tile = sort::Tile<Key, Word, sort::counted_each<Key>>;

// A tile of a segment.
struct Part {
  std::uint32_t begin;   // the segment's first key
  std::uint32_t size;    // the segment's number of keys, more than a tile's
  std::uint32_t number;  // the tile's number within it

  // The parts of a segment are consecutive in their list.
  __device__ std::uint32_t first_of_segment() const { return blockIdx.x - number; }
  __device__ std::uint32_t tiles(std::uint32_t tile_size) const {
    return ceil_div(size, tile_size);
  }
};

// Neighbouring segments that fit into one tile.
struct Run {
  std::uint32_t begin;
  std::uint32_t size;
};

// The lengths of the lists of a pass, and their bounds for n keys in tiles of `size`. A segment
// that is split has more than `size` keys. Of two neighbouring runs of a segment, the second begins
// with what did not fit into the first.
struct Lengths {
  std::uint32_t parts;
  std::uint32_t runs;

  static std::uint32_t most_parts(std::uint32_t n, std::uint32_t size) {
    return 2 * ceil_div(n, size);
  }
  static std::uint32_t most_runs(std::uint32_t n, std::uint32_t size) {
    return 3 * ceil_div(n, size);
  }
};

// The whole input is a segment, or, if it fits into a tile, a run. `lengths` starts at 0.
__global__ void begin_segments_kernel(std::uint32_t n, std::uint32_t tile_size, Part* parts,
                                      Run* runs, Lengths* lengths) {
  const std::uint32_t i = global_thread();
  const bool fits = n <= tile_size;
  if (!fits && i < ceil_div(n, tile_size)) parts[i] = {0, n, i};
  if (i > 0) return;
  if (fits) {
    *runs = {0, n};
    lengths->runs = 1;
  } else {
    lengths->parts = ceil_div(n, tile_size);
  }
}

// The counts of all parts: those of a segment in the final order of its keys.
struct Counts {
  std::uint32_t* words;  // [digit_values] for each part, unused ones included

  // The count of the tile's keys with digit threadIdx.x.
  __device__ std::uint32_t& of(const Part& part, std::uint32_t tile_size) const {
    return words[part.first_of_segment() * digit_values + threadIdx.x * part.tiles(tile_size) +
                 part.number];
  }
  __device__ std::uint32_t& of_none() const {
    return words[blockIdx.x * digit_values + threadIdx.x];
  }
  // After the scan: the sum before the segment, whose place in the list is arbitrary.
  __device__ std::uint32_t before_segment(const Part& part) const {
    return words[part.first_of_segment() * digit_values];
  }
};

template <class Key>
__global__ void __launch_bounds__(sort::threads)
    count_segments_kernel(const Key* keys, sort::Order<Key> order, const Part* parts,
                          const Lengths* lengths, Digit digit, Counts counts) {
  using KeyTile = sort::Tile<Key, sort::NoValue, sort::counted_each<Key>>;
  __shared__ typename KeyTile::Storage storage;
  if (blockIdx.x >= lengths->parts) {
    counts.of_none() = 0;
    return;
  }
  const Part part = parts[blockIdx.x];
  KeyTile tile;
  tile.load_keys(keys + part.begin, part.number, part.size, order);
  std::uint32_t count = tile.count(digit, storage);
  // The padding of the last tile was counted as its largest digit.
  const std::uint32_t end = (part.number + 1) * KeyTile::size;
  if (end > part.size && threadIdx.x == (1U << digit.bits) - 1) count -= end - part.size;
  counts.of(part, KeyTile::size) = count;
}

template <class Key>
__global__ void __launch_bounds__(sort::threads)
    reorder_segments_kernel(PassBuffers<Key, Word> buffers, const Part* parts,
                            const Lengths* lengths, Digit digit, Counts begins) {
  __shared__ typename Tile<Key>::Storage storage;
  __shared__ std::uint32_t to[digit_values];
  if (blockIdx.x >= lengths->parts) return;
  const Part part = parts[blockIdx.x];
  buffers.keys_in += part.begin;
  if (buffers.values_in) buffers.values_in += part.begin;
  Tile<Key> tile;
  tile.load_keys(buffers.keys_in, part.number, part.size, buffers.order_in);
  const std::uint32_t digit_begin = tile.rank_keys(digit, tile.count(digit, storage), storage);
  to[threadIdx.x] =
      part.begin + begins.of(part, Tile<Key>::size) - begins.before_segment(part) - digit_begin;
  tile.reorder_keys(storage);
  __syncthreads();
  tile.write(part.number, part.size, digit, to, buffers, storage);
}

// The block of a segment's first tile splits it.
__global__ void __launch_bounds__(sort::threads)
    split_segments_kernel(const Part* parts, const Lengths* lengths, std::uint32_t tile_size,
                          Counts begins, Part* next_parts, Run* runs, Lengths* next_lengths) {
  static_assert(sort::threads == digit_values);
  __shared__ std::uint32_t begin_of[digit_values + 1];      // where each digit's keys begin
  __shared__ std::uint32_t parts_before[digit_values + 1];  // of smaller digits' segments
  __shared__ Run runs_here[digit_values];
  __shared__ Lengths here;
  __shared__ Lengths first;
  if (blockIdx.x >= lengths->parts) return;
  const Part part = parts[blockIdx.x];
  if (part.number != 0) return;

  const std::uint32_t d = threadIdx.x;
  begin_of[d] = part.begin + begins.of(part, tile_size) - begins.before_segment(part);
  if (d == 0) begin_of[digit_values] = part.begin + part.size;
  __syncthreads();
  if (d == 0) {
    here = {0, 0};
    Run run{0, 0};
    const auto end_run = [&] {
      if (run.size > 0) runs_here[here.runs++] = run;
      run.size = 0;
    };
    for (unsigned digit = 0; digit < digit_values; ++digit) {
      const std::uint32_t size = begin_of[digit + 1] - begin_of[digit];
      parts_before[digit] = here.parts;
      if (run.size + size > tile_size) end_run();
      if (size > tile_size) {
        here.parts += ceil_div(size, tile_size);
      } else {
        if (run.size == 0) run.begin = begin_of[digit];
        run.size += size;
      }
    }
    end_run();
    parts_before[digit_values] = here.parts;
    first = {atomicAdd(&next_lengths->parts, here.parts),
             atomicAdd(&next_lengths->runs, here.runs)};
  }
  __syncthreads();

  if (d < here.runs) runs[first.runs + d] = runs_here[d];
  for (std::uint32_t p = d; p < here.parts; p += sort::threads) {
    // Finds the segment of a part: the last digit with no more parts before it.
    unsigned digit = 0;
    for (unsigned step = digit_values / 2; step > 0; step /= 2)
      if (parts_before[digit + step] <= p) digit += step;
    next_parts[first.parts + p] = {begin_of[digit], begin_of[digit + 1] - begin_of[digit],
                                   p - parts_before[digit]};
  }
}

// Sorts runs, whose keys differ only in `digits`. A block sorts the run in its registers, lowest
// digit first, without going through memory in between.
template <class Key>
__global__ void __launch_bounds__(sort::threads)
    finish_runs_kernel(PassBuffers<Key, Word> buffers, const Run* runs, const Lengths* lengths,
                       Digits digits) {
  constexpr unsigned items_each = sort::counted_each<Key>;
  __shared__ typename Tile<Key>::Storage storage;
  if (blockIdx.x >= lengths->runs) return;
  const Run run = runs[blockIdx.x];
  Tile<Key> tile;
  tile.load_keys(buffers.keys_in + run.begin, 0, run.size, buffers.order_in);
  Word values[items_each];
  UNROLL
  for (unsigned i = 0; i < items_each; ++i) {
    const std::uint32_t at = Tile<Key>::place(0, i);
    values[i] = buffers.values_in && at < run.size ? buffers.values_in[run.begin + at] : at;
  }

  for (int pass = 0; pass < digits.count(); ++pass) {
    __syncthreads();  // the storage is reused
    tile.rank_keys(digits[pass], tile.count(digits[pass], storage), storage);
    tile.reorder_keys(storage);
    __syncthreads();
    UNROLL
    for (unsigned i = 0; i < items_each; ++i)
      tile.keys[i] = storage.sorted_keys[Tile<Key>::place(0, i)];
    __syncthreads();  // values replace the keys
    UNROLL
    for (unsigned i = 0; i < items_each; ++i) storage.sorted_values[tile.rank[i]] = values[i];
    __syncthreads();
    UNROLL
    for (unsigned i = 0; i < items_each; ++i)
      values[i] = storage.sorted_values[Tile<Key>::place(0, i)];
  }

  UNROLL
  for (unsigned i = 0; i < items_each; ++i) {
    const std::uint32_t at = Tile<Key>::place(0, i);
    if (at >= run.size) continue;
    buffers.keys_out[run.begin + at] = buffers.order_out.unmap(tile.keys[i]);
    buffers.values_out[run.begin + at] = values[i];
  }
}

template <class Key>
void sort_segments(Stream& stream, const SortArgs& args, Scratch& scratch) {
  constexpr std::uint32_t tile_size = Tile<Key>::size;
  const std::uint32_t n = args.n;
  const std::uint32_t most_parts = Lengths::most_parts(n, tile_size);
  const std::uint32_t most_runs = Lengths::most_runs(n, tile_size);
  const Digits digits{args.begin_bit, args.end_bit};
  const int passes = digits.count();

  const auto other = sort::take_pairs<Key, Word>(n, scratch);
  Part* const parts[2] = {scratch.take<Part>(most_parts, "parts"),
                          scratch.take<Part>(most_parts, "next_parts")};
  auto* const runs = scratch.take<Run>(most_runs, "runs");
  auto* const lengths = scratch.take<Lengths>(static_cast<std::size_t>(passes), "lengths");
  const Counts counts{
      scratch.take<std::uint32_t>(std::size_t{most_parts} * digit_values, "counts")};
  ScanArgs scan{.in = counts.words, .out = counts.words, .n = most_parts * digit_values};
  const std::size_t scan_bytes = scratch_bytes(&scan_hierarchical, stream, scan);
  auto* const scan_memory = scratch.take<std::byte>(scan_bytes, "scan_memory");
  if (scratch.measuring()) return;

  stream.fill(lengths, 0, static_cast<std::size_t>(passes) * sizeof(*lengths));
  launch(stream, KERNEL(begin_segments_kernel), one_thread_each(ceil_div(n, tile_size)), n,
         tile_size, parts[0], runs, lengths);
  // Finished keys go directly to their places in the output.
  const auto out = sort::output_pairs<Key, Word>(args);
  const auto order = sort::order_of<Key>(args);
  const auto finish = [&](const Key* keys, const Word* values, const sort::Order<Key>& order_in,
                          int pass, int end_bit, std::uint32_t blocks) {
    launch(stream, KERNEL(finish_runs_kernel<Key>), Shape(blocks, sort::threads),
           PassBuffers<Key, Word>{.keys_in = keys,
                                  .values_in = values,
                                  .keys_out = out.keys,
                                  .values_out = out.values,
                                  .order_in = order_in,
                                  .order_out = order},
           runs, lengths + pass, Digits{args.begin_bit, end_bit});
  };
  if (n <= tile_size)
    return finish(static_cast<const Key*>(args.keys_in), static_cast<const Word*>(args.values_in),
                  order, 0, args.end_bit, 1);

  const auto all = sort::all_passes<Key, Word>(args, other);
  for (int pass = 0; pass < passes; ++pass) {
    const PassBuffers<Key, Word> buffers = all.of(pass == 0, static_cast<unsigned>(passes - pass));
    const Digit digit = digits[passes - 1 - pass];
    const Part* const now = parts[pass % 2];
    const std::uint32_t blocks = pass == 0 ? ceil_div(n, tile_size) : most_parts;
    launch(stream, KERNEL(count_segments_kernel<Key>), Shape(blocks, sort::threads),
           buffers.keys_in, buffers.order_in, now, lengths + pass, digit, counts);
    scan.n = blocks * digit_values;
    Scratch scan_scratch(scan_memory, scan_bytes);
    scan_hierarchical(stream, scan, scan_scratch);
    launch(stream, KERNEL(reorder_segments_kernel<Key>), Shape(blocks, sort::threads), buffers, now,
           lengths + pass, digit, counts);
    if (pass == passes - 1) break;  // after the last digit nothing is left to sort
    launch(stream, KERNEL(split_segments_kernel), Shape(blocks, sort::threads), now, lengths + pass,
           tile_size, counts, parts[(pass + 1) % 2], runs, lengths + pass + 1);
    finish(buffers.keys_out, buffers.values_out, {}, pass + 1, digit.shift + digit.bits, most_runs);
  }
}

}  // namespace
}  // namespace segments

void sort_msd_segments(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_with_words(stream, args, scratch, [&](auto key, auto /*value*/) {
    segments::sort_segments<decltype(key)>(stream, args, scratch);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
