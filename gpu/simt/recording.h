// What the CPU device's recorded build adds to its executor: blocks that take turns on one OS
// thread, lanes that advance one access at a time, and hooks for the recorder. Nothing in other
// builds. gpu/simt/recorded/ defines it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/simt/executor.h"

namespace warpview::simt {

struct Job;
struct LaneState;
struct Warp;
class Worker;

namespace recording {

#if defined(WARPVIEW_RECORDED)

inline constexpr bool on = true;

// Device memory is about to be written by the host, or was: see HostWrite.
enum class HostWork : std::uint8_t { fill, copy, upload, code };

// Blocks that are resident at a time, at most: 1 where lanes do not advance access by access.
unsigned resident_blocks(const Options& options);
// Runs the blocks of the launch to their end, on this OS thread.
void run_in_turns(Job& job);

// All live lanes of a block have met at the barrier; `votes` of them passed true.
void barrier(Where where, unsigned votes);
// The lanes of the mask have their answers, and none has gone on.
void collective(const LaneState* lanes, const Warp& warp, LaneMask mask, CollectiveCall call,
                const char* file);
// These lanes of the warp go on together from a warp::active.
void active(const LaneState& first, LaneMask group);

// While it lives the host writes `bytes` bytes at `to`; with no address, any device memory.
class HostWrite {
 public:
  HostWrite(HostWork work, const void* to, std::size_t bytes);
  ~HostWrite();
  HostWrite(const HostWrite&) = delete;
  HostWrite& operator=(const HostWrite&) = delete;

 private:
  HostWork work_;
  const void* to_;
  std::size_t bytes_;
};

#else

inline constexpr bool on = false;
enum class HostWork : std::uint8_t { fill, copy, upload, code };
inline unsigned resident_blocks(const Options&) { return 1; }
inline void run_in_turns(Job&) {}
inline void barrier(Where, unsigned) {}
inline void collective(const LaneState*, const Warp&, LaneMask, CollectiveCall, const char*) {}
inline void active(const LaneState&, LaneMask) {}
struct HostWrite {
  HostWrite(HostWork, const void*, std::size_t) {}
};

#endif

}  // namespace recording
}  // namespace warpview::simt
