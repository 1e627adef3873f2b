// Every variant of the catalogue in every form, against the sequential reference of its experiment:
// at the sizes and on the devices of tests/support, with every distribution of input.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/lab/experiment.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;
using lab::Experiment;
using lab::ExperimentKind;

std::vector<Row> every_row() {
  std::vector<Row> rows;
  for (int p = 0; p < primitive_count; ++p)
    for (const Row& row : rows_of(static_cast<Primitive>(p))) rows.push_back(row);
  return rows;
}

// "scan_lookback"
std::string full_name(const Row& row) {
  const Variant& variant = variants()[static_cast<std::size_t>(row.index)];
  return std::string(to_string(variant.primitive)) + "_" + variant.name;
}

class EveryVariant : public testing::TestWithParam<Row> {
 protected:
  int row() const { return GetParam().index; }
  Primitive primitive() const { return variants()[static_cast<std::size_t>(row())].primitive; }
  const ExperimentKind& kind() const { return lab::experiment(primitive()); }

  // Calls test(experiment, stream) on every device for n items that can run the form.
  template <class Test>
  void on_devices(std::size_t n, int form, Distribution distribution, Test&& test) {
    on_devices(devices_for(n, GetParam()), n, form, distribution, test);
  }
  template <class Test>
  void on_devices(const std::vector<TestDevice>& devices, std::size_t n, int form,
                  Distribution distribution, Test&& test) {
    for (const TestDevice& on : devices) {
      if (on.device->info().backend == Backend::cpu && n > kind().most_on_cpu) continue;
      if (!lab::why_not(row(), form, on.device->info()).empty()) continue;
      SCOPED_TRACE(std::to_string(n) + " " + kind().items + " (" + to_string(distribution) +
                   "), form " + kind().forms[static_cast<std::size_t>(form)].name + ", on " +
                   on.name);
      const auto stream = on.device->create_stream();
      const auto experiment = kind().make({.device = *on.device,
                                           .stream = *stream,
                                           .n = static_cast<std::uint32_t>(n),
                                           .form = form,
                                           .distribution = distribution});
      test(*experiment, *stream);
      if (HasFatalFailure()) return;
    }
  }
};

// Every GPU, and one of the CPU device's schedules.
std::vector<TestDevice> one_schedule(const std::vector<TestDevice>& devices, std::size_t turn) {
  std::vector<TestDevice> chosen;
  std::vector<TestDevice> schedules;
  for (const TestDevice& on : devices)
    (on.device->info().backend == Backend::cpu ? schedules : chosen).push_back(on);
  if (!schedules.empty()) chosen.push_back(schedules[turn % schedules.size()]);
  return chosen;
}

// What the result's regions hold, one after the other.
std::vector<std::byte> bytes_of(Experiment& experiment, Stream& stream) {
  std::vector<std::byte> bytes;
  for (const lab::Region& region : experiment.result()) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + region.bytes);
    if (region.bytes > 0)
      stream.copy(&bytes[begin], region.data, region.bytes, Copy::device_to_host);
  }
  stream.synchronize();
  return bytes;
}

// Flips a word in the middle of the result.
void flip_a_word(Experiment& experiment, Stream& stream) {
  const std::vector<lab::Region> regions = experiment.result();
  const auto region = std::find_if(regions.begin(), regions.end(),
                                   [](const lab::Region& r) { return r.bytes > 0; });
  ASSERT_NE(region, regions.end());
  auto* middle = static_cast<std::byte*>(region->data) + region->bytes / 8 * 4;
  std::uint32_t word = 0;
  stream.copy(&word, middle, sizeof word, Copy::device_to_host);
  stream.synchronize();
  word = ~word;
  stream.copy(middle, &word, sizeof word, Copy::host_to_device);
  stream.synchronize();
}

