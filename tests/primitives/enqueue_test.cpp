// The cases that enqueue variants refuse. gpu/primitives/enqueue/experiment.cpp checks with every
// form that nothing past the end of a queue is written.
#include "gpu/primitives/enqueue/enqueue.h"

#include <gtest/gtest.h>

#include "gpu/lab/experiment.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Enqueue : public testing::TestWithParam<Row> {
 protected:
  // Whether the variant runs, with 100 words and `capacity` places.
  static bool runs(Device& device, EnqueueMode mode, std::uint32_t capacity) {
    const auto stream = device.create_stream();
    ScratchMemory scratch(device);
    const Buffer<std::uint32_t> words(device, 202);
    const EnqueueArgs args{.in = words.data(),
                           .n = 100,
                           .mode = mode,
                           .queue = words.data() + 102,
                           .capacity = capacity,
                           .counts = words.data() + 100};
    stream->fill(words.data(), 0xff, words.bytes());
    try {
      scratch.run(device.table().get<Primitive::enqueue>(GetParam().index), *stream, args);
      stream->synchronize();
    } catch (const Error& error) {
      EXPECT_NE(error.what(), std::string());
      return false;
    }
    return true;
  }
  bool does(lab::Form const& form, const DeviceInfo& device) const {
    return lab::why_not(GetParam().index, lab::find_form(Primitive::enqueue, form.name), device)
        .empty();
  }
};

TEST_P(Enqueue, RefusesUnsupportedForms) {
  for (const TestDevice& on : devices_for(100, GetParam())) {
    SCOPED_TRACE(on.name);
    Device& device = *on.device;
    EXPECT_EQ(runs(device, EnqueueMode::passing, 100), does({"half", ""}, device.info()));
    EXPECT_EQ(runs(device, EnqueueMode::passing, 50), does({"too_small", ""}, device.info()));
    EXPECT_EQ(runs(device, EnqueueMode::up_to_two, 100), does({"up_to_two", ""}, device.info()));
    EXPECT_EQ(runs(device, EnqueueMode::split, 100), does({"split", ""}, device.info()));
    EXPECT_FALSE(runs(device, EnqueueMode::split, 99));
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Enqueue, testing::ValuesIn(rows_of(Primitive::enqueue)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
