// Every scheduler of the catalogue, beyond the experiment: queues that are too small, consecutive
// runs, invalid settings.
#include "gpu/primitives/schedule/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "gpu/catalogue.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Schedule : public testing::TestWithParam<Row> {};

// Trees on a device, with room for their results.
struct Forest {
  Forest(Device& device, Stream& stream, std::uint32_t n, std::uint32_t trees)
      : keys(device, trees),
        sums(device, schedule_sums),
        counts(device, schedule_sums),
        status(device, 1) {
    std::vector<std::uint64_t> host(trees);
    for (std::uint32_t i = 0; i < trees; ++i) host[i] = schedule_mix(i);
    keys.upload(stream, host);
    stream.synchronize();
    args = {.n = n,
            .trees = trees,
            .keys = keys.data(),
            .capacity = {1024, 1024, 1024},
            .stack = 1024,
            .sums = sums.data(),
            .counts = counts.data(),
            .status = status.data()};
  }
  std::uint32_t leaves(Stream& stream) const {
    const std::vector<std::uint32_t> all = counts.download(stream);
    return std::accumulate(all.begin(), all.end(), 0U);
  }

  Buffer<std::uint64_t> keys, sums;
  Buffer<std::uint32_t> counts;
  Buffer<ScheduleStatus> status;
  ScheduleArgs args;
};

std::uint32_t sum_of(const std::uint32_t (&by_procedure)[most_procedures]) {
  return std::accumulate(std::begin(by_procedure), std::end(by_procedure), 0U);
}

// Trees of one item each, more than there are places: each is executed, or counted as refused.
TEST_P(Schedule, CountsRefusedItemsAndTerminates) {
  constexpr std::uint32_t n = 2000;
  for (const TestDevice& on : having(few_devices(), GetParam())) {
    SCOPED_TRACE(on.name);
    const auto stream = on.device->create_stream();
    Forest forest(*on.device, *stream, n, n);
    forest.args.capacity[0] = 256;
    forest.args.stack = 16;
    const auto prepared =
        on.device->table().get<Primitive::schedule>(GetParam().index)(*stream, forest.args);
    prepared->run();
    const ScheduleStatus status = forest.status.download(*stream).front();
    EXPECT_GT(sum_of(status.refused), 0U);
    EXPECT_EQ(sum_of(status.executed) + sum_of(status.refused), n);
    EXPECT_EQ(forest.leaves(*stream), sum_of(status.executed));
  }
}

// A few large trees that spawn more items than there are places: missing items are reported.
TEST_P(Schedule, NeverLosesItemsSilently) {
  constexpr std::uint32_t n = 20'000;
  for (const TestDevice& on : having(few_devices(), GetParam())) {
    SCOPED_TRACE(on.name);
    const auto stream = on.device->create_stream();
    Forest forest(*on.device, *stream, n, 4);
    forest.args.shape.fewest_children = 4;
    forest.args.capacity[0] = 256;
    forest.args.stack = 64;
    const auto prepared =
        on.device->table().get<Primitive::schedule>(GetParam().index)(*stream, forest.args);
    for (int run = 0; run < 2; ++run) {
      prepared->run();
      const ScheduleStatus status = forest.status.download(*stream).front();
      EXPECT_EQ(sum_of(status.refused) == 0, sum_of(status.executed) == n);
      EXPECT_LE(sum_of(status.executed) + sum_of(status.refused), n);
    }
  }
}

// Each run starts from an empty state; the host counts the work of the run.
TEST_P(Schedule, RunsAgain) {
  constexpr std::uint32_t n = 3000;
  for (const TestDevice& on : having(few_devices(), GetParam())) {
    SCOPED_TRACE(on.name);
    const auto stream = on.device->create_stream();
    Forest forest(*on.device, *stream, n, 100);
    forest.args.shape.of_a = 100;
    forest.args.shape.of_a_or_b = 200;
    forest.args.capacity[0] = forest.args.capacity[1] = forest.args.capacity[2] = 4096;
    forest.args.stack = 4096;
    ScheduleReport report;
    forest.args.report = &report;
    const auto prepared =
        on.device->table().get<Primitive::schedule>(GetParam().index)(*stream, forest.args);
    std::vector<std::uint64_t> first;
    for (int run = 0; run < 3; ++run) {
      prepared->run();
      const ScheduleStatus status = forest.status.download(*stream).front();
      EXPECT_EQ(sum_of(status.executed), n);
      const std::vector<std::uint64_t> sums = forest.sums.download(*stream);
      if (run == 0) first = sums;
      EXPECT_EQ(sums, first);
      EXPECT_GE(report.launches, 1U);
      const std::string_view name = GetParam().index->name;
      const bool looks = name != "run_to_completion" && !name.starts_with("mega");
      EXPECT_EQ(report.synchronisations > 0, looks);
    }
  }
}

