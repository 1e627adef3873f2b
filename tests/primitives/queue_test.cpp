// Every queue of the catalogue under stress: few places, many operations.
#include "gpu/primitives/queue/queue.h"

#include <gtest/gtest.h>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Queue : public testing::TestWithParam<Row> {
 protected:
  unsigned traits() const { return GetParam().index->traits; }
  bool is_locked() const { return std::string_view(GetParam().index->name) == "locked"; }
};

// Half of the operations are appends.
constexpr std::size_t operations_on_a_gpu = 100'000'000;
constexpr std::size_t where_few_get_on = 1'000'000;
constexpr std::size_t operations_on_a_cpu = 3'000;

std::vector<TestDevice> devices_for_stress(const Row& row) {
  std::vector<TestDevice> devices = devices_for(100'000, row);
  if (devices.front().device->info().backend == Backend::cpu)
    for (const bool late : {false, true})
      devices.push_back({late ? "cpu with late publications" : "cpu with more threads than cores",
                         open_cpu_device({.warp_size = late ? 64U : 32U,
                                          .seed = 5,
                                          .workers = 4,
                                          .late_publications = late})});
  return devices;
}

TEST_P(Queue, NeitherLosesNorInventsItemsUnderStress) {
  if ((traits() & QueueTrait::only_counts) != 0) GTEST_SKIP() << "is no queue";
  for (const TestDevice& on : devices_for_stress(GetParam())) {
    const bool gpu = on.device->info().backend != Backend::cpu;
    const auto stream = on.device->create_stream();
    for (const std::uint32_t capacity : {2U, 8U, 64U, 1024U}) {
      SCOPED_TRACE(std::to_string(capacity) + " places, on " + on.name);
      const std::size_t operations = !gpu                           ? operations_on_a_cpu
                                     : is_locked() || capacity <= 8 ? where_few_get_on
                                                                    : operations_on_a_gpu;
      const auto n = static_cast<std::uint32_t>(allowed(operations / 2));
      const std::uint32_t threads = std::min(gpu ? 1U << 16U : 1U << 10U, n);
      const Buffer<std::uint32_t> appended(*on.device, n);
      const Buffer<std::uint32_t> taken(*on.device, n);
      const Buffer<std::uint32_t> left(*on.device, queue_room(capacity));
      const Buffer<std::uint32_t> left_count(*on.device, 1);
      const Buffer<std::uint64_t> retries(*on.device, 1);
      ScratchMemory scratch(*on.device);
      scratch.run(on.device->table().get<Primitive::queue>(GetParam().index), *stream,
                  QueueArgs{.n = n,
                            .threads = threads,
                            .capacity = capacity,
                            .appended = appended.data(),
                            .taken = taken.data(),
                            .left = left.data(),
                            .left_count = left_count.data(),
                            .retries = retries.data()});
      // Every appended item is taken once.
      std::vector<std::uint32_t> out(n);
      std::size_t through = 0;
      for (const Buffer<std::uint32_t>* items : {&taken, &left})
        for (const std::uint32_t item : items->download(*stream)) {
          if (item == queue_nothing) continue;
          ASSERT_LT(item, n);
          ++out[item];
          ++through;
        }
      ASSERT_TRUE(out == appended.download(*stream));
      EXPECT_GT(through, 0U);
    }
  }
}

TEST_P(Queue, RefusesInvalidArguments) {
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  ScratchMemory scratch(*on.device);
  const auto function = on.device->table().get<Primitive::queue>(GetParam().index);
  EXPECT_THROW(scratch.run(function, *stream, QueueArgs{.n = 4, .threads = 0}), Error);
  EXPECT_THROW(scratch.run(function, *stream, QueueArgs{.n = 4, .every = 0}), Error);
  EXPECT_THROW(scratch.run(function, *stream, QueueArgs{.n = 4, .capacity = 12}), Error);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Queue, testing::ValuesIn(rows_of(Primitive::queue)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
