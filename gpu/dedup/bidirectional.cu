// De-duplication by a hash table that is ordered and grows both ways, under range locks.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   Lecture Hashing of the course GPU programming primitives, SIGGRAPH Asia 2023.
//
// The table is the one of gpu/hash/bidirectional.h. A slot holds the hash and the number of a
// corner, and stands for all corners equal to it; kinds stand in the order of their hashes and,
// where those are equal, of their content. As the order ends every search early, four fifths of the
// table may be taken.
//
// Slots move while kinds come in, so a corner learns its slot in a second launch, when all stand
// still; there it also lowers the number that the slot holds to the smallest of its kind.
#include "gpu/dedup/corner.h"
#include "gpu/dedup/firsts.h"
#include "gpu/dedup/number.h"
#include "gpu/hash/bidirectional.h"
#include "gpu/hash/table.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

using Slot = std::uint64_t;            // hash << 32 | corner
constexpr Slot empty_slot = ~Slot{0};  // no corner has the number 2^32 - 1

// n corners take at most four fifths, and there is always room.
std::uint32_t slots_for(std::uint32_t n) { return n + n / 4 + 1; }

// A corner, as insert_ordered asks for it.
struct CornerEntry {
  const Vertex* corners;
  Slot* table;
  std::uint32_t slots;
  std::uint32_t* locks;
  std::uint32_t corner;
  std::uint32_t hash;
  dedup::CornerWords words;

  __device__ std::uint32_t home() const { return hash::home(hash, slots); }
  __device__ hash::Holds look(std::uint32_t slot) const {
    const Slot held = load_relaxed(&table[slot]);
    if (held == empty_slot) return hash::Holds::nothing;
    const auto held_hash = static_cast<std::uint32_t>(held >> 32U);
    if (held_hash != hash) return held_hash < hash ? hash::Holds::smaller : hash::Holds::larger;
    const int order =
        dedup::compare(dedup::words_of(&corners[static_cast<std::uint32_t>(held)]), words);
    if (order == 0) return hash::Holds::same;
    return order < 0 ? hash::Holds::smaller : hash::Holds::larger;
  }
  __device__ bool is_empty(std::uint32_t slot) const {
    return load_relaxed(&table[slot]) == empty_slot;
  }
  __device__ void move(std::uint32_t to, std::uint32_t from) const {
    store_relaxed(&table[to], load_relaxed(&table[from]));
  }
  __device__ Slot mine() const { return Slot{hash} << 32U | corner; }
  __device__ void put(std::uint32_t slot) const { store_relaxed(&table[slot], mine()); }
};

__device__ inline CornerEntry entry_of(const Vertex* corners, std::uint32_t corner, Slot* table,
                                       std::uint32_t slots, std::uint32_t* locks) {
  const dedup::CornerWords words = dedup::words_of(&corners[corner]);
  return {corners, table, slots, locks, corner, dedup::hash(words), words};
}

// One thread a corner, full warps: brings every kind in.
__global__ void insert_kinds_kernel(const Vertex* __restrict__ corners,
                                    const std::uint32_t* __restrict__ count, Slot* table,
                                    std::uint32_t slots, std::uint32_t* locks) {
  const std::uint32_t corner = global_thread();
  const bool real = corner < *count;
  hash::insert_ordered(entry_of(corners, real ? corner : 0, table, slots, locks), real);
}

// One thread a corner. The slots of a kind differ in the number of the corner alone.
__global__ void lower_to_first_kernel(const Vertex* __restrict__ corners,
                                      const std::uint32_t* __restrict__ count, Slot* table,
                                      std::uint32_t slots, std::uint32_t* __restrict__ slot_of) {
  const std::uint32_t corner = global_thread();
  if (corner >= *count) return;
  const CornerEntry entry = entry_of(corners, corner, table, slots, nullptr);
  const std::uint32_t slot = hash::find_spot(entry).at;
  if (entry.mine() < load_relaxed(&table[slot])) atomicMin(&table[slot], entry.mine());
  slot_of[corner] = slot;
}

}  // namespace

void dedup_bidirectional(Stream& stream, const DedupArgs& args, Workspace& workspace) {
  const std::uint32_t slots = slots_for(args.n);
  const std::size_t locks_size = slots / slots_a_lock + 1;
  auto* table = workspace.take<Slot>(slots);
  auto* locks = workspace.take<std::uint32_t>(locks_size);
  auto* first = workspace.take<std::uint32_t>(args.n);
  auto* rank = workspace.take<std::uint32_t>(args.n);

  if (!workspace.measuring()) {
    stream.fill(table, 0xff, slots * sizeof(Slot));
    stream.fill(locks, 0xff, locks_size * sizeof(std::uint32_t));
    launch(stream, KERNEL(insert_kinds_kernel), one_thread_each(args.n), args.corners, args.count,
           table, slots, locks);
    launch(stream, KERNEL(lower_to_first_kernel), one_thread_each(args.n), args.corners, args.count,
           table, slots, first);
    launch(stream, KERNEL(dedup::find_firsts_kernel<Slot>), one_thread_each(args.n), args.count,
           args.n, table, first, rank);
  }
  dedup::number_vertices(stream, args, first, rank, workspace);
}

}  // namespace warpview::WARPVIEW_BACKEND
