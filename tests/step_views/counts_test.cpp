// The view of counts, held to the device that counts.
#include <gtest/gtest.h>

#include <map>

#include "gpu/lab/laboratory.h"
#include "gpu/recording/instructions.h"
#include "gpu/runtime/counted_device.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

// The four numbers of a row: of the step, the block, the launch and the run.
std::vector<std::string> row_of(const StepDrawing& drawing, std::string_view words) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i + 4 < drawing.shapes.size(); ++i)
    if (drawing.shapes[i].words == words)
      for (std::size_t k = 1; k <= 4; ++k) numbers.push_back(drawing.shapes[i + k].words);
  return numbers;
}

TEST(CountsView, RunsAlongWithTheStep) {
  HandMade run(2, 32);
  run.begin(0);
  run.access(EventKind::read, 0, 0, 32);
  run.access(EventKind::read, 1, 0, 4, 32);
  run.access(EventKind::add, 0, 0, 8, 8);
  run.arrive(0, 32);
  run.event({.kind = EventKind::barrier});
  Playback at(run.take());
  using Row = std::vector<std::string>;
  at.seek(3);
  for (const float width : {332.0F, 900.0F}) {
    const StepDrawing drawing = drawn("counts", at, 0, width);
    EXPECT_EQ(row_of(drawing, "sectors"), (Row{"4", "4", "4", "4"}));
    EXPECT_EQ(row_of(drawing, "bank turns"), (Row{"0", "0", "0", "0"}));
  }
  at.seek(5);
  EXPECT_EQ(row_of(drawn("counts", at), "sectors"), (Row{"8", "12", "12", "12"}));
  EXPECT_EQ(row_of(drawn("counts", at, 1), "sectors"), (Row{"8", "0", "12", "12"}));
  EXPECT_EQ(row_of(drawn("counts", at), "bank turns"), (Row{"0", "4", "4", "4"}));
  EXPECT_EQ(row_of(drawn("counts", at), "conflicts"), (Row{"0", "1", "1", "1"}));
  EXPECT_EQ(row_of(drawn("counts", at), "atomics"), (Row{"8", "8", "8", "8"}));
  EXPECT_EQ(row_of(drawn("counts", at), "divergent"), (Row{"1", "2", "2", "2"}));
  at.seek(7);
  EXPECT_EQ(row_of(drawn("counts", at), "barriers"), (Row{"1", "1", "1", "1"}));
}

// Each launch counts from 0; the run goes on.
TEST(CountsView, CountsALaunchByItself) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::read, 0, 0, 32);
  run.end(0);
  run.event({.kind = EventKind::launch});
  run.begin(0);
  run.access(EventKind::read, 0, 0, 8);
  run.access(EventKind::read, 0, 0, 16);
  Playback at(run.take());
  using Row = std::vector<std::string>;
  at.seek(5);  // the second launch has only begun
  EXPECT_EQ(row_of(drawn("counts", at), "sectors"), (Row{"0", "0", "0", "4"}));
  at.seek(at.steps());
  EXPECT_EQ(row_of(drawn("counts", at), "sectors"), (Row{"2", "3", "3", "7"}));
}

StepCounts recorded_counts(const AskedRecording& run) {
  const Playback playback(record(run));
  StepCounts sum;
  for (std::size_t i = 0; i < playback.steps(); ++i)
    sum += counts_of(playback.recording(), playback.events_of(i));
  return sum;
}

KernelCounters counted(const std::string& primitive_name, const std::string& variant,
                       std::uint32_t items) {
  const Primitive primitive = find_primitive(primitive_name);
  const auto device = open_counted_device();
  lab::Laboratory laboratory(*device, 1);
  laboratory.ask({.primitive = primitive,
                  .distribution = lab::experiment(primitive).distributions.front(),
                  .n = items});
  KernelCounters sum;
  for (const KernelCounters& each : laboratory.verify(find_variant(primitive, variant)).counters) {
    sum.shared_accesses += each.shared_accesses;
    sum.shared_transactions += each.shared_transactions;
    sum.global_accesses += each.global_accesses;
    sum.global_sectors += each.global_sectors;
    sum.atomics += each.atomics;
    sum.barriers += each.barriers;
    sum.collectives += each.collectives;
  }
  return sum;
}

// Block scans have the same tiles on both devices, and their lanes stay together.
TEST(CountsView, EqualsTheDeviceThatCounts) {
  for (const char* const variant : {"hillis_steele", "kogge_stone", "blelloch", "blelloch_halves",
                                    "blelloch_padded", "brent_kung"}) {
    SCOPED_TRACE(variant);
    const StepCounts is =
        recorded_counts({.primitive = "block_scan", .variant = variant, .items = 512});
    const KernelCounters wanted = counted("block_scan", variant, 512);
    EXPECT_GT(wanted.global_sectors, 0U);
    EXPECT_EQ(is.shared_accesses, wanted.shared_accesses);
    EXPECT_EQ(is.bank_turns, wanted.shared_transactions);
    EXPECT_EQ(is.global_reads + is.global_writes, wanted.global_accesses);
    EXPECT_EQ(is.sectors, wanted.global_sectors);
    EXPECT_EQ(is.barriers, wanted.barriers);
    EXPECT_EQ(is.collectives, wanted.collectives);
  }
}

// In the order of the device that counts lanes run one by one, so their accesses are steps of their
// own: what is not counted by warps is equal.
TEST(CountsView, EqualsTheDeviceThatCountsInItsOrder) {
  for (const char* const variant : {"hillis_steele", "kogge_stone", "blelloch"}) {
    SCOPED_TRACE(variant);
    const StepCounts is = recorded_counts(
        {.primitive = "block_scan", .variant = variant, .items = 512, .interleave = 0});
    const KernelCounters wanted = counted("block_scan", variant, 512);
    EXPECT_EQ(is.barriers, wanted.barriers);
    EXPECT_EQ(is.collectives, wanted.collectives);
    EXPECT_EQ(is.atomics, wanted.atomics);
  }
}

}  // namespace
}  // namespace warpview::test
