// The CPU device in a build that records what the kernels do, access by access, and whose schedule
// makes something happen: up to 16 blocks are resident and take turns, and lanes of a warp advance
// one access at a time. docs/recordings.md describes it.
//
// It lies in a module that is loaded at run time. Results are those of the CPU device; tiles are
// small (gpu/runtime/tile_extent.h) and times mean nothing. Everything runs on one OS thread; equal
// options give equal runs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/region.h"

namespace warpview {

struct FaultArgs;

// The default interleaving: the seed chooses the block, warp and lanes that go on after one in this
// many accesses of global memory.
inline constexpr unsigned usual_interleave = 8;

// Opens it. `interleave` N: the seed chooses what goes on after one in N accesses of global memory;
// 0: blocks run whole, one after another, and lanes run until they meet. `options.workers` is
// the number of resident blocks, 16 at most; 0: 16. All such devices share one recorder: use one at
// a time. UnavailableError with the reason if the module is missing.
std::unique_ptr<Device> open_recorded_device(const CpuOptions& options = {},
                                             unsigned interleave = usual_interleave);

// Records what is done on the recorded device between the two calls. `regions` names its arrays;
// memory that none of them describes is named by the order in which it was used. Places have no
// lines of the sources yet, except where the executor knows them. The question (primitive, variant,
// seeds) is left to the caller.
//
// `blocks`: of other blocks no event is recorded. What they change in device memory is recorded as
// EventKind::others. The schedule is the same.
//
// A kernel that makes more events than a recording holds ends with an Error, and so does
// take_recording(); why_recording_is_full() then says why.
void begin_recording(const BlockRanges& blocks = {});
Recording take_recording(const std::vector<Region>& regions);
// Instead of the latter, where the run has failed.
void abandon_recording();
// "more than 1 000 000 events": why a recording does not hold the run so far. Empty if it does.
std::string why_recording_is_full();

// Queues a kernel that is wrong on purpose, or its right twin (gpu/faults/kernels/launch.h), on a
// stream of such a device.
void launch_recorded_fault(Stream& stream, unsigned form, const FaultArgs& args);

// The interface of the module, and its one symbol that is looked up.
struct RecordedModule {
  std::unique_ptr<Device> (*open_device)(const CpuOptions& options, unsigned interleave);
  void (*begin)(const BlockRanges& blocks);
  Recording (*take)(const std::vector<Region>& regions);
  void (*abandon)();
  const char* (*why_full)();  // null: it is not
  // Its interruption points (gpu/runtime/cpu/interruption.h) are the program's from then on.
  void (*forward_interruption_points)(void (*to)());
  void (*launch_fault)(Stream& stream, unsigned form, const FaultArgs& args);
};

}  // namespace warpview
