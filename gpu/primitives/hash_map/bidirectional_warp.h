// Filling the ordered table of bidirectional.h by whole warps: all lanes bring one entry in.
//
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011.
//   D. Juenger et al., "WarpCore: A Library for Fast Hash Tables on GPUs", HiPC 2020: lanes that
//   probe together.
//
// A lane on its own walks from home to the entry's place and on to the nearest gap, one look at
// memory after the other. A warp sees a window of as many neighbouring slots as it has lanes in one
// look; ballots make masks of it, in which place and gap are a first or a last bit. It takes a
// range's locks by one compare-and-swap of each lane, and shifts a window's entries by one read and
// one write of each.
//
// The warp is one actor: each branch and loop here is taken by all of its lanes or by none, for
// what decides comes out of ballots. So a warp that waits, waits for another warp alone.
#pragma once

#include "gpu/primitives/hash_map/bidirectional.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// An Entry as in bidirectional.h, the same in all lanes (but for its value), which also has
//
//   auto content(slot) const               what a slot holds,
//   void set(slot, content) const          and its writing to another one
//
// A look may find a slot that another warp is about to write. Each word is whole, and what a slot
// holds only ever changes from nothing to an entry, or to another entry.

// The n lowest lanes, n at most warp::size().
__device__ inline warp::LaneMask lanes_below(std::uint32_t n) {
  return n == 0 ? 0 : warp::all_lanes() >> (warp::size() - n);
}

// What a warp has seen: bit i is of slot begin + i. Beyond the table's end no bit is set.
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

// The window around an entry's home, as far as the table's begin lets it be.
__device__ inline std::uint32_t window_around(std::uint32_t home) {
  return home > warp::size() / 2 ? home - warp::size() / 2 : 0;
}
__device__ inline std::uint32_t window_before(std::uint32_t begin) {
  return begin > warp::size() ? begin - warp::size() : 0;
}

// How an entry is to come in; the same in all lanes.
struct WarpPlan {
  bool is_there;
  std::uint32_t at;           // as Spot::at
  std::uint32_t hole;         // an empty slot near it; entry.slots: the table is full
  std::uint32_t first, last;  // the slots that this rests on
};

// As make_plan(). Called by all lanes of a full warp.
template <class Entry>
__device__ inline WarpPlan plan_together(const Entry& entry) {
  const std::uint32_t home = entry.home();
  Window window = look_at_window(entry, window_around(home));
  std::uint32_t at = home;
  bool is_there = false;

  // From home to the left where it holds a larger one, else to the right, as long as order says so.
  if ((window.not_larger() >> (home - window.begin) & 1U) == 0) {
    warp::LaneMask stops = 0;
    for (;;) {
      stops = window.not_larger() & lanes_below(at - window.begin);
      if (stops != 0 || window.begin == 0) break;
      at = window.begin;
      window = look_at_window(entry, window_before(at));
    }
    const unsigned stop = stops != 0 ? warp::last(stops) : 0;
    is_there = stops != 0 && (window.same >> stop & 1U) != 0;
    at = window.begin + stop + (stops != 0 && !is_there ? 1 : 0);
  } else {
    warp::LaneMask stops = 0;
    for (;;) {
      // Beyond the table's end there is no smaller one, either.
      stops = warp::all_lanes() & ~(window.smaller | lanes_below(at - window.begin));
      if (stops != 0) break;
      at = window.begin + warp::size();
      window = look_at_window(entry, at);
    }
    const unsigned stop = warp::first(stops);
    is_there = (window.same >> stop & 1U) != 0;
    at = window.begin + stop;
  }

  WarpPlan plan{is_there, at, entry.slots, home, home};
  const auto widen = [&plan](std::uint32_t slot) {
    plan.first = slot < plan.first ? slot : plan.first;
    plan.last = slot > plan.last ? slot : plan.last;
  };
  if (at < entry.slots) widen(at);
  if (at > 0) widen(at - 1);
  if (is_there) return plan;

  // The nearest gap in that window, or else in those next to it on both sides, and so on.
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
  // Outside of these two no slot has been asked whether it is empty.
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

// As shift_and_put(), by all lanes; the entry that is put is that of lane `owner`.
//
// A piece of as many entries as there are lanes is read, and then written. The pieces begin at the
// hole: what a piece overwrites, the one before it has read. While a piece is written others may
// see an entry twice, or not at all, or in false order. No harm comes of it: without locks they
// look for which locks to take, for which a guess will do; for their own key, which cannot be seen
// unless it is there; and for a table without gaps, and a gap never comes into being.
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
    warp::sync(warp::all_lanes());  // all have read: now they may write
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

// Gives locks back, with all that the warp has written under them. Called by all lanes.
__device__ inline void release_together(std::uint32_t* locks, const LockRange& range) {
  // A lane releases locks under which others have read and written: the sync brings that before its
  // store, and the store's release passes on what came before it, whoever did it.
  warp::sync(warp::all_lanes());
  for (std::uint32_t lock = range.first + warp::lane(); lock < range.end; lock += warp::size())
    store_release(&locks[lock], lock_free);
}

// Takes all locks of a range, and true; or none of them, and false, after the first one was taken
// and has been seen free again. Called by all lanes; after it they see what the locks' last holders
// wrote.
//
// Each lane tries one lock. Those that were won behind one that was not go back at once, so that
// what a warp holds while it waits has no gaps and grows upwards: the one that holds the highest of
// all such locks can only be kept from the next one by a trial, whose loser does not try again
// before it has seen the lock in its own way free. Hence somebody always gets on.
__device__ inline bool take_together(std::uint32_t* locks, const LockRange& range) {
  std::uint32_t next = range.first;  // all from first up to it are held
  for (Spin spin; next < range.end;) {
    const bool tries = warp::lane() < range.end - next;
    std::uint32_t* const lock = &locks[tries ? next + warp::lane() : next];
    const bool won = tries && atomicCAS(lock, lock_free, lock_taken) == lock_free;
    const warp::LaneMask lost = warp::ballot(warp::all_lanes(), tries && !won);
    if (lost == 0) {
      next += range.end - next < warp::size() ? range.end - next : warp::size();
      continue;
    }
    // By a read-modify-write, so that who takes it next takes it from its last real holder.
    if (won && warp::lane() > warp::first(lost)) atomicExch(lock, lock_free);
    next += warp::first(lost);
    do spin.back_off();
    while (!warp::any(warp::all_lanes(), load_relaxed(&locks[next]) == lock_free));
    if (next == range.first) return false;
  }
  // A lane reads slots whose lock another one has taken: its fence, and then the sync.
  __threadfence();
  warp::sync(warp::all_lanes());
  return true;
}

// As insert_ordered(), for one entry: called by all lanes of a full warp with the same key; lane
// `owner` has its value. All get the same answer.
//
// A warp that got no lock looks again: those in its way may have brought in its own entry, and
// thousands of the same kind would otherwise pass through the lock one by one.
template <class Entry>
__device__ inline Outcome insert_together(const Entry& entry, unsigned owner) {
  LockRange held{0, 0};
  for (;;) {
    const WarpPlan plan = plan_together(entry);
    const LockRange needed{plan.first / slots_a_lock, plan.last / slots_a_lock + 1};
    const bool covered = held.covers(needed);
    const bool full = plan.hole == entry.slots;
    if (covered && !plan.is_there && !full) shift_and_put_together(entry, plan, owner);
    release_together(entry.locks, held);
    if (plan.is_there) return Outcome::was_there;
    if (covered) return full ? Outcome::no_room : Outcome::put;
    held = take_together(entry.locks, needed) ? needed : LockRange{0, 0};
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
