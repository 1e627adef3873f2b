// What a run of a variant writes, told from its arguments alone: where mutants spoil it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/operators/affine.h"
#include "gpu/operators/matrix2.h"
#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/branches/branches.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/chain/chain.h"
#include "gpu/primitives/counter/counter.h"
#include "gpu/primitives/dedup/dedup.h"
#include "gpu/primitives/enqueue/enqueue.h"
#include "gpu/primitives/expand/expand.h"
#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/primitives/hash_set/hash_set.h"
#include "gpu/primitives/l2/l2.h"
#include "gpu/primitives/latency/latency.h"
#include "gpu/primitives/layout/layout.h"
#include "gpu/primitives/lock/lock.h"
#include "gpu/primitives/matrix/matrix.h"
#include "gpu/primitives/memory/memory.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/persistent/persistent.h"
#include "gpu/primitives/pool/pool.h"
#include "gpu/primitives/queue/queue.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"
#include "gpu/primitives/reuse/reuse.h"
#include "gpu/primitives/run_length/run_length.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/schedule/schedule.h"
#include "gpu/primitives/select/select.h"
#include "gpu/primitives/signal/signal.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/primitives/staging/staging.h"
#include "gpu/primitives/vote/vote.h"

namespace warpview::test {

// A field of `bytes` bytes in each of `count` items, one every `stride` bytes.
struct Written {
  Written(void* data, std::size_t items, std::size_t size)
      : memory(static_cast<std::byte*>(data)), count(items), stride(size), bytes(size) {}
  Written(void* data, std::size_t items, std::size_t every, std::size_t offset, std::size_t size)
      : memory(static_cast<std::byte*>(data) + offset), count(items), stride(every), bytes(size) {}

  std::byte* item(std::size_t i) const { return memory + i * stride; }
  std::size_t extent() const { return count > 0 ? (count - 1) * stride + bytes : 0; }

