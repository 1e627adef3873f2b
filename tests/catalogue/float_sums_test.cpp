// Rejects bounds on rounding that are so wide that any sum lies within them.
#include <gtest/gtest.h>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/reduce/reduce.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

// A result of 0, and one that lacks a hundredth, at the size of the largest test. The latter
// applies to trees: a sequential sum may be off by more.
TEST(FloatSums, BoundsRejectZeroAndMissingItems) {
  constexpr std::uint32_t n = 1U << 20U;
  const lab::ExperimentKind& kind = lab::experiment(Primitive::reduce);
  const TestDevice& on = devices_for(n).front();
  const auto stream = on.device->create_stream();
  for (const char* form : {"sum_f32", "dot_f32"})
    for (const lab::Distribution distribution : kind.distributions) {
      const int index = lab::find_form(Primitive::reduce, form);
      const auto experiment = kind.make({.device = *on.device,
                                         .stream = *stream,
                                         .n = n,
                                         .form = index,
                                         .distribution = distribution});
      void* const out = experiment->result().front().data;
      for (const VariantId variant : variants_of(Primitive::reduce)) {
        if (!lab::why_not(variant, index, on.device->info(), n).empty()) continue;
        // Variants that add values in sequence are slow, and their bound is the same for all.
        if ((variant->traits & ReduceTrait::in_a_row) != 0 &&
            distribution != kind.distributions.front())
          continue;
        SCOPED_TRACE(std::string(variant->name) + ", " + form + ", " + to_string(distribution));
        const auto put = [&](float sum) {
          return experiment->run_verified(variant, [&] {
            stream->copy(out, &sum, sizeof sum, Copy::host_to_device);
            stream->synchronize();
          });
        };
        EXPECT_NE(put(0.0F), "");
        if ((variant->traits & ReduceTrait::one_by_one) != 0) continue;
        ASSERT_EQ(experiment->run_verified(variant), "");
        float sum = 0.0F;
        stream->copy(&sum, out, sizeof sum, Copy::device_to_host);
        stream->synchronize();
        EXPECT_NE(put(0.99F * sum), "");
      }
    }
}

}  // namespace
}  // namespace warpview::test
