// The accesses of a single-pass scan's blocks to the states of its tiles, found in a recording.
//
// The layouts are those of gpu/block/lookback.h, gpu/block/ahead.h,
// gpu/primitives/scan/waterfall.cu, gpu/primitives/run_length/ahead.cu and
// gpu/primitives/sort/digit_states.h. They are recognised by the kernel's name and by the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/recording/playback.h"

namespace warpview::step_views {

enum class TileFlag : std::uint8_t { nothing, aggregate, prefix };

// How the state of a tile lies in memory.
enum class TileLayout : std::uint8_t {
  value,    // a word: the flag above a 4-byte value
  stretch,  // a word: the flag and the number of runs above a 4-byte sum
  heads,    // a word: the flag, the number of runs, and the place after the last run's head
  digit,    // a 4-byte word for each digit: the flag above a count
  split,    // a flag; aggregates and prefixes are in arrays of their own
  turn      // no state: the number of the tile that has the turn, and its exclusive prefix
};

struct TileAction {
  enum class Kind : std::uint8_t {
    ticket,   // got its tile
    load,     // read items
    scan,     // used shared memory or the warp
    look,     // read the state of a tile, or the number of the tile that has the turn
    publish,  // wrote the state of a tile, or passed the turn on
    write     // wrote items
  };
  std::size_t event = 0;
  Kind kind = Kind::ticket;
  std::uint32_t tile = 0;             // of ticket, look and publish; the turn that a look found
  TileFlag flag = TileFlag::nothing;  // found or published
};

struct TileBlock {
  std::uint32_t block = 0;
  std::size_t begin = 0, end = 0;       // events
  std::optional<std::uint32_t> tile{};  // by its ticket
  // In the order of execution. Of loads, scans and writes in a row only the first is kept.
  std::vector<TileAction> actions{};

  // How many actions are among the first `events` events.
  std::size_t done(std::size_t events) const;
};

// A launch whose blocks publish states of tiles.
struct TiledLaunch {
  std::uint32_t launch = 0, grid = 0;
  std::size_t begin = 0, end = 0;  // events; the first is `launch`
  TileLayout layout = TileLayout::value;
  // The last block scans for the others (gpu/block/ahead.h), which have several tiles each.
  // Prefixes are exclusive.
  bool has_scanner = false;
  bool is_chained = false;  // a tile looks only at the one before it
  std::uint32_t tiles = 0;
  std::uint32_t states = 0;                  // array
  std::uint32_t first_word = 1, stride = 1;  // of the tiles' states there
  std::uint32_t ticket_word = 0;             // there
  std::uint32_t digit = 0;                   // of `digit`, which is the digit that is shown
  std::uint32_t aggregates = 0,
                prefixes = 0;       // arrays of `split`; of `turn` `prefixes` has the sum
  std::string value_type = "u32";   // of a value or a sum
  std::vector<TileBlock> blocks{};  // in the order in which they begin

  // The word that holds a tile's state; of `turn` the turn.
  Word word_of(std::uint32_t tile) const;
  bool is_scanner(const TileBlock& block) const { return has_scanner && block.block + 1 == grid; }
  // Is it a worker, which looks whether the scanner has replaced its sum by a prefix?
  bool looks_at_own(const TileBlock& block) const { return has_scanner && !is_scanner(block); }
};

// All of them, in order. Accepts any recording.
std::vector<TiledLaunch> tiled_launches(const Recording& recording);

// A block's look-backs among the first `events` events: the last one at each tile.
std::map<std::uint32_t, const TileAction*> walk_of(const TiledLaunch& launch,
                                                   const TileBlock& block, std::size_t events);
// A block's action after `events` events; null if there is none yet. If its warps do different
// things, the action that comes last in the kernel counts.
const TileAction* action_of(const TiledLaunch& launch, const TileBlock& block, std::size_t events);

// When a block began with a tile, published its aggregate (of `turn`: began to wait), published its
// prefix, and ended. Events.
struct TileTimes {
  std::optional<std::size_t> begin{}, aggregate{}, prefix{}, end{};
};
std::map<std::uint32_t, TileTimes> tile_times(const TiledLaunch& launch);

// The tiles that the launch's recorded blocks ever have.
std::set<std::uint32_t> tiles_of_blocks(const TiledLaunch& launch);

struct TileView {
  TileFlag flag = TileFlag::nothing;
  std::string value{};  // what was published; empty while nothing is
};
// A tile's state in memory. Not for `turn`.
TileView tile_at(const TiledLaunch& launch, const Playback& at, std::uint32_t tile);
// For `turn`: the tile that has the turn, and its exclusive prefix.
std::uint32_t turn_at(const TiledLaunch& launch, const Playback& at);
std::string sum_at(const TiledLaunch& launch, const Playback& at);

// The launches of several tiles. With one tile there is nothing to look back at.
std::vector<TiledLaunch> launches_of_tiles(const Recording& recording);
// The length in letters of the widest value at the launch's end: prefixes are the largest values.
// Moves `at`.
std::size_t widest_value(Playback& at, const TiledLaunch& launch);

}  // namespace warpview::step_views
