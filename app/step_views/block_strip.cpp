#include "app/step_views/block_strip.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpview::step_views {
namespace {

constexpr std::uint64_t most_strip_squares = 128;

std::size_t events_before(const std::vector<std::size_t>& events, std::size_t now) {
  return static_cast<std::size_t>(std::lower_bound(events.begin(), events.end(), now) -
                                  events.begin());
}

void draw_block_square(Sketch& sketch, PlotBox box, BlockStrip::State state,
                       const std::string& name) {
  switch (state) {
    case BlockStrip::State::to_begin:
      sketch.box(box, plot_ink::paper, 1.0F, name);
      sketch.frame(box, plot_ink::neutral, 0.05F, name);
      return;
    case BlockStrip::State::not_recorded:
      sketch
          .line({box.x + 0.3F * box.width, box.y + 0.5F * box.height},
                {box.x + 0.7F * box.width, box.y + 0.5F * box.height}, plot_ink::neutral, 0.1F)
          .name = name;
      return;
    case BlockStrip::State::runs:
      sketch.box(box, plot_ink::neutral, 1.0F, name);
      return;
    case BlockStrip::State::ended: {
      sketch.box(box, plot_ink::grid, 1.0F, name);
      const PlotVertex corner{box.x + 0.42F * box.width, box.y + 0.72F * box.height};
      sketch.line({box.x + 0.2F * box.width, box.y + 0.5F * box.height}, corner, plot_ink::dim)
          .name = name;
      sketch.line(corner, {box.x + 0.8F * box.width, box.y + 0.25F * box.height}, plot_ink::dim)
          .name = name;
      return;
    }
  }
}

// How many blocks from `first` to before `end` are recorded.
std::uint64_t recorded_between(const BlockRanges& blocks, std::uint64_t first, std::uint64_t end) {
  if (blocks.empty()) return end - first;
  std::uint64_t count = 0;
  for (const BlockRange& range : blocks) {
    const std::uint64_t from = std::max<std::uint64_t>(range.first, first);
    const std::uint64_t to = std::min<std::uint64_t>(std::uint64_t{range.last} + 1, end);
    if (from < to) count += to - from;
  }
  return count;
}

}  // namespace

BlockStrip::BlockStrip(const Recording& recording) {
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const RecordedEvent& event = recording.events[i];
    if (event.kind == EventKind::launch) {
      Launch launch{.event = i,
                    .blocks = recording.launches[event.subject].blocks(),
                    .begun = {},
                    .ended = {},
                    .recorded = {}};
      launch.each = (launch.blocks + most_strip_squares - 1) / most_strip_squares;
      const std::size_t squares = (launch.blocks + launch.each - 1) / launch.each;
      launch.begun.resize(squares);
      launch.ended.resize(squares);
      for (std::uint64_t first = 0; first < launch.blocks; first += launch.each)
        launch.recorded.push_back(recorded_between(recording.blocks, first,
                                                   std::min(first + launch.each, launch.blocks)));
      launches_.push_back(std::move(launch));
    } else if (event.kind == EventKind::block_begin || event.kind == EventKind::block_end) {
      Launch& launch = launches_.back();
      auto& list = event.kind == EventKind::block_begin ? launch.begun : launch.ended;
      list[event.block / launch.each].push_back(i);
    }
  }
}

std::size_t BlockStrip::launch_at(const Playback& at) const {
  const auto after = std::partition_point(
      launches_.begin(), launches_.end(),
      [now = at.executed()](const Launch& launch) { return launch.event < now; });
  return static_cast<std::size_t>(after - launches_.begin());
}

BlockStrip::Counts BlockStrip::counts(const Launch& launch, std::size_t square,
                                      std::size_t now) const {
  return {events_before(launch.begun[square], now), events_before(launch.ended[square], now)};
}

BlockStrip::State BlockStrip::state_of(const Playback& at, std::uint32_t block) const {
  if (!contains(at.recording().blocks, block)) return State::not_recorded;
  const std::size_t number = launch_at(at);
  if (number == 0) return State::to_begin;
  if (at.block(block) != nullptr) return State::runs;
  const Launch& launch = launches_[number - 1];
  if (block >= launch.blocks) return State::to_begin;
  for (const std::size_t event : launch.ended[block / launch.each])
    if (event < at.executed() && at.recording().events[event].block == block) return State::ended;
  return State::to_begin;
}

float BlockStrip::draw(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                       std::uint32_t focus) const {
  const std::size_t number = launch_at(at);
  if (number == 0) return y;
  const Launch& launch = launches_[number - 1];
  std::string label = "Blocks";
  if (launch.each > 1) label += fmt::format(", {} a square", launch.each);
  sketch.text({0.0F, y}, label, plot_ink::dim);
  const float side = 1.0F, step = 1.25F;
  const float left = launch.each > 1 ? 0.1F : Sketch::width_of(surface, label) + 0.8F;
  if (launch.each > 1) y += plot_line_height;
  const auto in_row =
      std::max<std::size_t>(1, static_cast<std::size_t>((sketch.width() - left) / step));
  for (std::size_t i = 0; i < launch.begun.size(); ++i) {
    const std::size_t row = i / in_row;
    const PlotBox box{left + step * static_cast<float>(i % in_row),
                      y + 0.15F + step * static_cast<float>(row), side, side};
    const Counts is = counts(launch, i, at.executed());
    const State state = launch.recorded[i] == 0          ? State::not_recorded
                        : is.ended >= launch.recorded[i] ? State::ended
                        : is.begun > is.ended            ? State::runs
                        : is.ended > 0                   ? State::runs
                                                         : State::to_begin;
    draw_block_square(sketch, box, state, fmt::format("block/{}", i * launch.each));
    if (i == focus / launch.each)
      sketch.frame({box.x - 0.08F, box.y - 0.08F, side + 0.16F, side + 0.16F}, plot_ink::text,
                   0.13F);
  }
  const std::size_t rows = (launch.begun.size() + in_row - 1) / in_row;
  return y + 0.15F + step * static_cast<float>(rows) + 0.1F;
}

}  // namespace warpview::step_views
