#include "gpu/simt/counted/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>

#include "gpu/simt/counted/warp_trace.h"
#include "gpu/simt/counting.h"
#include "gpu/simt/shared_memory.h"

namespace warpview::simt {
namespace {

Address address_of(const volatile void* pointer) { return reinterpret_cast<Address>(pointer); }

struct Range {
  Address begin = 0, end = 0;
  bool holds(Address address) const { return begin <= address && address < end; }
};

constexpr unsigned widest_access = 16;  // of one instruction
constexpr std::size_t most_steps = 64;
// After this many accesses and branches a lane's warp is evaluated although its lanes have not met:
// a bound for memory. Lanes that arrive later are then counted as separate instructions.
constexpr std::size_t most_pending = 1U << 18U;

struct BlockTrace {
  std::vector<WarpTrace> warps;
  std::uint64_t depth = 0;
  std::vector<CountedStep>* steps = nullptr;  // for the block whose steps are kept
  Range shared;                               // shared memory of this OS thread
  unsigned warp_size = 32;
};

// One for the module. While a launch runs, it belongs to the OS thread whose turn it is.
struct Recorder {
  unsigned banks = 32;

  std::mutex memory_mutex;
  std::map<Address, std::size_t> memory;  // device memory: begin, bytes

  std::vector<KernelCounters> kernels;
  KernelCounters* kernel = nullptr;  // for the running launch
  std::vector<Range> global;         // device memory when it began, sorted
  std::size_t last_range = 0;        // region of the last access
  unsigned warp_size = 32;
  std::uint64_t depth = 0;
  bool first_launch = false;

