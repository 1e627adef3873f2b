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

// A scene as it opens, watched: it plays, or the camera turns where it does not move.
struct WindowPlay {
  static constexpr int runs = 3;

  std::string scene{};
  std::string renderer{};  // of OpenGL
  bool moves = false;
  double cold_ms = 0.0;                  // from the request to the first picture in a new program
  double warm_ms = 0.0;                  // the same, once it and another scene were open
  std::vector<double> per_second{};      // pictures, by run
  double draw_ms = 0.0;                  // of the last picture
  double kernels_ms = 0.0;               // of the last frame
  std::vector<double> seconds_passed{};  // of simulated time in a second, by run
  int width = 0, height = 0;             // of the last picture
  std::uint64_t items = 0;               // the scene's first fact: triangles, particles
};

// Opens each scene, by its name in scenes.def, in a session of its own as measure_window() does,
// and watches it for this many seconds three times. UnavailableError without OpenGL.
std::vector<WindowPlay> measure_play(const warpview::Options& options,
                                     const std::vector<std::string>& scenes, double seconds);

// Markdown: a row a scene.
void write_play_table(std::ostream& out, const std::vector<WindowPlay>& plays);

}  // namespace warpview::bench
