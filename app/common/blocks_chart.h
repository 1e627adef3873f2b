// A Gantt chart of blocks at work, and the fill levels of their queues below it: shapes without a
// surface.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/common/plot.h"
#include "gpu/primitives/schedule/blocks_at_work.h"

namespace warpview {

struct BlocksChart {
  // One stretch in its row, from begin to end.
  struct Bar {
    PlotBox box;
    std::size_t stretch;  // of BlocksAtWork::stretches
  };
  struct Swatch {
    PlotBox box;
    unsigned procedure;  // most_procedures: the input
  };
  struct Level {
    unsigned procedure;
    std::vector<PlotVertex> line;  // within `queues`
  };

  float height = 0.0F;  // of the whole
  std::vector<Swatch> legend;
  PlotBox area;                 // of the rows
  PlotBox queues;               // of the fill levels; without height where there are none
  std::uint32_t rows = 0;       // most blocks busy at a time
  std::uint32_t most_left = 0;  // the highest fill level
  PlotAxis time;                // milliseconds since the first begin
  std::vector<PlotTick> ticks;
  std::vector<Bar> bars;  // in the order of the stretches
  std::vector<Level> levels;
};

// The name of a procedure of BusyStretch.
std::string procedure_in_words(const BlocksAtWork& blocks, unsigned procedure);

// Lays the chart out over the surface's width; its height follows from the content.
BlocksChart lay_out(const BlocksAtWork& blocks, const PlotSurface& surface);

// Returns the shapes in drawing order. Bars are named "stretch 17".
std::vector<PlotShape> blocks_shapes(const BlocksAtWork& blocks, const BlocksChart& chart,
                                     const PlotSurface& surface);

// The stretch whose bar is nearest in the row at `place`, at most a unit away.
std::optional<std::size_t> stretch_at(const BlocksChart& chart, PlotVertex place);

// "Grow ships: 72 % of 132 places busy over 1.24 ms", then one sentence per detail. Empty if no
// block was busy.
std::vector<std::string> use_in_words(const BlocksAtWork& blocks);

}  // namespace warpview