  std::mutex turn_mutex;
  std::condition_variable turn_changed;
  std::vector<bool> has_turns;  // by worker
  unsigned turn = 0;
};

Recorder& recorder() {
  static Recorder instance;
  return instance;
}

thread_local constinit BlockTrace* block = nullptr;
thread_local constinit bool inside_atomic = false;

// The `__shared__` variables are thread-local variables of this module. The executor's thread-local
// variables lie among them, but instrumented code accesses none of them except `current_lane`.
Range shared_memory() {
  const Bytes bytes = thread_local_memory();
  return {address_of(bytes.begin), address_of(bytes.end)};
}

bool is_global(Address address) {
  Recorder& r = recorder();
  if (r.last_range < r.global.size() && r.global[r.last_range].holds(address)) return true;
  const auto after =
      std::upper_bound(r.global.begin(), r.global.end(), address,
                       [](Address a, const Range& range) { return a < range.begin; });
  if (after == r.global.begin() || !(after - 1)->holds(address)) return false;
  r.last_range = static_cast<std::size_t>(after - 1 - r.global.begin());
  return true;
}

WarpTrace& warp_of(const Lane& lane) { return block->warps[lane.number / lane.warp_size]; }
LaneTrace& trace_of(const Lane& lane) { return warp_of(lane).lanes[lane.lane]; }

constexpr LaneMask every_lane = ~LaneMask{0};

// These lanes have met: since they last did, their applications of operators are sequential within
// a lane and parallel between lanes.
void note_operators(WarpTrace& warp, LaneMask mask) {
  unsigned most = 0;
  for (unsigned lane = 0; lane < warp.lanes.size(); ++lane) {
    if (!(mask >> lane & 1U)) continue;
    const unsigned operators = std::exchange(warp.lanes[lane].operators, 0);
    recorder().kernel->operators += operators;
    most = std::max(most, operators);
  }
  warp.operators += most;
}

// All lanes of the warp have met or exited: counts what they did since they last met.
void evaluate(WarpTrace& warp) {
  LaneNumbers lanes;
  for (unsigned lane = 0; lane < warp.lanes.size(); ++lane) {
    const LaneTrace& trace = warp.lanes[lane];
    if (!(trace.path.empty() && trace.accesses.empty() && trace.operators == 0))
      lanes.push_back(lane);
  }
  if (lanes.empty() && warp.operators == 0) return;
  CountedStep step;
  if (!lanes.empty()) {
    count_accesses(warp, lanes, recorder().banks, *recorder().kernel, step);
    recorder().kernel->divergent_branches += divergent_branches(warp, lanes);
  }
  note_operators(warp, every_lane);
  step.operators = static_cast<unsigned>(std::exchange(warp.operators, 0));
  warp.depth += step.operators;
  for (const unsigned lane : lanes) {
    LaneTrace& trace = warp.lanes[lane];
    trace.accesses.clear();
    if (!trace.path.empty()) trace.came_from = trace.path.back();
    trace.path.clear();
  }
  if (block->steps && warp.step < most_steps) {
    if (block->steps->size() <= warp.step) block->steps->resize(warp.step + 1);
    CountedStep& sum = (*block->steps)[warp.step];
    sum.worst_degree = std::max(sum.worst_degree, step.worst_degree);
    sum.shared_accesses += step.shared_accesses;
    sum.shared_transactions += step.shared_transactions;
    sum.global_sectors += step.global_sectors;
    sum.operators = std::max(sum.operators, step.operators);
  }
}

void evaluate_when_complete(WarpTrace& warp) {
  if (warp.arrived == warp.lanes.size()) evaluate(warp);
}

void begin_next_step() {
  std::size_t step = 0;
  std::uint64_t depth = 0;
  for (WarpTrace& warp : block->warps) {
    evaluate(warp);
    step = std::max(step, warp.step + 1);
    depth = std::max(depth, warp.depth);
  }
  for (WarpTrace& warp : block->warps) {
    warp.arrived = warp.exited;
    warp.step = step;
    warp.depth = 0;
  }
  block->depth += depth;
}

void bound(const Lane& lane) {
  const LaneTrace& trace = trace_of(lane);
  if (trace.accesses.size() + trace.path.size() > most_pending) evaluate(warp_of(lane));
}

}  // namespace

// --- called by the kernel

void note_operator() {
  if (current_lane && block) ++trace_of(*current_lane).operators;
}

OneAtomic::OneAtomic(const void* address, std::size_t bytes) {
  counting::access(__builtin_return_address(0), address, bytes, counting::Kind::atomic);
  inside_atomic = true;
}
OneAtomic::~OneAtomic() { inside_atomic = false; }

namespace counting {

void access(const void* site, const volatile void* address, std::size_t bytes, Kind kind) {
  if (!current_lane || !block || inside_atomic) return;
  const Address begin = address_of(address);
  const bool shared = block->shared.holds(begin);
  if (shared ? address == &current_lane : !is_global(begin)) return;
  LaneTrace& trace = trace_of(*current_lane);
  // Accesses too large for one instruction are made word by word.
  const std::size_t one =
      bytes <= widest_access && (bytes & (bytes - 1)) == 0 ? bytes : std::size_t{bank_bytes};
  for (std::size_t i = 0; i < bytes; i += one)
    trace.accesses.push_back({.site = address_of(site),
                              .address = begin + i,
                              .bytes = static_cast<std::uint8_t>(std::min(one, bytes - i)),
                              .shared = shared,
                              .kind = kind});
  bound(*current_lane);
}

void basic_block(const void* site) {
  if (!current_lane || !block || inside_atomic) return;
  trace_of(*current_lane).path.push_back(address_of(site));
  bound(*current_lane);
}

// --- called by the executor

void allocated(const void* memory, std::size_t bytes) {
  Recorder& r = recorder();
  const std::lock_guard lock(r.memory_mutex);
  r.memory[address_of(memory)] = bytes;
}
void pinned(const void*) {}
void released(const void* memory) {
  Recorder& r = recorder();
  const std::lock_guard lock(r.memory_mutex);
  r.memory.erase(address_of(memory));
}

void begin_launch(const Options& options, const Launch& launch, unsigned workers) {
  Recorder& r = recorder();
  auto kernel = std::find_if(r.kernels.begin(), r.kernels.end(),
                             [&](const KernelCounters& k) { return k.name == launch.kernel; });
  r.first_launch = kernel == r.kernels.end();
  if (r.first_launch) {
    kernel = r.kernels.emplace(r.kernels.end());
    kernel->name = launch.kernel;
  }
  r.kernel = &*kernel;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  ++r.kernel->launches;
  r.kernel->blocks += blocks;
  r.kernel->threads += blocks * launch.block.x * launch.block.y * launch.block.z;
  r.warp_size = options.warp_size;
  r.depth = 0;
  r.global.clear();
  r.last_range = 0;
  {
    const std::lock_guard lock(r.memory_mutex);
    for (const auto& [begin, bytes] : r.memory) r.global.push_back({begin, begin + bytes});
  }
  r.has_turns.assign(workers, true);
  r.turn = 0;
}

void end_launch() {
  Recorder& r = recorder();
  r.kernel->depth += r.depth;
  r.kernel = nullptr;
}

void take_turn(unsigned worker) {
  Recorder& r = recorder();
  std::unique_lock lock(r.turn_mutex);
  r.turn_changed.wait(lock, [&] { return r.turn == worker; });
}
void pass_turn(unsigned worker) {
  Recorder& r = recorder();
  {
    const std::lock_guard lock(r.turn_mutex);
    const auto workers = static_cast<unsigned>(r.has_turns.size());
    for (unsigned i = 1; i <= workers; ++i) {
      r.turn = (worker + i) % workers;
      if (r.has_turns[r.turn]) break;
    }
  }
  r.turn_changed.notify_all();
  if (r.has_turns[worker]) take_turn(worker);
}
void give_up_turn(unsigned worker) {
  Recorder& r = recorder();
  {
    const std::lock_guard lock(r.turn_mutex);
    r.has_turns[worker] = false;
  }
  pass_turn(worker);
}

void begin_block(unsigned number, unsigned lanes) {
  // Kept for the next block: allocating memory for its lanes is the expensive part.
  thread_local BlockTrace of_this_thread{
      .warps = {}, .depth = 0, .steps = nullptr, .shared = shared_memory()};
  Recorder& r = recorder();
  block = &of_this_thread;
  block->depth = 0;
  block->steps = number == 0 && r.first_launch ? &r.kernel->steps : nullptr;
  block->warps.resize((lanes + r.warp_size - 1) / r.warp_size);
  for (WarpTrace& warp : block->warps) {
    const auto before = static_cast<unsigned>(&warp - block->warps.data()) * r.warp_size;
    warp.lanes.resize(std::min(r.warp_size, lanes - before));
    for (LaneTrace& lane : warp.lanes) lane.came_from = outside;
    warp.arrived = warp.exited = 0;
    warp.step = 0;
    warp.operators = 0;
    warp.depth = 0;
  }
}

void end_block() {
  begin_next_step();
  Recorder& r = recorder();
  r.depth = std::max(r.depth, block->depth);
  block = nullptr;
}

void arrives(const Lane& lane) {
  WarpTrace& warp = warp_of(lane);
  ++warp.arrived;
  evaluate_when_complete(warp);
}

void barrier() {
  ++recorder().kernel->barriers;
  begin_next_step();
}

void collective(const Lane& any_lane, LaneMask mask) {
  ++recorder().kernel->collectives;
  WarpTrace& warp = warp_of(any_lane);
  note_operators(warp, mask);
  if (static_cast<unsigned>(__builtin_popcountll(mask)) + warp.exited < warp.lanes.size()) return;
  evaluate(warp);
  ++warp.step;
}

void spins(const Lane& lane) { bound(lane); }

void exits(const Lane& lane) {
  trace_of(lane).path.push_back(outside);
  WarpTrace& warp = warp_of(lane);
  ++warp.arrived;
  ++warp.exited;
  evaluate_when_complete(warp);
}

void set_banks(unsigned banks) {
  if (banks != 16 && banks != 32)
    throw Error(fmt::format("shared memory in {} banks", banks), "it has 16 or 32",
                "Ask for one of these");
  recorder().banks = banks;
}

unsigned banks() { return recorder().banks; }

std::vector<KernelCounters> take() { return std::exchange(recorder().kernels, {}); }

}  // namespace counting
}  // namespace warpview::simt
