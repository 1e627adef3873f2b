// What a headless run found, for scripts. docs/report.md describes every field.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/workspace.h"
#include "gpu/pipeline/mesh_pipeline.h"

namespace warpview {

// What a run knows beside the workspace.
struct RunResults {
  std::vector<double> frame_ms;                           // wall time of every frame
  std::array<std::optional<bool>, stage_count> verified;  // by Stage; none: not checked
};

nlohmann::ordered_json make_report(const WorkspaceModel& workspace, const RunResults& results);

// The catalogue, a row each.
nlohmann::ordered_json catalogue_as_json();

}  // namespace warpview
