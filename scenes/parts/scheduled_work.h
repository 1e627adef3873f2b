// What a scene keeps for a stage that runs an application by a chosen scheduler: queues,
// which may turn out too small, and how the last run went.
//
// The amount of spawned work is unknown in advance. What a queue refused is counted, and read back
// with the frame: where lacks_room(), the scene calls grow() and draws again.
//
//   constructor:   work_.emplace(timeline(), shape, first_capacities(n));
//   load():        work_->clear(stream);
//   before a run:  work_->reserve();   // if a try to grow failed, the scratch is not there
//   the stage:     if (!run.measuring()) work_->begin_run();
//                  args.settings = work_->settings(scheduler_of(run.variant));
//                  args.host = &work_->host();
//   after it:      work_->has_run(true);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/primitives/schedule/host_loop.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/buffer.h"
#include "gpu/timeline/timeline.h"
#include "scenes/scene.h"

namespace warpview {

// The scheduler of a row of the catalogue's `schedule`.
Scheduler scheduler_of(const Variant& variant);

class ScheduledWork {
 public:
  // A procedure of the application.
  struct Procedure {
    std::uint32_t levels = 1;  // of priority, a queue each
    std::uint32_t item_bytes = 0;
    std::uint32_t capacity = 0;  // of each queue to begin with; as ScheduleSettings has it
  };
  // What messages call it.
  struct Words {
    const char* what;    // "a picture of these patches"
    const char* remedy;  // "Choose larger micropolygons, or another scheduler"
  };

  // The timeline must outlive it.
  ScheduledWork(Timeline& timeline, Words words, std::vector<Procedure> procedures);

  // Device memory of such queues, for estimates before there is a scene.
  static std::uint64_t queue_bytes(const std::vector<Procedure>& procedures);
  // A capacity for so many items, within what queues may have.
  static std::uint32_t capacity_for(std::uint64_t items);

  // Settings of a run by this scheduler: queues, stacks, places of the status and the report.
  ScheduleSettings settings(Scheduler scheduler);
  HostLoop& host() { return host_; }

  void clear(Stream& stream) { stream.fill(status_.data(), 0, status_.bytes()); }
  void begin_run() { report_ = {}; }
  // Did the last frame run the work, so that the status will say how the queues did as they are?
  void has_run(bool has) { has_run_ = has; }
  // Allocates the timeline's scratch where the last grow() could not.
  void reserve();

  // As of the last collect().
  const ScheduleStatus& status() const { return *read_status_; }
  bool lacks_room() const;
  // Larger queues, or stacks, after a run that was refused some items; the timeline's graphs are
  // forgotten. Error where they cannot be had; then the queues are as they were.
  void grow(Scheduler scheduler);

  // GROUP.refused, .repeats, .launches, .waits and .failed_takes.
  void append_facts(const std::string& group, std::vector<Fact>& facts) const;

 private:
  Timeline& timeline_;
  Words words_;
  std::vector<Procedure> procedures_;
  std::uint32_t stack_;
  Buffer<ScheduleStatus> status_;
  ReadBack<ScheduleStatus> read_status_;
  HostLoop host_;
  ScheduleReport report_;
  bool has_run_ = false;
  bool has_scratch_ = true;
  std::uint64_t repeats_ = 0;
};

}  // namespace warpview
