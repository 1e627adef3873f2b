#include <array>

#include "app/step_views/view.h"

namespace warpview {
namespace step_views {

#define STEP_VIEW(name, title)                    \
  bool is_for_##name(const Recording& recording); \
  std::unique_ptr<StepView> make_##name(const std::shared_ptr<const Recording>& recording);
#include "app/step_views/views.def"
#undef STEP_VIEW

}  // namespace step_views

std::span<const StepViewRow> all_step_views() {
  static constexpr std::array rows = {
#define STEP_VIEW(name, title) \
  StepViewRow{#name, title, &step_views::is_for_##name, &step_views::make_##name},
#include "app/step_views/views.def"
#undef STEP_VIEW
  };
  return rows;
}

}  // namespace warpview
