// Schedulers on an application of another shape than the laboratory's: large items, workers of
// every kind, levels of priority, a custom order.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/primitives/schedule/schedulers.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::cpu {
namespace {

// A tree of numbers: i spawns 3 i + 1 to 3 i + 3, as far as they are below n. A number's remainder
// gives its kind. Each item sees what its parent wrote before it was emitted.
struct Numbers;

template <unsigned workers_>
struct OfWorkers : schedule::Procedure {
  static constexpr unsigned workers = workers_;
  struct Item {
    std::uint32_t number;
    std::uint32_t words[51];  // number + place
  };
  struct Shared {
    std::uint32_t wrong[workers_];
  };
  static constexpr unsigned levels = workers_ == 4 ? 3 : 1;
  static std::uint32_t level(const Item& item) { return item.number % 5; }  // some past the last

  template <class Lanes, class Emit>
  static void execute(const Numbers& numbers, const Item& item, const Lanes& lanes, Shared& shared,
                      const Emit& emit);
};

struct Numbers {
  using Procedures = schedule::Procedures<OfWorkers<1>, OfWorkers<4>, OfWorkers<32>, OfWorkers<64>>;
  static constexpr unsigned order[] = {2, 0, 3, 1};

  std::uint32_t n;
  std::uint32_t* notes;  // by plain stores
  std::uint32_t* seen;
  std::uint32_t* wrong;

  template <class Emit>
  void begin(std::uint32_t i, const Emit& emit) const {
    give(i, emit);
  }
  template <class Emit>
  void give(std::uint32_t number, const Emit& emit) const {
    notes[number] = number * 7;
    switch (number % 4) {
      case 0:
        return emit(OfWorkers<1>{}, item<OfWorkers<1>>(number));
      case 1:
        return emit(OfWorkers<4>{}, item<OfWorkers<4>>(number));
      case 2:
        return emit(OfWorkers<32>{}, item<OfWorkers<32>>(number));
      default:
        return emit(OfWorkers<64>{}, item<OfWorkers<64>>(number));
    }
  }
  template <class P>
  static typename P::Item item(std::uint32_t number) {
    typename P::Item made{};
    made.number = number;
    for (std::uint32_t k = 0; k < 51; ++k) made.words[k] = number + k;
    return made;
  }
};

template <unsigned workers_>
template <class Lanes, class Emit>
void OfWorkers<workers_>::execute(const Numbers& numbers, const Item& item, const Lanes& lanes,
                                  Shared& shared, const Emit& emit) {
  std::uint32_t wrong = numbers.notes[item.number] == item.number * 7 ? 0 : 1;
  for (unsigned k = lanes.rank(); k < 51; k += lanes.count())
    wrong += item.words[k] == item.number + k ? 0 : 1;
  if (lanes.rank() < workers) shared.wrong[lanes.rank()] = wrong;
  lanes.sync();
  const std::uint32_t of_next = shared.wrong[(lanes.rank() + 1) % workers];
  lanes.sync();
  if constexpr (workers > 1 && Lanes::in_warp) {
    const auto add = [](std::uint32_t a, std::uint32_t b) { return a + b; };
    if (lanes.reduce(1U, add) != workers || lanes.shuffle(lanes.rank(), 1) != 1) ++wrong;
  }
  if (wrong + of_next > 0) atomicAdd(numbers.wrong, 1U);
  if (lanes.rank() == 0) atomicAdd(&numbers.seen[item.number], 1U);
  for (unsigned k = lanes.rank(); k < 3; k += lanes.count())
    if (const std::uint32_t child = 3 * item.number + k + 1; child < numbers.n)
      numbers.give(child, emit);
}

struct Way {
  unsigned warp_size;
  std::uint64_t seed;
  bool lockstep = false;
  bool late = false;
};
void PrintTo(const Way& s, std::ostream* out) {
  *out << "warp " << s.warp_size << " seed " << s.seed << (s.lockstep ? " in lockstep" : "")
       << (s.late ? " late" : "");
}

class Schedulers : public testing::TestWithParam<Way> {
 protected:
  std::unique_ptr<Device> device = open_cpu_device({.warp_size = GetParam().warp_size,
                                                    .seed = GetParam().seed,
                                                    .workers = 4,
                                                    .lockstep = GetParam().lockstep,
                                                    .late_publications = GetParam().late});
  std::unique_ptr<Stream> stream = device->create_stream();
  HostLoop host{*device};
  ScheduleStatus status{};
  ScheduleSettings settings = [this] {
    ScheduleSettings made;
    std::fill(std::begin(made.capacity), std::end(made.capacity), 256U);
    made.status = &status;
    return made;
  }();

