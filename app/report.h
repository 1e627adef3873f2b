// What a headless run found, for scripts. docs/report.md describes every field.
#pragma once

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
};

nlohmann::ordered_json make_report(const Model& model, const RunResults& results);

// The catalogue, a row each.
nlohmann::ordered_json catalogue_as_json();

// The scenes, and what can be set in them.
nlohmann::ordered_json scenes_as_json();

}  // namespace warpview
