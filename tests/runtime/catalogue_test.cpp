// The catalogue: names, traits, and that every backend implements its variants.
#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

TEST(Catalogue, FindsEveryRowByItsNames) {
  for (const VariantId variant : variants()) {
    EXPECT_EQ(find_primitive(to_string(variant->primitive)), variant->primitive);
    EXPECT_EQ(find_variant(variant->primitive, variant->name), variant);
    EXPECT_GT(variant->bytes_per_item(Traffic()), 0.0);
  }
}

TEST(Catalogue, TraitsMatchThePrimitivesHeader) {
  const auto traits = [](Primitive primitive, const char* name) {
    return find_variant(primitive, name)->traits;
  };
  EXPECT_EQ(morton_code_bits(traits(Primitive::morton, "bits30")), 30);
  EXPECT_EQ(morton_key_bits(traits(Primitive::morton, "bits30")), 32);
  EXPECT_EQ(morton_code_bits(traits(Primitive::morton, "bits63")), 63);
  EXPECT_EQ(morton_key_bits(traits(Primitive::morton, "bits63")), 64);
  EXPECT_TRUE(traits(Primitive::build, "apetrei") & BuildTrait::fits);
  EXPECT_FALSE(traits(Primitive::build, "karras") & BuildTrait::fits);
}

TEST(Catalogue, EveryBackendImplementsItsRows) {
  for (const TestDevice& on : devices_for(1)) {
    const BackendTable& table = on.device->table();
    for (const VariantId variant : variants()) {
      if (variant.index() >= table.functions.size()) continue;  // a test added it
      const bool here = why_unavailable(*variant, on.device->info().backend).empty();
      EXPECT_EQ(table.has(variant), here) << on.name << ", " << variant->name;
    }
    ASSERT_FALSE(table.steps.empty()) << on.name;
    for (const auto step : table.steps) EXPECT_TRUE(step != nullptr) << on.name;
  }
}

// Gives zeros.
void wrong_scan(Stream& stream, const ScanArgs& args, Scratch& /*scratch*/) {
  if (args.n > 0) stream.fill(args.out, 0, args.n * sizeof(std::uint32_t));
}

TEST(Catalogue, ListsAVariantThatIsAddedWhileTheProgramRuns) {
  const auto device = open_cpu_device({});
  const auto other = open_cpu_device({});
  const std::size_t before = variants_of(Primitive::scan).size();
  const std::string name = std::string("lookback ") + "(edited)";  // its memory ends with the test
  const VariantId added = device->catalogue().add<Primitive::scan>(
      {.primitive = Primitive::scan,
       .name = name.c_str(),
       .summary = "as lookback",
       .source = "",
       .file = "lookback.cu",
       .available = available::everywhere,
       .determinism = Determinism::same_bits,
       .traits = 0,
       .launches = 1,
       .bytes_per_item = [](const Traffic&) { return 8.0; }},
      device->table().get<Primitive::scan>(find_variant(Primitive::scan, "lookback")));
  EXPECT_EQ(variants_of(Primitive::scan).size(), before + 1);
  EXPECT_EQ(find_variant(Primitive::scan, "lookback (edited)"), added);
  EXPECT_EQ(why_unavailable(added, *device), "");
  EXPECT_EQ(why_unavailable(added, *other), "");  // of the same backend
  EXPECT_NE(why_unavailable(*added, Backend::cuda), "");

  lab::Laboratory laboratory(*device, 1);
  laboratory.ask({.primitive = Primitive::scan, .n = 1000});
  EXPECT_EQ(laboratory.verify(added).difference, "");

  // Again by that name: another function.
  EXPECT_EQ(device->catalogue().add<Primitive::scan>(*added, wrong_scan), added);
  EXPECT_EQ(variants_of(Primitive::scan).size(), before + 1);
  EXPECT_NE(laboratory.verify(added).difference, "");
}

// A device of the same backend may have another table, which an added variant is not in.
TEST(Catalogue, TheLaboratorySaysThatATableLacksAVariant) {
  SmallDevice lacking(open_cpu_device({}));
  const VariantId lookback = find_variant(Primitive::scan, "lookback");
  lacking.remove_variant(lookback);
  lab::Laboratory laboratory(lacking, 1);
  laboratory.ask({.primitive = Primitive::scan, .n = 1000});
  const lab::Answer answer = laboratory.verify(lookback);
  EXPECT_EQ(answer.why_not, "is not on this device");
  EXPECT_EQ(answer.difference, "");
}

TEST(Catalogue, KeepsTheNamesOfBuiltInVariants) {
  const auto device = open_cpu_device({});
  const VariantId built_in = find_variant(Primitive::scan, "lookback");
  EXPECT_THROW(device->catalogue().add<Primitive::scan>(*built_in, wrong_scan), ChoiceError);
}

}  // namespace
}  // namespace warpview::test
