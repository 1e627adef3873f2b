#include "gpu/timeline/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/primitives/scan/scan.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/devices.h"
#include "tests/support/host_device.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t items = 3000;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A stage that scans `in` into `out`.
class ScanStage {
 public:
  ScanStage(Timeline& timeline, const std::string& name, std::uint32_t n = items)
      : in_(timeline.device(), n), out_(timeline.device(), n), n_(n) {
    std::vector<std::uint32_t> numbers(n);
    for (std::uint32_t i = 0; i < n; ++i) numbers[i] = i * 7 + 1;
    in_.upload(timeline.stream(), numbers);
    timeline.stream().synchronize();
    id = timeline.add(
        {.name = name,
         .title = "Scan " + name,
         .primitive = Primitive::scan,
         .queue =
             [this](const StageRun& run) {
               run.run<Primitive::scan>(
                   ScanArgs{.in = in_.data(), .out = out_.data(), .n = n_, .inclusive = true});
             },
         .work =
             [this] {
               return StageWork{n_, 8 * std::uint64_t{n_}};
             },
         .why_not = [this](VariantId variant) { return variant == refused ? "is refused" : ""; }});
    expected.resize(n);
    std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin());
  }
  ScanStage(const ScanStage&) = delete;
  ScanStage& operator=(const ScanStage&) = delete;

  void clear(Stream& stream) const { stream.fill(out_.data(), 0, out_.bytes()); }
  std::vector<std::uint32_t> result(Stream& stream) const { return out_.download(stream); }

  StageId id{};
  std::optional<VariantId> refused{};  // by why_not
  std::vector<std::uint32_t> expected;

 private:
  Buffer<std::uint32_t> in_, out_;
  std::uint32_t n_;
};

// A stage that fills a block of memory; on the HostDevice that takes a millisecond.
class FillStage {
 public:
  explicit FillStage(Timeline& timeline, const std::string& name = "fill")
      : memory_(timeline.device(), 64) {
    id = timeline.add({.name = name, .title = "Fill", .queue = [this](const StageRun& run) {
                         if (run.measuring()) return;
                         if (fails) throw Error("a stage", "it was told to fail", "");
                         run.stream().fill(memory_.data(), value, memory_.bytes());
                       }});
  }
  FillStage(const FillStage&) = delete;
  FillStage& operator=(const FillStage&) = delete;

  std::uint8_t result(Stream& stream) const { return memory_.download(stream).front(); }

  StageId id{};
  std::uint8_t value = 1;
  bool fails = false;

 private:
  Buffer<std::uint8_t> memory_;
};

Device& any_device() { return *devices_for(1).front().device; }
VariantId usual(Primitive primitive) {
  return default_variant(primitive, any_device().info().backend);
}
VariantId scan_by(const char* variant) { return find_variant(Primitive::scan, variant); }

StageResult report_of(const Timeline& timeline, StageId stage) {
  return timeline.stage_results()[index_of(stage)];
}

// --- Stages as data

TEST(Timeline, StagesAreData) {
  Timeline timeline(any_device());
  EXPECT_EQ(timeline.size(), 0U);
  EXPECT_TRUE(timeline.stage_results().empty());
  const FillStage fill(timeline);
  const ScanStage scan(timeline, "part.scan");
  ASSERT_EQ(timeline.size(), 2U);
  EXPECT_EQ(index_of(fill.id), 0U);
  EXPECT_EQ(index_of(scan.id), 1U);
  EXPECT_EQ(timeline.find("part.scan"), scan.id);
  EXPECT_EQ(timeline.find("scan"), std::nullopt);
  EXPECT_EQ(timeline.info(scan.id).title, "Scan part.scan");
  EXPECT_EQ(timeline.chosen(fill.id), std::nullopt);
  EXPECT_EQ(timeline.chosen(scan.id), usual(Primitive::scan));
  EXPECT_STREQ(timeline.variant(scan.id).name, usual(Primitive::scan)->name);
  EXPECT_EQ(timeline.choices(), (StageVariants{std::nullopt, usual(Primitive::scan)}));

  const std::vector<StageResult> reports = timeline.stage_results();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[1].stage, scan.id);
  EXPECT_EQ(reports[1].name, "part.scan");
  EXPECT_EQ(reports[1].title, "Scan part.scan");
  EXPECT_EQ(reports[1].primitive, Primitive::scan);
  EXPECT_EQ(reports[1].work.items, items);
  EXPECT_EQ(reports[1].runs, 0);
  EXPECT_EQ(reports[1].done_by, "");
  EXPECT_FALSE(reports[1].has_times());
  EXPECT_EQ(reports[1].gb_per_s, 0.0);
}

