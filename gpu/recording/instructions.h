// What a step of a recording costs, by the rules of the device that counts (docs/counters.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/runtime/shared_banks.h"

namespace warpview {

// An instruction of a warp: one access of each lane that takes part.
struct WarpInstruction {
  EventKind kind = EventKind::read;
  ArrayKind memory = ArrayKind::device;
  unsigned bytes = 0;  // of each lane, 1 to 16
  // By lane. An address is the offset in its array, and the array's number above 32 bits: arrays
  // begin in the first bank and at the beginning of a sector.
  std::vector<LaneAccess> lanes;

  static std::uint32_t array_of(std::uint64_t address) {
    return static_cast<std::uint32_t>(address >> 32U);
  }
};

// The accesses of a step (Playback::events_of) as instructions. A copied structure is a read and a
// write; what is wider than 16 bytes, or not a power of two wide, is accessed word by word.
std::vector<WarpInstruction> instructions_of(const Recording& recording,
                                             std::span<const RecordedEvent> step);

// Over the instructions on shared memory.
BankCost bank_cost(std::span<const WarpInstruction> instructions, unsigned banks = most_banks);

// Sectors of 32 bytes that an instruction touches.
std::size_t sectors_of(const WarpInstruction& instruction);

struct StepCounts {
  std::uint32_t global_reads = 0, global_writes = 0;  // instructions; writes: atomics, too
  std::uint32_t sectors = 0;
  std::uint32_t shared_accesses = 0;  // instructions
  std::uint32_t bank_turns = 0;
  std::uint32_t conflicts = 0;  // instructions whose lanes wait for each other at a bank
  std::uint32_t atomics = 0;    // of lanes
  std::uint32_t barriers = 0;
  std::uint32_t collectives = 0;  // of warps, without active masks
  std::uint32_t divergent = 0;    // steps without lanes of the warp that have not exited
  std::uint32_t back_offs = 0;    // of lanes

  StepCounts& operator+=(const StepCounts& other);
  StepCounts operator-(const StepCounts& other) const;
  bool operator==(const StepCounts&) const = default;
};
StepCounts counts_of(const Recording& recording, std::span<const RecordedEvent> step);

}  // namespace warpview
