// The time that the window's thread takes for a frame while the others are busy.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "app/options.h"

namespace warpview::bench {

// A script's use of one scene, each figure in milliseconds over all of its frames.
struct WindowUse {
  std::string scene;
  std::string renderer;  // of OpenGL
  // For every frame: the part of the session and the panels, without OpenGL; and the whole, until
  // its picture is composed and OpenGL has finished.
  std::vector<double> panels_ms, whole_ms;
  // From each input, a simulated mouse over the panels, until OpenGL has finished the first picture
  // whose panels had seen it: inputs come through the window's queue.
  std::vector<double> input_ms;
  std::string busiest;         // what the script did in the longest frame
  std::uint64_t computed = 0;  // frames of the scene
};

// The workload: a mesh of 3 000 000 triangles, one of 200 000 whose BVH is rebuilt in each frame,
// or one after the other.
enum class WindowScene { rest, rebuilt, both };

// Opens the scenes and uses each mesh for this many seconds as a user would: looks around, switches
// outputs and variants, moves sliders, picks, resizes the view, runs the laboratory, opens another
// scene and cancels that. The session is that of a window, with its three threads; a loop of 60
// frames per second that composes into an offscreen picture replaces the window. UnavailableError
// without OpenGL.
std::vector<WindowUse> measure_window(const warpview::Options& options, WindowScene scene,
                                      double seconds);

// Markdown: n, median, 95th and 99th percentile and longest of each.
void write_window_table(std::ostream& out, const std::vector<WindowUse>& uses);

}  // namespace warpview::bench
