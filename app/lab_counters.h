// What `warpview lab --counters` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu/lab/laboratory.h"

namespace warpview {

// A table for each question: variants, their kernels, and the counts of each.
std::string counters_as_text(const std::vector<lab::Answer>& answers, unsigned warp_size,
                             unsigned banks);

nlohmann::ordered_json counters_as_json(const std::vector<KernelCounters>& kernels);

}  // namespace warpview
