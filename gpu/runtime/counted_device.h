// The CPU device in a build that counts what the kernels do: bank conflicts, memory transactions,
// atomics, barriers, applications of operators, divergent branches. docs/counters.md says how, and
// what the counts cannot show.
//
// It lies in a module that is loaded at run time, because each access to memory calls a function
// there. Results are those of the CPU device; times mean nothing. Every launch's blocks take turns
// on one OS thread, in order, so the counts are the same in every run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/runtime/cpu/cpu_device.h"

namespace warpview {

// What a block did between two points at which lanes meet: a barrier, or a collective of all lanes
// of a warp. Each warp counts its own collectives since the last barrier, so their steps stand side
// by side.
struct CountedStep {
  unsigned worst_degree = 0;  // of bank conflicts; 1: none, 0: shared memory was not touched
  std::uint64_t shared_accesses = 0;      // instructions of a warp
  std::uint64_t shared_transactions = 0;  // transactions they took
  std::uint64_t global_sectors = 0;
  unsigned operators = 0;  // sequential ones: most by one lane
  bool operator==(const CountedStep&) const = default;
};

// Sums over all launches of a kernel. An instruction of a warp is what its lanes do at one place of
// the program, each lane its n-th time there since they last met.
struct KernelCounters {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;

  std::uint64_t shared_accesses = 0;      // instructions of a warp on shared memory
  std::uint64_t shared_transactions = 0;  // transactions they took: 1 per group of lanes without
                                          // conflict
  unsigned worst_degree = 0;              // of bank conflicts: transactions of one group of lanes

  std::uint64_t global_accesses = 0;       // instructions of a warp on global memory
  std::uint64_t global_sectors = 0;        // of 32 bytes that they touched
  std::uint64_t global_sectors_least = 0;  // sectors that could hold the requested bytes

  std::uint64_t atomics = 0;        // read-modify-writes, of lanes
  std::uint64_t atomic_rounds = 0;  // turns they took: lanes of a warp on one word take turns

  std::uint64_t barriers = 0;            // of blocks
  std::uint64_t collectives = 0;         // of warps: shuffles, ballots, matches, syncs
  std::uint64_t operators = 0;           // applications of the operator of a scan: its work
  std::uint64_t depth = 0;               // sequential ones: steps added up, blocks side by side
  std::uint64_t divergent_branches = 0;  // branches at which lanes of a warp diverged

  std::vector<CountedStep> steps;  // of the first block of the first launch, at most 64

  // Sectors that an instruction touched, on average.
  double sectors_each() const {
    return global_accesses > 0
               ? static_cast<double>(global_sectors) / static_cast<double>(global_accesses)
               : 0.0;
  }
  // The share of the bytes moved by global memory that was requested.
  double coalescing() const {
    return global_sectors > 0
               ? static_cast<double>(global_sectors_least) / static_cast<double>(global_sectors)
               : 1.0;
  }
  bool operator==(const KernelCounters&) const = default;
};

// Opens it, with shared memory in 16 or 32 banks of 4 bytes. `options.workers` is ignored. All such
// devices share one set of counts: use one at a time; the last one opened says how many banks there
// are. UnavailableError with the reason if the module is missing.
std::unique_ptr<Device> open_counted_device(const CpuOptions& options = {}, unsigned banks = 32);

// The counts since the last call, by kernel, in the order of their first launches. Empty if nothing
// was launched, or only host work.
std::vector<KernelCounters> take_counters();

// The interface of the module, and its one symbol that is looked up.
struct CountedModule {
  std::unique_ptr<Device> (*open_device)(const CpuOptions& options, unsigned banks);
  std::vector<KernelCounters> (*take_counters)();
  // Its interruption points (gpu/runtime/cpu/interruption.h) are the program's from then on.
  void (*forward_interruption_points)(void (*to)());
};

}  // namespace warpview
