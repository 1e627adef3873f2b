#include "gpu/simt/counted/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "gpu/simt/counting.h"
#include "gpu/simt/shared_memory.h"

namespace warpview::simt {
namespace {

using Address = std::uintptr_t;
Address address_of(const volatile void* pointer) { return reinterpret_cast<Address>(pointer); }

struct Range {
  Address begin = 0, end = 0;
  bool holds(Address address) const { return begin <= address && address < end; }
};

constexpr unsigned word_bytes = 4;  // of a bank
constexpr unsigned sector_bytes = 32;
constexpr unsigned widest_access = 16;  // of one instruction
constexpr std::size_t most_steps = 64;
// After so many accesses and branches a lane's warp is evaluated though its lanes have not met: a
// bound for memory. Lanes that come later are then counted as instructions of their own.
constexpr std::size_t most_pending = 1U << 18U;
// Where a lane comes from and goes to that is in no basic block of the kernel.
constexpr Address outside = 0;

struct Access {
  Address site;
  Address address;
  std::uint8_t bytes;
  bool shared;
  counting::Kind kind;
};

// What a lane has done since it last met others.
struct LaneTrace {
  std::vector<Access> accesses;
  std::vector<Address> path;  // basic blocks entered
  Address came_from = outside;
  unsigned operators = 0;
};

struct WarpTrace {
  std::vector<LaneTrace> lanes;
  unsigned arrived = 0;  // lanes at the barrier or exited
  unsigned exited = 0;
  std::size_t step = 0;
  std::uint64_t operators = 0;  // one after the other in this step
  std::uint64_t depth = 0;      // since the last barrier
};

struct BlockTrace {
  std::vector<WarpTrace> warps;
  std::uint64_t depth = 0;
  std::vector<CountedStep>* steps = nullptr;  // of the block whose steps are kept
  Range shared;                               // shared memory of this OS thread
  unsigned warp_size = 32;
};

// One for the module. While a launch runs, it belongs to the OS thread whose turn it is.
struct Recorder {
  unsigned banks = 32;

  std::mutex memory_mutex;
  std::map<Address, std::size_t> memory;  // device memory: begin, bytes

  std::vector<KernelCounters> kernels;
  KernelCounters* kernel = nullptr;  // of the launch that runs
  std::vector<Range> global;         // device memory at its begin, sorted
  std::size_t last_range = 0;        // in which the last access fell
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

// The `__shared__` variables are this module's thread-local ones. The executor's lie among them but
// are not accessed by instrumented code, except for `current_lane`.
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

// --- one instruction of a warp

// What one lane asks for.
struct Part {
  unsigned lane;
  Address address;
};

struct Cost {
  std::uint64_t transactions = 0;
  unsigned degree = 0;
};

// Shared memory serves as many lanes at a time as it has banks, fewer where each asks for several
// words. Words of one bank come one after the other; a word that several lanes ask for comes once,
// unless each of them changes it.
Cost cost_in_shared_memory(const std::vector<Part>& parts, unsigned bytes, counting::Kind kind) {
  const unsigned banks = recorder().banks;
  const unsigned together = std::max(1U, banks * word_bytes / std::max(word_bytes, bytes));
  Cost cost;
  std::vector<Address> words;
  for (std::size_t i = 0; i < parts.size();) {
    const unsigned group = parts[i].lane / together;
    words.clear();
    for (; i < parts.size() && parts[i].lane / together == group; ++i)
      for (Address word = parts[i].address / word_bytes;
           word <= (parts[i].address + bytes - 1) / word_bytes; ++word)
        words.push_back(word);
    if (kind != counting::Kind::atomic) {
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
    }
    std::array<unsigned, 32> in_bank{};
    unsigned degree = 0;
    for (const Address word : words) degree = std::max(degree, ++in_bank[word % banks]);
    cost.transactions += degree;
    cost.degree = std::max(cost.degree, degree);
  }
  return cost;
}

// Sectors that the parts touch, and the fewest that would hold their bytes.
std::pair<unsigned, unsigned> sectors(std::vector<Part>& parts, unsigned bytes) {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.address < b.address; });
  unsigned touched = 0;
  Address asked = 0;
  Address next_sector = 0;  // after the last one touched
  Address end = 0;          // of the last part
  for (const Part& part : parts) {
    const Address first = std::max(part.address / sector_bytes, next_sector);
    const Address last = (part.address + bytes - 1) / sector_bytes;
    if (last >= first) touched += static_cast<unsigned>(last - first + 1);
    next_sector = std::max(next_sector, last + 1);
    asked += part.address + bytes - std::min(part.address + bytes, std::max(part.address, end));
    end = std::max(end, part.address + bytes);
  }
  return {touched, static_cast<unsigned>((asked + sector_bytes - 1) / sector_bytes)};
}

// The most lanes that are at one address.
unsigned most_on_one(std::vector<Part>& parts) {
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.address < b.address; });
  unsigned most = 0;
  unsigned equal = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    equal = i > 0 && parts[i].address == parts[i - 1].address ? equal + 1 : 1;
    most = std::max(most, equal);
  }
  return most;
}

