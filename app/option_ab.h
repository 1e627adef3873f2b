// Options of the command line for A|B: two settings' pictures in one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/options.h"

namespace warpview {

// What the options hold as words until all of them are read.
struct AbWords {
  std::vector<std::string> settings;  // of A: NAME=VALUE
  std::string view;
  std::optional<int> gain;
};

// `headless`: the option that they need.
void add_ab(CLI::App& app, CLI::Option* headless, AbWords& words);
// Once the scene, its settings and what is written are known. Throws CLI::ValidationError.
void read_ab(const AbWords& words, Options& options);

}  // namespace warpview
