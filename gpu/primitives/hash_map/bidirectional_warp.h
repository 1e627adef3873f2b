// Inserts into the ordered table of bidirectional.h by whole warps: all lanes insert one entry.
//
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020: lanes that
//   probe together.
//
// A single lane walks from home to the entry's place and on to the nearest gap, one dependent load
// after another. A warp reads a window of as many neighbouring slots as it has lanes at once;
// ballots turn it into masks, in which place and gap are a first or a last bit. It takes a range's
// locks by one compare-and-swap per lane, and shifts a window's entries by one read and one write
// per lane.
//
// The warp is one actor: all of its lanes take each branch and loop here, or none, because ballots
// decide. A waiting warp thus waits only for another warp.
#pragma once
#pragma once

#include "gpu/primitives/hash_map/bidirectional.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// An Entry as in bidirectional.h, the same in all lanes (except for its value), which also has
//
//   auto content(slot) const               the content of a slot,
//   void set(slot, content) const          and writing it to another slot
//
// A look may read a slot that another warp is about to write. Each word is read as a whole, and a
// slot only ever changes from empty to an entry, or to another entry.

// The n lowest lanes, n at most warp::size().
__device__ inline warp::LaneMask lanes_below(std::uint32_t n) {
  return n == 0 ? 0 : warp::all_lanes() >> (warp::size() - n);
}

// What a warp has read: bit i is slot begin + i. Beyond the table's end no bit is set.
struct Window {
  std::uint32_t begin;  // at most entry.slots
  warp::LaneMask empty, smaller, same;

  // Where a walk to the left ends.
  __device__ warp::LaneMask not_larger() const { return empty | smaller | same; }
};

template <class Entry>
__device__ inline Window look_at_window(const Entry& entry, std::uint32_t begin) {
  const bool exists = warp::lane() < entry.slots - begin;
  const Holds held = exists ? entry.look(begin + warp::lane()) : Holds::larger;
  return {begin, warp::ballot(warp::all_lanes(), held == Holds::nothing),
          warp::ballot(warp::all_lanes(), held == Holds::smaller),
          warp::ballot(warp::all_lanes(), held == Holds::same)};
}

// The window around an entry's home, as far as the beginning of the table permits.
__device__ inline std::uint32_t window_around(std::uint32_t home) {
  return home > warp::size() / 2 ? home - warp::size() / 2 : 0;
}
__device__ inline std::uint32_t window_before(std::uint32_t begin) {
  return begin > warp::size() ? begin - warp::size() : 0;
}

// A plan for inserting an entry; the same in all lanes.
struct WarpPlan {
  bool is_present;
  std::uint32_t at;           // as Spot::at
  std::uint32_t hole;         // an empty slot near it; entry.slots: the table is full
  std::uint32_t first, last;  // the slots that the plan depends on
};

// As make_plan(). Called by all lanes of a full warp.
template <class Entry>
__device__ inline WarpPlan plan_together(const Entry& entry) {
  const std::uint32_t home = entry.home();
  Window window = look_at_window(entry, window_around(home));
  std::uint32_t at = home;
  bool is_present = false;

  // From home to the left if it holds a larger entry, otherwise to the right, as far as order says.
  if ((window.not_larger() >> (home - window.begin) & 1U) == 0) {
    warp::LaneMask stops = 0;
    for (;;) {
      stops = window.not_larger() & lanes_below(at - window.begin);
      if (stops != 0 || window.begin == 0) break;
      at = window.begin;
      window = look_at_window(entry, window_before(at));
    }
    const unsigned stop = stops != 0 ? warp::last(stops) : 0;
    is_present = stops != 0 && (window.same >> stop & 1U) != 0;
    at = window.begin + stop + (stops != 0 && !is_present ? 1 : 0);
  } else {
    warp::LaneMask stops = 0;
    for (;;) {
      // There is no smaller entry beyond the table's end, either.
      stops = warp::all_lanes() & ~(window.smaller | lanes_below(at - window.begin));
      if (stops != 0) break;
      at = window.begin + warp::size();
      window = look_at_window(entry, at);
    }
    const unsigned stop = warp::first(stops);
    is_present = (window.same >> stop & 1U) != 0;
    at = window.begin + stop;
  }

  WarpPlan plan{is_present, at, entry.slots, home, home};
  const auto widen = [&plan](std::uint32_t slot) {
    plan.first = slot < plan.first ? slot : plan.first;
    plan.last = slot > plan.last ? slot : plan.last;
  };
  if (at < entry.slots) widen(at);
  if (at > 0) widen(at - 1);
  if (is_present) return plan;

  // The nearest gap in that window, otherwise in the windows next to it on both sides, and so on.
  const auto choose = [&plan, at](bool left, std::uint32_t slot_left, bool right,
                                  std::uint32_t slot_right) {
    if (right && (!left || slot_right - at <= at - 1 - slot_left))
      plan.hole = slot_right;
    else if (left)
      plan.hole = slot_left;
  };
  const warp::LaneMask before = window.empty & lanes_below(at - window.begin);
  const warp::LaneMask behind = window.empty & ~before;
  choose(before != 0, window.begin + (before != 0 ? warp::last(before) : 0), behind != 0,
         window.begin + (behind != 0 ? warp::first(behind) : 0));
  // Slots outside of these two have not been checked for being empty.
  std::uint32_t left = window.begin;
  std::uint32_t right = entry.slots - left > warp::size() ? left + warp::size() : entry.slots;
  while (plan.hole == entry.slots && (left > 0 || right < entry.slots)) {
    const bool gap_left = warp::lane() < left && entry.is_empty(left - 1 - warp::lane());
    const bool gap_right =
        warp::lane() < entry.slots - right && entry.is_empty(right + warp::lane());
    const warp::LaneMask gaps_left = warp::ballot(warp::all_lanes(), gap_left);
    const warp::LaneMask gaps_right = warp::ballot(warp::all_lanes(), gap_right);
    choose(gaps_left != 0, left - 1 - (gaps_left != 0 ? warp::first(gaps_left) : 0),
           gaps_right != 0, right + (gaps_right != 0 ? warp::first(gaps_right) : 0));
    left = window_before(left);
    right = entry.slots - right > warp::size() ? right + warp::size() : entry.slots;
  }
  if (plan.hole < entry.slots) widen(plan.hole);
  return plan;
}

