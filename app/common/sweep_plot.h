// The laboratory's answers over sizes as a plot: of `warpview lab --plot` and of the Sweep tab.
#pragma once

#include <set>
#include <span>
#include <string>

#include "app/common/plot.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

enum class SweepMetric { time, items, bandwidth };

// A series for each variant that was timed, in the catalogue's order, the library's dashed; and one
// for a device copy of the bytes that the problem needs, dotted. The answers are of one question
// but for its size. `hidden` names series that are not shown.
Plot sweep_plot(std::span<const lab::Answer> answers, SweepMetric metric, const std::string& device,
                const std::set<std::string>& hidden = {});

// A variant's series without points. It keeps its colour, whichever others there are: the library's
// is the first. Those that there are no more colours for are dashed, as the library's.
PlotSeries series_of(VariantId variant);

// The series of a device copy.
inline constexpr const char* copy_series = "device copy";

}  // namespace warpview
