// What a scheduler runs: an application, made of procedures that spawn items for each other.
//
//   M. Steinberger, M. Kenzel, P. Boechat, B. Kerbl, M. Dokter, D. Schmalstieg, "Whippletree:
//   Task-based Scheduling of Dynamic Workloads on the GPU", ACM Transactions on Graphics (SIGGRAPH
//   Asia), 2014.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// An item is a task for one procedure. The procedure declares how many lanes execute an item and
// which shared memory they have, and executes it; meanwhile it may emit items, for itself and for
// others. The scheduler decides when, where and beside what an item is executed.
//
// An example application, which splits and then draws:
//
//     struct Split : schedule::Procedure {
//       struct Item { Patch patch; };              // copied as bytes
//       struct Shared { float row[4][4]; };        // one for each item in execution
//       static constexpr unsigned workers = 4;
//       template <class Lanes, class Emit>
//       __device__ static void execute(const Reyes& reyes, const Item& item, const Lanes& lanes,
//                                      Shared& shared, const Emit& emit);
//     };
//     struct Draw : schedule::Procedure { ... };
//
//     struct Reyes {                               // passed to kernels by value
//       using Procedures = schedule::Procedures<Split, Draw>;
//       std::uint64_t* pixels;                     // the application decides where results go
//       template <class Emit>                      // the items that input item i spawns, one lane
//       __device__ void begin(std::uint32_t i, const Emit& emit) const {
//         emit(Split{}, Split::Item{patches[i]});
//       }
//     };
//     // After all of them, since they name each other:
//     template <class Lanes, class Emit>
//     __device__ void Split::execute(...) {
//       ...                                        // lanes.rank(), lanes.sync(), lanes.shuffle()
//       if (lanes.rank() < 2) emit(Draw{}, Draw::Item{half});   // by any lanes, in any branch
//     }
//
// One call runs it, with the settings of settings.h and scratch memory that it measures itself:
//
//     schedule::megakernel(schedule::Run{stream, reyes, patch_count, settings, scratch, nullptr});
//
// or, where users choose, schedulers.h and launching_schedulers.h, which offer all schedulers under
// one name. A scheduler queues kernels and allocates nothing. Schedulers that read the queues from
// the host (host_looks) wait in between, and get a HostLoop.
//
// Rules:
//   - The result must not depend on the order of items. Each is executed once, in any order and
//     concurrently: where several write to one place, atomics add or compare.
//   - Item and Shared are plain structs without initialisers. An item consists of whole words, 1024
//     bytes at most, and one lane copies it each time that it moves: make it small, or an index.
//   - Lanes that share an item synchronize only by lanes.sync() and its kin, all of them at one
//     line; never by a block barrier. Shared memory is undefined at the start.
//   - The lanes that execute an item see what its emitting lane wrote before emitting it, and what
//     that lane had synchronized with.
//   - begin(i) may emit several items or none, so `inputs`, at most 2^31 - 1, may be an upper bound
//     of a count that the device knows.
//   - A full queue refuses an item: the item is lost, the status says so (ScheduleStatus), and the
//     run goes on to its end. To prevent that, size the queues for the most items that can exist at
//     a time, or read the status and run again with larger queues.
#pragma once

#include <cstddef>
#include <utility>

#include "gpu/primitives/schedule/settings.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The threads of a block, unless a procedure needs more for one item.
inline constexpr unsigned usual_block = tile_extent(128, 64);

struct NoShared {};

// The base of procedures; each overrides what it needs.
struct Procedure {
  // The lanes that execute an item, a power of two up to 256. Up to 32 they are exactly that many
  // lanes of a warp. Beyond, they are a block, and may be more (lanes.count()).
  static constexpr unsigned workers = 1;
  using Shared = NoShared;
  // Levels of priority, each with a queue: items of level 0 are taken before those of level 1,
  // unless only these fill a block (fills_first). If there are several levels,
  // `static std::uint32_t level(const Item&)`, on the device, returns the level of an item.
  static constexpr unsigned levels = 1;
  // Procedures of one group have similar needs: hybrid_mega puts them into one kernel.
  // Less than most_procedures.
  static constexpr unsigned group = 0;
  // For megakernel_local: places of the block's own queue, in shared memory; -1: two batches, or
  // what fits into 2048 bytes. Procedures with levels have none, because items would overtake each
  // other there.
  static constexpr int local_places = -1;
  // Its kernel's name in launch logs and messages: "procedure_kernel<Split>".
  static constexpr const char* name = "procedure_kernel";
};

