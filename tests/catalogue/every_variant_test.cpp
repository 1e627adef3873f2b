// Every variant of the catalogue in every form, against the sequential reference of its experiment:
// at the sizes and on the devices of tests/support, with every distribution of input.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "gpu/lab/experiment.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/tile_extent.h"
#include "tests/catalogue/regions.h"
#include "tests/support/devices.h"
#include "tests/support/tiles.h"

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
  const Variant& variant = *row.index;
  return std::string(to_string(variant.primitive)) + "_" + variant.name;
}

class EveryVariant : public testing::TestWithParam<Row> {
 protected:
  VariantId variant() const { return GetParam().index; }
  Primitive primitive() const { return variant()->primitive; }
  const ExperimentKind& kind() const { return lab::experiment(primitive()); }
  bool is_laborious() const { return kind().is_laborious && kind().is_laborious(variant()); }

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
      const auto items = static_cast<std::uint32_t>(n);
      if (!lab::why_not(variant(), form, on.device->info(), items).empty()) continue;
      SCOPED_TRACE(std::to_string(n) + " " + kind().items + " (" + to_string(distribution) +
                   "), form " + kind().forms[static_cast<std::size_t>(form)].name + ", on " +
                   on.name);
      const auto stream = on.device->create_stream();
      const auto experiment = kind().make({.device = *on.device,
                                           .stream = *stream,
                                           .n = items,
                                           .form = form,
                                           .distribution = distribution});
      test(*experiment, *stream);
      if (HasFatalFailure()) return;
    }
  }

  void same_bits(const std::vector<TestDevice>& devices, std::size_t n, int form, int repeats);
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

// The CPU device, usually with more workers than cores: tiles overtake each other.
std::vector<TestDevice> busy_devices(const Row& row) {
  static const std::vector<TestDevice> devices = [] {
    std::vector<TestDevice> opened;
    for (const unsigned warp_size : {32U, 64U})
      for (const std::uint64_t seed : {1U, 2U})
        opened.push_back(
            {"cpu_warp" + std::to_string(warp_size) + "_seed" + std::to_string(seed) + "_busy",
             open_cpu_device({.warp_size = warp_size, .seed = seed, .workers = 8})});
    return opened;
  }();
  return having(devices, row);
}

