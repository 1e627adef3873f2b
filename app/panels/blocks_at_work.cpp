// What the blocks of the scene's scheduled stage did in its last run: a Gantt chart.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/common/digits.h"
#include "app/panels/parts.h"
#include "app/panels/plot_view.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

std::array<std::string, 2> about_bars() {
  return {
      "Each bar is a batch that a block executes, from left to right in time. Each row is a "
      "place on the device, which holds one block at a time; on the CPU device places are "
      "threads.",
      "Block timeline in the Scene panel turns this on and off."};
}

// Lays the chart out where the run or the room for it has changed.
void bring_up_to_date(const BlocksAtWork& blocks, BlocksView& view) {
  const BlocksView::Of now{.first = blocks.stretches.front().begin,
                           .stretches = blocks.stretches.size(),
                           .title = blocks.title,
                           .width = std::max(ImGui::GetContentRegionAvail().x, 1.0F),
                           .em = em()};
  if (view.of == now) return;
  view.of = now;
  const PlotSurface surface{
      .width = now.width, .em = now.em, .text_width = [](std::string_view words) {
        return ImGui::CalcTextSize(words.data(), words.data() + words.size()).x;
      }};
  view.chart = lay_out(blocks, surface);
  view.shapes = blocks_shapes(blocks, view.chart, surface);
  view.words = use_in_words(blocks);
}

// Shows a tooltip about the stretch, or about the fill levels, under the mouse.
void draw_hover(const PanelState& state, const BlocksAtWork& blocks, ImVec2 at) {
  if (!ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const BlocksChart& chart = state.blocks.chart;
  const auto found = stretch_at(chart, {mouse.x - at.x, mouse.y - at.y});
  if (!found) {
    if (!chart.queues.contains({mouse.x - at.x, mouse.y - at.y})) return;
    static const std::array about = {
        std::string("The items in all queues of a procedure when a block takes a batch from them, "
                    "that batch included. Between two batches the level is not known.")};
    tooltip(state.fonts, "Fill levels", about);
    return;
  }
  const BusyStretch& stretch = blocks.stretches[*found];
  const PlotBox& box = chart.bars[*found].box;
  ImGui::GetWindowDrawList()->AddRect({at.x + box.x - 1.0F, at.y + box.y - 1.0F},
                                      {at.x + box.right() + 1.0F, at.y + box.bottom() + 1.0F},
                                      colour::text);
  const auto ms = [](double value) { return plot_value(PlotUnit::milliseconds, value); };
  const std::array about = {
      fmt::format("Begins after {}, lasts {}", ms(blocks.begin_ms(stretch)),
                  ms(BlocksAtWork::length_ms(stretch))),
      fmt::format("{} in the batch{}", format_count(stretch.items, "item"),
                  blocks.has_queues
                      ? fmt::format(", {} left in the queue", group_digits(stretch.queued))
                      : std::string()),
      fmt::format("Block {} of its launch", group_digits(stretch.block))};
  tooltip(state.fonts, procedure_in_words(blocks, stretch.procedure), about);
}

}  // namespace

void draw_blocks_at_work(const Model& model, PanelState& state) {
  const std::optional<BlocksAtWork>& blocks = model.results->blocks;
  BlocksView& view = state.blocks;
  const bool appears = view.of == BlocksView::Of{};
  if (!blocks) {
    view.of = {};
    return;
  }
  section(state.fonts, "Blocks");
  const FontScope small(state.fonts.small);
  if (blocks->stretches.empty()) {
    paragraph(colour::dim, "No block has executed anything yet.");
    return;
  }
  bring_up_to_date(*blocks, view);
  for (std::size_t i = 0; i < view.words.size(); ++i) {
    paragraph(i == 0 ? colour::text : colour::dim, view.words[i]);
    tooltip(state.fonts, "Blocks", about_bars());
  }
  ImGui::Dummy({0.0F, 0.2F * em()});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  // Soft edges would make bars of less than a pixel a pixel wide.
  const ImDrawListFlags flags = list->Flags;
  list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
  draw_shapes(*list, view.shapes, at, state.fonts, em(), theme_in_use());
  list->Flags = flags;
  ImGui::InvisibleButton("blocks", {view.of.width, std::max(view.chart.height, 1.0F)});
  draw_hover(state, *blocks, at);
  // The user has just turned it on.
  if (appears && ImGui::GetItemRectMax().y > ImGui::GetWindowPos().y + ImGui::GetWindowHeight())
    ImGui::SetScrollHereY(1.0F);
}

}  // namespace warpview