// The procedures of an application, in the order in which work passes through them.
template <class... Ps>
struct Procedures {
  static constexpr unsigned count = sizeof...(Ps);
  static_assert(count >= 1 && count <= most_procedures);
};

// The index of a procedure in a list; the list's length if it is absent.
template <class P, class List>
inline constexpr unsigned number_of = 0;
template <class P, class... Ps>
inline constexpr unsigned number_of<P, Procedures<Ps...>> = [] {
  unsigned i = 0;
  static_cast<void>(((std::is_same_v<P, Ps> || (++i, false)) || ...));
  return i;
}();
template <class P, class List>
inline constexpr bool is_one_of = number_of<P, List> < List::count;

// The order in which a block that may choose asks for work: the index of the k-th procedure. An
// application sets it by `static constexpr unsigned order[]`, with each index once. By default the
// last one comes first: items that are nearly done make room.
template <class Application>
constexpr unsigned asked(unsigned k) {
  if constexpr (requires { Application::order[0]; })
    return Application::order[k];
  else
    return Application::Procedures::count - 1 - k;
}
// Whether a batch that fills the block is taken before one that does not, whatever the order. An
// application turns it off by `static constexpr bool fills_first = false`.
template <class Application>
constexpr bool fills_first() {
  if constexpr (requires { Application::fills_first; })
    return Application::fills_first;
  else
    return true;
}

// --- the lanes of an item

template <unsigned workers>
class Lanes {
 public:
  static_assert(workers >= 1 && workers <= 256 && (workers & (workers - 1)) == 0);
  static constexpr bool in_warp = workers <= warp::min_size;

  // This lane's index among them.
  __device__ unsigned rank() const {
    if constexpr (in_warp)
      return warp::lane() % workers;
    else
      return threadIdx.x;
  }
  // The number of lanes: at least `workers`.
  __device__ unsigned count() const {
    if constexpr (in_warp)
      return workers;
    else
      return blockDim.x;
  }

  // The collectives: called by all of them, at one line.
#if defined(WARPVIEW_BACKEND_CPU)
  // Afterwards they see each other's earlier writes.
  void sync(simt::Where where = {}) const {
    if constexpr (!in_warp)
      __syncthreads(where);
    else if constexpr (workers > 1)
      warp::sync(mask(), where);
  }
  // The value of the lane with that rank; for lanes of a warp.
  template <class T>
  T shuffle(T value, unsigned from, simt::Where where = {}) const {
    static_assert(in_warp);
    if constexpr (workers == 1) return value;
    return warp::shuffle(mask(), value, first() + from, where);
  }
#else
  __device__ void sync() const {
    if constexpr (!in_warp)
      __syncthreads();
    else if constexpr (workers > 1)
      warp::sync(mask());
  }
  template <class T>
  __device__ T shuffle(T value, unsigned from) const {
    static_assert(in_warp);
    if constexpr (workers == 1) return value;
    return warp::shuffle(mask(), value, first() + from);
  }
#endif
  // Combines their values and returns the result to each of them; for lanes of a warp. The
  // operation must be associative and commutative.
  template <class T, class Operation>
  __device__ T reduce(T value, Operation combine) const {
    for (unsigned step = workers / 2; step > 0; step /= 2)
      value = combine(value, shuffle(value, rank() ^ step));
    return value;
  }

 private:
  __device__ unsigned first() const { return warp::lane() / workers * workers; }
  __device__ warp::LaneMask mask() const {
    constexpr warp::LaneMask own = (warp::LaneMask{1} << (in_warp ? workers : 1)) - 1;
    return own << first();
  }
};

// The threads of a block that executes only items of this procedure.
template <class P>
inline constexpr unsigned block_of = P::workers > usual_block ? P::workers : usual_block;
// The threads of a block that executes items of any procedure.
template <class List>
inline constexpr unsigned block_of_all = 0;
template <class... Ps>
inline constexpr unsigned block_of_all<Procedures<Ps...>> = [] {
  unsigned most = 0;
  ((most = block_of<Ps> > most ? block_of<Ps> : most), ...);
  return most;
}();
// The items that such a block executes at a time.
template <class P, unsigned threads>
inline constexpr unsigned batch_of = Lanes<P::workers>::in_warp ? threads / P::workers : 1;

}  // namespace warpview::WARPVIEW_BACKEND::schedule
