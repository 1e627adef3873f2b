// All blocks of the launch that runs, as a strip of small squares.
#pragma once

#include <cstdint>
#include <vector>

#include "app/step_views/sketch.h"

namespace warpview::step_views {

class BlockStrip {
 public:
  explicit BlockStrip(const Recording& recording);

  // The place of the launch that runs or has run last among all launches, from 1; 0: none has.
  std::size_t launch_at(const Playback& at) const;
  std::size_t launches() const { return launches_.size(); }
  enum class State : std::uint8_t { to_begin, runs, ended, not_recorded };
  State state_of(const Playback& at, std::uint32_t block) const;
  // Draws the strip with its upper edge at y; returns its lower edge. Names are "block/NUMBER".
  float draw(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
             std::uint32_t focus) const;

 private:
  // Squares that stand for `each` blocks.
  struct Launch {
    std::size_t event = 0;
    std::uint64_t blocks = 0, each = 1;
    std::vector<std::vector<std::size_t>> begun, ended;  // by square: events
    std::vector<std::uint64_t> recorded;                 // by square: blocks
  };
  struct Counts {
    std::size_t begun = 0, ended = 0;
  };
  Counts counts(const Launch& launch, std::size_t square, std::size_t now) const;

  std::vector<Launch> launches_;
};

}  // namespace warpview::step_views
