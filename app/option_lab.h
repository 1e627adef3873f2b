// The command line of `warpview lab`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "app/options.h"

namespace warpview {

// Adds the command and what it takes. `finish` reads it once the command line is parsed.
CLI::App* add_lab(CLI::App& app, Options& options, std::function<void()>& finish);

}  // namespace warpview