TEST(Timeline, AStageNamesTheOneThatDoesItsWork) {
  Timeline timeline(any_device());
  const FillStage first(timeline, "first");
  std::optional<StageId> other;
  const StageId second = timeline.add({.name = "second",
                                       .title = "Second",
                                       .queue = [](const StageRun&) {},
                                       .done_by = [&other] { return other; }});
  EXPECT_EQ(report_of(timeline, second).done_by, "");
  other = first.id;
  EXPECT_EQ(report_of(timeline, second).done_by, "first");
}

TEST(Timeline, WishesApplyToPrimitivesAndStages) {
  const auto chosen_with = [](const std::vector<std::string>& wishes) {
    VariantWishes all;
    for (const std::string& wish : wishes) all.add(wish);
    Timeline timeline(any_device(), all);
    const FillStage fill(timeline);
    const ScanStage a(timeline, "a.scan");
    const ScanStage b(timeline, "b.scan");
    return StageVariants{timeline.chosen(a.id), timeline.chosen(b.id)};
  };
  const VariantId standard = usual(Primitive::scan);
  const VariantId lookback = scan_by("lookback");
  const VariantId hierarchical = scan_by("hierarchical");
  EXPECT_EQ(chosen_with({}), (StageVariants{standard, standard}));
  EXPECT_EQ(chosen_with({"scan=lookback"}), (StageVariants{lookback, lookback}));
  EXPECT_EQ(chosen_with({"b.scan=lookback"}), (StageVariants{standard, lookback}));
  EXPECT_EQ(chosen_with({"scan=lookback", "b.scan=hierarchical"}),
            (StageVariants{lookback, hierarchical}));
  EXPECT_EQ(chosen_with({"b.scan=hierarchical", "scan=lookback"}),
            (StageVariants{lookback, lookback}));
  EXPECT_EQ(chosen_with({"a.scan=hierarchical", "a.scan=lookback"}),
            (StageVariants{lookback, standard}));
  // Not these stages' concern.
  EXPECT_EQ(chosen_with({"sort=library", "c.scan=lookback", "fill=x"}),
            (StageVariants{standard, standard}));
  EXPECT_THROW(chosen_with({"scan=bubble"}), ChoiceError);
  EXPECT_THROW(chosen_with({"a.scan=bubble"}), ChoiceError);
  EXPECT_THROW(chosen_with({"scan"}), ChoiceError);
}

TEST(Timeline, RefusalsOfUnknownWishesNameTheStages) {
  Timeline timeline(any_device());
  const FillStage fill(timeline);
  VariantWishes wishes;
  wishes.add("fill=fast");  // it has no variants
  EXPECT_TRUE(contains(error_of([&] { timeline.refuse_unknown_wishes(wishes); }),
                       "No stage of this scene has variants"));

  const ScanStage scan(timeline, "scan");
  const ScanStage part(timeline, "part.scan");
  VariantWishes known;
  known.add("scan=lookback");
  known.add("part.scan=lookback");
  timeline.refuse_unknown_wishes(known);
  VariantWishes unknown = known;
  unknown.add("sort=onesweep");
  const std::string text = error_of([&] { timeline.refuse_unknown_wishes(unknown); });
  EXPECT_TRUE(contains(text, "sort=onesweep")) << text;
  EXPECT_TRUE(contains(text, "The stages are scan, part.scan (scan)")) << text;
  EXPECT_FALSE(contains(text, "fill")) << text;
}

TEST(Timeline, RefusesWishesForMissingVariants) {
  SmallDevice device(devices_for(1).front().device);
  device.remove_variant(scan_by("lookback"));
  VariantWishes wishes;
  wishes.add("scan=lookback");
  Timeline timeline(device, wishes);
  EXPECT_THROW(ScanStage(timeline, "scan"), ChoiceError);
}

// --- Choosing

