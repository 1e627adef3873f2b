// The laboratory's answers as JSON: for `warpview lab --json` and the Sweep tab.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "gpu/lab/laboratory.h"

namespace warpview {

// The provenance that all answers share: version, backend, device, driver, built_with, date.
nlohmann::ordered_json lab_json_head(const DeviceInfo& device, const std::string& built_with);
// One answer, without its counters.
nlohmann::ordered_json lab_json_answer(const lab::Answer& answer);

// "2026-01-31 23:59 UTC"
std::string lab_date();

// Returns one document. Invalid UTF-8 is replaced.
std::string lab_json(const DeviceInfo& device, const std::string& built_with,
                     std::span<const lab::Answer> answers);

}  // namespace warpview