  template <class Application>
  void run(Scheduler scheduler, const Application& application, std::uint32_t inputs) {
    ScratchMemory memory(*device);
    Scratch measure;
    schedule::run_by(scheduler,
                     schedule::Run{*stream, application, inputs, settings, measure, &host});
    memory.reserve(measure.used());
    memory.fill(*stream, 0xcd);
    Scratch scratch = memory.scratch();
    schedule::run_by(scheduler,
                     schedule::Run{*stream, application, inputs, settings, scratch, &host});
    stream->synchronize();
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, Schedulers,
                         testing::Values(Way{32, 0}, Way{64, 1}, Way{32, 2}, Way{64, 3, true},
                                         Way{32, 4, true}, Way{32, 5, false, true}),
                         [](const auto& way) { return std::to_string(way.param.seed); });

constexpr Scheduler every_scheduler[] = {Scheduler::run_to_completion, Scheduler::kernel_by_kernel,
                                         Scheduler::time_sliced,       Scheduler::persistent,
                                         Scheduler::megakernel,        Scheduler::megakernel_local};

TEST_P(Schedulers, ExecuteEachItemOnceByAllItsLanes) {
  constexpr std::uint32_t n = 500;
  for (const Scheduler scheduler : every_scheduler) {
    SCOPED_TRACE(static_cast<int>(scheduler));
    std::vector<std::uint32_t> notes(n), seen(n), wrong(1);
    run(scheduler, Numbers{n, notes.data(), seen.data(), wrong.data()}, 1);
    EXPECT_EQ(wrong[0], 0U);
    EXPECT_EQ(seen, std::vector<std::uint32_t>(n, 1));
    for (unsigned p = 0; p < 4; ++p) {
      EXPECT_EQ(status.executed[p], n / 4);
      EXPECT_EQ(status.refused[p], 0U);
    }
  }
}

TEST_P(Schedulers, EndAtOnceWithoutInput) {
  for (const Scheduler scheduler : every_scheduler) {
    std::vector<std::uint32_t> wrong(1);
    run(scheduler, Numbers{0, nullptr, nullptr, wrong.data()}, 0);
    EXPECT_EQ(status.executed[0], 0U);
  }
}

TEST_P(Schedulers, RefuseToRunWithoutWhatTheyNeed) {
  std::vector<std::uint32_t> notes(1), seen(1), wrong(1);
  const Numbers numbers{1, notes.data(), seen.data(), wrong.data()};
  Scratch measure;
  const schedule::Run measuring{*stream, numbers, 1, settings, measure, nullptr};
  EXPECT_THROW(schedule::run_by(Scheduler::hybrid, measuring), Error);
  schedule::run_by(Scheduler::time_sliced, measuring);
  ScratchMemory memory(*device);
  memory.reserve(measure.used());
  Scratch scratch = memory.scratch();
  const schedule::Run without_host{*stream, numbers, 1, settings, scratch, nullptr};
  EXPECT_THROW(schedule::run_by(Scheduler::time_sliced, without_host), Error);
}

// --- order

// Near items, then far ones, and all that are nearly done before any of them.
struct Log {
  std::uint32_t* entries;
  std::uint32_t* count;

  void add(std::uint32_t what) const { entries[atomicAdd(count, 1U)] = what; }
};
struct Done : schedule::Procedure {
  struct Item {
    std::uint32_t distance;
  };
  template <class Scene, class Lanes, class Emit>
  static void execute(const Scene& scene, const Item& item, const Lanes&, schedule::NoShared&,
                      const Emit&) {
    scene.log.add(100 + item.distance);
  }
};
struct Far : schedule::Procedure {
  using Item = Done::Item;
  static constexpr unsigned workers = 16;  // few to a batch
  static constexpr unsigned levels = 8;
  static std::uint32_t level(const Item& item) { return item.distance; }
  template <class Scene, class Lanes, class Emit>
  static void execute(const Scene& scene, const Item& item, const Lanes& lanes, schedule::NoShared&,
                      const Emit& emit) {
    if (lanes.rank() > 0) return;
    scene.log.add(item.distance);
    emit(Done{}, {item.distance});
  }
};
struct ByDistance {
  using Procedures = schedule::Procedures<Far, Done>;
  static constexpr bool fills_first = false;
  Log log;

  template <class Emit>
  void begin(std::uint32_t i, const Emit& emit) const {
    emit(Far{}, {i * 5 % 8});
  }
};
// The reverse order: no item is finished as long as there is a far one.
struct InOrder : ByDistance {
  static constexpr unsigned order[] = {0, 1};
};

TEST_P(Schedulers, TakeNearItemsBeforeFarOnesAndStagesInTheirOrder) {
  constexpr std::uint32_t n = 100;
  constexpr unsigned most = schedule::batch_of<Far, schedule::usual_block>;
  settings.most_blocks = 1;
  for (const Scheduler scheduler : {Scheduler::megakernel, Scheduler::megakernel_local}) {
    std::vector<std::uint32_t> entries(2 * n), count(1);
    run(scheduler, ByDistance{{entries.data(), count.data()}}, n);
    ASSERT_EQ(count[0], 2 * n);
    std::uint32_t last = 0;
    std::vector<std::uint32_t> open;  // begun and not done
    for (const std::uint32_t entry : entries) {
      if (entry < 100) {
        EXPECT_GE(entry, last);
        last = entry;
        open.push_back(entry);
        EXPECT_LE(open.size(), most);
      } else {
        std::erase(open, entry - 100);
      }
    }
    EXPECT_TRUE(open.empty());

    count[0] = 0;
    run(scheduler, InOrder{{{entries.data(), count.data()}}}, n);
    ASSERT_EQ(count[0], 2 * n);
    for (std::uint32_t i = 0; i < 2 * n; ++i) EXPECT_EQ(entries[i] < 100, i < n) << i;
  }
}

}  // namespace
}  // namespace warpview::cpu
