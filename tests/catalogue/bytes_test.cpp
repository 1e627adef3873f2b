// The two counts of bytes: what a problem needs, and what a variant moves to solve it.
#include <gtest/gtest.h>

#include <string>

#include "gpu/lab/experiment.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

TEST(Bytes, NoVariantMovesFewerThanItsProblemNeeds) {
  const TestDevice& on = devices_for(100'000).front();
  const auto stream = on.device->create_stream();
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    const lab::ExperimentKind& kind = lab::experiment(primitive);
    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      const auto experiment =
          kind.make({.device = *on.device, .stream = *stream, .n = 300, .form = form});
      const double needed = experiment->bytes_needed(primitive);
      EXPECT_GT(needed, 0.0) << to_string(primitive);
      for (const VariantId variant : variants_of(primitive)) {
        if (!lab::why_not(variant, form, on.device->info(), 300).empty()) continue;
        EXPECT_GE(experiment->bytes_moved(variant), needed)
            << to_string(primitive) << "=" << variant->name << ", form "
            << kind.forms[static_cast<std::size_t>(form)].name;
      }
    }
  }
}

}  // namespace
}  // namespace warpview::test
