// What lanes do together: barriers, the collectives of a warp, and spinning until another lane has
// done something.
#include <fmt/format.h>

#include "gpu/simt/counting.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {

unsigned Worker::arrive_at_barrier(bool predicate, Where where) {
  LaneState& lane = this->lane();
  if (at_barrier_ > 0 && !same_line(where, barrier_where_)) {
    report(lane, where,
           fmt::format("lanes of one block wait at different barriers: others are at {}:{}",
                       barrier_where_.file, barrier_where_.line));
  }
  barrier_where_ = where;
  barrier_votes_ += predicate ? 1 : 0;
  lane.where = where;
  lane.wait = Wait::barrier;
  counting::arrives(lane);
  if (++at_barrier_ == live_) {
    release_barrier();
  }
  suspend(lane);
  return barrier_result_;
}

void Worker::release_barrier() {
  counting::barrier();
  changed();
  at_barrier_ = 0;
  barrier_result_ = barrier_votes_;
  barrier_votes_ = 0;
  const std::size_t others = runnable_.size();
  for (unsigned i = 0; i < size_; ++i)
    if (lanes_[i].wait == Wait::barrier) make_runnable(lanes_[i]);
  threads_.meet(runnable_.cbegin() + static_cast<std::ptrdiff_t>(others), runnable_.cend());
}

LaneMask Worker::collect(Where where) {
  LaneState& lane = this->lane();
  const Offer& offer = lane.offer;
  const unsigned warp = lane.warp;
  const LaneMask existing = lanes_in_warp_of(lane);
  const LaneMask me = LaneMask{1} << lane.lane;
  if (!(offer.mask & me))
    report(lane, where,
           fmt::format("a warp {} is called by a lane that its mask {:#x} leaves out",
                       describe(offer.what), offer.mask));
  if (const LaneMask none = offer.mask & ~existing; none != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, but the warp has {} lanes",
                       offer.mask, describe(offer.what), __builtin_ctzll(none),
                       __builtin_popcountll(existing)));
  if (const LaneMask gone = offer.mask & exited_[warp]; gone != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, which has exited", offer.mask,
                       describe(offer.what), __builtin_ctzll(gone)));
  if (offer.what == Collective::shuffle &&
      (offer.value >= lane.warp_size || !(offer.mask >> offer.value & 1U)))
    report(lane, where,
           fmt::format("a shuffle reads lane {}, which is not in its mask {:#x}", offer.value,
                       offer.mask));
  const auto lanes = warp_of(lane);
  // The first to arrive is compared with at once, so that a disagreement is found even if the rest
  // never comes; the last to arrive compares with all. Lanes of the mask may also be in a
  // collective that this lane has no part in, and come when that is over.
  const LaneMask here = collecting_[warp] & offer.mask;
  const bool last = (here | me) == offer.mask;
  LaneMask compared = 0;
  bool elsewhere = false;
  for (LaneMask rest = here; rest != 0 && (last || compared == 0); rest &= rest - 1) {
    if ((lanes + __builtin_ctzll(rest))->offer.mask & me)
      compared |= rest & -rest;
    else
      elsewhere = true;
  }
  for (LaneMask rest = compared; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(lanes + __builtin_ctzll(rest));
    if (other.offer.mask != offer.mask || other.offer.what != offer.what ||
        other.offer.bytes != offer.bytes) {
      report(lane, where,
             fmt::format("lanes of one mask disagree: this lane calls {} with mask {:#x}, lane {} "
                         "calls {} with mask {:#x} at {}:{}",
                         describe(offer.what), offer.mask, other.lane, describe(other.offer.what),
                         other.offer.mask, other.where.file, other.where.line));
    }
    if (!same_line(where, other.where)) {
      report(lane, where,
             fmt::format("lanes of one mask {:#x} come to a warp {} from different lines: lane {} "
                         "is at {}:{}",
                         offer.mask, describe(offer.what), other.lane, other.where.file,
                         other.where.line));
    }
  }
  lane.where = where;
  collecting_[warp] |= me;
  if (last && !elsewhere) {
    // The last to arrive answers for all before any goes on: nobody can overwrite what another has
    // still to read.
    collecting_[warp] &= ~offer.mask;
    complete(warp * lane.warp_size, offer.mask);
    counting::collective(lane, offer.mask);
    // Other collectives carry their own values and nothing else: neither a ballot nor a shuffle is
    // promised to order memory.
    if (offer.what == Collective::sync) threads_.meet(warp * lane.warp_size, offer.mask);
    for (LaneMask rest = offer.mask & ~me; rest != 0; rest &= rest - 1)
      make_runnable(*(lanes + __builtin_ctzll(rest)));
    if (job_->options.seed == 0) return lane.offer.result;
    make_runnable(lane);
  } else {
    lane.wait = Wait::collective;
  }
  suspend(lane);
  return lane.offer.result;
}

