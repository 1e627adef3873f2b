// The command line, parsed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model.h"
#include "app/render/options.h"
#include "app/video/plan.h"
#include "gpu/catalogue.h"
#include "gpu/faults/faults.h"
#include "gpu/interop/choice.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/recorded_device.h"
#include "scenes/description.h"

namespace warpview {

// What the program returns to the shell.
enum ExitCode : int {
  exit_success = 0,
  exit_failure = 1,      // the device failed, or an output could not be written
  exit_usage = 2,        // the command line makes no sense, or names what is not there
  exit_input = 3,        // the scene cannot be opened or parsed
  exit_unavailable = 4,  // the backend or OpenGL is not there
  exit_verify = 5        // a stage's result differs from the reference
};

// `warpview lab`. Empty lists stand for what suits the device.
struct LabOptions {
  enum class Format { table, json, csv };
  std::vector<Primitive> primitives;  // empty: all
  std::vector<std::uint32_t> sizes;
  std::vector<std::int64_t> typed;    // the items; empty: `sizes` random ones
  std::vector<std::string> forms;     // empty: the first of each primitive; "all": every form
  std::vector<std::string> variants;  // empty: all
  std::optional<lab::Distribution> distribution;  // none: the first of each primitive
  std::uint64_t seed = 1;
  int runs = 0;
  bool only_verify = false;
  bool counters = false;  // on the device that counts, instead of times
  unsigned banks = 32;    // of its shared memory
  Format format = Format::table;
  std::filesystem::path plot;    // of times against sizes, .svg or .png; empty: none
  std::filesystem::path busy;    // of busy blocks against time, the same
  std::filesystem::path record;  // of one run (.wvrec, .json, .svg, .html)
  // The mesh that its input is made from, as open_mesh() takes it; empty: none.
  std::string mesh;
  unsigned interleave = usual_interleave;  // of that run
  BlockRanges blocks;                      // of it that are recorded; empty: all
  // Of a recording: the number of steps after which it is drawn; none: not said.
  std::optional<std::uint32_t> step;
  bool faults = false;            // the kernels that are wrong on purpose, instead of primitives
  std::optional<unsigned> seeds;  // with which one of them runs; none: 100
};

// The laboratory in a picture of the panels.
struct LabPicture {
  Primitive primitive{};
  LabTask tab = LabTask::results;
  std::optional<VariantId> variant{};  // in tabs that show one; none: the default
  Listing listing = Listing::source;   // in the Code tab
  bool unasked = false;                // the tab as it is before its question was asked
  const FaultForm* fault = nullptr;    // in the tab Faults, which runs it; null: none was named
};

// A|B without a window: the picture of other settings beside that of the scene.
struct AbOptions {
  enum class Form { sheet, divider, difference, a };
  SceneDescription a;        // the scene with A's settings
  LookChoice look{};         // of A; none: as B
  std::optional<Form> form;  // of the screenshot; none: the sheet, or with panels the divider
  int gain = AbView{}.gain;  // of the difference
};

// What the command line asks for. Plain data; the defaults are those of an empty command line.
struct Options {
  enum class Command { view, headless, list_backends, list_variants, list_scenes, lab };
  Command command = Command::view;
  bool json = false;      // list_variants, list_scenes: for programs
  bool markdown = false;  // list_variants: for docs/primitives/README.md

  SceneDescription scene;
  std::filesystem::path recording;  // to show in the laboratory's tab Steps; empty: none
  std::string watch;                // a stage to record and show there; empty: none
  std::optional<Theme> theme;       // none: dark, or what the window remembers
  std::optional<UpAxis> up;         // none: y, or what the window remembers

  std::optional<Backend> backend;  // none: the first that works
  int device = -1;                 // number within the backend; -1: the first that works
  CpuOptions cpu;                  // how the cpu device runs kernels
  InteropRequest interop = InteropRequest::automatic;

  LabOptions lab;

  int frames = 0;                // to run; 0: one without a window, and with one until it is closed
  std::filesystem::path ui_map;  // of the window, for tests; empty: none

  // May a window open Welcome at its start? Not where the command line says what to show.
  bool welcome = true;

  LookChoice look{};         // none: as usual, or what the window remembers
  bool transparent = false;  // of a picture without panels: no background
  // Scale of panels, text and lines, as a desktop's, 0.5 to 4. None: that of the desktop
  // in use, or 1 without a window.
  std::optional<float> ui_scale;
  // Size of the picture in pixels, panels included with --panels. In a window
  // it is the view's initial size, if `sized` says that it was asked for.
  int width = 1280;
  int height = 720;
  bool sized = false;

  // The rest is for headless runs.
  bool panels = false;                  // around the picture, as in the window
  std::optional<LabPicture> panel_lab;  // the laboratory among them
  bool software = false;                // OpenGL by Mesa's software rasteriser, even where a GPU is
  bool verify = false;
  std::filesystem::path screenshot;  // empty: none
  std::filesystem::path report;      // empty: none
  std::filesystem::path save_scene;  // what is open at the end, as a scene file; empty: none
  std::optional<AbOptions> ab;       // none: there is no A
  std::optional<VideoPlan> video;    // in place of `frames`; its size is that of the picture
};

// Options, or nothing when the program has done all it should (help, version, wrong usage): what is
// to be said has then been printed, and `exit_code` is set.
std::optional<Options> parse_options(int argc, const char* const* argv, int& exit_code);

// ChoiceError where options name another device than the one of the cpu, for `asked`, which runs
// there alone: `why`.
void require_cpu(const Options& options, const char* asked, const char* why);
// The device that the options ask for. UnavailableError with the reasons when it is not there.
std::unique_ptr<Device> open_device(const Options& options);

}  // namespace warpview