// `parts` by lane; left in any order.
void count_instruction(std::vector<Part>& parts, const Access& like, CountedStep& step) {
  KernelCounters& kernel = *recorder().kernel;
  if (like.shared) {
    const auto [transactions, degree] = cost_in_shared_memory(parts, like.bytes, like.kind);
    ++kernel.shared_accesses;
    ++step.shared_accesses;
    kernel.shared_transactions += transactions;
    step.shared_transactions += transactions;
    kernel.worst_degree = std::max(kernel.worst_degree, degree);
    step.worst_degree = std::max(step.worst_degree, degree);
  } else {
    const auto [touched, least] = sectors(parts, like.bytes);
    ++kernel.global_accesses;
    kernel.global_sectors += touched;
    kernel.global_sectors_least += least;
    step.global_sectors += touched;
  }
  if (like.kind == counting::Kind::atomic) {
    kernel.atomics += parts.size();
    kernel.atomic_rounds += most_on_one(parts);
  }
}

// --- lanes laid side by side

// How often a lane has been at each place.
class Visits {
 public:
  void clear() { counts_.clear(); }
  unsigned next(Address site) { return counts_[site]++; }

 private:
  std::unordered_map<Address, unsigned> counts_;
};

using LaneNumbers = std::vector<unsigned>;

// Lanes that did the same all the way need no search.
bool all_alike(const WarpTrace& warp, const LaneNumbers& lanes) {
  const auto& first = warp.lanes[lanes.front()].accesses;
  for (const unsigned lane : lanes) {
    const auto& other = warp.lanes[lane].accesses;
    if (other.size() != first.size() ||
        !std::equal(first.begin(), first.end(), other.begin(),
                    [](const Access& a, const Access& b) { return a.site == b.site; }))
      return false;
  }
  return true;
}

void count_accesses(const WarpTrace& warp, const LaneNumbers& lanes, CountedStep& step) {
  std::vector<Part> parts;
  if (all_alike(warp, lanes)) {
    const std::vector<Access>& first = warp.lanes[lanes.front()].accesses;
    for (std::size_t i = 0; i < first.size(); ++i) {
      parts.clear();
      for (const unsigned lane : lanes)
        parts.push_back({lane, warp.lanes[lane].accesses[i].address});
      count_instruction(parts, first[i], step);
    }
    return;
  }
  struct Item {
    Address site;
    unsigned visit;
    unsigned lane;
    const Access* access;
  };
  std::vector<Item> items;
  Visits visits;
  for (const unsigned lane : lanes) {
    visits.clear();
    for (const Access& access : warp.lanes[lane].accesses)
      items.push_back({access.site, visits.next(access.site), lane, &access});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::tie(a.site, a.visit, a.lane) < std::tie(b.site, b.visit, b.lane);
  });
  for (std::size_t i = 0; i < items.size();) {
    const Item& first = items[i];
    parts.clear();
    for (; i < items.size() && items[i].site == first.site && items[i].visit == first.visit; ++i)
      parts.push_back({items[i].lane, items[i].access->address});
    count_instruction(parts, *first.access, step);
  }
}

std::uint64_t divergent_branches(const WarpTrace& warp, const LaneNumbers& lanes) {
  const LaneTrace& first = warp.lanes[lanes.front()];
  if (std::all_of(lanes.begin(), lanes.end(), [&](unsigned lane) {
        const LaneTrace& other = warp.lanes[lane];
        return other.came_from == first.came_from && other.path == first.path;
      }))
    return 0;
  struct Way {
    Address from;
    unsigned visit;
    Address to;
    bool operator<(const Way& other) const {
      return std::tie(from, visit, to) < std::tie(other.from, other.visit, other.to);
    }
  };
  std::vector<Way> ways;
  Visits visits;
  for (const unsigned lane : lanes) {
    visits.clear();
    Address from = warp.lanes[lane].came_from;
    for (const Address to : warp.lanes[lane].path) {
      ways.push_back({from, visits.next(from), to});
      from = to;
    }
  }
  std::sort(ways.begin(), ways.end());
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < ways.size();) {
    const Way& way = ways[i];
    bool diverged = false;
    for (; i < ways.size() && ways[i].from == way.from && ways[i].visit == way.visit; ++i)
      diverged |= ways[i].to != way.to;
    count += diverged ? 1 : 0;
  }
  return count;
}

constexpr LaneMask every_lane = ~LaneMask{0};

// These lanes have met: their applications of operators since they last did are one after the other
// in a lane, side by side between lanes.
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
    count_accesses(warp, lanes, step);
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

// --- told by the kernel

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
  // What no instruction moves at once is moved word by word.
  const std::size_t one =
      bytes <= widest_access && (bytes & (bytes - 1)) == 0 ? bytes : std::size_t{word_bytes};
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

// --- told by the executor

void allocated(const void* memory, std::size_t bytes) {
  Recorder& r = recorder();
  const std::lock_guard lock(r.memory_mutex);
  r.memory[address_of(memory)] = bytes;
}
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
  // Kept for the next block: its lanes' memory is what costs.
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