void Worker::complete(unsigned first_lane, LaneMask mask) {
  LaneState* lanes = &lanes_[first_lane];
  switch (lanes[__builtin_ctzll(mask)].offer.what) {
    case Collective::sync:
      break;
    case Collective::ballot: {
      LaneMask votes = 0;
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        votes |= static_cast<LaneMask>(lanes[i].offer.value) << i;
      }
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
        lanes[__builtin_ctzll(rest)].offer.result = votes;
      break;
    }
    case Collective::match:
      for (LaneMask rest = mask; rest != 0;) {
        const std::uint32_t value = lanes[__builtin_ctzll(rest)].offer.value;
        LaneMask equal = 0;
        for (LaneMask r = rest; r != 0; r &= r - 1) {
          const int i = __builtin_ctzll(r);
          if (lanes[i].offer.value == value) equal |= LaneMask{1} << i;
        }
        for (LaneMask r = equal; r != 0; r &= r - 1) lanes[__builtin_ctzll(r)].offer.result = equal;
        rest &= ~equal;
      }
      break;
    case Collective::shuffle:
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const Offer& offer = lanes[__builtin_ctzll(rest)].offer;
        const void* in = lanes[offer.value].offer.in;
        if (offer.bytes == 4)  // a fixed size: one move instead of a call
          std::memcpy(offer.out, in, 4);
        else
          copy_between_lanes(offer.out, in, offer.bytes);
      }
      break;
  }
}

// Lanes wait here for company: until the rest of their warp is here too or has exited, at the
// latest until nothing else in the block can run, and with a seed, unless in lockstep, sometimes no
// longer at all.
LaneMask Worker::gather(Wait why, Where where) {
  LaneState& lane = this->lane();
  lane.where = where;
  lane.wait = why;
  gathering_[lane.warp] |= LaneMask{1} << lane.lane;
  if (whole_warp_gathered(lane) ||
      (!in_lockstep() && job_->options.seed != 0 && random_.below(8) == 0))
    part(lane);
  suspend(lane);
  return lane.offer.result;
}

bool Worker::whole_warp_gathered(const LaneState& lane) {
  const LaneMask here = gathering_[lane.warp];
  return here != 0 && here == (lanes_in_warp_of(lane) & ~exited_[lane.warp]);
}

// Was there a lane to let go on?
bool Worker::release_gathered() {
  const std::size_t before = runnable_.size();
  const unsigned warp_size = job_->options.warp_size;
  for (unsigned first = 0; first < size_; first += warp_size)
    if (gathering_[first / warp_size] != 0) part(lanes_[first]);
  return runnable_.size() != before;
}

// Lets the gathered lanes of this lane's warp go on.
void Worker::part(const LaneState& lane) {
  const auto lanes = warp_of(lane);
  while (const LaneMask group = next_group(lane)) {
    const bool loop = (lanes + __builtin_ctzll(group))->wait == Wait::loop_begin;
    gathering_[lane.warp] &= ~group;
    if (loop)
      in_loop_[lane.warp] |= group;
    else
      counting::collective(lane, group);
    for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
      LaneState& member = *(lanes + __builtin_ctzll(rest));
      member.offer.result = group;
      if (loop) ++member.loops;
      make_runnable(member);
    }
  }
}

// Of the gathered lanes of this lane's warp those at one line, or of warp::active with a seed some
// of them drawn by lot. In lockstep loops come first, and while lanes of the warp are in one, no
// others go on.
LaneMask Worker::next_group(const LaneState& lane) {
  const auto lanes = warp_of(lane);
  const LaneMask in_loop = in_loop_[lane.warp];
  const LaneMask all = in_loop != 0 ? gathering_[lane.warp] & in_loop : gathering_[lane.warp];
  const LaneState* first = nullptr;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(lanes + __builtin_ctzll(rest));
    if (!first || (first->wait == Wait::active && other.wait == Wait::loop_begin)) first = &other;
  }
  if (!first) return 0;
  LaneMask group = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(lanes + __builtin_ctzll(rest));
    if (same_line(other.where, first->where)) group |= rest & -rest;
  }
  if (first->wait == Wait::active && job_->options.seed != 0 && random_.below(2) == 0)
    if (const LaneMask some = group & random_.lanes(); some != 0) group = some;
  return group;
}

// The lanes that began a loop together leave it together.
void Worker::end_loop(LaneMask together, Where where) {
  LaneState& lane = this->lane();
  const auto lanes = warp_of(lane);
  lane.where = where;
  lane.wait = Wait::loop_end;
  lane.offer.mask = together;
  bool all = true;
  for (LaneMask rest = together; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(lanes + __builtin_ctzll(rest));
    all = all && other.wait == Wait::loop_end && other.offer.mask == together &&
          same_line(other.where, where);
  }
  if (all) {
    job_->starved.fetch_sub(static_cast<unsigned>(__builtin_popcountll(together)) - 1);
    changed();
    for (LaneMask rest = together; rest != 0; rest &= rest - 1) {
      LaneState& other = *(lanes + __builtin_ctzll(rest));
      if (--other.loops == 0) in_loop_[lane.warp] &= ~(rest & -rest);
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

}  // namespace warpview::simt
