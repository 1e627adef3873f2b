// What lanes do together: barriers, the collectives of a warp, and spinning until another lane has
// made progress.
#include <fmt/format.h>

#include "gpu/simt/counting.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {

// ---- Barriers -----------------------------------------------------------------------------------

Fiber& Worker::arrive_at_barrier(bool predicate, Where where) {
  LaneState& lane = this->lane();
  if (at_barrier_ == 0)
    barrier_where_ = where;
  else if (!same_line(where, barrier_where_))
    report(lane, where,
           fmt::format("lanes of one block wait at different barriers: others are at {}:{}",
                       barrier_where_.file, barrier_where_.line));
  if (predicate) ++barrier_votes_;
  counting::arrives(lane);
  if (++at_barrier_ == live_) release_barrier();
  return next();
}

void Worker::release_barrier() {
  counting::barrier();
  recording::barrier(barrier_where_, barrier_votes_);
  changed();
  at_barrier_ = 0;
  barrier_answer_ = std::exchange(barrier_votes_, 0);
  // All live lanes were here, so none may go on yet. Where none has exited, no lane needs to be
  // checked.
  if (live_ == size_) {
    runnable_.fill(size_);
  } else {
    for (unsigned i = 0; i < size_; ++i)
      if (lanes_[i].wait != Wait::exited) runnable_.add(i, true);
  }
  threads_.meet([this](const auto& visit) { runnable_.each(visit); });
}

// ---- Collectives --------------------------------------------------------------------------------

namespace {

// Finds the lanes of a mask that have the same value: a hash table of values, each with its lanes.
class Peers {
 public:
  Peers(const std::array<std::uint64_t, max_warp>& values, LaneMask mask) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
      const auto value = static_cast<std::uint32_t>(values[lane]);
      unsigned slot = value * 0x9e3779b1U >> 25U;
      while (lanes_[slot] != 0 && values_[slot] != value) slot = (slot + 1) % slots;
      values_[slot] = value;
      lanes_[slot] |= LaneMask{1} << lane;
      slot_of_[lane] = static_cast<std::uint8_t>(slot);
    }
  }
  LaneMask of(unsigned lane) const { return lanes_[slot_of_[lane]]; }

 private:
  static constexpr unsigned slots = 128;
  std::array<LaneMask, slots> lanes_{};
  std::array<std::uint32_t, slots> values_;
  std::array<std::uint8_t, max_warp> slot_of_;
};

}  // namespace

// The last lane to arrive computes all answers before any lane goes on: no lane can overwrite a
// value that another has still to read.
Fiber& Worker::collect(LaneMask mask, std::uint64_t value, CollectiveCall call, const char* file,
                       void* out) {
  LaneState& lane = this->lane();
  Warp& warp = warps_[lane.warp];
  const LaneMask me = LaneMask{1} << lane.lane;
  const bool is_amiss = (mask & me) == 0 || (mask & (~warp.existing | warp.exited)) != 0 ||
                        (call.what() == Collective::shuffle &&
                         (call.source() >= warp_size_ || (mask >> call.source() & 1U) == 0));
  if (is_amiss) [[unlikely]]
    refuse(lane, mask, call, {file, call.line()});

  bool is_last = false;
  if (warp.waiting == 0) {
    warp.is_one = true;
    warp.mask = mask;
    warp.call = call;
    warp.file = file;
    warp.expected = out ? 0 : mask & ~me;
    is_last = mask == me;
  } else if (warp.is_one && warp.mask == mask && warp.call.is_like(call) && warp.file == file)
      [[likely]] {
    warp.expected &= ~me;
    is_last = (warp.waiting | me) == mask;
  } else {
    is_last = joins_others(lane, mask, call, {file, call.line()});
  }
  warp.waiting |= me;
  warp.values[lane.lane] = value;
  warp.sources[lane.lane] = static_cast<std::uint8_t>(call.source());
  warp.outs[lane.lane] = out;
  if (!is_last) return next();
  warp.waiting &= ~mask;
  complete(lane, mask, call);
  counting::collective(lane, mask);
  recording::collective(lanes_of(lane.warp), warp, mask, call, file);
  // Other collectives only carry their own values: neither a ballot nor a shuffle is promised to
  // order memory.
  if (call.what() == Collective::sync) threads_.meet(lane.number - lane.lane, mask);
  if (!is_shuffled()) return lane.fiber;
  make_runnable(lane);
  return next();
}