// As shift_and_put(), by all lanes; lane `owner` has the entry to put.
//
// A piece of as many entries as there are lanes is read, and then written. The pieces begin at the
// hole: each overwrites only what the piece before has read. While a piece is written others may
// see an entry twice, or not at all, or out of order. That is harmless. Without locks they look for
// locks to take, for which a guess suffices; for their own key, which they cannot see unless it is
// there; and for a table without gaps, and gaps never appear.
template <class Entry>
__device__ inline void shift_and_put_together(const Entry& entry, const WarpPlan& plan,
                                              unsigned owner) {
  const bool to_right = plan.hole >= plan.at;
  const std::uint32_t count = to_right ? plan.hole - plan.at : plan.at - 1 - plan.hole;
  const auto slot_of = [&](std::uint32_t i) { return to_right ? plan.hole - i : plan.hole + i; };
  for (std::uint32_t done = 0; done < count; done += warp::size()) {
    const std::uint32_t i = done + warp::lane();
    const bool has_one = i < count;
    const auto content = entry.content(slot_of(has_one ? i + 1 : count));
    warp::sync(warp::all_lanes());  // all lanes have read: now they may write
    if (has_one) entry.set(slot_of(i), content);
  }
  if (warp::lane() == owner) entry.put(slot_of(count));
}

// Neighbouring locks.
struct LockRange {
  std::uint32_t first, end;

  __device__ bool covers(const LockRange& other) const {
    return first <= other.first && other.end <= end;
  }
};

// Releases locks, with all that the warp has written under them. Called by all lanes.
__device__ inline void release_together(std::uint32_t* locks, const LockRange& range) {
  // A lane releases locks under which other lanes have read and written. The sync orders their
  // accesses before its store, and the store's release publishes everything before it.
  warp::sync(warp::all_lanes());
  for (std::uint32_t lock = range.first + warp::lane(); lock < range.end; lock += warp::size())
    store_release(&locks[lock], lock_free);
}

// Takes all locks of a range and returns true, or none and returns false, after the first one was
// taken and then seen free again. Called by all lanes; afterwards they see what the locks' last
// holders wrote.
//
// Each lane tries one lock. Locks won after a lost one are released at once, so that the locks a
// warp holds while it waits have no gaps and grow upwards. Only a trial can keep the holder of the
// highest of all such locks from the next one, and the loser of a trial does not try again before
// it has seen the lock in its way free. Some warp therefore always makes progress.
__device__ inline bool take_together(std::uint32_t* locks, const LockRange& range) {
  std::uint32_t next = range.first;  // all locks from first up to it are held
  for (Spin spin; next < range.end;) {
    const bool tries = warp::lane() < range.end - next;
    std::uint32_t* const lock = &locks[tries ? next + warp::lane() : next];
    const bool won = tries && atomicCAS(lock, lock_free, lock_taken) == lock_free;
    const warp::LaneMask lost = warp::ballot(warp::all_lanes(), tries && !won);
    if (lost == 0) {
      next += range.end - next < warp::size() ? range.end - next : warp::size();
      continue;
    }
    // By a read-modify-write, so that the next owner acquires it from its last real holder.
    if (won && warp::lane() > warp::first(lost)) atomicExch(lock, lock_free);
    next += warp::first(lost);
    do spin.back_off();
    while (!warp::any(warp::all_lanes(), load_relaxed(&locks[next]) == lock_free));
    if (next == range.first) return false;
  }
  // A lane reads slots whose lock another lane has taken: hence its fence, and then the sync.
  __threadfence();
  warp::sync(warp::all_lanes());
  return true;
}

// As insert_ordered(), for one entry: called by all lanes of a full warp with the same key; lane
// `owner` has its value. All get the same result.
//
// A warp that got no lock looks again: another warp may have inserted its entry. Otherwise
// thousands of equal entries would pass through the lock one by one.
template <class Entry>
__device__ inline Outcome insert_together(const Entry& entry, unsigned owner) {
  LockRange held{0, 0};
  for (;;) {
    const WarpPlan plan = plan_together(entry);
    const LockRange needed{plan.first / slots_a_lock, plan.last / slots_a_lock + 1};
    const bool covered = held.covers(needed);
    const bool full = plan.hole == entry.slots;
    if (covered && !plan.is_present && !full) shift_and_put_together(entry, plan, owner);
    release_together(entry.locks, held);
    if (plan.is_present) return Outcome::was_there;
    if (covered) return full ? Outcome::no_room : Outcome::put;
    held = take_together(entry.locks, needed) ? needed : LockRange{0, 0};
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
