// When the device's blocks were at work, as a plot: of `warpview lab --busy` and of the Busy tab.
#pragma once

#include <set>
#include <span>
#include <string>

#include "app/common/plot.h"
#include "gpu/lab/laboratory.h"

namespace warpview {

// A series for each variant that told it, in the catalogue's order, with the colours of a sweep.
// The answers are of one question. `hidden` names series that are not shown.
Plot busy_plot(std::span<const lab::Answer> answers, const std::string& device,
               const std::set<std::string>& hidden = {});

// "variant,ms,share", a line for each slice: where it begins, and the share of places that were
// taken.
std::string busy_csv(std::span<const lab::Answer> answers);

}  // namespace warpview
