// The catalogue: names, traits, and that every backend implements its rows.
#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/morton/morton.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

TEST(Catalogue, FindsEveryRowByItsNames) {
  for (int row = 0; row < static_cast<int>(variants().size()); ++row) {
    const Variant& variant = variant_at(row);
    EXPECT_EQ(find_primitive(to_string(variant.primitive)), variant.primitive);
    EXPECT_EQ(find_variant(variant.primitive, variant.name), row);
    EXPECT_GT(variant.bytes_per_item(Traffic()), 0.0);
  }
}

TEST(Catalogue, TraitsMatchThePrimitivesHeader) {
  const auto traits = [](Primitive primitive, const char* name) {
    return variant_at(find_variant(primitive, name)).traits;
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
    ASSERT_EQ(table.functions.size(), variants().size()) << on.name;
    for (std::size_t row = 0; row < variants().size(); ++row) {
      const bool here = why_unavailable(variants()[row], on.device->info().backend).empty();
      EXPECT_EQ(table.functions[row] != nullptr, here) << on.name << ", row " << row;
    }
    ASSERT_FALSE(table.steps.empty()) << on.name;
    for (const auto step : table.steps) EXPECT_TRUE(step != nullptr) << on.name;
  }
}

}  // namespace
}  // namespace warpview::test
