#include <algorithm>

#include "app/step_views/tile_states.h"

namespace warpview::step_views {

std::size_t TileBlock::done(std::size_t events) const {
  const auto after =
      std::partition_point(actions.begin(), actions.end(),
                           [events](const TileAction& action) { return action.event < events; });
  return static_cast<std::size_t>(after - actions.begin());
}

std::map<std::uint32_t, const TileAction*> walk_of(const TiledLaunch& launch,
                                                   const TileBlock& block, std::size_t events) {
  std::map<std::uint32_t, const TileAction*> walk;
  const std::size_t done = block.done(events);
  for (std::size_t i = 0; i < done; ++i) {
    const TileAction& action = block.actions[i];
    if (action.kind == TileAction::Kind::look) {
      if (launch.layout == TileLayout::turn || launch.looks_at_own(block)) walk.clear();
      walk[action.tile] = &action;
    } else if (action.kind == TileAction::Kind::publish && launch.has_scanner) {
      walk.erase(action.tile);
    }
  }
  return walk;
}

const TileAction* action_of(const TiledLaunch& launch, const TileBlock& block, std::size_t events) {
  const std::size_t done = block.done(events);
  if (done == 0) return nullptr;
  const TileAction* last = &block.actions[done - 1];
  if (launch.has_scanner) return last;  // its blocks have many tiles
  const auto rank = [](const TileAction& action) {
    if (action.kind == TileAction::Kind::publish) return action.flag == TileFlag::prefix ? 5 : 3;
    static constexpr int ranks[] = {0, 1, 2, 4, 3, 6};
    return ranks[static_cast<std::size_t>(action.kind)];
  };
  for (std::size_t i = 0; i < done; ++i)
    if (rank(block.actions[i]) >= rank(*last)) last = &block.actions[i];
  return last;
}

std::map<std::uint32_t, TileTimes> tile_times(const TiledLaunch& launch) {
  using Kind = TileAction::Kind;
  std::map<std::uint32_t, TileTimes> all;
  const auto first = [](std::optional<std::size_t>& at, std::size_t event) {
    if (!at || event < *at) at = event;
  };
  for (const TileBlock& block : launch.blocks)
    for (const TileAction& action : block.actions) {
      const bool waits =
          launch.layout == TileLayout::turn && action.kind == Kind::look && block.tile;
      if (action.kind != Kind::ticket && action.kind != Kind::publish && !waits) continue;
      const std::uint32_t tile = waits ? *block.tile : action.tile;
      TileTimes& of = all[tile];
      if (action.kind == Kind::ticket) first(of.begin, action.event);
      // A worker of a scanner begins with all of its tiles.
      if (launch.looks_at_own(block)) first(of.begin, block.begin);
      if (waits || action.flag == TileFlag::aggregate) first(of.aggregate, action.event);
      if (action.kind == Kind::publish && action.flag == TileFlag::prefix)
        first(of.prefix, action.event);
      if (block.tile == tile) of.end = block.end;
    }
  return all;
}

std::vector<TiledLaunch> launches_of_tiles(const Recording& recording) {
  std::vector<TiledLaunch> launches = tiled_launches(recording);
  std::erase_if(launches, [](const TiledLaunch& launch) { return launch.tiles < 2; });
  return launches;
}

std::size_t widest_value(Playback& at, const TiledLaunch& launch) {
  std::size_t letters = 1;
  if (launch.layout == TileLayout::turn) return letters;
  at.seek(launch.end < at.recording().events.size() ? at.step_of(launch.end) : at.steps());
  for (std::uint32_t tile = 0; tile < launch.tiles; ++tile)
    letters = std::max(letters, tile_at(launch, at, tile).value.size());
  return letters;
}

std::set<std::uint32_t> tiles_of_blocks(const TiledLaunch& launch) {
  std::set<std::uint32_t> tiles;
  const std::uint32_t workers = launch.grid - 1;
  for (const TileBlock& block : launch.blocks) {
    if (block.tile) tiles.insert(*block.tile);
    if (!launch.looks_at_own(block) || workers == 0) continue;
    // Tiles are dealt to the workers round-robin.
    for (std::uint64_t tile = block.block; tile < launch.tiles; tile += workers)
      tiles.insert(static_cast<std::uint32_t>(tile));
  }
  return tiles;
}

}  // namespace warpview::step_views