// The times when blocks were busy are recorded, if there is room, and never beyond it.
TEST_P(Schedule, RecordsWhenBlocksWereBusy) {
  constexpr std::uint32_t n = 3000;
  constexpr std::uint32_t trees = 100;
  for (const TestDevice& on : having(few_devices(), GetParam()))
    for (const std::uint32_t room : {1U, 4096U}) {
      SCOPED_TRACE(std::to_string(room) + ", " + on.name);
      const auto stream = on.device->create_stream();
      Forest forest(*on.device, *stream, n, trees);
      forest.args.shape.of_a = 100;
      forest.args.shape.of_a_or_b = 200;
      forest.args.capacity[0] = forest.args.capacity[1] = forest.args.capacity[2] = 4096;
      const Buffer<BusyStretch> stretches(*on.device, room + 1);
      const Buffer<std::uint32_t> count(*on.device, 1);
      stream->fill(stretches.data(), 0xcd, stretches.bytes());
      const ScheduleTrace trace{stretches.data(), count.data(), room};
      ScheduleReport report;
      forest.args.trace = &trace;
      forest.args.report = &report;
      const auto prepared =
          on.device->table().get<Primitive::schedule>(GetParam().index)(*stream, forest.args);
      const auto start = std::chrono::steady_clock::now();
      prepared->run();
      const std::uint32_t noted = count.download(*stream).front();
      // No interval is longer than the run, and none lies outside it: the run lasts from the first
      // begin to the last end. A GPU's clocks have a resolution of about a microsecond.
      const std::uint64_t passed =
          std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count() + 4096;
      EXPECT_GE(noted, 1U);
      EXPECT_LE(noted, n + trees);
      const std::vector<BusyStretch> all = stretches.download(*stream);
      EXPECT_EQ(all.back().begin, 0xcdcdcdcdcdcdcdcdU);
      std::uint64_t first = all[0].begin;
      for (std::uint32_t i = 0; i < std::min(noted, room); ++i)
        first = std::min(first, all[i].begin);
      for (std::uint32_t i = 0; i < std::min(noted, room); ++i) {
        ASSERT_LE(all[i].kernel, most_procedures);
        EXPECT_GT(report.places[all[i].kernel], 0U);
        EXPECT_LE(all[i].begin + all[i].nanoseconds - first, passed);
      }
      if (noted > room) continue;
      // Each batch was recorded once, with its procedure.
      const ScheduleStatus status = forest.status.download(*stream).front();
      std::uint32_t items[most_procedures + 1] = {};
      for (std::uint32_t i = 0; i < noted; ++i) {
        ASSERT_LE(all[i].procedure, most_procedures);
        items[all[i].procedure] += all[i].items;
        EXPECT_LE(all[i].queued, n);
      }
      for (unsigned kind = 0; kind < schedule_kinds; ++kind)
        EXPECT_EQ(items[kind], status.executed[kind]) << kind;
      const bool has_queues = std::string_view(GetParam().index->name) != "run_to_completion";
      EXPECT_EQ(items[most_procedures], has_queues ? 0U : trees);
    }
}

TEST_P(Schedule, RefusesInvalidQueues) {
  if (std::string_view(GetParam().index->name) == "run_to_completion") return;  // it has none
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  const auto function = on.device->table().get<Primitive::schedule>(GetParam().index);
  for (const std::uint32_t capacity : {0U, 128U, 1000U, 1U << 31U}) {
    Forest forest(*on.device, *stream, 1, 1);
    forest.args.capacity[2] = capacity;
    EXPECT_THROW(function(*stream, forest.args), Error) << capacity;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Schedule, testing::ValuesIn(rows_of(Primitive::schedule)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