// The contents of the result's regions, concatenated.
std::vector<std::byte> bytes_of(Experiment& experiment, Stream& stream) {
  std::vector<std::byte> bytes;
  for (const Region& region : experiment.result()) {
    const std::vector<std::byte> more = read(stream, region);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

// All sizes with the first form and distribution. Each other form and each other distribution runs
// at sizes around a warp, a block and several tiles, and pairs of both at the largest of these.
// Where there are many, the CPU device's schedules alternate. Laborious variants run only at those
// sizes, without pairs.
TEST_P(EveryVariant, GivesWhatTheReferenceGives) {
  const auto check = [this](Experiment& experiment, Stream&) {
    ASSERT_EQ(experiment.run_verified(variant()), "");
    // Again on the same memory: the result must not depend on what the first run left.
    ASSERT_EQ(experiment.run_verified(variant()), "") << "in the second run";
  };
  std::vector<std::size_t> samples = {0, 1, 33, 257, 4097};
  while (samples.back() > sizes().back()) samples.pop_back();
  const std::vector<std::size_t> all_sizes = is_laborious() ? samples : sizes();
  std::size_t turn = 0;
  for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form) {
    for (const Distribution distribution : kind().distributions) {
      const bool first_form = form == 0;
      const bool first_distribution = distribution == kind().distributions.front();
      for (const std::size_t n : all_sizes) {
        const bool is_largest_sample = n == samples.back();
        const bool is_sample = std::binary_search(samples.begin(), samples.end(), n);
        bool all_devices = true;
        if (!first_form && !first_distribution) {
          if (is_laborious() || !is_largest_sample) continue;
          all_devices = false;
        } else if (!first_form || !first_distribution) {
          if (!is_sample) continue;
          all_devices = first_distribution && is_largest_sample;
        }
        on_devices(all_devices ? devices_for(n, GetParam())
                               : one_schedule(having(every_schedule(), GetParam()), turn++),
                   n, form, distribution, check);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Only variants marked so need independent thread scheduling.
TEST_P(EveryVariant, RunsInLockstep) {
  if (variant()->available.independent_lanes) GTEST_SKIP() << "the catalogue says so";
  for (const std::size_t n : {33, 257, 4097})
    if (n <= sizes().back())
      on_devices(devices_in_lockstep(), n, 0, kind().distributions.front(),
                 [this](Experiment& experiment, Stream&) {
                   ASSERT_EQ(experiment.run_verified(variant()), "");
                 });
}

// Variants whose tiles communicate, and hold thousands of items.
bool passes_from_tile_to_tile(const Variant& variant) {
  const std::string name = variant.name;
  const Primitive p = variant.primitive;
  return p == Primitive::scan || p == Primitive::flags || name == "one_pass" || name == "ahead" ||
         name == "onesweep" || name == "last_block" || name == "vectors";
}

// A tile publishes only after all others have waited long for it.
TEST_P(EveryVariant, TakesLatePublications) {
  const std::size_t n = passes_from_tile_to_tile(*variant()) ? 100'003 : 4097;
  on_devices(devices_with_late_publications(), std::min(n, sizes().back()), 0,
             kind().distributions.front(), [this](Experiment& experiment, Stream&) {
               ASSERT_EQ(experiment.run_verified(variant()), "");
             });
}

// Compares sizes around the boundaries of the variant's own tiles, wherever these are, and with
// three tiles of the largest size. Schedules and distributions alternate; where tiles are small, in
// builds that search for races and overruns, three tiles run each distribution.
TEST_P(EveryVariant, GivesWhatTheReferenceGivesAroundItsTiles) {
  constexpr bool tiles_are_small = tile_extent(false, true);
  const auto check = [this](Experiment& experiment, Stream&) {
    ASSERT_EQ(experiment.run_verified(variant()), "");
  };
  const std::vector<TestDevice> devices = having(every_schedule(), GetParam());
  // A GPU's tensor cores have different tiles.
  const bool on_cpu = devices.front().device->info().backend == Backend::cpu;
  const std::uint32_t most =
      std::min(on_cpu ? tile_extent(16384U, 1025U) : 16384U, lab::most_items(variant()));
  const std::span<const Distribution> distributions = kind().distributions;
  std::size_t turn = 0;
  for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form) {
    if (!lab::why_not(variant(), form, devices.front().device->info()).empty()) continue;
    const std::vector<std::uint32_t> tiles = tile_sizes(devices.front(), GetParam(), form, most);
    if (tiles.empty()) {
      // Launches inside a graph's nodes are not logged.
      EXPECT_TRUE(is_library(variant()) || variant()->available.by_host ||
                  primitive() == Primitive::chain ||
                  kind().forms[static_cast<std::size_t>(form)].one_block)
          << "one block does " << most << " " << kind().items;
      continue;
    }
    // One tile may lack an item: n / 3 + 1 threads are one block up to 191 items, three from 384.
    const std::uint32_t three_tiles = 2 * (tiles.back() + 1);
    std::set<std::uint32_t> around = {three_tiles};
    for (const std::uint32_t tile : tiles) around.insert({tile, tile + 1});
    for (const std::uint32_t n : around) {
      for (std::size_t d = 0; d < distributions.size(); ++d) {
        const bool every = tiles_are_small && n == three_tiles;
        if (!every && d != turn % distributions.size()) continue;
        on_devices(one_schedule(devices, turn + d), n, form, distributions[d], check);
        if (HasFatalFailure()) return;
      }
      ++turn;
    }
    if (tiles_are_small) {
      EXPECT_GE(blocks_for(devices.front(), GetParam(), form, three_tiles), 3U);
    }
  }
}

// A variant's promise, on several devices: the same bits at each of `repeats` runs, and on the CPU
// device in all schedules. The order of operations may depend on the device and its warp size, but
// not vary from run to run.
void EveryVariant::same_bits(const std::vector<TestDevice>& devices, std::size_t n, int form,
                             int repeats) {
  std::vector<std::byte> first;
  unsigned first_warp_size = 0;
  on_devices(
      devices, n, form, kind().distributions.front(), [&](Experiment& experiment, Stream& stream) {
        const auto& device = experiment.device().info();
        const auto warp_size = static_cast<unsigned>(device.warp_size);
        for (int repeat = 0; repeat < repeats; ++repeat) {
          ASSERT_EQ(experiment.run_verified(variant()), "");
          const std::vector<std::byte> bytes = bytes_of(experiment, stream);
          if (repeat == 0 && (warp_size != first_warp_size || device.backend != Backend::cpu)) {
            first = bytes;
            first_warp_size = warp_size;
          }
          ASSERT_TRUE(bytes == first);
        }
      });
}

// Runs vary on a GPU by timing, and on the CPU device by seed. With several tiles, where the tiles'
// order could show, the forms that round and the default are enough.
TEST_P(EveryVariant, GivesTheSameBitsIfTheCatalogueSaysSo) {
  const Determinism promised = variant()->determinism;
  if (promised == Determinism::order_varies) GTEST_SKIP() << "the catalogue does not say so";
  const std::vector<std::size_t> all_sizes = sizes();
  const auto small = devices_for(257, GetParam());
  std::vector<TestDevice> gpus = small;
  std::erase_if(gpus,
                [](const TestDevice& on) { return on.device->info().backend == Backend::cpu; });
  for (int form = 0; form < static_cast<int>(kind().forms.size()); ++form) {
    const bool rounds = kind().forms[static_cast<std::size_t>(form)].rounds;
    if (promised == Determinism::rounding_varies && rounds) continue;
    same_bits(small, 257, form, 2);
    if (form == 0 || !is_laborious()) same_bits(small, 4097, form, 2);
    if (form > 0 && !rounds) continue;
    constexpr std::size_t tiles = 40'001;  // at least five of any variant
    if (gpus.size() < small.size() && all_sizes.back() > tiles && !is_laborious())
      same_bits(busy_devices(GetParam()), tiles, form, 3);
    same_bits(gpus, 1U << 20U, form, 10);
    if (HasFatalFailure()) return;
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
