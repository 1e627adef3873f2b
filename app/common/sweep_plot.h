// Plots the laboratory's answers over sizes: for `warpview lab --plot` and the Sweep tab.
#pragma once

#include <set>
#include <span>
#include <string>

#include "app/common/plot.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

enum class SweepMetric { time, items, bandwidth };

// Returns one series for each timed variant, in the catalogue's order, the library's dashed; and a
// dotted one for a device copy of the problem's minimum bytes. The answers differ only in their
// size. `hidden` names series that are not shown.
Plot sweep_plot(std::span<const lab::Answer> answers, SweepMetric metric, const std::string& device,
                const std::set<std::string>& hidden = {});

// Returns a variant's series without points. Its colour does not depend on which others are shown;
// the library has the first colour. Variants beyond the last colour are dashed, as the library is.
PlotSeries series_of(VariantId variant);

// The series of a device copy.
inline constexpr const char* copy_series = "device copy";

}  // namespace warpview