TEST(Timeline, ChoosesForAllStagesOrForNone) {
  for (const TestDevice& on : devices_for(items)) {
    SCOPED_TRACE(on.name);
    SmallDevice device(on.device);
    const VariantId missing = scan_by("hierarchical");
    device.remove_variant(missing);
    Timeline timeline(device);
    ScanStage a(timeline, "a.scan");
    ScanStage b(timeline, "b.scan");
    timeline.reserve_scratch();
    const auto run = [&] {
      a.clear(timeline.stream());
      b.clear(timeline.stream());
      timeline.run(a.id);
      timeline.run(b.id);
      timeline.collect();
    };
    run();
    const StageVariants before = timeline.choices();
    const VariantId lookback = scan_by("lookback");
    EXPECT_EQ(timeline.why_not(a.id, lookback), "");
    EXPECT_EQ(timeline.why_not(a.id, missing), "is not on this device");
    const std::string text = error_of([&] { timeline.choose({lookback, missing}); });
    EXPECT_TRUE(contains(text, "b.scan=hierarchical")) << text;
    EXPECT_EQ(timeline.choices(), before);

    b.refused = lookback;
    EXPECT_EQ(timeline.why_not(b.id, lookback), "is refused");
    EXPECT_THROW(timeline.choose({lookback, lookback}), Error);
    EXPECT_EQ(timeline.choices(), before);
    EXPECT_EQ(timeline.times(a.id).count(), 1U);

    EXPECT_THROW(timeline.choose({lookback}), std::logic_error);

    timeline.choose({lookback, before[1]});
    EXPECT_EQ(timeline.choices(), (StageVariants{lookback, before[1]}));
    // Times of the other remain.
    EXPECT_TRUE(timeline.times(a.id).empty());
    EXPECT_EQ(timeline.times(b.id).count(), 1U);
    run();
    EXPECT_EQ(a.result(timeline.stream()), a.expected);
    EXPECT_EQ(b.result(timeline.stream()), b.expected);
  }
}

TEST(Timeline, ReplacesAVariantThatAnotherChoiceRulesOut) {
  for (const TestDevice& on : devices_for(items)) {
    SCOPED_TRACE(on.name);
    Timeline timeline(*on.device);
    const ScanStage a(timeline, "a.scan");
    ScanStage b(timeline, "b.scan");
    timeline.reserve_scratch();
    const VariantId before = timeline.chosen(b.id).value();
    b.refused = before;
    const VariantId lookback = scan_by("lookback");
    timeline.choose({lookback, before});
    EXPECT_EQ(timeline.chosen(a.id), lookback);
    const VariantId now = timeline.chosen(b.id).value();
    EXPECT_NE(now, before);
    EXPECT_EQ(timeline.why_not(b.id, now), "");
    b.clear(timeline.stream());
    timeline.run(b.id);
    timeline.collect();
    EXPECT_EQ(b.result(timeline.stream()), b.expected);
  }
}

TEST(Timeline, KeepsThePreviousChoiceIfTheScratchDoesNotFit) {
  constexpr std::uint32_t many = 100'000;
  for (const TestDevice& on : devices_for(many)) {
    SCOPED_TRACE(on.name);
    SmallDevice device(on.device);
    Timeline timeline(device);
    const ScanStage scan(timeline, "scan", many);
    std::pair<std::uint64_t, VariantId> least{UINT64_MAX, VariantId(0)};
    std::pair<std::uint64_t, VariantId> most{0, VariantId(0)};
    for (const VariantId variant : variants_of(Primitive::scan)) {
      if (!timeline.why_not(scan.id, variant).empty()) continue;
      timeline.choose({variant});
      least = std::min(least, {timeline.scratch_bytes(), variant});
      most = std::max(most, {timeline.scratch_bytes(), variant});
    }
    ASSERT_LT(least.first, most.first);

    Timeline small(device);
    const ScanStage stage(small, "scan", many);
    small.choose({least.second});
    small.reserve_scratch();
    small.run(stage.id);
    small.collect();
    device.refuse_beyond(least.first);
    EXPECT_THROW(small.choose({most.second}), Error);
    EXPECT_EQ(small.choices(), StageVariants{least.second});
    EXPECT_EQ(small.times(stage.id).count(), 1U);
    stage.clear(small.stream());
    small.run(stage.id);
    small.collect();
    EXPECT_EQ(stage.result(small.stream()), stage.expected);
    EXPECT_EQ(small.times(stage.id).count(), 2U);
    device.refuse_nothing();
    small.choose({most.second});
    EXPECT_EQ(small.choices(), StageVariants{most.second});
  }
}

