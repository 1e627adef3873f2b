// An ordered hash table that grows both ways from home, filled by many threads under range locks.
//
//   O. Amble, D. Knuth, "Ordered hash tables", The Computer Journal 17(2), 1974.
//   S. van der Vegt, A. Laarman, "A Parallel Compact Hash Table", MEMICS 2011: locks on regions of
//   such a table.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Bidirectional linear probing.
//
// The home of an entry is its hash, scaled to the number of slots. Entries are sorted by hash, and
// all slots from an entry's home to the entry are occupied. A table is then like a sorted shelf
// with gaps:
//
//   - A search starts at home and goes one way: to the right while entries are smaller, to the left
//     while they are larger. If the entry is not at its place in the order, it is not in the table,
//     so a failing search is no longer than a successful one.
//   - A new entry goes to its place in the order. If that is in the middle of a run, the entries on
//     one side are shifted by one slot, into the nearest gap on either side.
//   - At the table's ends entries are shifted inwards: nothing wraps around.
//
// While entries move, a thread may rely only on slots that it has locked. A lock guards
// `slots_a_lock` neighbouring slots. A thread takes, in ascending order, all locks from the first
// to the last slot that its decision depends on. As every thread takes its locks in that order, the
// thread that holds the highest of all taken locks waits for no other: there is no deadlock.
#pragma once

#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The content of a slot, compared with an entry.
enum class Holds { nothing, smaller, same, larger };

// The algorithms access the table through an Entry, the one to find or to insert:
//
//   std::uint32_t home() const
//   Holds look(slot) const                 its order is total: `same` is one entry only
//   bool is_empty(slot) const
//   void move(to, from) const              copies an entry to a slot
//   void put(slot) const                   writes this entry
//   std::uint32_t slots; std::uint32_t* locks

// Where an entry is, or between which two slots it belongs: everything before slot `at` in the run
// that contains home is smaller, and slot `at`, if there is one, holds `held`.
struct Spot {
  std::uint32_t at;  // at most entry.slots
  Holds held;        // nothing or larger where the entry is not in the table
};

template <class Entry>
__device__ inline Spot find_spot(const Entry& entry) {
  std::uint32_t at = entry.home();
  Holds held = entry.look(at);
  if (held == Holds::larger) {
    while (at > 0) {
      const Holds before = entry.look(at - 1);
      if (before == Holds::nothing || before == Holds::smaller) break;
      --at;
      held = before;
      if (before == Holds::same) break;
    }
  } else {
    while (held == Holds::smaller) {
      ++at;
      held = at < entry.slots ? entry.look(at) : Holds::nothing;
    }
  }
  return {at, held};
}

// A plan for inserting an entry.
struct Plan {
  Spot spot;
  std::uint32_t hole;         // the empty slot nearest to the spot; entry.slots: the table is full
  std::uint32_t first, last;  // the slots that the plan depends on
};

template <class Entry>
__device__ inline Plan make_plan(const Entry& entry) {
  Plan plan{};
  plan.spot = find_spot(entry);
  const std::uint32_t at = plan.spot.at;
  const auto widen = [&plan](std::uint32_t slot) {
    plan.first = slot < plan.first ? slot : plan.first;
    plan.last = slot > plan.last ? slot : plan.last;
  };
  plan.first = plan.last = entry.home();
  if (at < entry.slots) widen(at);
  if (at > 0) widen(at - 1);

  plan.hole = entry.slots;
  std::uint32_t right = at;  // the next to look at
  std::uint32_t left = at;   // the last looked at
  while (plan.hole == entry.slots && (right < entry.slots || left > 0)) {
    if (right < entry.slots) {
      if (entry.is_empty(right)) plan.hole = right;
      ++right;
    }
    if (plan.hole == entry.slots && left > 0) {
      --left;
      if (entry.is_empty(left)) plan.hole = left;
    }
  }
  if (plan.hole < entry.slots) widen(plan.hole);
  return plan;
}

// Shifts the entries between the hole and the entry's place, and writes the entry. It starts at the
// hole, so no entry is ever absent from the table: each is in two slots for a moment.
template <class Entry>
__device__ inline void shift_and_put(const Entry& entry, const Plan& plan) {
  std::uint32_t slot = plan.hole;
  if (slot >= plan.spot.at) {
    for (; slot > plan.spot.at; --slot) entry.move(slot, slot - 1);
  } else {
    for (; slot + 1 < plan.spot.at; ++slot) entry.move(slot, slot + 1);
  }
  entry.put(slot);
}

inline constexpr std::uint32_t lock_free = ~std::uint32_t{0};
inline constexpr std::uint32_t lock_taken = 0;

enum class Outcome { put, was_there, no_room };

// Inserts an entry if it is absent; lanes that are not `active` have none. Called by all lanes of a
// full warp.
//
// The first plan is made without locks and may be outdated at once. It serves to find the range to
// lock, or that the entry is present, which stays true. Under the locks the plan is made again. If
// it depends on no slots beyond them, no other thread can invalidate it, because every thread that
// writes there needs one of the locks. Otherwise the locks are released and wider ones taken. That
// happens only after another insert, so some thread always makes progress.
//
// A lane that fails to get its next lock keeps those that it has. A lane of its own warp may hold
// the lock it waits for, and without independent thread scheduling gets no turn while this one
// spins. There is one loop for all lanes, in which each lane tries once, and does its work in the
// turn in which it gets the last of its locks. The vote keeps the lanes together turn by turn.
template <class Entry>
__device__ inline Outcome insert_ordered(const Entry& entry, bool active) {
  Outcome outcome = Outcome::no_room;
  bool done = !active;
  bool planned = false;
  std::uint32_t first = 0;  // locks
  std::uint32_t last = 0;
  std::uint32_t next = 0;  // all locks from first up to it are held
  for (Spin spin; warp::any(warp::all_lanes(), !done);) {
    if (!done && !planned) {
      const Plan plan = make_plan(entry);
      planned = true;
      first = next = plan.first / slots_a_lock;
      last = plan.last / slots_a_lock;
      if (plan.spot.held == Holds::same) {
        outcome = Outcome::was_there;
        done = true;
      }
    }
    if (!done) {
      while (next <= last && atomicCAS(&entry.locks[next], lock_free, lock_taken) == lock_free)
        ++next;
      if (next <= last) {
        // A lane that holds nothing looks again: another thread may have inserted its entry.
        // Otherwise thousands of equal entries would pass through the lock one by one.
        if (next == first) planned = false;
        spin.back_off();
      } else {
        __threadfence();  // acquire: what the locks' last holders wrote
        const Plan plan = make_plan(entry);
        planned = plan.first / slots_a_lock >= first && plan.last / slots_a_lock <= last;
        if (plan.spot.held == Holds::same) {
          outcome = Outcome::was_there;
          done = true;
        } else if (planned) {
          if (plan.hole < entry.slots) {
            shift_and_put(entry, plan);
            outcome = Outcome::put;
          }
          done = true;
        }
        for (std::uint32_t lock = first; lock <= last; ++lock)
          store_release(&entry.locks[lock], lock_free);
      }
    }
  }
  return outcome;
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
