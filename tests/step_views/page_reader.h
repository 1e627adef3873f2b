// Reads what a page's player reads (app/step_views/page/page.h), in order to compare it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/common/plot.h"
#include "app/step_views/page/scene.h"

namespace warpview::test {

struct ReadScene {
  float height = 0.0F;
  std::vector<std::vector<PlotShape>> steps;
};

struct ReadView {
  std::string title, legend;
  ReadScene scene;
};

struct ReadStep {
  std::string words;
  std::uint32_t block = 0;  // + 1
  std::uint32_t mark = 0;
  std::map<std::string, std::vector<std::string>> abouts;  // that have changed
  std::vector<std::pair<std::string, std::string>> links;
  std::map<std::string, std::string> moves;  // lanes to lines; empty: to none
};

struct ReadPage {
  std::vector<ReadStep> steps;
  std::map<unsigned, std::vector<ReadView>> layouts;  // by width
};

// Error where the data end too early or too late.
ReadPage read_page(std::span<const std::uint8_t> data);

// One scene by itself.
ReadScene read_scene(const step_views::ShapeTables& tables, const step_views::Scene& scene,
                     std::size_t steps);

}  // namespace warpview::test