TEST(Timeline, MeasuringScratchLaunchesNothing) {
  HostDevice device;
  Timeline timeline(device);
  const FillStage fill(timeline);
  timeline.stream().synchronize();
  const std::uint64_t before = device.milliseconds;
  EXPECT_EQ(timeline.scratch_bytes(), 0U);
  timeline.stream().synchronize();
  EXPECT_EQ(device.milliseconds, before);
}

// --- Times

TEST(StageTimes, KeepTheLatest) {
  StageTimes times;
  EXPECT_EQ(times.last(), 0.0);
  EXPECT_EQ(times.median(), 0.0);
  EXPECT_EQ(times.least(), 0.0);
  for (const double ms : {50.0, 5.0, 1.0, 3.0}) times.add(ms);
  EXPECT_EQ(times.last(), 3.0);
  EXPECT_EQ(times.median(), 3.0);
  EXPECT_EQ(times.least(), 1.0);
  for (std::size_t i = 0; i < StageTimes::kept; ++i) times.add(7.0);
  EXPECT_EQ(times.milliseconds().size(), StageTimes::kept);
  EXPECT_EQ(times.least(), 7.0);
  times.forget();
  EXPECT_TRUE(times.empty());
}

// It counts while there is no other time, and does not mix with others.
TEST(StageTimes, KeepTheColdRunSeparate) {
  StageTimes times;
  times.add(47.0);
  EXPECT_EQ(times.cold(), 47.0);
  EXPECT_TRUE(times.milliseconds().empty());
  EXPECT_FALSE(times.empty());
  for (const double time : {times.last(), times.median(), times.least()}) EXPECT_EQ(time, 47.0);
  times.add(12.0);
  EXPECT_EQ(times.cold(), 47.0);
  for (const double time : {times.last(), times.median(), times.least()}) EXPECT_EQ(time, 12.0);
  EXPECT_EQ(times.count(), 2U);
  EXPECT_EQ(times.taken(), 2U);
  // A stage that ran is warm, whether its times are remembered or not, or were taken at all.
  times.forget();
  EXPECT_EQ(times.cold(), std::nullopt);
  times.add(11.0);
  EXPECT_EQ(times.cold(), std::nullopt);
  EXPECT_EQ(times.median(), 11.0);
  times.begin_anew();
  EXPECT_TRUE(times.empty());
  times.add(30.0);
  EXPECT_EQ(times.cold(), 30.0);
  times.begin_anew();
  times.warm();
  times.add(10.0);
  EXPECT_EQ(times.cold(), std::nullopt);
  EXPECT_EQ(times.milliseconds().size(), 1U);
}

// Another variant is cold at first, other stages are not; a stage that ran without a time is warm.
TEST(Timeline, AChoiceIsColdAtFirst) {
  Timeline timeline(any_device());
  const ScanStage a(timeline, "a.scan");
  const ScanStage b(timeline, "b.scan");
  timeline.reserve_scratch();
  const auto run = [&] {
    timeline.run(a.id);
    timeline.run(b.id);
    timeline.collect();
  };
  for (int i = 0; i < 3; ++i) run();
  EXPECT_TRUE(timeline.times(a.id).cold());
  EXPECT_EQ(timeline.times(a.id).milliseconds().size(), 2U);
  timeline.choose({scan_by("lookback_shared"), timeline.chosen(b.id)});
  run();
  EXPECT_TRUE(timeline.times(a.id).cold());
  EXPECT_TRUE(timeline.times(a.id).milliseconds().empty());
  EXPECT_EQ(timeline.times(b.id).milliseconds().size(), 3U);
  timeline.choose({scan_by("lookback"), timeline.chosen(b.id)});
  timeline.run_untimed(a.id);
  run();
  EXPECT_FALSE(timeline.times(a.id).cold());
  EXPECT_EQ(timeline.times(a.id).milliseconds().size(), 1U);
}

