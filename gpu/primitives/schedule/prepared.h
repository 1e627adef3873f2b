// A scheduler on the laboratory's trees, prepared to run often: a row of the catalogue.
#pragma once

#include <algorithm>
#include <memory>

#include "gpu/primitives/schedule/host_loop.h"
#include "gpu/primitives/schedule/queues.h"
#include "gpu/primitives/schedule/trees.h"
#include "gpu/runtime/prepared.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// `schedule(run)` is the scheduler.
template <bool large, class Schedule>
class OnTrees final : public Prepared {
 public:
  OnTrees(Stream& stream, const ScheduleArgs& args, Schedule schedule)
      : stream_(stream),
        args_(args),
        trees_{args.keys, args.n, args.trees, args.shape, args.sums, args.counts},
        schedule_(schedule),
        memory_(stream.device()),
        host_(stream.device()) {
    std::copy_n(args.capacity, schedule_kinds, settings_.capacity);
    settings_.stack = args.stack;
    // No more blocks than there may be batches: a block with few items is soon idle.
    constexpr std::uint32_t few = 64;
    settings_.most_blocks = std::max(ceil_div(args.n, few), 1U);
    settings_.status = args.status;
    settings_.report = args.report;
    Scratch measure;
    schedule_(Run{stream_, trees_, args_.trees, settings_, measure, &host_});
    memory_.reserve(measure.used());
  }

  void run() override {
    settings_.trace = args_.trace ? *args_.trace : ScheduleTrace{};
    if (settings_.trace.count) stream_.fill(settings_.trace.count, 0, sizeof(std::uint32_t));
    if (settings_.report) *settings_.report = {};
    stream_.fill(args_.sums, 0, schedule_sums * sizeof *args_.sums);
    stream_.fill(args_.counts, 0, schedule_sums * sizeof *args_.counts);
    Scratch scratch = memory_.scratch();
    schedule_(Run{stream_, trees_, args_.trees, settings_, scratch, &host_});
  }
  void spoil(std::uint8_t byte) override { memory_.fill(stream_, byte); }

 private:
  Stream& stream_;
  ScheduleArgs args_;
  Trees<large> trees_;
  Schedule schedule_;
  ScheduleSettings settings_;
  ScratchMemory memory_;
  HostLoop host_;
};

template <class Schedule>
std::unique_ptr<Prepared> prepare(Stream& stream, const ScheduleArgs& args, Schedule schedule) {
  if (args.large) return std::make_unique<OnTrees<true, Schedule>>(stream, args, schedule);
  return std::make_unique<OnTrees<false, Schedule>>(stream, args, schedule);
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
