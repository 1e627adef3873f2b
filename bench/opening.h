// The time from the request for a file to its picture.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "app/options.h"

namespace warpview::bench {

struct OpeningPart {
  std::string text;
  std::vector<double> milliseconds;  // by run
};

struct Opening {
  std::string file;
  std::uint64_t bytes = 0;
  std::string renderer;            // of OpenGL
  std::vector<OpeningPart> parts;  // in order, and the whole last
};

// Opens the file that often, with a session that has shown another scene before: device, OpenGL and
// shaders are ready, the file is in the system's cache. Error if it cannot be opened,
// UnavailableError without OpenGL.
Opening measure_opening(const warpview::Options& options, const std::string& file, int runs);

// Markdown: median, quartiles and least of each part.
void write_opening_table(std::ostream& out, const Opening& opening);

}  // namespace warpview::bench
