#include "gpu/recording/instructions.h"

#include <algorithm>
#include <bit>
#include <set>

namespace warpview {
namespace {

constexpr unsigned widest_access = 16;
constexpr unsigned sector_bytes = 32;

// All counts, in one order.
constexpr std::uint32_t StepCounts::*all_counts[] = {
    &StepCounts::global_reads,    &StepCounts::global_writes, &StepCounts::sectors,
    &StepCounts::shared_accesses, &StepCounts::bank_turns,    &StepCounts::conflicts,
    &StepCounts::atomics,         &StepCounts::barriers,      &StepCounts::collectives,
    &StepCounts::divergent,       &StepCounts::back_offs};

// An access of a lane, all of its pieces together.
struct WholeAccess {
  const RecordedEvent* event;
  unsigned bytes;
};

std::vector<WholeAccess> whole_accesses(std::span<const RecordedEvent> step) {
  std::vector<WholeAccess> all;
  for (const RecordedEvent& event : step) {
    if (!is_access(event.kind)) continue;
    if (event.continues && !all.empty() && all.back().event->thread == event.thread &&
        all.back().event->kind == event.kind)
      all.back().bytes += event.bytes;
    else
      all.push_back({&event, event.bytes});
  }
  return all;
}

}  // namespace

std::vector<WarpInstruction> instructions_of(const Recording& recording,
                                             std::span<const RecordedEvent> step) {
  std::vector<WarpInstruction> instructions;
  std::vector<std::size_t> places;  // by instruction: the how manieth access of its lanes it is
  std::uint32_t lane = 0;
  std::size_t nth = 0;
  for (const WholeAccess& access : whole_accesses(step)) {
    const RecordedEvent& event = *access.event;
    if (event.thread != lane) nth = 0;
    lane = event.thread;
    const ArrayKind memory = recording.arrays[event.subject].kind;
    const bool is_one = access.bytes <= widest_access && std::has_single_bit(access.bytes);
    const unsigned one = is_one ? access.bytes : bank_bytes;
    for (unsigned at = 0; at < access.bytes; at += one, ++nth) {
      const unsigned bytes = std::min(one, access.bytes - at);
      std::size_t i = 0;
      while (i < instructions.size() &&
             !(places[i] == nth && instructions[i].kind == event.kind &&
               instructions[i].memory == memory && instructions[i].bytes == bytes))
        ++i;
      if (i == instructions.size()) {
        instructions.push_back({.kind = event.kind, .memory = memory, .bytes = bytes, .lanes = {}});
        places.push_back(nth);
      }
      instructions[i].lanes.push_back({event.thread % recording.warp_size,
                                       (std::uint64_t{event.subject} << 32U) + event.offset + at});
    }
  }
  for (WarpInstruction& instruction : instructions)
    std::stable_sort(instruction.lanes.begin(), instruction.lanes.end(),
                     [](const LaneAccess& a, const LaneAccess& b) { return a.lane < b.lane; });
  return instructions;
}

BankCost bank_cost(std::span<const WarpInstruction> instructions, unsigned banks) {
  BankCost sum;
  for (const WarpInstruction& each : instructions) {
    if (each.memory != ArrayKind::shared) continue;
    const BankCost cost = serve_from_banks(each.lanes, each.bytes, is_atomic(each.kind), banks,
                                           [](const ServedWord&) {});
    sum.turns += cost.turns;
    sum.degree = std::max(sum.degree, cost.degree);
  }
  return sum;
}

std::size_t sectors_of(const WarpInstruction& instruction) {
  std::set<std::uint64_t> sectors;
  for (const LaneAccess& access : instruction.lanes)
    for (std::uint64_t sector = access.address / sector_bytes;
         sector <= (access.address + instruction.bytes - 1) / sector_bytes; ++sector)
      sectors.insert(sector);
  return sectors.size();
}

StepCounts& StepCounts::operator+=(const StepCounts& other) {
  for (const auto count : all_counts) this->*count += other.*count;
  return *this;
}

StepCounts StepCounts::operator-(const StepCounts& other) const {
  StepCounts difference = *this;
  for (const auto count : all_counts) difference.*count -= other.*count;
  return difference;
}

StepCounts counts_of(const Recording& recording, std::span<const RecordedEvent> step) {
  StepCounts counts;
  for (const WarpInstruction& each : instructions_of(recording, step)) {
    if (is_atomic(each.kind)) counts.atomics += static_cast<std::uint32_t>(each.lanes.size());
    if (each.memory == ArrayKind::shared) {
      const BankCost cost = bank_cost(std::span(&each, 1));
      ++counts.shared_accesses;
      counts.bank_turns += static_cast<std::uint32_t>(cost.turns);
      counts.conflicts += cost.degree > 1 ? 1 : 0;
    } else {
      ++(is_read(each.kind) ? counts.global_reads : counts.global_writes);
      counts.sectors += static_cast<std::uint32_t>(sectors_of(each));
    }
  }
  for (const RecordedEvent& event : step) {
    counts.barriers += event.kind == EventKind::barrier ? 1 : 0;
    counts.collectives += is_collective(event.kind) && event.kind != EventKind::active ? 1 : 0;
    counts.divergent += event.kind == EventKind::step && event.value != event.other ? 1 : 0;
    counts.back_offs += event.kind == EventKind::back_off ? 1 : 0;
  }
  return counts;
}

}  // namespace warpview
