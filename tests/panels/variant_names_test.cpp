// How panels name variants.
#include <gtest/gtest.h>

#include "app/panels/variant_names.h"
#include "gpu/catalogue.h"

namespace warpview {
namespace {

std::string named(Primitive primitive, const char* name) {
  return full_name(*find_variant(primitive, name));
}

TEST(VariantNames, HaveTheNameOfTheCommandLineBesideThem) {
  EXPECT_EQ(named(Primitive::sort, "resident"), "One launch, resident (resident)");
  EXPECT_EQ(named(Primitive::scan, "lookback_lane"), "Look-back by a lane (lookback_lane)");
}

TEST(VariantNames, AreNotSaidTwice) {
  EXPECT_EQ(named(Primitive::sort, "onesweep"), "Onesweep");
  EXPECT_EQ(named(Primitive::sort, "count_scan_reorder"), "Count, scan, reorder");
  EXPECT_EQ(named(Primitive::block_scan, "brent_kung"), "Brent-Kung");
}

TEST(VariantNames, AreTheNameWhereThereIsNoTitle) {
  const Variant added{.primitive = Primitive::scan,
                      .name = "lookback (edited)",
                      .summary = "",
                      .source = "",
                      .file = "",
                      .available = available::everywhere,
                      .determinism = Determinism::same_bits,
                      .traits = 0,
                      .launches = 1,
                      .bytes_per_item = nullptr};
  EXPECT_EQ(full_name(added), "lookback (edited)");
}

}  // namespace
}  // namespace warpview