void Worker::refuse(const LaneState& lane, LaneMask mask, CollectiveCall call, Where where) {
  const Warp& warp = warps_[lane.warp];
  if ((mask >> lane.lane & 1U) == 0)
    report(lane, where,
           fmt::format("a warp {} is called by a lane that its mask {:#x} leaves out",
                       describe(call.what()), mask));
  if (const LaneMask none = mask & ~warp.existing; none != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, but the warp has {} lanes", mask,
                       describe(call.what()), __builtin_ctzll(none),
                       __builtin_popcountll(warp.existing)));
  if (const LaneMask gone = mask & warp.exited; gone != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, which has exited", mask,
                       describe(call.what()), __builtin_ctzll(gone)));
  report(
      lane, where,
      fmt::format("a shuffle reads lane {}, which is not in its mask {:#x}", call.source(), mask));
}

// Records for each waiting lane the collective it waits in, where that was recorded once for all.
void Worker::tell_apart(unsigned number) {
  Warp& warp = warps_[number];
  warp.expected = 0;
  if (!std::exchange(warp.is_one, false)) return;
  for (LaneMask rest = warp.waiting; rest != 0; rest &= rest - 1) {
    LaneState& lane = lanes_of(number)[__builtin_ctzll(rest)];
    lane.mask = warp.mask;
    lane.call = warp.call;
    lane.where = {warp.file, warp.call.line()};
  }
}

// Called when a lane arrives at a warp where other lanes wait in something else, or seem to: is it
// the last lane of its mask?
//
// The lane is compared at once with the first to arrive, so that a disagreement is found even if
// the rest never arrive. The last to arrive is compared with all. Lanes of the mask may also be in
// a collective that this lane takes no part in, and arrive when that is over.
bool Worker::joins_others(LaneState& lane, LaneMask mask, CollectiveCall call, Where where) {
  tell_apart(lane.warp);
  lane.mask = mask;
  lane.call = call;
  lane.where = where;
  const LaneState* const lanes = lanes_of(lane.warp);
  const LaneMask me = LaneMask{1} << lane.lane;
  const LaneMask here = warps_[lane.warp].waiting & mask;
  const bool last = (here | me) == mask;
  LaneMask compared = 0;
  bool elsewhere = false;
  for (LaneMask rest = here; rest != 0 && (last || compared == 0); rest &= rest - 1) {
    if (lanes[__builtin_ctzll(rest)].mask & me)
      compared |= rest & -rest;
    else
      elsewhere = true;
  }
  for (LaneMask rest = compared; rest != 0; rest &= rest - 1) {
    const LaneState& other = lanes[__builtin_ctzll(rest)];
    if (other.mask != mask || other.call.what() != call.what() ||
        other.call.bytes() != call.bytes())
      report(lane, where,
             fmt::format("lanes of one mask disagree: this lane calls {} with mask {:#x}, lane {} "
                         "calls {} with mask {:#x} at {}:{}",
                         describe(call.what()), mask, other.lane, describe(other.call.what()),
                         other.mask, other.where.file, other.where.line));
    if (!same_line(where, other.where))
      report(
          lane, where,
          fmt::format("lanes of one mask {:#x} call a warp {} at different lines: lane {} "
                      "is at {}:{}",
                      mask, describe(call.what()), other.lane, other.where.file, other.where.line));
  }
  return last && !elsewhere;
}

// Gives each lane of the mask answer(lane of the warp), and lets all but the last lane go on.
template <class Answer>
void Worker::answer(const LaneState& last, LaneMask mask, Answer answer) {
  LaneState* const lanes = lanes_of(last.warp);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(rest));
    lanes[i].fiber.result = answer(i);
    if (i != last.lane) runnable_.add(lanes[i].number);
  }
}

void Worker::complete(LaneState& last, LaneMask mask, CollectiveCall call) {
  const Warp& warp = warps_[last.warp];
  switch (call.what()) {
    case Collective::sync:
      answer(last, mask, [](unsigned) { return 0; });
      break;
    case Collective::ballot: {
      LaneMask votes = 0;
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        votes |= warp.values[i] << i;
      }
      answer(last, mask, [votes](unsigned) { return votes; });
      break;
    }
    case Collective::match: {
      const Peers peers(warp.values, mask);
      answer(last, mask, [&peers](unsigned i) { return peers.of(i); });
      break;
    }
    case Collective::shuffle:
      if (warp.outs[last.lane] == nullptr) {
        answer(last, mask, [&warp](unsigned i) { return warp.values[warp.sources[i]]; });
        break;
      }
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        // Values larger than a word are passed by address.
        // NOLINTNEXTLINE(performance-no-int-to-ptr)
        const auto* const from = reinterpret_cast<const void*>(warp.values[warp.sources[i]]);
        copy_between_lanes(warp.outs[i], from, call.bytes());
      }
      answer(last, mask, [](unsigned) { return 0; });
      break;
  }
}

