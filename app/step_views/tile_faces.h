// How the tiles of a single-pass scan are drawn, and where.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

// How a tile is drawn.
struct TileFace {
  const char* letter;
  int ink;
  float opacity;
  const char* words;  // in the key
};
inline constexpr TileFace nothing_face = {"X", plot_ink::grid, 1.0F, "nothing published"};
inline constexpr TileFace aggregate_face = {"A", ink::aggregate, 0.45F,
                                            "aggregate: sum of the tile"};
inline constexpr TileFace prefix_face = {"P", ink::prefix, 0.55F,
                                         "prefix: sum up to the tile's end"};
inline constexpr TileFace exclusive_face = {"P", ink::prefix, 0.55F,
                                            "prefix: sum of the tiles before"};
inline constexpr TileFace works_face = {"S", plot_ink::grid, 1.0F, "scans its items"};
inline constexpr TileFace waits_face = {"W", ink::aggregate, 0.45F, "waits for its turn"};
inline constexpr TileFace turn_face = {"T", ink::has_turn, 0.6F, "has the turn"};
inline constexpr TileFace passed_face = {"D", ink::prefix, 0.55F,
                                         "done: the next tile has the turn"};

inline constexpr TileFace unstarted_face = {"X", plot_ink::grid, 1.0F,
                                            "not started: no block has it"};
inline constexpr TileFace unrecorded_face = {
    "-", plot_ink::grid, 1.0F, "its block is not recorded (pale letters: states in memory)"};

inline constexpr float ended_opacity = 0.2F;  // of tiles whose blocks have ended, over time

// Where the tiles that are shown lie. They are columns.
struct TileColumns {
  float left = 0.0F;
  float each = 1.0F;
  std::uint32_t first = 0, count = 0;

  bool has(std::uint32_t tile) const { return tile >= first && tile - first < count; }
  float middle(std::uint32_t tile) const {
    return left + each * (static_cast<float>(tile - first) + 0.5F);
  }
  float box_width() const { return std::min(0.62F * each, 2.4F); }
  PlotBox box(std::uint32_t tile, float y) const {
    return {middle(tile) - 0.5F * box_width(), y, box_width(), plot_line_height};
  }
  float right() const { return left + each * static_cast<float>(count); }
};

}  // namespace warpview::step_views
