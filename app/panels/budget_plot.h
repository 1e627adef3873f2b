// What several ways to the same result cost, over how much work there is.
#pragma once

#include "app/common/plot.h"
#include "scenes/budget.h"

namespace warpview {

// The time of each contender that is measured, over the number of units: from well below the first
// number at which another becomes the cheapest to well beyond the last.
Plot budget_plot(const Budgets& budgets);

}  // namespace warpview