// ---- Lanes that gather --------------------------------------------------------------------------

// Lanes wait here to be joined: at the latest until the rest of their warp is here too or has
// exited, or until nothing else in the block can run. With a seed, unless in lockstep, they
// sometimes do not wait at all.
LaneMask Worker::gather(Wait why, Where where) {
  LaneState& lane = this->lane();
  Warp& warp = warps_[lane.warp];
  lane.where = where;
  lane.wait = why;
  warp.gathering |= LaneMask{1} << lane.lane;
  if (whole_warp_gathered(warp) || (!in_lockstep() && is_shuffled() && random_.below(8) == 0))
    part(lane.warp);
  suspend(lane);
  return lane.fiber.result;
}

bool Worker::whole_warp_gathered(const Warp& warp) {
  return warp.gathering != 0 && warp.gathering == (warp.existing & ~warp.exited);
}

// Was there a lane to release?
bool Worker::release_gathered() {
  const unsigned before = runnable_.size();
  for (unsigned w = 0; w < warp_count(); ++w)
    if (warps_[w].gathering != 0) part(w);
  return runnable_.size() != before;
}

namespace {

void gathered(const LaneState& first, LaneMask group) {
  counting::collective(first, group);
  recording::active(first, group);
}

}  // namespace

// Releases the gathered lanes of a warp.
void Worker::part(unsigned number) {
  Warp& warp = warps_[number];
  LaneState* const lanes = lanes_of(number);
  while (const LaneMask group = next_group(number)) {
    const LaneState& first = lanes[__builtin_ctzll(group)];
    const bool loop = first.wait == Wait::loop_begin;
    warp.gathering &= ~group;
    if (loop)
      warp.in_loop |= group;
    else
      gathered(first, group);
    for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
      LaneState& member = lanes[__builtin_ctzll(rest)];
      member.fiber.result = group;
      if (loop) ++member.loops;
      make_runnable(member);
    }
  }
}

// Selects from the gathered lanes of a warp those at one line, or with a seed a random subset of
// those at one warp::active. In lockstep loops come first, and while lanes of the warp are in one,
// no others go on.
LaneMask Worker::next_group(unsigned number) {
  const Warp& warp = warps_[number];
  const LaneState* const lanes = lanes_of(number);
  const LaneMask all = warp.in_loop != 0 ? warp.gathering & warp.in_loop : warp.gathering;
  const LaneState* first = nullptr;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const LaneState& other = lanes[__builtin_ctzll(rest)];
    if (!first || (first->wait == Wait::active && other.wait == Wait::loop_begin)) first = &other;
  }
  if (!first) return 0;
  LaneMask group = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1)
    if (same_line(lanes[__builtin_ctzll(rest)].where, first->where)) group |= rest & -rest;
  if (first->wait == Wait::active && is_shuffled() && random_.below(2) == 0)
    if (const LaneMask some = group & random_.lanes(); some != 0) group = some;
  return group;
}

// Lanes that began a loop together leave it together.
void Worker::end_loop(LaneMask together, Where where) {
  LaneState& lane = this->lane();
  LaneState* const lanes = lanes_of(lane.warp);
  lane.where = where;
  lane.wait = Wait::loop_end;
  lane.mask = together;
  bool all = true;
  for (LaneMask rest = together; rest != 0; rest &= rest - 1) {
    const LaneState& other = lanes[__builtin_ctzll(rest)];
    all = all && other.wait == Wait::loop_end && other.mask == together &&
          same_line(other.where, where);
  }
  if (all) {
    job_->starved.fetch_sub(static_cast<unsigned>(__builtin_popcountll(together)) - 1);
    changed();
    for (LaneMask rest = together; rest != 0; rest &= rest - 1) {
      LaneState& other = lanes[__builtin_ctzll(rest)];
      if (--other.loops == 0) warps_[lane.warp].in_loop &= ~(rest & -rest);
      make_runnable(other);
    }
  } else {
    job_->starved.fetch_add(1);
  }
  suspend(lane);
}

