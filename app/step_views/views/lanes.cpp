// The lanes of the chosen block, a row for each warp, and all blocks of the launch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/common/source_files.h"
#include "app/step_views/block_strip.h"
#include "app/step_views/collective_picture.h"
#include "app/step_views/key.h"
#include "app/step_views/lane_cells.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr float warp_label_width = 4.5F;  // "Warp 31"
// Blocks of more warps than this have idle ones folded.
constexpr std::size_t warps_shown_whole = 4;

using Looks = std::vector<LaneLook>;  // by thread

LaneLook waiting_look(LaneState state) {
  switch (state) {
    case LaneState::at_barrier:
      return LaneLook::at_barrier;
    case LaneState::backing_off:
      return LaneLook::backing_off;
    case LaneState::exited:
      return LaneLook::exited;
    case LaneState::running:
      break;
  }
  return LaneLook::idle;
}

// A lane takes part in a step by an access, an answer or a fence; other events change its state.
bool takes_part_in_step(EventKind kind) {
  return is_access(kind) || kind == EventKind::answer || kind == EventKind::fence;
}

Looks looks_of(const Playback& at, const PlayedBlock& block) {
  Looks looks;
  for (const PlayedLane& lane : block.lanes) looks.push_back(waiting_look(lane.state));
  const auto events = at.last();
  if (events.empty() || events.front().block != block.block) return looks;
  const std::uint32_t warp_size = at.recording().warp_size;
  const RecordedEvent& head = events.front();
  const std::uint32_t first = head.thread / warp_size * warp_size;
  bool any = head.kind == EventKind::active;
  if (any)
    for (const std::uint32_t lane : lanes_of(head.value))
      if (first + lane < looks.size()) looks[first + lane] = LaneLook::collective;
  for (const RecordedEvent& event : events) {
    if (!takes_part_in_step(event.kind) || event.thread >= looks.size()) continue;
    looks[event.thread] = look_of(event.kind);
    any = true;
  }
  if (!any) return looks;
  for (std::size_t i = first; i < std::min<std::size_t>(first + warp_size, looks.size()); ++i)
    if (looks[i] == LaneLook::idle) looks[i] = LaneLook::elsewhere;
  return looks;
}

// What the lanes of warps `first` to `last` wait for, if all of them do the same and take no part.
std::optional<LaneLook> common_look(std::span<const LaneLook> lanes) {
  const LaneLook look = lanes.front();
  if (look < LaneLook::idle || look == LaneLook::elsewhere) return {};
  if (!std::all_of(lanes.begin(), lanes.end(), [look](LaneLook each) { return each == look; }))
    return {};
  return look;
}

std::string words_of_fold(LaneLook look) {
  switch (look) {
    case LaneLook::at_barrier:
      return "wait at the barrier";
    case LaneLook::backing_off:
      return "back off";
    case LaneLook::exited:
      return "have exited";
    default:
      return "take no part in this step";
  }
}

