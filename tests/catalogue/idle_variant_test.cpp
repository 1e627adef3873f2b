// Does the check of a variant notice that it did nothing? Here every variant can be told to: it
// then takes its scratch memory, prepares what it prepares, and leaves the work undone.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/lab/laboratory.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t n = 1025;

// What the functions below are to do: the row whose place they take, and whether it does its work.
int switched_row = -1;
bool works = true;

// The function behind the switch. The stream is that of the device itself, not of the one before
// it whose table is changed.
template <Primitive primitive>
auto* real(Stream& stream) {
  return stream.device().table().get<primitive>(switched_row);
}

template <Primitive primitive, class Args>
void switched(Stream& stream, const Args& args, Workspace& workspace) {
  if (works || workspace.measuring()) real<primitive>(stream)(stream, args, workspace);
}

class SwitchedPrepared final : public Prepared {
 public:
  explicit SwitchedPrepared(std::unique_ptr<Prepared> behind) : behind_(std::move(behind)) {}

  void reset() override { behind_->reset(); }
  void run() override {
    if (works) behind_->run();
  }
  void fetch() override { behind_->fetch(); }
  void spoil(std::uint8_t byte) override { behind_->spoil(byte); }

 private:
  std::unique_ptr<Prepared> behind_;
};

template <Primitive primitive, class Args>
std::unique_ptr<Prepared> switched(Stream& stream, const Args& args) {
  return std::make_unique<SwitchedPrepared>(real<primitive>(stream)(stream, args));
}

BackendTable::Any switched_function(Primitive primitive) {
  switch (primitive) {
#define PRIMITIVE(name, Args, Function, ...)                          \
  case Primitive::name: {                                             \
    Function<Args>* const function = switched<Primitive::name, Args>; \
    return reinterpret_cast<BackendTable::Any>(function);             \
  }
#include "gpu/primitives.def"
#undef PRIMITIVE
  }
  return nullptr;
}

// A device whose variants of one primitive can be switched off.
class SwitchedDevice {
 public:
  SwitchedDevice(const TestDevice& on, Primitive primitive) : device_(on.device) {
    for (const int row : variants_of(primitive))
      if (on.device->table().functions[static_cast<std::size_t>(row)])
        device_.replace_variant(row, switched_function(primitive));
  }
  Device& operator*() { return device_; }
  Device* operator->() { return &device_; }

 private:
  SmallDevice device_;
};

void switch_on(int row) {
  switched_row = row;
  works = true;
}
void switch_off(int row) {
  switched_row = row;
  works = false;
}

// One CPU device, and every GPU.
const std::vector<TestDevice>& devices() { return devices_for(65537); }

std::vector<Primitive> every_primitive() {
  std::vector<Primitive> all;
  for (int p = 0; p < primitive_count; ++p) all.push_back(static_cast<Primitive>(p));
  return all;
}

class IdleVariant : public testing::TestWithParam<Primitive> {};

// In memory that holds the right result, for the variant ran there before.
TEST_P(IdleVariant, FailsTheCheck) {
  const lab::ExperimentKind& kind = lab::experiment(GetParam());
  for (const TestDevice& on : devices()) {
    SwitchedDevice device(on, GetParam());
    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      const auto stream = device->create_stream();
      const auto experiment = kind.make({.device = *device,
                                         .stream = *stream,
                                         .n = n,
                                         .form = form,
                                         .distribution = kind.distributions.front()});
      for (const int row : variants_of(GetParam())) {
        if (!lab::why_not(row, form, device->info()).empty()) continue;
        SCOPED_TRACE(std::string(variants()[static_cast<std::size_t>(row)].name) + ", form " +
                     kind.forms[static_cast<std::size_t>(form)].name + ", on " + on.name);
        switch_on(row);
        ASSERT_EQ(experiment->run_verified(row), "");
        switch_off(row);
        EXPECT_NE(experiment->run_verified(row), "");
      }
    }
  }
}

TEST_P(IdleVariant, IsNotVerifiedByTheLaboratory) {
  for (const TestDevice& on : devices()) {
    SwitchedDevice device(on, GetParam());
    lab::Laboratory laboratory(*device, 1);
    laboratory.ask({.primitive = GetParam(),
                    .distribution = lab::experiment(GetParam()).distributions.front(),
                    .n = n});
    std::vector<int> rows = laboratory.rows();
    std::erase_if(rows, [&](int row) { return !lab::why_not(row, 0, device->info()).empty(); });
    for (const int row : rows) {
      SCOPED_TRACE(std::string(variants()[static_cast<std::size_t>(row)].name) + " on " + on.name);
      switch_on(row);
      EXPECT_TRUE(laboratory.verify(row).verified);
    }
    for (const int row : rows) {
      SCOPED_TRACE(std::string(variants()[static_cast<std::size_t>(row)].name) + " on " + on.name);
      switch_off(row);
      const lab::Answer answer = laboratory.measure(row);
      EXPECT_FALSE(answer.verified);
      EXPECT_NE(answer.difference, "");
      EXPECT_EQ(answer.runs, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, IdleVariant, testing::ValuesIn(every_primitive()),
                         [](const auto& primitive) {
                           return std::string(to_string(primitive.param));
                         });

}  // namespace
}  // namespace warpview::test
