// The catalogue: names, defaults, choices, and that every backend implements its rows.
#include <gtest/gtest.h>

#include "gpu/catalogue.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Catalogue, FindsEveryRowByItsNames) {
  for (int row = 0; row < static_cast<int>(variants().size()); ++row) {
    const Variant& variant = variants()[static_cast<std::size_t>(row)];
    EXPECT_EQ(find_primitive(to_string(variant.primitive)), variant.primitive);
    EXPECT_EQ(find_variant(variant.primitive, variant.name), row);
    EXPECT_GT(variant.bytes_per_item(Traffic()), 0.0);
  }
}

TEST(Catalogue, ChoosesByAssignment) {
  VariantChoice choice;
  EXPECT_EQ(choice[Primitive::sort], find_variant(Primitive::sort, "onesweep"));
  choice.set("sort=library");
  EXPECT_EQ(choice[Primitive::sort], find_variant(Primitive::sort, "library"));
  EXPECT_EQ(choice[Primitive::scan], default_variant(Primitive::scan));
}

TEST(Catalogue, NamesWhatThereIsWhenAChoiceIsWrong) {
  VariantChoice choice;
  EXPECT_NE(message_of([&] { choice.set("sort=quick"); }).find("onesweep"), std::string::npos);
  EXPECT_NE(message_of([&] { choice.set("sorting=onesweep"); }).find("morton"), std::string::npos);
  EXPECT_NE(message_of([&] { choice.set("onesweep"); }).find("primitive=name"), std::string::npos);
  EXPECT_EQ(choice, VariantChoice());
}

TEST(Catalogue, KnowsWhatThePipelineAsksOfARow) {
  const int bits30 = find_variant(Primitive::morton, "bits30");
  const int bits63 = find_variant(Primitive::morton, "bits63");
  EXPECT_EQ(morton_code_bits(bits30), 30);
  EXPECT_EQ(morton_key_bits(bits30), 32);
  EXPECT_EQ(morton_code_bits(bits63), 63);
  EXPECT_EQ(morton_key_bits(bits63), 64);
  EXPECT_TRUE(build_fits(find_variant(Primitive::build, "apetrei")));
  EXPECT_FALSE(build_fits(find_variant(Primitive::build, "karras")));
}

TEST(Catalogue, EveryBackendImplementsWhatItsRowsSay) {
  for (const TestDevice& on : devices_for(1)) {
    const BackendTable& table = on.device->table();
    ASSERT_EQ(table.functions.size(), variants().size()) << on.name;
    for (std::size_t row = 0; row < variants().size(); ++row) {
      const bool here = why_unavailable(variants()[row], on.device->info().backend).empty();
      EXPECT_EQ(table.functions[row] != nullptr, here) << on.name << ", row " << row;
    }
    EXPECT_TRUE(table.drop && table.triangle_boxes && table.deform && table.tree_statistics &&
                table.write_mesh && table.write_boxes && table.write_curve)
        << on.name;
  }
}

}  // namespace
}  // namespace warpview::test