TEST(Timeline, RatesUseTheMedian) {
  HostDevice device;
  Timeline timeline(device);
  const FillStage fill(timeline);
  const StageId moves = timeline.add({.name = "moves",
                                      .title = "Moves",
                                      .queue =
                                          [&fill, &timeline](const StageRun& run) {
                                            if (!run.measuring()) timeline.info(fill.id).queue(run);
                                          },
                                      .work =
                                          [] {
                                            return StageWork{1, 3'000'000};
                                          }});
  // Milliseconds; the first is cold. Plans that differ are not replayed.
  for (const std::uint64_t fills : {3, 1, 2, 4}) {
    timeline.frame({fills}, Timing::stages, [&] {
      for (std::uint64_t i = 0; i < fills; ++i) timeline.run(moves);
    });
    timeline.collect();
  }
  EXPECT_DOUBLE_EQ(report_of(timeline, moves).gb_per_s, 1.5);
}

// Each fill takes the HostDevice a millisecond, so a sum is known in advance. Another stage stands
// between the runs.
TEST(Timeline, AStageMayRunManyTimesInAFrame) {
  for (const bool graphs : {true, false})
    for (const int k : {1, 3, 64, 65, 200}) {
      SCOPED_TRACE(std::to_string(k) + (graphs ? " in a graph" : " in launches"));
      HostDevice device;
      Timeline timeline(device);
      const FillStage often(timeline, "often");
      const FillStage between(timeline, "between");
      timeline.allow_graphs(graphs);
      for (int frame = 1; frame <= 3; ++frame) {
        timeline.frame({}, Timing::stages, [&] {
          for (int i = 0; i < k; ++i) {
            timeline.run(often.id);
            timeline.run(between.id);
            timeline.run(between.id);
          }
        });
        EXPECT_EQ(timeline.replays(), graphs);
        timeline.collect();
        // A time each, up to 64. The last of these then extends to the end of the last run, with
        // all work between: two milliseconds per round.
        const double expected = k <= 64 ? k : 63.0 + 1.0 + 3.0 * (k - 64);
        EXPECT_EQ(timeline.times(often.id).count(), static_cast<std::size_t>(frame));
        EXPECT_EQ(timeline.times(often.id).last(), expected);
        EXPECT_EQ(timeline.frame_times().last(), 3.0 * k);
        EXPECT_EQ(report_of(timeline, often.id).runs, k);
        EXPECT_EQ(report_of(timeline, between.id).runs, 2 * k);
      }
    }
}

// The time of one work over the bytes of another would be no bandwidth.
TEST(Timeline, BytesAreOfTheRunsThatWereTimed) {
  HostDevice device;
  Timeline timeline(device);
  const Buffer<std::uint8_t> memory(device, 64);
  std::uint64_t bytes = 1'000'000;
  const StageId id = timeline.add({.name = "write",
                                   .title = "Write",
                                   .queue =
                                       [&](const StageRun& run) {
                                         if (run.measuring()) return;
                                         run.stream().fill(memory.data(), 1, memory.bytes());
                                       },
                                   .work =
                                       [&] {
                                         return StageWork{bytes / 8, bytes};
                                       }});
  EXPECT_EQ(report_of(timeline, id).work.bytes, 1'000'000U) << "before the first run";
  const auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      timeline.run(id);
      timeline.collect();
    }
  };
  run(1);
  EXPECT_EQ(report_of(timeline, id).gb_per_s, 1.0) << "the cold run";
  run(4);
  bytes = 3'000'000;
  EXPECT_EQ(report_of(timeline, id).gb_per_s, 1.0) << "it has not run since";
  run(1);
  EXPECT_EQ(report_of(timeline, id).gb_per_s, 1.0);
  EXPECT_EQ(report_of(timeline, id).work.items, 3'000'000U / 8) << "of the last run";
  run(5);
  EXPECT_EQ(report_of(timeline, id).gb_per_s, 3.0);
  EXPECT_EQ(report_of(timeline, id).work.bytes, 3'000'000U);
  bytes = 0;
  EXPECT_EQ(report_of(timeline, id).gb_per_s, 3.0) << "a frame that does not run it";
}

TEST(Timeline, TimesOfARealDeviceAddUp) {
  for (const TestDevice& on : devices_for(items)) {
    SCOPED_TRACE(on.name);
    Timeline timeline(*on.device);
    const ScanStage scan(timeline, "scan");
    timeline.reserve_scratch();
    for (const int k : {1, 3, 64, 65, 200}) {
      timeline.forget_times();
      timeline.frame({static_cast<std::uint64_t>(k)}, Timing::stages, [&] {
        for (int i = 0; i < k; ++i) timeline.run(scan.id);
      });
      timeline.collect();
      EXPECT_EQ(report_of(timeline, scan.id).runs, k);
      ASSERT_EQ(timeline.times(scan.id).count(), 1U);
      EXPECT_GT(timeline.times(scan.id).last(), 0.0);
      EXPECT_LE(timeline.times(scan.id).last(), timeline.frame_times().last());
    }
  }
}

