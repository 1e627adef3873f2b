// Every chain of kernels of the catalogue, beyond the experiment's input: repeated runs on input
// that changes, from arrays at any alignment.
#include "gpu/primitives/chain/chain.h"

#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

class Chain : public testing::TestWithParam<Row> {};

TEST_P(Chain, TakesTheInputOfEachRun) {
  using Words = std::vector<std::uint32_t>;
  for (const std::uint32_t n : {1U, 255U, 1025U})
    for (const std::uint32_t steps : {1U, 2U, 7U})
      for (const TestDevice& on : devices_for(n, GetParam())) {
        SCOPED_TRACE(std::to_string(n) + " words, " + std::to_string(steps) + " steps, " + on.name);
        const auto stream = on.device->create_stream();
        Device& device = *on.device;
        const Guarded<std::uint32_t> x_in(device, *stream, n, 1), y_in(device, *stream, n, 2);
        const Guarded<std::uint32_t> x(device, *stream, n, 3), y(device, *stream, n, 1);
        const Guarded<std::uint32_t> out(device, *stream, n, 2);
        const auto prepared =
            device.table().get<Primitive::chain>(GetParam().index)(*stream, {.x_in = x_in.data(),
                                                                             .y_in = y_in.data(),
                                                                             .x = x.data(),
                                                                             .y = y.data(),
                                                                             .out = out.data(),
                                                                             .n = n,
                                                                             .steps = steps});
        for (std::uint32_t run = 1; run <= 3; ++run) {
          Words host_x(n), host_y(n), want(n);
          for (std::uint32_t i = 0; i < n; ++i) {
            host_x[i] = run * 0x9e3779b9U + i;
            host_y[i] = ~i * run;
          }
          stream->copy(x_in.data(), host_x.data(), n * sizeof(n), Copy::host_to_device);
          stream->copy(y_in.data(), host_y.data(), n * sizeof(n), Copy::host_to_device);
          prepared->run();
          stream->synchronize();
          for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t step = 0; step < steps; ++step) {
              host_x[i] = 5 * host_x[i] + 1;
              host_y[i] = 3 * host_y[i] + 7;
            }
            want[i] = host_x[i] ^ host_y[i];
          }
          ASSERT_EQ(out.download(), want) << "run " << run;
          ASSERT_EQ(x.download(), host_x) << "run " << run;
          ASSERT_EQ(y.download(), host_y) << "run " << run;
        }
        // The shape of the chain is the same each time: an update of its graph is never refused.
        EXPECT_EQ(prepared->prepared_anew(), 0);
      }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Chain, testing::ValuesIn(rows_of(Primitive::chain)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