// All sizes with the first form and distribution. Each other form and each other distribution at
// sizes around a warp, a block and some tiles, and pairs of both at the largest of these. Where
// there is much of a kind, the CPU device's schedules take turns.
TEST_P(EveryVariant, GivesWhatTheReferenceGives) {
  const auto check = [this](Experiment& experiment, Stream&) {
    ASSERT_EQ(experiment.run_verified(row()), "");
    // Again on the same memory: nothing may depend on what the first run left.
    ASSERT_EQ(experiment.run_verified(row()), "") << "in the second run";
  };
  const std::vector<std::size_t> all_sizes = sizes();
  std::vector<std::size_t> samples = {0, 1, 33, 257, 4097};
  while (samples.back() > all_sizes.back()) samples.pop_back();
  std::size_t turn = 0;
  for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form) {
    for (const Distribution distribution : kind().distributions) {
      const bool first_form = form == 0;
      const bool first_distribution = distribution == kind().distributions.front();
      for (const std::size_t n : all_sizes) {
        const bool is_largest_sample = n == samples.back();
        const bool is_sample = std::binary_search(samples.begin(), samples.end(), n);
        bool every_schedule = true;
        if (!first_form && !first_distribution) {
          if (!is_largest_sample) continue;
          every_schedule = false;
        } else if (!first_form || !first_distribution) {
          if (!is_sample) continue;
          every_schedule = is_largest_sample;
        }
        const std::vector<TestDevice> devices = devices_for(n, GetParam());
        on_devices(every_schedule ? devices : one_schedule(devices, turn++), n, form, distribution,
                   check);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// A check that no wrong result can fail would prove nothing.
TEST_P(EveryVariant, IsCheckedByACheckThatSeesAFlippedByte) {
  constexpr std::size_t n = 1025;
  for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form)
    on_devices(n, form, kind().distributions.front(),
               [this](Experiment& experiment, Stream& stream) {
                 ASSERT_EQ(experiment.run_verified(row()), "");
                 EXPECT_NE(experiment.run_verified(row(),
                                                   [&] {
                                                     experiment.run(row());
                                                     flip_a_word(experiment, stream);
                                                   }),
                           "");
               });
}

// Runs differ on a GPU by chance, and on the CPU device by seed.
TEST_P(EveryVariant, GivesTheSameBitsWhereTheCatalogueSaysSo) {
  const Determinism promised = variants()[static_cast<std::size_t>(row())].determinism;
  if (promised == Determinism::order_varies) GTEST_SKIP() << "the catalogue does not say so";
  for (const std::size_t n : {257, 4097}) {
    for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form) {
      if (promised == Determinism::rounding_varies &&
          kind().forms[static_cast<std::size_t>(form)].rounds)
        continue;
      std::vector<std::byte> first;
      unsigned first_warp_size = 0;
      on_devices(
          n, form, kind().distributions.front(), [&](Experiment& experiment, Stream& stream) {
            const auto& device = experiment.device().info();
            const auto warp_size = static_cast<unsigned>(device.warp_size);
            for (int repeat = 0; repeat < 2; ++repeat) {
              ASSERT_EQ(experiment.run_verified(row()), "");
              const std::vector<std::byte> bytes = bytes_of(experiment, stream);
              // The order of operations may depend on the device and its warp size, not on chance.
              if (repeat == 0 && (warp_size != first_warp_size || device.backend != Backend::cpu)) {
                first = bytes;
                first_warp_size = warp_size;
              }
              ASSERT_TRUE(bytes == first);
            }
          });
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryVariant, testing::ValuesIn(every_row()),
                         [](const auto& row) { return full_name(row.param); });

TEST(Experiments, DescribeThemselves) {
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    SCOPED_TRACE(to_string(primitive));
    const ExperimentKind& kind = lab::experiment(primitive);
    ASSERT_FALSE(kind.forms.empty());
    ASSERT_FALSE(kind.distributions.empty());
    EXPECT_GT(kind.memory_each, 0.0);
    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form)
      EXPECT_EQ(lab::find_form(primitive, kind.forms[static_cast<std::size_t>(form)].name), form);
  }
}

}  // namespace
}  // namespace warpview::test
