// Views of algorithms: every variant of their primitives is drawn, at every step alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/step_views/view.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/recorded_device.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

struct SpecialView {
  const char* view;
  const char* primitive;
  std::uint32_t items;
  const char* without = "";  // variants that it has nothing to show of
};
std::ostream& operator<<(std::ostream& out, const SpecialView& special) {
  return out << special.view << " of " << special.primitive;
}

class SpecialViews : public testing::TestWithParam<SpecialView> {};

TEST_P(SpecialViews, DrawEveryVariant) {
  const SpecialView& special = GetParam();
  int drawn_variants = 0;
  for (const VariantId variant : variants_of(find_primitive(special.primitive))) {
    if (!variant->available.cpu || std::string(variant->name) == "library") continue;
    SCOPED_TRACE(variant->name);
    const auto recording =
        record({.primitive = special.primitive, .variant = variant->name, .items = special.items});
    const bool is_without =
        std::string(" ") + special.without + " " != "  " &&
        (std::string(" ") + special.without + " ").find(std::string(" ") + variant->name + " ") !=
            std::string::npos;
    EXPECT_EQ(view_named(special.view).is_for(*recording), !is_without);
    if (!view_named(special.view).is_for(*recording)) continue;
    ++drawn_variants;
    for (const float width : {332.0F, 900.0F}) {
      Drawn drawn(special.view, recording, width);
      for (std::size_t k = 0; k <= 24; ++k) {
        expect_inside(drawn.at(drawn.steps() * k / 24).drawing(), drawn.surface());
        EXPECT_FALSE(drawn.shapes().empty());
      }
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(drawn_variants, 0);
}

// What calls itself so, and has arrays of other sizes, is not decoded.
TEST_P(SpecialViews, RefuseOtherArrays) {
  const SpecialView& special = GetParam();
  const VariantId variant = default_variant(find_primitive(special.primitive), Backend::cpu);
  Recording changed =
      *record({.primitive = special.primitive, .variant = variant->name, .items = special.items});
  for (RecordedArray& array : changed.arrays) array.element_bytes = 1;
  const bool decodes_arrays = std::string(special.view) != "blocks";
  EXPECT_EQ(view_named(special.view).is_for(changed), !decodes_arrays);
}

INSTANTIATE_TEST_SUITE_P(
    Primitives, SpecialViews,
    testing::Values(
        SpecialView{"lock", "lock", 512}, SpecialView{"lock", "pool", 1024, "per_warp"},
        SpecialView{
            "lock", "queue", 32,
            "counts index broker broker_limited broker_distribution broker_stealing bucket_2 "
            "bucket_8 bucket_aggregating"},
        SpecialView{"ring", "queue", 32}, SpecialView{"tree", "build", 200},
        SpecialView{"tree", "refit", 64}, SpecialView{"walk", "trace", 256, "brute"},
        SpecialView{"blocks", "schedule", 1024}, SpecialView{"blocks", "persistent", 1024},
        SpecialView{"blocks", "chain", 256}, SpecialView{"blocks", "scan", 4096}),
    [](const testing::TestParamInfo<SpecialView>& special) {
      return std::string(special.param.view) + "_" + special.param.primitive;
    });

}  // namespace
}  // namespace warpview::test
