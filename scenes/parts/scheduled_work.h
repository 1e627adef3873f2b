// What a scene keeps for a stage that runs an application by a chosen scheduler: queues,
// which may turn out too small, and how the last run went.
//
// The amount of spawned work is unknown in advance. What a queue refused is counted, and read back
// with the frame: where lacks_room(), the scene calls grow() and draws again.
//
//   constructor:   work_.emplace(timeline(), shape, first_capacities(n));
//   load():        work_->clear(stream);
//   the stage:     draw_ = work_->add_stage<Step::draw_reyes>(name, title, args, work);
//   before a run:  work_->reserve();   // if a try to grow failed, the scratch is not there
//   after it:      work_->has_run(true);
//   in a plan:     .is_traced = work_->trace(controls())   // by timeline_control
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/primitives/schedule/blocks_at_work.h"
#include "gpu/primitives/schedule/host_loop.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/buffer.h"
#include "gpu/timeline/timeline.h"
#include "scenes/scene.h"

namespace warpview {

// Records when blocks are busy, for ScheduledWork::trace().
inline constexpr Control timeline_control{
    .name = "timeline",
    .title = "Block timeline",
    .tooltip =
        "Records which procedure each block executes when, and shows it in the Timings panel "
        "under Blocks. Recording adds to the stage's time.",
    .kind = Control::Kind::toggle,
    .effect = Effect::plan,
    .group = "Schedule"};

class ScheduledWork {
 public:
  // A procedure of the application.
  struct Procedure {
    const char* title = "";
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

  // Adds the stage that does the work, a step of this name, by the scheduler that is chosen for it.
  // `args` gives its arguments but for scheduler, settings and host.
  template <Step step, class GiveArgs>
  StageId add_stage(const char* name, const char* title, const char* about, GiveArgs args,
                    const std::function<StageWork()>& work) {
    return stage_ = timeline_.add({.name = name,
                                   .title = title,
                                   .about = about,
                                   .primitive = Primitive::schedule,
                                   .queue =
                                       [this, args](const StageRun& run) {
                                         const bool traces = is_traced_ && !run.measuring();
                                         if (!run.measuring()) report_ = {};
                                         if (traces) trace_->begin(run.stream());
                                         auto all = args();
                                         all.scheduler = scheduler();
                                         all.settings = settings();
                                         all.host = &host_;
                                         run.run<step>(all);
                                         if (traces) trace_->read(run.stream());
                                       },
                                   .work = work,
                                   .waits = [this] { return host_looks(scheduler()); }});
  }

  void clear(Stream& stream) { stream.fill(status_.data(), 0, status_.bytes()); }
  // Did the last frame run the work, so that the status will say how the queues did as they are?
  void has_run(bool has) { has_run_ = has; }
  // Allocates the timeline's scratch where the last grow() could not.
  void reserve();

  // As of the last collect().
  const ScheduleStatus& status() const { return *read_status_; }
  bool lacks_room() const;
  // Larger queues, or stacks, after a run that was refused some items; the timeline's graphs are
  // forgotten. Error where they cannot be had; then the queues are as they were.
  void grow();

  // Has later runs of the stage record their stretches, or no more, as timeline_control says.
  // Returns whether they do, for the scene's plan. Error where there is no memory for it.
  bool trace(const Controls& controls);
  // The stretches of the last run, as of the last collect(). None: they are not recorded.
  std::optional<BlocksAtWork> blocks_at_work() const;

  // GROUP.refused, .repeats, .launches, .waits and .failed_takes.
  void append_facts(const std::string& group, std::vector<Fact>& facts) const;

 private:
  Scheduler scheduler() const;
  // Settings of a run: queues, stacks, places of the status and the report.
  ScheduleSettings settings();
  // Where stretches are recorded, and where they are read back. It stays once it is there, since
  // graphs name it.
  class Trace {
   public:
    static constexpr std::uint32_t room = 1U << 14U;  // stretches

    explicit Trace(Device& device);
    Trace(const Trace&) = delete;
    Trace& operator=(const Trace&) = delete;
    ~Trace() { device_.release_pinned(pinned_); }

    ScheduleTrace on_device() { return {stretches_.data(), count_.data(), room}; }
    // Queue what a recorded run begins and ends with.
    void begin(Stream& stream);
    void read(Stream& stream);
    std::uint32_t count() const;  // of all stretches of the run
    std::span<const BusyStretch> stretches() const;

   private:
    Device& device_;
    Buffer<BusyStretch> stretches_;
    Buffer<std::uint32_t> count_;
    std::byte* pinned_;  // the stretches, and behind them the count
  };

  Timeline& timeline_;
  StageId stage_{};
  Words words_;
  std::vector<Procedure> procedures_;
  std::uint32_t stack_;
  Buffer<ScheduleStatus> status_;
  ReadBack<ScheduleStatus> read_status_;
  HostLoop host_;
  ScheduleReport report_;
  std::unique_ptr<Trace> trace_;
  bool is_traced_ = false;
  bool has_run_ = false;
  bool has_scratch_ = true;
  std::uint64_t repeats_ = 0;
};

}  // namespace warpview
