// The choice of a backend, and what is offered when one fails.
#include "app/panels/widgets.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class BackendPanels : public PanelTest {
 protected:
  BackendPanels() {
    model_ = loaded_model();
    model_.device.backend = Backend::cuda;
    model_.absent = {"", "no driver", ""};
  }
};

TEST_F(BackendPanels, AFailedGpuCanBeLeft) {
  frames(3);
  EXPECT_FALSE(window("##failure") != nullptr && window("##failure")->WasActive);
  model_.results.change().failed = true;
  frames(3);
  const ImGuiWindow* card = window("##failure");
  ASSERT_NE(card, nullptr);
  EXPECT_TRUE(click(card, id_in(card->ID, "Continue on the CPU")));
  ASSERT_TRUE(model_.requests.find<request::SwitchBackend>());
  EXPECT_EQ(model_.requests.find<request::SwitchBackend>()->backend, Backend::cpu);
}

TEST_F(BackendPanels, TheCpuIsNotOfferedInPlaceOfItself) {
  model_.results.change().failed = true;
  model_.device.backend = Backend::cpu;
  frames(3);
  EXPECT_EQ(window("##failure"), nullptr);
}

TEST_F(BackendPanels, OneClickChoosesOneThatWorks) {
  frames(3);
  // The pills stand in a row behind the device's name.
  ImGuiWindow* const panel = window("Timings");
  ASSERT_NE(panel, nullptr);
  const ImRect area = panel->Rect();
  const auto click_along = [&] {
    for (float y = area.Min.y + 4.0F; y < area.Min.y + 5.0F * em(); y += 7.0F)
      for (float x = area.Max.x - 4.0F; x > area.Min.x + 0.5F * area.GetWidth(); x -= 8.0F) {
        ImGui::GetIO().MousePos = {x, y};
        frames();
        click_here();
        if (model_.requests.find<request::SwitchBackend>()) return true;
      }
    return false;
  };
  EXPECT_TRUE(click_along());
  ASSERT_TRUE(model_.requests.find<request::SwitchBackend>());
  EXPECT_EQ(model_.requests.find<request::SwitchBackend>()->backend, Backend::cpu);
  // While one is being opened none can be chosen.
  model_.requests.drop<request::SwitchBackend>();
  model_.switching_to = Backend::cpu;
  EXPECT_FALSE(click_along());
}

}  // namespace
}  // namespace warpview
