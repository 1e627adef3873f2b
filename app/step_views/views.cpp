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

StepFocus focus_of(const Playback& at) {
  for (std::size_t step = at.at(); step-- > 0;) {
    const RecordedEvent& head = at.events_of(step).front();
    if (head.kind == EventKind::launch) break;
    if (!is_patch(head.kind)) return {.block = head.block};
  }
  const BlockRanges& blocks = at.recording().blocks;
  return {.block = blocks.empty() ? 0 : blocks.front().first};
}

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