void Worker::back_off(Where where) {
  LaneState& lane = this->lane();
  lane.where = where;
  lane.wait = Wait::spin;
  counting::spins(lane);
  spinning_.push_back(static_cast<std::uint16_t>(lane.number));
  suspend(lane);
}

// ---- The way in ---------------------------------------------------------------------------------

#if WARPVIEW_OWN_JUMPS

namespace {

// The context that the assembly below resumes, null for the caller itself, and the answer it gets.
struct Turn {
  void* context;
  std::uint64_t result;
};

Turn turn_of(const LaneState& lane, const Fiber& next) {
  return {&next == &lane.fiber ? nullptr : next.context, next.result};
}

// The calling lane, whose registers lie at `context`.
LaneState& arriving(void* context) {
  LaneState& lane = worker->lane();
  lane.looks = 0;
  lane.fiber.context = context;
  return lane;
}

// Kept apart from the function below, which then needs to save no registers.
[[gnu::noinline]] Turn decide_at_barrier(std::uint64_t predicate, Where where) {
  const LaneState& lane = worker->lane();
  return turn_of(lane, worker->arrive_at_barrier(predicate != 0, where));
}
[[gnu::noinline]] Turn decide_in_collective(LaneMask mask, std::uint64_t value, CollectiveCall call,
                                            const char* file, void* out) {
  const LaneState& lane = worker->lane();
  return turn_of(lane, worker->collect(mask, value, call, file, out));
}

}  // namespace

extern "C" Turn warpview_barrier_turn(void* context, std::uint64_t predicate, const char* file,
                                      int line) {
  const Where where{file, line};
  const Fiber* const next = worker->wait_at_barrier(arriving(context), predicate, where);
  if (!next) return decide_at_barrier(predicate, where);
  return {next->context, next->result};
}

extern "C" Turn warpview_collect_turn(void* context, LaneMask mask, std::uint64_t value,
                                      CollectiveCall call, const char* file, void* out) {
  const Fiber* const next = worker->wait_in_collective(arriving(context), mask, value, call, file);
  if (!next) return decide_in_collective(mask, value, call, file, out);
  return {next->context, next->result};
}

// A lane stores its registers on its stack, as warpview_switch_stacks does, and asks which lane is
// next. It leaves no C++ frame there, and none has to be read again when it goes on: the cost of a
// lane is cache lines. It resumes by a jump, not by `ret`: processors predict the target of `ret`
// from the last call, which was made by another lane, at another line.
#define WARPVIEW_TURN(name, turn)                                    \
  WARPVIEW_FUNCTION(name, WARPVIEW_PUSH_REGISTERS                    \
                    "  movq %rsp, %rdi\n"                            \
                    "  subq $8, %rsp\n"                              \
                    "  .cfi_adjust_cfa_offset 8\n"                   \
                    "  call " turn                                   \
                    "\n"                                             \
                    "  addq $8, %rsp\n"                              \
                    "  .cfi_adjust_cfa_offset -8\n"                  \
                    "  testq %rax, %rax\n"                           \
                    "  jz 1f\n"                                      \
                    "  movq %rax, %rsp\n"                            \
                    "  .cfi_remember_state\n" WARPVIEW_POP_REGISTERS \
                    "  movq %rdx, %rax\n"                            \
                    "  popq %rcx\n"                                  \
                    "  jmp *%rcx\n"                                  \
                    "  .cfi_restore_state\n"                         \
                    "1:\n" WARPVIEW_POP_REGISTERS                    \
                    "  movq %rdx, %rax\n"                            \
                    "  ret\n")
WARPVIEW_TURN("warpview_barrier", "warpview_barrier_turn");
WARPVIEW_TURN("warpview_collect", "warpview_collect_turn");
#undef WARPVIEW_TURN

#else

extern "C" std::uint64_t warpview_barrier(void*, std::uint64_t predicate, const char* file,
                                          int line) {
  const Call call;
  LaneState& lane = worker->lane();
  worker->go_on(lane, worker->arrive_at_barrier(predicate != 0, {file, line}));
  return lane.fiber.result;
}

extern "C" std::uint64_t warpview_collect(void*, LaneMask mask, std::uint64_t value,
                                          CollectiveCall call, const char* file, void* out) {
  const Call entered;
  LaneState& lane = worker->lane();
  worker->go_on(lane, worker->collect(mask, value, call, file, out));
  return lane.fiber.result;
}

#endif

}  // namespace warpview::simt
