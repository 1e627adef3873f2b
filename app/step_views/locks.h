// The locks of a recording: when each lane waits for a lock and when it holds one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views {

// What protects shared data in a primitive.
struct LockKind {
  enum class Word : std::uint8_t {
    whole,    // an exchange of a word from 0 to 1 acquires it, a store of 0 releases it
    bit,      // one bit of a word, by atomic or and and
    no_lock,  // single atomics: a lane is `inside` from its first to its last one
  };
  Word word = Word::whole;
  std::uint32_t array = 0;   // of the lock words
  std::uint32_t stride = 4;  // bytes from lock word to lock word; it is the first word of each
  // With no_lock: the byte of an element that the last atomic accesses.
  std::uint32_t last_offset = 0;
  // One lane acquires a lock for its whole warp; the other lanes then stop searching.
  bool is_for_warp = false;
  bool nests = false;  // a lane acquires several, and releases each of them itself
  std::optional<std::uint32_t> guarded{};  // the array that the locks protect
};
// The locks of primitives lock, pool and queue (locked), and of the faults with locks; none where
// their arrays are not as those kernels have them, or where no lane ever acquires a lock.
std::optional<LockKind> lock_kind(const Recording& recording);

enum class LockPhase : std::uint8_t { apart, waiting, inside };

// From event `from` on the lane is in this phase. Events are counted in the whole recording.
struct LockMoment {
  std::size_t from = 0;
  LockPhase phase = LockPhase::apart;
  std::uint32_t lock = 0;
  std::optional<std::uint32_t> outer{};  // another lock, which it acquired before and still holds
};

struct LockLane {
  std::uint32_t block = 0, thread = 0;
  std::vector<LockMoment> moments;
  std::vector<std::size_t> failures;  // attempts that found the lock taken
  std::vector<std::size_t> sleeps;    // back-offs

  // The phase before event `limit`.
  LockMoment at(std::size_t limit) const;
  // The number of these events from `from` on and before `limit`.
  static std::size_t count(const std::vector<std::size_t>& events, std::size_t from,
                           std::size_t limit);
};

// The locks of one launch.
struct LockedLaunch {
  std::size_t begin = 0, end = 0;  // its events
  std::vector<LockLane> lanes;     // that ever try to acquire a lock, by block and thread
  // By the largest number of lanes that wait at once, then by the number of acquisitions.
  std::vector<std::uint32_t> locks;
  std::map<std::uint32_t, std::uint32_t> most_waiting;  // lanes at once, of each lock in use
};
// By launch.
std::vector<LockedLaunch> find_locked_launches(const Recording& recording, const LockKind& kind);

}  // namespace warpview::step_views
