// Options of the command line for what is kept of a scene: a video, a scene file, cameras.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "app/options.h"
#include "scenes/description.h"

namespace warpview {

// What the options hold as words until all of them are read.
struct KeptWords {
  std::string video, save_scene;
  bool turntable = false;
  std::optional<double> seconds, rate;
};

// `headless`: the option that they need.
void add_kept(CLI::App& app, CLI::Option* headless, KeptWords& words);
// Once the picture's size and what else is written are known. Throws CLI::ValidationError.
void read_kept(const KeptWords& words, Options& options);
// Numbers, or the name of a camera of the scene file that is opened. Throws CLI::ValidationError.
void read_camera(const std::string& text, SceneDescription& scene);

}  // namespace warpview
