// The settings and the results of a scheduler, for all applications.
#pragma once

#include <cstdint>

namespace warpview {

// The most procedures of an application.
inline constexpr unsigned most_procedures = 8;

// How dynamically generated work reaches the device. Each is a header of this folder.
enum class Scheduler : std::uint32_t {
  run_to_completion,
  kernel_by_kernel,
  time_sliced,
  persistent,
  megakernel,
  megakernel_local,
  dynamic,     // these three launch kernels from kernels: on cuda only,
  hybrid,      // and in separate kernel files
  hybrid_mega  // (gpu/primitives/schedule/from_kernels.h)
};
// By Scheduler; the rows of the catalogue have the same names.
inline constexpr const char* scheduler_names[] = {
    "run_to_completion", "kernel_by_kernel", "time_sliced", "persistent", "megakernel",
    "megakernel_local",  "dynamic",          "hybrid",      "hybrid_mega"};
// Whether its kernels launch kernels.
constexpr bool launches_from_kernels(Scheduler scheduler) {
  return scheduler >= Scheduler::dynamic;
}
// Whether the host reads the queues in between. Then it waits for its stream, and the work cannot
// be captured into a graph.
constexpr bool host_looks(Scheduler scheduler) {
  return scheduler != Scheduler::run_to_completion && scheduler != Scheduler::megakernel &&
         scheduler != Scheduler::megakernel_local;
}

// The outcome of a run: in device memory, overwritten by each run.
struct ScheduleStatus {
  std::uint32_t executed[most_procedures];  // items, by procedure
  // Refused items, by procedure. They are lost, with all items that they would have spawned: if any
  // count is not 0 the result is incomplete, and the queue, or the stack, should be larger.
  std::uint32_t refused[most_procedures];
  std::uint32_t failed_takes;  // how often a block tried all queues and found nothing
  std::uint32_t launches;      // of kernels, by kernels
  std::uint32_t launch_error;  // the code of the last refused launch by a kernel; 0: none
};

// A stretch of time in which a block was busy with one batch, by the device's clock: from the look
// at the queues that found the batch to the end of the next look.
struct BusyStretch {
  std::uint64_t begin;  // nanoseconds
  std::uint32_t nanoseconds;
  std::uint8_t kernel;     // the procedure's index; most_procedures: a kernel for several
  std::uint8_t procedure;  // that executed the batch; most_procedures: items of the input spawned
  std::uint16_t items;     // of the batch
  // Items that were left in all queues of the procedure when the block had taken the batch; 0 by
  // run_to_completion, which has no queues. Items that a block keeps for itself are in none.
  std::uint32_t queued;
  std::uint32_t block;  // its index in the grid of its launch
};
// Where stretches are recorded, in device memory; nowhere if `stretches` is null.
struct ScheduleTrace {
  BusyStretch* stretches = nullptr;
  std::uint32_t* count = nullptr;  // starts at 0; may exceed the room
  std::uint32_t room = 0;
};

// What the host did, in host memory.
struct ScheduleReport {
  std::uint32_t launches = 0;          // of kernels, by the host
  std::uint32_t synchronisations = 0;  // how often it waited before it could continue
  // By kernel, as in BusyStretch: the most resident blocks. 0: it was not launched.
  std::uint32_t places[most_procedures + 1] = {};
};

struct ScheduleSettings {
  // The most items that a queue of each procedure holds: each level of priority, if it has several.
  // Powers of two, 256 to 2^30.
  std::uint32_t capacity[most_procedures] = {};
  // run_to_completion, which has no queues: the most unexecuted items of each procedure per block.
  // It executes the last ones first, one batch at a time, so each level of the work adds the
  // children of a batch, less the batch.
  std::uint32_t stack = 1U << 11U;
  // The most blocks of a kernel that takes from queues; 0: as many as are resident.
  std::uint32_t most_blocks = 0;
  ScheduleStatus* status = nullptr;
  ScheduleTrace trace{};
  ScheduleReport* report = nullptr;  // may be null
};

}  // namespace warpview
