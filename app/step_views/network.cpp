#include "app/step_views/network.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/step_views/network_builders.h"

namespace warpview::step_views {
namespace {

bool has_network_step(const Network& network) {
  for (std::size_t row = 1; row < network.rows.size(); ++row)
    for (const auto& [column, cell] : network.rows[row].cells)
      for (const NetworkArrow& arrow : cell.arrows)
        if (arrow.from != column && network.rows[row].kind == NetworkRow::Kind::step) return true;
  return false;
}

}  // namespace

std::uint32_t Network::stride(std::size_t row) const {
  std::uint32_t stride = 0;
  for (const auto& [column, cell] : rows[row].cells)
    for (const NetworkArrow& arrow : cell.arrows) {
      const std::uint32_t distance =
          arrow.from > column ? arrow.from - column : column - arrow.from;
      if (distance == 0 || distance == stride) continue;
      if (stride != 0) return 0;
      stride = distance;
    }
  return stride;
}

const NetworkCell* Network::cell(std::size_t row, std::uint32_t column) const {
  for (std::size_t r = std::min(row + 1, rows.size()); r-- > 0;)
    if (const auto found = rows[r].cells.find(column); found != rows[r].cells.end())
      return &found->second;
  return nullptr;
}

std::vector<Network> networks_of(const Recording& recording) {
  if (recording.primitive != "block_scan" && recording.primitive != "reduce") return {};
  std::map<std::pair<std::uint32_t, std::uint32_t>, BlockEvents> blocks;
  std::optional<std::uint32_t> launch;
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const RecordedEvent& event = recording.events[i];
    if (event.kind == EventKind::launch) launch = event.subject;
    if (!launch || event.kind == EventKind::launch || is_patch(event.kind)) continue;
    BlockEvents& block = blocks[{*launch, event.block}];
    block.launch = *launch;
    block.block = event.block;
    block.events.push_back(i);
  }
  std::vector<Network> all;
  for (const auto& [place, events] : blocks) {
    std::vector<Network> of_block;
    if (Network words = network_of_words(recording, events); has_network_step(words)) {
      of_block.push_back(std::move(words));
    } else {
      of_block = networks_of_lanes(recording, events);
      std::erase_if(of_block,
                    [](const Network& each) { return !each.by_ballot && !has_network_step(each); });
    }
    // A value alone is combined with none.
    std::erase_if(of_block, [](const Network& each) { return each.items < 2; });
    std::ranges::move(of_block, std::back_inserter(all));
  }
  return all;
}

}  // namespace warpview::step_views
