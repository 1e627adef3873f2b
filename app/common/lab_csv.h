// The laboratory's answers as CSV (RFC 4180): of `warpview lab --csv` and of the Lab panel.
#pragma once

#include <span>
#include <string>

#include "gpu/lab/laboratory.h"

namespace warpview {

// The columns' names, and a line for each answer; both end their lines. Numbers that were not
// measured are empty. `difference` holds what differs from the reference or what the device
// complained of and, of a variant that is not available, the reason.
std::string lab_csv_header();
std::string lab_csv_line(const lab::Answer& answer);

std::string lab_csv(std::span<const lab::Answer> answers);

}  // namespace warpview
