// Plots when the device's blocks were busy: for `warpview lab --busy` and the Busy tab.
#pragma once

#include <set>
#include <span>
#include <string>

#include "app/common/plot.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

// Returns one series for each variant that reports it, in the catalogue's order, in the sweep's
// colours. All answers are to one question. `hidden` names series that are not shown.
Plot busy_plot(std::span<const lab::Answer> answers, const std::string& device,
               const std::set<std::string>& hidden = {});

// "variant,ms,share", one line per slice: its begin, and the fraction of places that were
// occupied.
std::string busy_csv(std::span<const lab::Answer> answers);

}  // namespace warpview