TEST(Timeline, TimesTheWholeFrameAlone) {
  for (const bool events_in_graphs : {true, false}) {
    HostDevice device(Backend::cpu, events_in_graphs);
    Timeline timeline(device);
    const FillStage fill(timeline);
    const auto queue = [&] {
      timeline.run(fill.id);
      timeline.run(fill.id);
    };
    for (int frame = 1; frame <= 2; ++frame) {
      timeline.frame({}, Timing::whole, queue);
      EXPECT_TRUE(timeline.replays());
      timeline.collect();
      EXPECT_TRUE(timeline.times(fill.id).empty());
      EXPECT_EQ(timeline.frame_times().count(), static_cast<std::size_t>(frame));
      EXPECT_EQ(timeline.frame_times().last(), 2.0);
    }
    // Timing the stages makes another graph, on devices whose graphs can hold events.
    timeline.frame({}, Timing::stages, queue);
    EXPECT_EQ(timeline.replays(), events_in_graphs);
    timeline.collect();
    EXPECT_EQ(timeline.times(fill.id).last(), 2.0);
    EXPECT_EQ(timeline.frame_times().last(), 2.0);
    timeline.frame({}, Timing::whole, queue);
    timeline.collect();
    EXPECT_EQ(timeline.times(fill.id).count(), 1U);
    // Outside of frames each run is timed.
    timeline.run(fill.id);
    timeline.collect();
    EXPECT_EQ(timeline.times(fill.id).count(), 2U);
    timeline.forget_times();
    EXPECT_TRUE(timeline.times(fill.id).empty());
    EXPECT_TRUE(timeline.frame_times().empty());
  }
}

TEST(Timeline, UncollectedTimesAreLost) {
  HostDevice device;
  Timeline timeline(device);
  const FillStage fill(timeline);
  for (int frame = 0; frame < 3; ++frame)
    timeline.frame({}, Timing::stages, [&] { timeline.run(fill.id); });
  timeline.collect();
  EXPECT_EQ(timeline.times(fill.id).count(), 1U);
  EXPECT_EQ(timeline.frame_times().count(), 1U);
  timeline.collect();
  EXPECT_EQ(timeline.frame_times().count(), 1U);
}

// --- Frames

TEST(Timeline, CapturesAFrameOncePerKeyAndReplaysIt) {
  for (const TestDevice& on : devices_for(1)) {
    SCOPED_TRACE(on.name);
    Timeline timeline(*on.device);
    FillStage fill(timeline);
    if (!on.device->events_in_graphs()) continue;
    int queued = 0;
    const auto frame = [&](std::uint64_t key) {
      timeline.frame({key, 5}, Timing::stages, [&] {
        ++queued;
        fill.value = static_cast<std::uint8_t>(key);
        timeline.run(fill.id);
      });
      EXPECT_TRUE(timeline.replays());
      EXPECT_EQ(fill.result(timeline.stream()), static_cast<std::uint8_t>(key));
      EXPECT_EQ(report_of(timeline, fill.id).runs, 1);
    };
    for (int i = 0; i < 3; ++i) frame(1);
    EXPECT_EQ(queued, 1);
    frame(2);
    EXPECT_EQ(queued, 2);
    frame(1);
    frame(2);
    EXPECT_EQ(queued, 2);

    // More keys than are kept: the graph used longest ago is captured again.
    queued = 0;
    for (std::uint64_t key = 100; key < 120; ++key) frame(key);
    EXPECT_EQ(queued, 20);
    frame(119);
    frame(115);
    EXPECT_EQ(queued, 20);
    frame(100);
    EXPECT_EQ(queued, 21);
    frame(119);
    EXPECT_EQ(queued, 21);

    timeline.forget_graphs();
    frame(119);
    EXPECT_EQ(queued, 22);
    timeline.collect();
    EXPECT_TRUE(std::all_of(timeline.times(fill.id).milliseconds().begin(),
                            timeline.times(fill.id).milliseconds().end(),
                            [](double ms) { return ms >= 0.0; }));
  }
}