  std::byte* memory;
  std::size_t count, stride, bytes;
};

template <class T>
Written array(T* data, std::size_t items) {
  return {data, items, sizeof(T)};
}

// What a run writes: arrays with something for every item or every result, in which the last may be
// left out, and words that stand for all of them, as a count does.
struct Output {
  std::vector<Written> arrays;
  std::vector<Written> totals = {};
};

// A count that a run wrote, no more than there is room for: until the run it may be anything.
inline std::size_t counted(Stream& stream, const std::uint32_t* count, std::size_t room) {
  std::uint32_t value = 0;
  stream.copy(&value, count, sizeof value, Copy::device_to_host);
  stream.synchronize();
  return std::min<std::size_t>(value, room);
}

// --- written(stream, args, row): the output of a run by `row`, which is over or about to begin

inline std::size_t bytes_of(ScanOperator op) {
  return op == ScanOperator::affine_u32   ? sizeof(Affine)
         : op == ScanOperator::matrix_u64 ? sizeof(Matrix2)
                                          : 4;
}
inline Output written(Stream&, const ScanArgs& args, int) {
  return {{{args.out, args.n, bytes_of(args.combine)}}};
}

inline Output written(Stream& stream, const DedupArgs& args, int) {
  return {{array(args.indices, args.n),
           array(args.vertices, counted(stream, args.vertex_count, args.n))},
          {array(args.vertex_count, 1)}};
}

inline std::size_t bytes_of(ReduceOperator op) {
  return op == ReduceOperator::scene_bounds  ? sizeof(SceneBounds)
         : op == ReduceOperator::compose_u32 ? sizeof(Affine)
                                             : 4;
}
inline Output written(Stream&, const ReduceArgs& args, int) {
  return {{}, {{args.out, 1, bytes_of(args.op)}}};
}

inline Output written(Stream&, const MortonArgs& args, int row) {
  const auto bits = static_cast<std::size_t>(morton_key_bits(variant_at(row).traits));
  return {{{args.codes, args.n, bits / 8}}};
}

inline Output written(Stream&, const SortArgs& args, int) {
  Output output{{{args.keys_out, args.n, static_cast<std::size_t>(bits_of(args.key)) / 8}}};
  if (args.value_bytes > 0)
    output.arrays.emplace_back(args.values_out, args.n, static_cast<std::size_t>(args.value_bytes));
  return output;
}

inline void add_boxes(const Bvh& bvh, Output& output) {
  for (const std::size_t corner : {offsetof(BvhNode, min), offsetof(BvhNode, max)})
    output.arrays.emplace_back(bvh.nodes, bvh.node_count(), sizeof(BvhNode), corner, sizeof(Vec3));
}
inline Output written(Stream&, const BuildArgs& args, int row) {
  const Bvh& bvh = args.bvh;
  Output output{{array(bvh.parent, bvh.node_count())}, {array(bvh.root, 1)}};
  for (const std::size_t link : {offsetof(BvhNode, left), offsetof(BvhNode, right)})
    output.arrays.emplace_back(bvh.nodes, bvh.node_count(), sizeof(BvhNode), link,
                               sizeof(std::uint32_t));
  if ((variant_at(row).traits & BuildTrait::fits) != 0) add_boxes(bvh, output);
  return output;
}
inline Output written(Stream&, const RefitArgs& args, int) {
  Output output;
  if (args.totals) {
    for (const std::size_t sum :
         {offsetof(NodeTotals, primitives), offsetof(NodeTotals, half_area)})
      output.arrays.emplace_back(args.totals, args.bvh.node_count(), sizeof(NodeTotals), sum, 4);
    return output;
  }
  add_boxes(args.bvh, output);
  return output;
}

inline Output written(Stream&, const BlockScanArgs& args, int) { return {{{args.out, args.n, 4}}}; }

inline Output written(Stream& stream, const SelectArgs& args, int) {
  return {{array(args.out, counted(stream, args.count, args.n))}, {array(args.count, 1)}};
}
inline Output written(Stream&, const PartitionArgs& args, int) {
  return {{array(args.out, args.n)}, {array(args.count, 1)}};
}

inline Output written(Stream& stream, const ReduceByKeyArgs& args, int) {
  const std::size_t runs = counted(stream, args.count, args.n);
  return {{array(args.keys_out, runs), {args.sums, runs, 4}}, {array(args.count, 1)}};
}
inline Output written(Stream& stream, const RunLengthArgs& args, int) {
  const std::size_t runs = counted(stream, args.count, args.n);
  return {{array(args.keys_out, runs), array(args.lengths, runs)}, {array(args.count, 1)}};
}

inline Output written(Stream& stream, const ExpandArgs& args, int) {
  return {{array(args.out, counted(stream, args.total, args.capacity))}, {array(args.total, 1)}};
}

inline Output written(Stream& stream, const EnqueueArgs& args, int) {
  const std::size_t held =
      args.mode == EnqueueMode::split ? args.capacity : counted(stream, args.counts, args.capacity);
  return {{array(args.queue, held)}, {array(args.counts, 2)}};
}

// What lies where in a table is the variant's own affair; it is listed to be looked at.
inline Output written(Stream& stream, const HashSetArgs& args, int) {
  if (args.operation == SetOperation::list)
    return {{array(args.listed_keys, counted(stream, args.listed_count, args.set.slots))},
            {array(args.listed_count, 1)}};
  // A word has the bits of many keys.
  Output output{{}, {array(args.found, words_of_bits(args.n))}};
  if (args.operation == SetOperation::insert)
    output.totals.push_back(array(args.no_room, words_of_bits(args.n)));
  return output;
}

inline Output written(Stream& stream, const HashMapArgs& args, int) {
  switch (args.operation) {
    case HashOperation::find:
      return {{array(args.results, args.n)}};
    case HashOperation::find_or_insert:
      return {{array(args.results, args.n)}, {array(args.not_fitted, 1)}};
    case HashOperation::list: {
      const std::size_t pairs = counted(stream, args.listed_count, args.table->slots);
      const auto key_bytes = static_cast<std::size_t>(args.table->key_bits) / 8;
      return {{{args.listed_keys, pairs, key_bytes}, array(args.listed_values, pairs)},
              {array(args.listed_count, 1)}};
    }
    default:
      return {{}, {array(args.not_fitted, 1)}};
  }
}

// The same of what cells are looked up in.
inline Output written(Stream&, const SpatialHashArgs& args, int) {
  Output output{{array(args.order, args.n), array(args.sorted_positions, args.n)}};
  if (args.sorted_payload) output.arrays.push_back(array(args.sorted_payload, args.n));
  return output;
}

inline Output written(Stream&, const LockArgs& args, int) {
  return {{array(args.tallies, args.tally_count)}};
}
inline Output written(Stream&, const BranchesArgs& args, int) {
  return {{array(args.out, args.n)}};
}
inline Output written(Stream&, const CounterArgs& args, int) {
  return {{}, {array(args.counts, counters_of(args.task))}};
}
inline Output written(Stream&, const SignalArgs& args, int) { return {{array(args.out, args.n)}}; }
inline Output written(Stream&, const PoolArgs& args, int) {
  return {{array(args.out, args.n)}, {array(args.clashes, 1)}};
}
inline Output written(Stream&, const QueueArgs& args, int) {
  return {{array(args.appended, args.n), array(args.taken, args.n),
           array(args.left, queue_room(args.capacity))},
          {array(args.left_count, 1)}};
}
inline Output written(Stream&, const ScheduleArgs& args, int) {
  return {{array(args.sums, schedule_sums), array(args.counts, schedule_sums)},
          {{args.status, 1, sizeof(ScheduleStatus::executed)}}};
}
inline Output written(Stream&, const PersistentArgs& args, int) {
  return {{array(args.out, args.n)}};
}
inline Output written(Stream&, const VoteArgs& args, int) {
  return {{array(args.out, (args.n + vote_tile_size - 1) / vote_tile_size)}};
}
inline Output written(Stream&, const StagingArgs& args, int) { return {{array(args.out, args.n)}}; }
inline Output written(Stream&, const LayoutArgs& args, int row) {
  if (args.n == 0) return {};
  // Up to the last member of the last element: there may be nobody's words behind it.
  const auto layout = static_cast<Layout>(variant_at(row).traits);
  return {{array(args.elements,
                 layout_place(layout, args.n, args.words, args.n - 1, args.words - 1) + 1)}};
}
inline Output written(Stream&, const LatencyArgs& args, int) {
  return {{array(args.out, args.n == 0 ? 0
                           : args.work == LatencyWork::chase
                               ? latency_chains
                               : latency_blocks(args.n) * latency_threads)}};
}
// Each batch has a first vertex.
inline Output written(Stream&, const ReuseArgs& args, int) {
  const std::size_t batches = reuse_batches(args.n);
  return {{array(args.counts, batches),
           {args.shaded, batches, reuse_corners * sizeof *args.shaded, 0, sizeof *args.shaded},
           {args.places, batches, reuse_corners * sizeof *args.places, 0, sizeof *args.places},
           {args.corners, batches, reuse_corners, 0, 1}}};
}
inline Output written(Stream&, const L2Args& args, int) { return {{array(args.values, args.n)}}; }
inline Output written(Stream&, const MatrixArgs& args, int) {
  return {{{args.c, std::size_t{args.rows} * args.columns, bytes_of_output(args.type)}}};
}
inline Output written(Stream&, const MemoryArgs& args, int) { return {{array(args.out, args.n)}}; }
inline Output written(Stream&, const ChainArgs& args, int) {
  return {{array(args.x, args.n), array(args.y, args.n), array(args.out, args.n)}};
}

// --- leave_out_last(args): where no place of the output is the last item's alone, takes the item
//     from the input; says whether it did

template <class Args>
bool leave_out_last(Args& /*args*/) {
  return false;
}
inline bool leave_out_last(ReduceArgs& args) {
  --args.n;
  return true;
}
inline bool leave_out_last(CounterArgs& args) {
  --args.n;
  return true;
}
inline bool leave_out_last(LockArgs& args) {
  --args.n;
  return true;
}
inline bool leave_out_last(HashMapArgs& args) {
  if (args.operation != HashOperation::list) --args.n;
  return true;
}

inline bool leave_out_last(HashSetArgs& args) {
  if (args.operation != SetOperation::list) --args.n;
  return true;
}

// --- only_looks(args): does the run only tell what those before it have done?

template <class Args>
bool only_looks(const Args& /*args*/) {
  return false;
}
inline bool only_looks(const HashMapArgs& args) { return args.operation == HashOperation::list; }
inline bool only_looks(const HashSetArgs& args) { return args.operation == SetOperation::list; }

// --- misread(args): input in which a wrong word is a wrong word of the output, which has no place
//     of its own

template <class Args>
std::vector<Written> misread(const Args& /*args*/) {
  return {};
}
inline std::vector<Written> misread(const HashMapArgs& args) {
  if (args.operation == HashOperation::insert)
    return {array(const_cast<std::uint32_t*>(args.values), args.n)};  // NOLINT: put back
  if (args.operation == HashOperation::count)
    return {{const_cast<void*>(args.keys), args.n,  // NOLINT: put back
             static_cast<std::size_t>(args.table->key_bits) / 8}};
  return {};
}

}  // namespace warpview::test
