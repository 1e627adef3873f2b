// What a scheduler is told, and what it tells: for all applications.
#pragma once

#include <cstdint>

namespace warpview {

// The most procedures of an application.
inline constexpr unsigned most_procedures = 8;

// How work that begets work is brought to the device. Each is a header of this folder.
enum class Scheduler : std::uint32_t {
  run_to_completion,
  kernel_by_kernel,
  time_sliced,
  persistent,
  megakernel,
  megakernel_local,
  dynamic,     // these three launch kernels from kernels: on cuda alone,
  hybrid,      // and in kernel files of their own
  hybrid_mega  // (gpu/primitives/schedule/from_kernels.h)
};
// Does the host look at the queues in between? Then it waits for its stream, and the work cannot be
// captured into a graph.
constexpr bool host_looks(Scheduler scheduler) {
  return scheduler != Scheduler::run_to_completion && scheduler != Scheduler::megakernel &&
         scheduler != Scheduler::megakernel_local;
}

// How a run went: in device memory, written anew by each run.
struct ScheduleStatus {
  std::uint32_t executed[most_procedures];  // items, by procedure
  // Items that there was no room for. They are lost, with all that they would have begotten: where
  // one is not 0 the result is not whole, and the queue, or the stack, should be larger.
  std::uint32_t refused[most_procedures];
  std::uint32_t failed_takes;  // how often a block asked all queues and found nothing
  std::uint32_t launches;      // of kernels, by kernels
  std::uint32_t
      launch_error;  // the code of the last launch by a kernel that was refused; 0: none was
};

// From when to when a block was at work, by the device's clock: a stretch between looks at the
// queues that found something.
struct BusyStretch {
  std::uint64_t begin;  // nanoseconds
  std::uint32_t nanoseconds;
  std::uint32_t kernel;  // the procedure's number; most_procedures: one that does several
};
// Where stretches are noted, in device memory; nowhere where `stretches` is null.
struct ScheduleTrace {
  BusyStretch* stretches = nullptr;
  std::uint32_t* count = nullptr;  // 0 at first; may come to more than there is room for
  std::uint32_t room = 0;
};

// What the host did: in its memory.
struct ScheduleReport {
  std::uint32_t launches = 0;          // of kernels, by the host
  std::uint32_t synchronisations = 0;  // how often it waited before it could go on
  // By kernel, as in BusyStretch: the most blocks at a time. 0: it was not launched.
  std::uint32_t places[most_procedures + 1] = {};
};

struct ScheduleSettings {
  // The most items that a queue of each procedure holds: of each level of priority, where it has
  // several. Powers of two, 256 to 2^30.
  std::uint32_t capacity[most_procedures] = {};
  // run_to_completion, which has no queues: the most items of each procedure that a block has still
  // to do. It executes the last ones first, a batch at a time: so that a batch's children, less the
  // batch, are what each level of the work adds.
  std::uint32_t stack = 1U << 11U;
  // The most blocks of a kernel that draws from queues; 0: as many as are resident at a time.
  std::uint32_t most_blocks = 0;
  ScheduleStatus* status = nullptr;
  ScheduleTrace trace{};
  ScheduleReport* report = nullptr;  // may be null
};

}  // namespace warpview