TEST(Timeline, WithoutGraphsEachFrameIsQueued) {
  Timeline timeline(any_device());
  const FillStage fill(timeline);
  int queued = 0;
  const auto frame = [&] {
    timeline.frame({}, Timing::stages, [&] {
      ++queued;
      timeline.run(fill.id);
    });
    timeline.collect();
  };
  timeline.allow_graphs(false);
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(queued, 3);
  EXPECT_FALSE(timeline.replays());
  timeline.allow_graphs(true);
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(queued, 4);
  EXPECT_TRUE(timeline.replays());
  EXPECT_EQ(timeline.times(fill.id).count(), 6U);
}

TEST(Timeline, AGraphEqualsLaunchesAndFollowsChoices) {
  for (const TestDevice& on : devices_for(items)) {
    SCOPED_TRACE(on.name);
    Timeline timeline(*on.device);
    const ScanStage scan(timeline, "scan");
    timeline.reserve_scratch();
    int queued = 0;
    for (const char* name : {"lookback", "chained", "hierarchical", "lookback"}) {
      timeline.choose({scan_by(name)});
      queued = 0;
      for (const bool graphs : {true, true, false, true}) {
        timeline.allow_graphs(graphs);
        scan.clear(timeline.stream());
        timeline.frame({}, Timing::stages, [&] {
          ++queued;
          timeline.run(scan.id);
        });
        EXPECT_EQ(scan.result(timeline.stream()), scan.expected) << name;
      }
      EXPECT_GE(queued, 2) << "captured again after a choice, and launched once";
    }
  }
}

TEST(Timeline, AFailureWhileQueueingLeavesItUsable) {
  for (const bool graphs : {true, false}) {
    SCOPED_TRACE(graphs ? "in a graph" : "in launches");
    HostDevice device;
    Timeline timeline(device);
    const FillStage before(timeline, "before");
    FillStage fill(timeline, "fill");
    timeline.allow_graphs(graphs);
    const auto frame = [&] {
      timeline.frame({}, Timing::stages, [&] {
        timeline.run(before.id);
        timeline.run(fill.id);
      });
    };
    fill.fails = true;
    for (int i = 0; i < 2; ++i) {
      EXPECT_THROW(frame(), Error);
      // No time for a stage that did not end, nor for the one before it.
      timeline.collect();
      EXPECT_TRUE(timeline.times(before.id).empty());
      EXPECT_TRUE(timeline.times(fill.id).empty());
      EXPECT_TRUE(timeline.frame_times().empty());
    }
    EXPECT_THROW(timeline.run(fill.id), Error);
    timeline.collect();
    EXPECT_TRUE(timeline.times(fill.id).empty());
    EXPECT_THROW(timeline.frame({7}, Timing::whole, [&] { timeline.run(fill.id); }), Error);
    fill.fails = false;
    for (std::size_t i = 1; i <= 2; ++i) {
      frame();
      timeline.collect();
      EXPECT_EQ(timeline.replays(), graphs);
      EXPECT_EQ(timeline.times(fill.id).count(), i);
      EXPECT_EQ(timeline.times(fill.id).last(), 1.0);
      EXPECT_EQ(timeline.frame_times().last(), 2.0);
    }
    EXPECT_EQ(fill.result(timeline.stream()), fill.value);
    EXPECT_EQ(device.graph_launches, graphs ? 2 : 0);
  }
}

TEST(Timeline, AFailureOnARealDeviceLeavesItUsable) {
  for (const TestDevice& on : devices_for(items)) {
    SCOPED_TRACE(on.name);
    Timeline timeline(*on.device);
    const ScanStage scan(timeline, "scan");
    timeline.reserve_scratch();
    bool fails = true;
    const auto queue = [&] {
      timeline.run(scan.id);
      if (fails) throw Error("a frame", "it was told to fail", "");
    };
    EXPECT_THROW(timeline.frame({}, Timing::stages, queue), Error);
    timeline.collect();
    fails = false;
    for (int i = 0; i < 2; ++i) {
      scan.clear(timeline.stream());
      timeline.frame({}, Timing::stages, queue);
      timeline.collect();
      EXPECT_EQ(scan.result(timeline.stream()), scan.expected);
    }
    EXPECT_EQ(timeline.times(scan.id).count(), 2U);
  }
}

// --- Values and results

