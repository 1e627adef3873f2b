// Every reduce by key and run-length encoding of the catalogue, beyond the experiment's input: runs
// of one item, runs over many tiles, keys of all bits, arrays at any alignment, and the memory
// around the output.
#include <gtest/gtest.h>

#include "gpu/lab/data.h"
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"
#include "gpu/primitives/run_length/run_length.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

using lab::Distribution;

using Words = std::vector<std::uint32_t>;

// Keys whose runs have these lengths, cyclically; 0: one run of all items.
Words keys(std::size_t n, std::initializer_list<std::size_t> lengths) {
  constexpr std::uint32_t in_turn[] = {0, ~0U, 1, 0x80000000U, 0xcdcdcdcdU};
  Words result;
  std::size_t run = 0;
  while (result.size() < n) {
    const std::size_t length = lengths.begin()[run % lengths.size()];
    result.resize(length > 0 ? std::min(n, result.size() + length) : n, in_turn[run % 5]);
    ++run;
  }
  return result;
}

struct Runs {
  Words keys, lengths, sums;
};
Runs runs_of(const Words& keys, const Words& values) {
  Runs runs;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      runs.keys.push_back(keys[i]);
      runs.lengths.push_back(0);
      runs.sums.push_back(0);
    }
    ++runs.lengths.back();
    runs.sums.back() += values[i];
  }
  return runs;
}

// Calls check(on, stream, keys, values, runs, offset) for all of these inputs.
template <class Check>
void for_inputs(const Row& row, Check check) {
  for (const std::size_t n : {0, 1, 5, 256, 2049, 9001})
    for (const auto& lengths : {std::initializer_list<std::size_t>{1},
                                {0},
                                {1, 31, 32, 33, 2},
                                {2047, 1, 2050},
                                {4999}}) {
      const Words input = keys(n, lengths);
      const auto wide = lab::integers(Distribution::uniform, n, 32, 1);
      const Words numbers(wide.begin(), wide.end());
      const Runs want = runs_of(input, numbers);
      std::size_t offset = 0;
      for (const TestDevice& on : devices_for(n, row)) {
        offset = (offset + 1) % 4;
        SCOPED_TRACE(std::to_string(n) + " keys, runs from " + std::to_string(*lengths.begin()) +
                     ", from word " + std::to_string(offset) + " on, " + on.name);
        const auto stream = on.device->create_stream();
        check(on, *stream, input, numbers, want, offset);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

class ReduceByKey : public testing::TestWithParam<Row> {};

TEST_P(ReduceByKey, SumsRunsOfAnyLength) {
  for_inputs(GetParam(), [](const TestDevice& on, Stream& stream, const Words& input,
                            const Words& numbers, const Runs& want, std::size_t offset) {
    ScratchMemory scratch(*on.device);
    const Guarded<std::uint32_t> in(*on.device, stream, input, offset);
    const Guarded<std::uint32_t> values(*on.device, stream, numbers, (offset + 1) % 4);
    const Guarded<std::uint32_t> keys_out(*on.device, stream, input.size(), (offset + 2) % 4);
    const Guarded<std::uint32_t> sums(*on.device, stream, input.size(), (offset + 3) % 4);
    const Guarded<std::uint32_t> count(*on.device, stream, 1, 1);
    scratch.run(on.device->table().get<Primitive::reduce_by_key>(GetParam().index), stream,
                ReduceByKeyArgs{.keys = in.data(),
                                .values = values.data(),
                                .keys_out = keys_out.data(),
                                .sums = sums.data(),
                                .count = count.data(),
                                .n = static_cast<std::uint32_t>(input.size())});
    ASSERT_EQ(count.download(), Words{static_cast<std::uint32_t>(want.keys.size())});
    ASSERT_EQ(keys_out.download(want.keys.size()), want.keys);
    ASSERT_EQ(sums.download(want.keys.size()), want.sums);
  });
}

class RunLength : public testing::TestWithParam<Row> {};

TEST_P(RunLength, CountsRunsOfAnyLength) {
  for_inputs(GetParam(), [](const TestDevice& on, Stream& stream, const Words& input, const Words&,
                            const Runs& want, std::size_t offset) {
    ScratchMemory scratch(*on.device);
    const Guarded<std::uint32_t> in(*on.device, stream, input, offset);
    const Guarded<std::uint32_t> keys_out(*on.device, stream, input.size(), (offset + 1) % 4);
    const Guarded<std::uint32_t> lengths(*on.device, stream, input.size(), (offset + 2) % 4);
    const Guarded<std::uint32_t> count(*on.device, stream, 1, 1);
    scratch.run(on.device->table().get<Primitive::run_length>(GetParam().index), stream,
                RunLengthArgs{.keys = in.data(),
                              .keys_out = keys_out.data(),
                              .lengths = lengths.data(),
                              .count = count.data(),
                              .n = static_cast<std::uint32_t>(input.size())});
    ASSERT_EQ(count.download(), Words{static_cast<std::uint32_t>(want.keys.size())});
    ASSERT_EQ(keys_out.download(want.keys.size()), want.keys);
    ASSERT_EQ(lengths.download(want.keys.size()), want.lengths);
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ReduceByKey,
                         testing::ValuesIn(rows_of(Primitive::reduce_by_key)),
                         [](const auto& row) { return name_of(row.param); });
INSTANTIATE_TEST_SUITE_P(Catalogue, RunLength, testing::ValuesIn(rows_of(Primitive::run_length)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
