// The lanes of the chosen block, a row for each warp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"

namespace warpview::step_views {
namespace {

class Lanes : public StepView {
 public:
  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const PlayedBlock* const block = at.block(focus.block);
    if (block == nullptr) {
      sketch.text({0.0F, 0.0F}, fmt::format("Block {} does not run now.", focus.block),
                  plot_ink::dim);
      return sketch.take(plot_line_height);
    }
    std::set<std::uint32_t> active;
    for (const RecordedEvent& event : at.last())
      if (event.block == focus.block && (is_access(event.kind) || event.kind == EventKind::answer))
        active.insert(event.thread);
    const std::uint32_t warp = at.recording().warp_size;
    const float label = 4.5F;
    const float side = std::min((sketch.width() - label) / static_cast<float>(warp), 1.4F);
    const float row = std::max(side, plot_line_height);
    float y = 0.0F;
    for (std::uint32_t first = 0; first < block->lanes.size(); first += warp) {
      sketch.text({0.0F, y + 0.5F * (row - plot_line_height)}, fmt::format("Warp {}", first / warp),
                  plot_ink::dim);
      for (std::uint32_t i = first; i < std::min<std::size_t>(first + warp, block->lanes.size());
           ++i) {
        const PlotBox cell{label + side * static_cast<float>(i - first), y + 0.5F * (row - side),
                           0.9F * side, 0.9F * side};
        draw_lane(sketch, cell, block->lanes[i].state, active.contains(i),
                  lane_name(focus.block, i));
      }
      y += row;
    }
    return sketch.take(y);
  }

  std::string legend() const override {
    return "Filled: takes part in this step. Framed: waits at a barrier or backs off. Faint: has "
           "exited.";
  }

 private:
  static void draw_lane(Sketch& sketch, const PlotBox& cell, LaneState state, bool active,
                        std::string name) {
    if (active)
      sketch.box(cell, ink::read, 1.0F, name);
    else
      sketch.box(cell, plot_ink::grid, state == LaneState::exited ? 0.3F : 1.0F, name);
    if (state == LaneState::at_barrier || state == LaneState::backing_off)
      sketch.frame(cell, ink::waiting, 0.1F, std::move(name));
  }
};

}  // namespace

bool is_for_lanes(const Recording& recording) { return !recording.launches.empty(); }
std::unique_ptr<StepView> make_lanes(std::shared_ptr<const Recording> /*recording*/) {
  return std::make_unique<Lanes>();
}

}  // namespace warpview::step_views
