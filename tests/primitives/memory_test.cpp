// Every kind of memory of the catalogue, beyond the experiment's input: host arrays at any
// alignment, no words at all, and the memory around the output.
#include "gpu/primitives/memory/memory.h"

#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Memory : public testing::TestWithParam<Row> {};

// The new value of a word, the first of its page or another one.
std::uint32_t after_turns(std::uint32_t word, bool is_first) {
  for (std::uint32_t turn = 0; turn < memory_turns; ++turn)
    word = 3 * word + 1 + (is_first ? 1 : 0);
  return word;
}

TEST_P(Memory, CopiesWordsThereAndBack) {
  constexpr std::uint32_t guard = 0x600df00d;
  const bool only_turns = (GetParam().index->traits & MemoryTrait::only_turns) != 0;
  const MemoryTask task = only_turns ? MemoryTask::turns : MemoryTask::round_trip;
  for (const std::uint32_t n : {0U, 1U, 1023U, 4099U})
    for (const std::size_t offset : {1U, 3U})
      for (const TestDevice& on : devices_for(1, GetParam())) {
        SCOPED_TRACE(std::to_string(n) + " words, from word " + std::to_string(offset) + " on, " +
                     on.name);
        const auto stream = on.device->create_stream();
        std::vector<std::uint32_t> in(offset + n), out(offset + n + 4, guard);
        for (std::size_t i = 0; i < in.size(); ++i)
          in[i] = static_cast<std::uint32_t>(i) * 0x9e3779b9U;
        std::vector<std::uint32_t> want = out;
        for (std::size_t i = 0; i < n; ++i)
          want[offset + i] = only_turns ? after_turns(in[offset + i], i % memory_page == 0)
                                        : 3 * in[offset + i] + 1;
        const auto prepared = on.device->table().get<Primitive::memory>(GetParam().index)(
            *stream, {.task = task, .in = in.data() + offset, .out = out.data() + offset, .n = n});
        for (int run = 0; run < 2; ++run) {
          prepared->spoil(0xcd);
          stream->synchronize();
          std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(offset), n, 0xcdcdcdcdU);
          prepared->reset();
          prepared->run();
          prepared->fetch();
          stream->synchronize();
          ASSERT_EQ(out, want) << "run " << run;
        }
      }
}

// A variant refuses a task that it does not support, instead of doing another.
TEST_P(Memory, RefusesTasksOutsideItsTraits) {
  const unsigned traits = GetParam().index->traits;
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  std::vector<std::uint32_t> words(2, 1);
  const auto prepare = [&](MemoryTask task, MemoryAdvice advice) {
    on.device->table().get<Primitive::memory>(GetParam().index)(
        *stream, {.task = task, .advice = advice, .in = &words[0], .out = &words[1], .n = 1});
  };
  if ((traits & MemoryTrait::takes_turns) == 0) {
    EXPECT_THROW(prepare(MemoryTask::table, MemoryAdvice::none), Error);
  }
  if ((traits & MemoryTrait::advised) == 0) {
    EXPECT_THROW(prepare(MemoryTask::turns, MemoryAdvice::read_mostly), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Memory, testing::ValuesIn(rows_of(Primitive::memory)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