class Lanes : public StepView {
 public:
  explicit Lanes(const Recording& recording) : strip_(recording), occurs_(occurring(recording)) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    float y = draw_title(sketch, surface, at, focus);
    const PlayedBlock* const block = at.block(focus.block);
    if (block != nullptr) {
      const float side = std::min(
          (sketch.width() - warp_label_width) / static_cast<float>(at.recording().warp_size), 1.9F);
      y = draw_warps(sketch, at, *block, y, side);
      if (!at.last().empty() && at.last().front().block == focus.block)
        y = draw_collective(sketch, surface, y + 0.3F, warp_label_width, side, at) + 0.3F;
    }
    y = strip_.draw(sketch, surface, y + 0.3F, at, focus.block);
    return sketch.take(y + 0.4F + draw_key(sketch, surface, {0.0F, y + 0.4F}, key()));
  }

  std::string legend() const override {
    return "Each square is a lane. A lane with a letter takes part in this step; the other shapes "
           "show the state of a lane that does not.";
  }

 private:
  // Whether each look occurs in the run.
  static std::array<bool, lane_looks> occurring(const Recording& recording) {
    std::array<bool, lane_looks> occurs{};
    const auto has = [&occurs](LaneLook look) { occurs[static_cast<std::size_t>(look)] = true; };
    for (const RecordedEvent& event : recording.events) {
      if (takes_part_in_step(event.kind) || is_collective(event.kind))
        has(step_views::look_of(event.kind));
      if (event.kind == EventKind::step && event.value != event.other) has(LaneLook::elsewhere);
      if (event.kind == EventKind::arrive) has(LaneLook::at_barrier);
      if (event.kind == EventKind::back_off) has(LaneLook::backing_off);
      if (event.kind == EventKind::exit) has(LaneLook::exited);
      if (event.kind == EventKind::block_begin) has(LaneLook::idle);
    }
    return occurs;
  }

  // The kernel and the block, and a line on the step; returns the lower edge.
  float draw_title(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                   const StepFocus& focus) const {
    float y = 0.0F;
    const std::size_t number = strip_.launch_at(at);
    std::string title = "Before the first launch";
    if (number > 0) {
      const RecordedLaunch& launch = at.recording().launches[*at.launch()];
      title =
          fmt::format("{}, block {} of {}", bare_name(launch.kernel), focus.block, launch.blocks());
      if (strip_.launches() > 1)
        title += fmt::format(" (launch {} of {})", number, strip_.launches());
    }
    y += draw_paragraph(sketch, surface, {0.0F, y}, title, plot_ink::text, true);
    // As high with one line as with two, so that what is below stays where it is.
    const float height = draw_paragraph(sketch, surface, {0.0F, y}, sentence_of(at));
    y += std::max(height, 2.0F * plot_line_height) + 0.2F;
    if (number == 0 || at.block(focus.block) != nullptr) return y;
    const BlockStrip::State state = strip_.state_of(at, focus.block);
    const char* const words = state == BlockStrip::State::ended          ? "has ended"
                              : state == BlockStrip::State::not_recorded ? "is not recorded"
                                                                         : "has not started";
    sketch.text({0.0F, y}, fmt::format("Block {} {}.", focus.block, words), plot_ink::dim);
    return y + plot_line_height;
  }

  static float draw_warps(Sketch& sketch, const Playback& at, const PlayedBlock& block, float y,
                          float side) {
    const std::size_t warp_size = at.recording().warp_size;
    const Looks looks = looks_of(at, block);
    const std::size_t warps = (looks.size() + warp_size - 1) / warp_size;
    const auto lanes_of_warp = [&](std::size_t warp) {
      return std::span(looks).subspan(warp * warp_size,
                                      std::min(warp_size, looks.size() - warp * warp_size));
    };
    for (std::size_t warp = 0; warp < warps;) {
      std::size_t end = warp + 1;
      if (const auto look = common_look(lanes_of_warp(warp)); look && warps > warps_shown_whole) {
        while (end < warps && common_look(lanes_of_warp(end)) == look) ++end;
        if (end - warp > 1) {
          sketch.text({0.0F, y},
                      fmt::format("Warps {} to {}: {}", warp, end - 1, words_of_fold(*look)),
                      plot_ink::dim);
          y += plot_line_height;
          warp = end;
          continue;
        }
      }
      sketch.text({0.0F, y}, fmt::format("Warp {}", warp), plot_ink::dim);
      const auto lanes = lanes_of_warp(warp);
      for (std::size_t i = 0; i < lanes.size(); ++i)
        step_views::draw_lane(
            sketch,
            {warp_label_width + side * static_cast<float>(i), y + 0.15F, 0.9F * side, 1.05F},
            lanes[i], lane_name(block.block, static_cast<std::uint32_t>(warp * warp_size + i)));
      y += plot_line_height;
      warp = end;
    }
    return y;
  }

  // The looks that occur in the run.
  std::vector<KeyEntry> key() const {
    std::vector<KeyEntry> entries;
    for (std::size_t i = 0; i < occurs_.size(); ++i)
      if (const auto look = static_cast<LaneLook>(i); occurs_[i])
        entries.push_back({words_of(look), [look](Sketch& sketch, PlotBox box) {
                             step_views::draw_lane(sketch, box, look, {});
                           }});
    return entries;
  }

  BlockStrip strip_;
  std::array<bool, lane_looks> occurs_;
};

}  // namespace

bool is_for_lanes(const Recording& recording) { return !recording.launches.empty(); }
std::unique_ptr<StepView> make_lanes(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Lanes>(*recording);
}

}  // namespace warpview::step_views
