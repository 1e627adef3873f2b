// The application of the laboratory: trees of items of three kinds (schedule.h).
#pragma once

#include "gpu/primitives/schedule/application.h"
#include "gpu/primitives/schedule/schedule.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

template <bool large>
struct Trees;

// Executes steps of `chains` chains in registers, as many in flight per lane; returns their sum.
template <unsigned chains>
__device__ inline std::uint32_t take_steps(std::uint32_t (&x)[chains], std::uint32_t steps) {
  for (std::uint32_t s = 0; s < steps; ++s) {
    UNROLL
    for (unsigned c = 0; c < chains; ++c) x[c] = schedule_factor * x[c] + schedule_summand;
  }
  std::uint32_t sum = 0;
  UNROLL
  for (unsigned c = 0; c < chains; ++c) sum += x[c];
  return sum;
}

// What the lanes of an item of kind `kind` share.
template <unsigned kind, bool large_>
struct OfKind : Procedure {
  static constexpr bool large = large_;
  using Item = ScheduleItem;
  static constexpr unsigned workers = schedule_workers[kind];
  static constexpr unsigned chains = schedule_chains(kind, large);

  // The sum of this lane's chains; 0 for lanes beyond the workers.
  __device__ static std::uint32_t own_sum(const Trees<large>& trees, const Item& item,
                                          unsigned rank);
  // Spawns children by the digest, by any lanes; lane `rank` has every `lanes`-th child.
  template <class Emit>
  __device__ static void spawn(const Trees<large>& trees, const Item& item, std::uint32_t digest,
                               unsigned rank, unsigned lanes, const Emit& emit);
};

// One lane does all the work.
template <bool large>
struct A : OfKind<0, large> {
  static constexpr const char* name = "procedure_kernel<A>";
  template <class Lanes, class Emit>
  __device__ static void execute(const Trees<large>& trees, const ScheduleItem& item, const Lanes&,
                                 NoShared&, const Emit& emit) {
    A::spawn(trees, item, A::own_sum(trees, item, 0), 0, 1, emit);
  }
};

// Half a warp, or a quarter: shuffles sum.
template <bool large>
struct B : OfKind<1, large> {
  static constexpr const char* name = "procedure_kernel<B>";
  template <class Lanes, class Emit>
  __device__ static void execute(const Trees<large>& trees, const ScheduleItem& item,
                                 const Lanes& lanes, NoShared&, const Emit& emit) {
    const std::uint32_t digest =
        lanes.reduce(B::own_sum(trees, item, lanes.rank()),
                     [](std::uint32_t a, std::uint32_t b) { return a + b; });
    B::spawn(trees, item, digest, lanes.rank(), lanes.count(), emit);
  }
};

// A block: shared memory sums in two steps. In the large one, lanes first pass on words there.
template <bool large>
struct C : OfKind<2, large> {
  static constexpr const char* name = "procedure_kernel<C>";
  static constexpr unsigned group = large ? 1 : 0;
  static constexpr unsigned words_each = large ? 40 : 1;
  static constexpr unsigned parts = 16;
  struct Shared {
    std::uint32_t words[words_each * C::workers];
    std::uint32_t sums[parts];
  };

  template <class Lanes, class Emit>
  __device__ static void execute(const Trees<large>& trees, const ScheduleItem& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit) {
    const unsigned rank = lanes.rank();
    std::uint32_t sum = C::own_sum(trees, item, rank);
    // Splits a lane's sum into parts.
    if (rank < C::workers)
      for (unsigned w = 0; w < words_each; ++w) {
        const std::uint32_t part = w + 1 < words_each ? sum * w : sum;
        shared.words[w * C::workers + rank] = part;
        sum -= part;
      }
    lanes.sync();
    if constexpr (large) {
      // Reassembles the parts of the next lane.
      sum = 0;
      if (rank < C::workers)
        for (unsigned w = 0; w < words_each; ++w)
          sum += shared.words[w * C::workers + (rank + 1) % C::workers];
      lanes.sync();
      if (rank < C::workers) shared.words[rank] = sum;
      lanes.sync();
    }
    if (rank < parts) {
      sum = 0;
      for (unsigned k = rank; k < C::workers; k += parts) sum += shared.words[k];
      shared.sums[rank] = sum;
    }
    lanes.sync();
    std::uint32_t digest = 0;
    for (const std::uint32_t of_part : shared.sums) digest += of_part;
    C::spawn(trees, item, digest, rank, lanes.count(), emit);
  }
};

template <bool large_>
struct Trees {
  using Procedures = schedule::Procedures<A<large_>, B<large_>, C<large_>>;

  const std::uint64_t* keys;
  std::uint32_t n;
  std::uint32_t trees;
  ScheduleShape shape;
  std::uint64_t* sums;
  std::uint32_t* counts;

  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    emit_by_kind({keys[i], schedule_share(n, trees, i), 0}, emit);
  }
  template <class Emit>
  __device__ void emit_by_kind(const ScheduleItem& item, const Emit& emit) const {
    const unsigned kind = schedule_kind(shape, item.key);
    if (kind == 0)
      emit(A<large_>{}, item);
    else if (kind == 1)
      emit(B<large_>{}, item);
    else
      emit(C<large_>{}, item);
  }
};

template <unsigned kind, bool large>
__device__ std::uint32_t OfKind<kind, large>::own_sum(const Trees<large>& trees, const Item& item,
                                                      unsigned rank) {
  if (rank >= workers) return 0;
  std::uint32_t x[chains];
  UNROLL
  for (unsigned c = 0; c < chains; ++c)
    x[c] = static_cast<std::uint32_t>(item.key) + rank * chains + c;
  return take_steps(x, trees.shape.steps[kind]);
}

template <unsigned kind, bool large>
template <class Emit>
__device__ void OfKind<kind, large>::spawn(const Trees<large>& trees, const Item& item,
                                           std::uint32_t digest, unsigned rank, unsigned lanes,
                                           const Emit& emit) {
  const std::uint64_t value = schedule_value(item, digest);
  const std::uint32_t children = schedule_children(trees.shape, item, value);
  for (std::uint32_t i = rank; i < children; i += lanes)
    trees.emit_by_kind(schedule_child(item, value, children, i), emit);
  if (children > 0 || rank > 0) return;
  const std::uint32_t place = schedule_place(item.key);
  atomicAdd(&trees.sums[place], value);
  atomicAdd(&trees.counts[place], 1U);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
