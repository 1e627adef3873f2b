// A case that the generic experiment of `l2` leaves out: runs from a captured graph.
#include <gtest/gtest.h>

#include "gpu/lab/experiment.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class L2 : public testing::TestWithParam<Row> {};

TEST_P(L2, RunsInAGraph) {
  for (const TestDevice& on : devices_for(1, GetParam())) {
    SCOPED_TRACE(on.name);
    const auto stream = on.device->create_stream();
    const auto experiment = lab::experiment(Primitive::l2)
                                .make({.device = *on.device,
                                       .stream = *stream,
                                       .n = static_cast<std::uint32_t>(allowed(4097))});
    const VariantId variant = GetParam().index;
    ASSERT_EQ(experiment->run_verified(variant), "");
    stream->begin_capture();
    experiment->run(variant);
    const auto graph = stream->end_capture();
    const auto launch = [&] { stream->launch(*graph); };
    ASSERT_EQ(experiment->run_verified(variant, launch), "");
    ASSERT_EQ(experiment->run_verified(variant, launch), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, L2, testing::ValuesIn(rows_of(Primitive::l2)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