struct Values {
  std::uint32_t number = 0;
  std::array<std::uint32_t, 9> more{};
};

// Each frame copies the value to a separate place. None of them ends before the last is queued, so
// that a value written too early would be seen by frames that came before it.
TEST(Timeline, FramesSeeTheirOwnValues) {
  constexpr std::uint32_t frames = 11;
  HostDevice late;
  std::vector<Device*> all = {&late};
  for (const TestDevice& on : devices_for(1)) all.push_back(on.device.get());
  for (Device* const device : all)
    for (const bool graphs : {true, false}) {
      SCOPED_TRACE(device->info().name + (graphs ? ", graphs" : ", launches"));
      Timeline timeline(*device);
      FrameValues<Values> values = timeline.values<Values>();
      const Buffer<Values> seen(*device, frames);
      const Buffer<Values> now(*device, 1);
      Stream& stream = timeline.stream();
      const StageId read = timeline.add(
          {.name = "read", .title = "Read", .queue = [&](const StageRun& run) {
             if (run.measuring()) return;
             run.stream().copy(now.data(), values.device(), sizeof(Values), Copy::device_to_device);
           }});
      timeline.allow_graphs(graphs);
      const auto frame = [&] { timeline.frame({}, Timing::stages, [&] { timeline.run(read); }); };
      frame();
      const Values none = now.download(stream).front();
      EXPECT_EQ(none.number, 0U) << "zero before the first";
      for (std::uint32_t i = 0; i < frames; ++i) {
        Values value{.number = i + 1};
        value.more.fill(i + 100);
        values.set(value);
        frame();
        stream.copy(seen.data() + i, now.data(), sizeof(Values), Copy::device_to_device);
      }
      const std::vector<Values> got = seen.download(stream);
      for (std::uint32_t i = 0; i < frames; ++i) {
        EXPECT_EQ(got[i].number, i + 1);
        EXPECT_EQ(got[i].more.back(), i + 100);
      }
    }
}

TEST(Timeline, ResultsAreThoseOfTheLastCollect) {
  HostDevice late;
  std::vector<Device*> all = {&late};
  for (const TestDevice& on : devices_for(1)) all.push_back(on.device.get());
  for (Device* const device : all)
    for (const bool graphs : {true, false}) {
      SCOPED_TRACE(device->info().name + (graphs ? ", graphs" : ", launches"));
      Timeline timeline(*device);
      const Buffer<std::uint16_t> results(*device, 3);
      const Buffer<std::uint64_t> other(*device, 1);
      const ReadBack<std::uint16_t> read = timeline.read_back(results.data(), 3);
      const ReadBack<std::uint64_t> read_other = timeline.read_back(other.data());
      EXPECT_EQ(read[0], 0);
      EXPECT_EQ(*read_other, 0U);
      std::uint8_t byte = 1;
      const StageId write =
          timeline.add({.name = "write", .title = "Write", .queue = [&](const StageRun& run) {
                          if (run.measuring()) return;
                          run.stream().fill(results.data(), byte, results.bytes());
                          run.stream().fill(other.data(), byte, other.bytes());
                        }});
      timeline.allow_graphs(graphs);
      timeline.frame({byte}, Timing::stages, [&] { timeline.run(write); });
      timeline.stream().synchronize();
      EXPECT_EQ(read[2], 0) << "not collected yet";
      timeline.collect();
      EXPECT_EQ(read[0], 0x0101);
      EXPECT_EQ(read[2], 0x0101);
      EXPECT_EQ(*read_other, 0x0101010101010101U);

      byte = 2;
      timeline.run(write);
      timeline.collect();
      EXPECT_EQ(read[1], 0x0101) << "nothing was read back";
      timeline.queue_read_backs();
      EXPECT_EQ(read[1], 0x0101);
      timeline.collect();
      EXPECT_EQ(read[1], 0x0202);
    }
}

TEST(Timeline, FreesItsMemory) {
  HostDevice device;
  {
    Timeline timeline(device);
    const FillStage fill(timeline);
    FrameValues<Values> values = timeline.values<Values>();
    values.set({});
    timeline.read_back(values.device());
    timeline.frame({}, Timing::stages, [&] { timeline.run(fill.id); });
    EXPECT_GT(device.live_allocations, 0);
  }
  EXPECT_EQ(device.live_allocations, 0);
}

}  // namespace
}  // namespace warpview::test
