#include "scenes/parts/scheduled_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

#include "gpu/catalogue.h"

namespace warpview {
namespace {

constexpr std::uint32_t first_stack = 1U << 11U;
constexpr std::uint32_t fewest_places = 256;
constexpr std::uint32_t most_places = 1U << 30U;

}  // namespace

ScheduledWork::ScheduledWork(Timeline& timeline, Words words, std::vector<Procedure> procedures)
    : timeline_(timeline),
      words_(words),
      procedures_(std::move(procedures)),
      stack_(first_stack),
      status_(timeline.device(), 1),
      read_status_(timeline.read_back(status_.data())),
      host_(timeline.device()) {}

std::uint64_t ScheduledWork::queue_bytes(const std::vector<Procedure>& procedures) {
  std::uint64_t sum = 0;
  for (const Procedure& procedure : procedures)
    sum += std::uint64_t{procedure.capacity} * procedure.levels *
           (procedure.item_bytes + sizeof(std::uint32_t));
  return sum;
}

std::uint32_t ScheduledWork::capacity_for(std::uint64_t items) {
  constexpr std::uint64_t fewest = fewest_places;
  constexpr std::uint64_t most = most_places;
  return static_cast<std::uint32_t>(std::bit_ceil(std::clamp(items, fewest, most)));
}

Scheduler ScheduledWork::scheduler() const {
  const auto* const found = std::find(std::begin(scheduler_names), std::end(scheduler_names),
                                      std::string_view(timeline_.variant(stage_).name));
  return static_cast<Scheduler>(found - std::begin(scheduler_names));
}

ScheduleSettings ScheduledWork::settings() {
  ScheduleSettings settings;
  for (std::size_t i = 0; i < procedures_.size(); ++i)
    settings.capacity[i] = procedures_[i].capacity;
  settings.stack = stack_;
  if (scheduler() == Scheduler::run_to_completion) {
    // Stacks may be long, since all work that an item spawns goes onto one: so many blocks as they
    // fit for.
    constexpr std::uint64_t most_bytes = 512U << 20U;
    std::uint64_t of_block = 0;
    for (const Procedure& procedure : procedures_)
      of_block += std::uint64_t{stack_} * procedure.item_bytes;
    settings.most_blocks =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(most_bytes / of_block, 1));
  }
  settings.status = status_.data();
  settings.report = &report_;
  if (is_traced_) settings.trace = trace_->on_device();
  return settings;
}

void ScheduledWork::reserve() {
  if (!has_scratch_) timeline_.reserve_scratch();
  has_scratch_ = true;
}

bool ScheduledWork::lacks_room() const {
  const auto& refused = status().refused;
  return has_run_ && std::any_of(refused, refused + procedures_.size(),
                                 [](std::uint32_t count) { return count > 0; });
}

void ScheduledWork::grow() {
  const std::vector<Procedure> procedures = procedures_;
  const std::uint32_t stack = stack_;
  const auto larger = [this](std::uint32_t now, std::uint64_t refused) {
    const std::uint64_t wanted = std::max(2 * std::uint64_t{now}, now + refused);
    if (wanted > most_places)
      throw Error(words_.what, fmt::format("it takes queues of {} items", wanted), words_.remedy);
    return std::bit_ceil(static_cast<std::uint32_t>(wanted));
  };
  const auto& refused = status().refused;
  const std::uint32_t most_refused = *std::max_element(refused, refused + procedures_.size());
  timeline_.forget_graphs();
  try {
    if (scheduler() == Scheduler::run_to_completion)
      stack_ = larger(stack_, 0);
    else
      for (std::size_t i = 0; i < procedures_.size(); ++i)
        if (refused[i] > 0)
          procedures_[i].capacity =
              larger(procedures_[i].capacity, refused[i] / procedures_[i].levels);
    timeline_.reserve_scratch();
  } catch (const Error& error) {
    procedures_ = procedures;
    stack_ = stack;
    has_run_ = false;
    has_scratch_ = false;
    throw Error(
        words_.what,
        fmt::format(
            "its queues are too small for {} items, and larger queues cannot be allocated: {}",
            most_refused, error.what()),
        words_.remedy);
  }
  has_run_ = false;
  ++repeats_;
}

// ---- Stretches ----------------------------------------------------------------------------------

ScheduledWork::Trace::Trace(Device& device)
    : device_(device),
      stretches_(device, room),
      count_(device, 1),
      pinned_(static_cast<std::byte*>(
          device.allocate_pinned(room * sizeof(BusyStretch) + sizeof(std::uint32_t)))) {
  std::memset(pinned_, 0, room * sizeof(BusyStretch) + sizeof(std::uint32_t));
}

void ScheduledWork::Trace::begin(Stream& stream) { stream.fill(count_.data(), 0, count_.bytes()); }

void ScheduledWork::Trace::read(Stream& stream) {
  stream.copy(pinned_, stretches_.data(), stretches_.bytes(), Copy::device_to_host);
  stream.copy(pinned_ + stretches_.bytes(), count_.data(), count_.bytes(), Copy::device_to_host);
}

std::uint32_t ScheduledWork::Trace::count() const {
  std::uint32_t count = 0;
  std::memcpy(&count, pinned_ + stretches_.bytes(), sizeof count);
  return count;
}

std::span<const BusyStretch> ScheduledWork::Trace::stretches() const {
  return {reinterpret_cast<const BusyStretch*>(pinned_), std::min(count(), room)};
}

bool ScheduledWork::trace(const Controls& controls) {
  const bool wanted = controls.on(timeline_control.name);
  if (wanted && !trace_) trace_ = std::make_unique<Trace>(timeline_.device());
  return is_traced_ = wanted;
}

std::optional<BlocksAtWork> ScheduledWork::blocks_at_work() const {
  if (!is_traced_) return {};
  BlocksAtWork blocks{.title = timeline_.info(stage_).title,
                      .stretches = in_order(trace_->stretches()),
                      .left_out = trace_->count() - trace_->stretches().size(),
                      .has_queues = scheduler() != Scheduler::run_to_completion,
                      .report = report_};
  for (const Procedure& procedure : procedures_) blocks.procedures.emplace_back(procedure.title);
  return blocks;
}

// ---- Facts --------------------------------------------------------------------------------------

void ScheduledWork::append_facts(const std::string& group, std::vector<Fact>& facts) const {
  const auto& refused = status().refused;
  facts.push_back({.name = group + ".refused",
                   .title = "Queue overflow",
                   .value = std::accumulate(refused, refused + most_procedures, std::uint64_t{0}),
                   .tooltip = "Items of the last frame that exceeded a queue's capacity. The frame "
                              "is then computed again with larger queues."});
  facts.push_back({.name = group + ".repeats",
                   .title = "Redraws",
                   .value = repeats_,
                   .tooltip = "Frames computed again after a queue overflow, so far.",
                   .varies = true});
  facts.push_back({.name = group + ".launches",
                   .title = "Launches",
                   .value = std::uint64_t{report_.launches} + status().launches,
                   .tooltip = "Kernel launches of the last frame, by the host and by kernels.",
                   .varies = true});
  facts.push_back({.name = group + ".waits",
                   .title = "Host syncs",
                   .value = std::uint64_t{report_.synchronisations},
                   .tooltip = "Host synchronisations: how often the host waited for the device to "
                              "learn what work there is.",
                   .varies = true});
  facts.push_back({.name = group + ".failed_takes",
                   .title = "Failed takes",
                   .value = std::uint64_t{status().failed_takes},
                   .tooltip = "Takes by a block from the queues that returned nothing.",
                   .varies = true});
}

}  // namespace warpview
