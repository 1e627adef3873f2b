// A variant that is added while the program runs stands in the panels like a built-in one. It stays
// until the process ends; ctest runs each suite in a process of its own.
#include <gtest/gtest.h>

#include "app/common/sweep_plot.h"
#include "app/panels/panels.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class AddedVariantInPanels : public PanelTest {
 protected:
  const VariantId lookback_ = find_variant(Primitive::scan, "lookback");

  VariantId add() const {
    const auto device = open_cpu_device();
    Variant variant = *lookback_;
    variant.name = "lookback_copy";
    return device->catalogue().add<Primitive::scan>(
        variant, device->table().get<Primitive::scan>(lookback_));
  }
};

TEST_F(AddedVariantInPanels, IsChosenInAStagesComboBox) {
  const VariantId added = add();
  model_ = loaded_model();
  frames(3);
  const ImGuiWindow* const timings = window("Timings");
  ASSERT_NE(timings, nullptr);
  const ImGuiID scan = id_in(id_in(timings->ID, "stages"), "scan");
  ASSERT_TRUE(click(timings, id_in(scan, "##variant")));
  frames(2);
  const ImGuiWindow* const list = popup();
  ASSERT_NE(list, nullptr);
  ASSERT_TRUE(click(list, id_in(list->ID, "###lookback_copy")));
  EXPECT_EQ(stage(model_, "scan").variant, added);
}

TEST_F(AddedVariantInPanels, IsInTheLaboratory) {
  const VariantId added = add();
  model_ = loaded_model();
  model_.lab.question.primitive = Primitive::scan;
  state_.show_lab = true;
  state_.lab.variant = added;
  state_.lab.open = LabTask::results;
  set_size(1280, 2000);
  frames(3);
  EXPECT_TRUE(can_read("lookback_copy"));
  state_.lab.open = LabTask::code;
  frames(3);
  EXPECT_EQ(state_.lab.file, lookback_->file);
}

// It may have a title that another variant has; curves are hidden and shown by their names.
TEST_F(AddedVariantInPanels, HasACurveOfItsOwn) {
  const VariantId added = add();
  ASSERT_STREQ(added->title, lookback_->title);
  EXPECT_NE(series_of(added).name, series_of(lookback_).name);
}

}  // namespace
}  // namespace warpview
