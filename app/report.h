// What was measured, for scripts: of a run without a window, and of the scene in the window as it
// stands. docs/report.md describes every field.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/model.h"

namespace warpview {

// What a run knows beside the model.
struct RunResults {
  std::vector<double> frame_ms;          // wall time of every frame
  std::map<std::string, bool> verified;  // by the stage's name; absent: not checked
  std::vector<std::string> warnings;     // that are no messages of the model's any more
};

nlohmann::ordered_json make_report(const Model& model, const RunResults& results);

// The report as this file is to have it: where its name ends in ".csv" the stages alone, a line
// each with the members of a stage as columns; else all of it as JSON.
std::string report_for(const std::filesystem::path& file, const nlohmann::ordered_json& report);

// The catalogue, an object for each variant.
nlohmann::ordered_json catalogue_as_json();

// The scenes, and what can be set in them.
nlohmann::ordered_json scenes_as_json();

}  // namespace warpview
