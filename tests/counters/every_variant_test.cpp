// Every variant on the counted device: its result is right, and its counts are the same in every
// run.
#include <gtest/gtest.h>

#include "gpu/lab/laboratory.h"

namespace warpview::test {
namespace {

class EveryVariant : public testing::TestWithParam<int> {};

TEST_P(EveryVariant, CountsTheSameInEveryRun) {
  const auto primitive = static_cast<Primitive>(GetParam());
  for (const unsigned warp_size : {32U, 64U}) {
    const auto device = open_counted_device({.warp_size = warp_size});
    lab::Laboratory laboratory(*device, 1);
    const lab::Question question = {
        .primitive = primitive,
        .distribution = lab::experiment(primitive).distributions.front(),
        .n = 1000};
    std::vector<std::vector<lab::Answer>> runs;
    for (int run = 0; run < 2; ++run) {
      laboratory.ask(question);
      runs.emplace_back();
      for (const VariantId variant : laboratory.variants())
        runs.back().push_back(laboratory.verify(variant));
    }
    for (std::size_t i = 0; i < runs[0].size(); ++i) {
      const lab::Answer& answer = runs[0][i];
      SCOPED_TRACE((*answer.variant)->name);
      EXPECT_EQ(answer.difference, "");
      EXPECT_EQ(answer.counters, runs[1][i].counters);
      for (const KernelCounters& kernel : answer.counters) {
        EXPECT_GE(kernel.global_sectors, kernel.global_sectors_least) << kernel.name;
        EXPECT_GE(kernel.shared_transactions, kernel.shared_accesses) << kernel.name;
        EXPECT_GE(kernel.atomics, kernel.atomic_rounds) << kernel.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Primitives, EveryVariant, testing::Range(0, primitive_count),
                         [](const testing::TestParamInfo<int>& primitive) {
                           return std::string(to_string(static_cast<Primitive>(primitive.param)));
                         });

}  // namespace
}  // namespace warpview::test
