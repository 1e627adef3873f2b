// What a scheduler runs: an application, made of procedures that beget work for each other.
//
//   M. Steinberger, M. Kenzel, P. Boechat, B. Kerbl, M. Dokter, D. Schmalstieg, "Whippletree:
//   Task-based Scheduling of Dynamic Workloads on the GPU", ACM Transactions on Graphics (SIGGRAPH
//   Asia), 2014.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// An item is a piece of work for one procedure. The procedure says how many lanes an item is worked
// on by and what shared memory they have, and executes it; meanwhile it may emit items, for itself
// and for others. When, where and beside what an item is executed is for the scheduler to say.
//
// An application, which splits and then draws:
//
//     struct Split : schedule::Procedure {
//       struct Item { Patch patch; };              // copied as bytes
//       struct Shared { float row[4][4]; };        // one for each item that is worked on
//       static constexpr unsigned workers = 4;
//       template <class Lanes, class Emit>
//       __device__ static void execute(const Reyes& reyes, const Item& item, const Lanes& lanes,
//                                      Shared& shared, const Emit& emit);
//     };
//     struct Draw : schedule::Procedure { ... };
//
//     struct Reyes {                               // passed to kernels by value
//       using Procedures = schedule::Procedures<Split, Draw>;
//       std::uint64_t* pixels;                     // where results go is the application's affair
//       template <class Emit>                      // what input item i begets, by one lane each
//       __device__ void begin(std::uint32_t i, const Emit& emit) const {
//         emit(Split{}, Split::Item{patches[i]});
//       }
//     };
//     // Behind all of them, since they name each other:
//     template <class Lanes, class Emit>
//     __device__ void Split::execute(...) {
//       ...                                        // lanes.rank(), lanes.sync(), lanes.shuffle()
//       if (lanes.rank() < 2) emit(Draw{}, Draw::Item{half});   // by any lanes, in any branch
//     }
//
// It runs by one call, with the settings of settings.h and the memory that it measures for itself:
//
//     schedule::megakernel(schedule::Run{stream, reyes, patch_count, settings, scratch, nullptr});
//
// or, where users choose, by schedulers.h and launching_schedulers.h, which have them behind one
// name. It queues kernels and allocates nothing; those that look at the queues from the host
// (host_looks) wait in between, and are given a HostLoop.
//
// Rules:
//   - The result must not depend on the order of items. They are executed once each, in any order
//     and side by side: what several write to is added up, or compared, by atomics.
//   - Item and Shared are plain structs without initialisers. An item is whole words, 1024 bytes at
//     most, and is copied by one lane each time that it moves: make it small, or an index.
//   - Lanes that share an item meet by lanes.sync() and its kin alone, all of them at one line;
//     never by a barrier of the block. Shared memory is undefined at first.
//   - Whoever executes an item sees what its giver wrote before emitting it, and what other lanes
//     of the giver's wrote before they met.
//   - begin(i) may emit several items or none, so that `inputs`, at most 2^31 - 1, may be an upper
//     bound of a count that the device knows.
//   - A queue that is full refuses: the item is lost, the status says so (ScheduleStatus), and the
//     run goes on to its end. Where that must not be, size the queues for the most that can be
//     there at a time, or look at the status and run again with larger ones.
#pragma once

#include <cstddef>
#include <utility>

#include "gpu/primitives/schedule/settings.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The threads of a block, unless a procedure needs more for one item.
inline constexpr unsigned usual_block = tile_extent(128, 64);

struct NoShared {};

// What procedures are made from; each says otherwise what it needs.
struct Procedure {
  // How many lanes execute an item, a power of two up to 256. Up to 32 they are lanes of a warp, as
  // many as that. Beyond, they are a block, and may be more (lanes.count()).
  static constexpr unsigned workers = 1;
  using Shared = NoShared;
  // Levels of priority, each with a queue: items of level 0 are taken before those of level 1,
  // unless only these fill a block (fills_first). The level of an item is told by
  // `static std::uint32_t level(const Item&)`, on the device, which is asked where there are
  // several.
  static constexpr unsigned levels = 1;
  // Procedures of one group are alike in what they need: hybrid_mega puts them into one kernel.
  // Less than most_procedures.
  static constexpr unsigned group = 0;
  // For megakernel_local: places of the block's own queue, in shared memory; -1: two batches of
  // them, or what fits into 2048 bytes. Of procedures with levels it has none, for they would pass
  // each other there.
  static constexpr int local_places = -1;
  // Its kernel's name, as launch logs and messages have it: "procedure_kernel<Split>".
  static constexpr const char* name = "procedure_kernel";
};

// The procedures of an application, in the order in which work goes through them.
template <class... Ps>
struct Procedures {
  static constexpr unsigned count = sizeof...(Ps);
  static_assert(count >= 1 && count <= most_procedures);
};

// The number of a procedure in a list; the list's length where it is not there.
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

// The order in which a block asks for work, if it may choose: the k-th procedure's number. An
// application says so by `static constexpr unsigned order[]`, all numbers once. Else the last one
// comes first: what is nearly done makes room.
template <class Application>
constexpr unsigned asked(unsigned k) {
  if constexpr (requires { Application::order[0]; })
    return Application::order[k];
  else
    return Application::Procedures::count - 1 - k;
}
// Is a batch that fills the block taken before one that does not, whatever the order? An
// application says otherwise by `static constexpr bool fills_first = false`.
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

  // This lane's number among them.
  __device__ unsigned rank() const {
    if constexpr (in_warp)
      return warp::lane() % workers;
    else
      return threadIdx.x;
  }
  // How many they are: at least `workers`.
  __device__ unsigned count() const {
    if constexpr (in_warp)
      return workers;
    else
      return blockDim.x;
  }

  // The collectives: called by all of them, at one line.
#if defined(WARPVIEW_BACKEND_CPU)
  // After it they see each other's earlier writes.
  void sync(simt::Where where = {}) const {
    if constexpr (!in_warp)
      __syncthreads(where);
    else if constexpr (workers > 1)
      warp::sync(mask(), where);
  }
  // The value of the lane of that rank; of lanes of a warp.
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
  // What their values combine to, for each of them; by an operation that is associative and
  // commutative; of lanes of a warp.
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

// The threads of a block that executes items of this procedure alone.
template <class P>
inline constexpr unsigned block_of = P::workers > usual_block ? P::workers : usual_block;
// Of one that executes items of any.
template <class List>
inline constexpr unsigned block_of_all = 0;
template <class... Ps>
inline constexpr unsigned block_of_all<Procedures<Ps...>> = [] {
  unsigned most = 0;
  ((most = block_of<Ps> > most ? block_of<Ps> : most), ...);
  return most;
}();
// Items that such a block executes at a time.
template <class P, unsigned threads>
inline constexpr unsigned batch_of = Lanes<P::workers>::in_warp ? threads / P::workers : 1;

}  // namespace warpview::WARPVIEW_BACKEND::schedule
