// warpview_bench: frames of the scenes, the mesh's stages, the window's latency, and whether the
// library rows of the catalogue are a fair baseline. `warpview lab` times variants.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <imgui.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <thread>

#include "bench/box_tree.h"
#include "bench/opening.h"
#include "bench/plain_calls.h"
#include "bench/scenes.h"
#include "bench/table.h"
#include "bench/window.h"
#include "gpu/lab/stopwatch.h"
#include "gpu/runtime/backends.h"

namespace warpview::bench {
namespace {

struct Options {
  std::string backend = "auto";
  int device = -1;
  std::string out;
  std::string commit;
  std::vector<std::uint32_t> sizes;
  int repeat = 0;  // 0: as many as suit the backend
  bool window = false;
  std::string file;            // file to open; empty: none
  std::string scene = "both";  // of the window
  double seconds = 20.0;       // seconds of each use of the window
};

class Bench {
 public:
  explicit Bench(const Options& options)
      : options_(options),
        device_(open_device(parse_backend(options.backend), options.device)),
        stream_(device_->create_stream()),
        stopwatch_(*device_),
        copy_(*device_, *stream_, stopwatch_) {
    const bool on_cpu = device_->info().backend == Backend::cpu;
    if (options_.repeat == 0) options_.repeat = on_cpu ? 5 : 100;
    if (options_.sizes.empty()) options_.sizes = {1U << 16U, 1U << 20U, 1U << 24U, 1U << 28U};
  }

  void register_all() {
    for (const PlainCallKind& kind : plain_calls(device_->info().backend))
      for (const std::uint32_t n : options_.sizes)
        add(fmt::format("plain/{}/{}", to_string(kind.primitive), n),
            [this, kind, n](benchmark::State& state) { measure_plain(state, kind, n); });
    for (const std::uint32_t n : {100'000U, 1'000'000U, 10'000'000U})
      for (const VariantId builder : variants_of(Primitive::build))
        for (const TreeStart& start : tree_starts)
          add(fmt::format("boxes/{}/{}/{}", n, builder->name, start.name),
              [this, n, builder, &start](benchmark::State& state) {
                measure_boxes(state, n, builder, start);
              });
    for (const char* mesh : {"generated:knot", "generated:sphere:1000000"})
      add(fmt::format("mesh/{}", mesh),
          [this, mesh](benchmark::State& state) { measure_mesh(state, mesh); });
    const bool on_cpu = device_->info().backend == Backend::cpu;
    for (const SceneRow& row : scene_rows()) {
      const int frames = on_cpu ? row.frames_on_cpu : row.frames;
      if (frames == 0) continue;
      std::string name = fmt::format("scene/{}/{}", row.subject, row.variant);
      for (const std::string_view setting : row.settings) name += fmt::format("/{}", setting);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [this, &row, frames](benchmark::State& state) { measure_scene(state, row, frames); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond)
          ->Iterations(std::min(options_.repeat, 7));
    }
  }

  const Device& device() const { return *device_; }
  const std::vector<TableRow>& rows() const { return rows_; }
  std::vector<std::string> notes() const {
    return {
        std::string("What is timed was verified first: scenes and meshes against a sequential "
                    "reference, plain calls against the library row's output."),
        fmt::format("ms: median of {} runs by device events, each with cold caches ({} MiB are "
                    "written before it), so that no size gains by them.",
                    options_.repeat, stopwatch_.flushed_bytes() >> 20U),
        "GB/s: the fewest bytes that the stages need, over the time. copy GB/s: a device-to-device "
        "copy that moves as many bytes, reads and writes together. of copy: their quotient.",
        "plain: the vendor's library called as its documentation does. library ms: the catalogue's "
        "library row on the same memory, in turns with it; of library: the row's time over the "
        "plain call's.",
        "*: moves less than 1 MB, where launches and not memory bound the time.",
        "boxes: bounds, Morton codes of 30 bits, sort, topology and boxes of a BVH over boxes of "
        "small triangles. queued: launched while the device is busy; idle: from an idle device, "
        "the host's part counts; idle_graph: the same by one graph.",
        "mesh: all stages after the upload, with the default variants; they run one after the "
        "other "
        "with warm caches. whole also holds what is read back.",
        "Frames of scenes (physics=sample: NVIDIA's CUDA sample `particles`, its set-up and its "
        "physics) are queued one behind another and not drawn; ms: of one frame, by device events "
        "around all of them; the median of at most 7 such runs, each from the beginning.",
    };
  }

 private:
  template <class Function>
  void add(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(options_.repeat);
  }

  // Times `work` in the loop that Google Benchmark requires; `reset()` comes before each time.
  template <class Reset, class Work>
  double median_time(benchmark::State& state, Stream& stream, lab::Start start, Reset&& reset,
                     Work&& work) {
    stopwatch_.warm_up(stream);
    std::vector<double> times;
    for ([[maybe_unused]] auto iteration : state) {
      reset();
      times.push_back(stopwatch_.time(stream, work, start));
      state.SetIterationTime(times.back() * 1e-3);
    }
    return median(times);
  }

  void keep(benchmark::State& state, TableRow row) {
    row.copy_gb_per_s = copy_.gb_per_s(row.bytes);
    state.counters["median_ms"] = row.milliseconds;
    state.counters["gb_per_s"] = row.gb_per_s();
    state.counters["copy_gb_per_s"] = row.copy_gb_per_s;
    state.counters["of_copy"] = row.gb_per_s() / row.copy_gb_per_s;
    state.SetItemsProcessed(static_cast<std::int64_t>(row.items) * state.iterations());
    state.SetBytesProcessed(static_cast<std::int64_t>(row.bytes) * state.iterations());
    rows_.push_back(std::move(row));
  }
  void refuse(benchmark::State& state, TableRow row, const std::string& why) {
    state.SkipWithError(why.c_str());
    row.error = why;
    rows_.push_back(std::move(row));
  }

  // The library row of the catalogue and the plain call in turns. The table shows the plain call
  // and, in the library's columns, the row.
  void measure_plain(benchmark::State& state, const PlainCallKind& kind, std::uint32_t n) {
    TableRow result{.subject = fmt::format("plain {}", to_string(kind.primitive)),
                    .items = n,
                    .variant = kind.call};
    try {
      const std::unique_ptr<PlainCall> call = kind.make(*device_, *stream_, n);
      if (const std::string difference = call->difference(); !difference.empty())
        return refuse(state, std::move(result), difference);
      stopwatch_.warm_up(*stream_);
      std::vector<double> plain;
      std::vector<double> row;
      for ([[maybe_unused]] auto iteration : state) {
        row.push_back(stopwatch_.time(*stream_, [&] { call->row(); }));
        plain.push_back(stopwatch_.time(*stream_, [&] { call->plain(); }));
        state.SetIterationTime(plain.back() * 1e-3);
      }
      result.milliseconds = median(plain);
      result.library_ms = median(row);
      tell_quartiles(state, plain, "");
      tell_quartiles(state, row, "row_");
      state.counters["row_of_plain"] = result.library_ms / result.milliseconds;
      rows_.push_back(std::move(result));
    } catch (const Error& error) {
      refuse(state, std::move(result), error.what());
    }
  }
  static void tell_quartiles(benchmark::State& state, const std::vector<double>& times,
                             const std::string& prefix) {
    state.counters[prefix + "median_ms"] = median(times);
    state.counters[prefix + "quartile_1_ms"] = quantile(times, 0.25);
    state.counters[prefix + "quartile_3_ms"] = quantile(times, 0.75);
  }

  // How a BVH of boxes is timed: its stages queued while the device is busy, or while it is idle,
  // one launch after the other or all in one graph.
  struct TreeStart {
    const char* name;
    lab::Start start;
    bool by_graph;
  };
  static constexpr TreeStart tree_starts[] = {{"queued", lab::Start::queued, false},
                                              {"idle", lab::Start::idle, false},
                                              {"idle_graph", lab::Start::idle, true}};

  void measure_boxes(benchmark::State& state, std::uint32_t n, VariantId builder,
                     const TreeStart& start) {
    TableRow row{.subject = "boxes",
                 .items = n,
                 .variant = fmt::format("{}, {}", builder->name, start.name)};
    try {
      if (const std::string why = why_unavailable(builder, *device_); !why.empty())
        return refuse(state, std::move(row), why);
      BoxTree tree(*device_, *stream_, n, builder);
      if (const std::string difference = tree.difference(); !difference.empty())
        return refuse(state, std::move(row), difference);
      const std::unique_ptr<Graph> graph = start.by_graph ? tree.captured() : nullptr;
      stopwatch_.warm_up(*stream_);
      std::vector<double> times;
      for ([[maybe_unused]] auto iteration : state) {
        times.push_back(stopwatch_.time(
            *stream_, [&] { graph ? stream_->launch(*graph) : tree.run(); }, start.start));
        state.SetIterationTime(times.back() * 1e-3);
      }
      row.milliseconds = median(times);
      row.bytes = tree.least_bytes();
      tell_quartiles(state, times, "");
      keep(state, std::move(row));
    } catch (const Error& error) {
      refuse(state, std::move(row), error.what());
    }
  }

  // The work of a mesh scene after a choice, and its stages one by one.
  void measure_mesh(benchmark::State& state, const char* mesh) {
    TableRow whole{.subject = "mesh", .variant = "whole"};
    try {
      const std::unique_ptr<Scene> scene = make(
          {.subject = "mesh", .variant = "whole", .scene = "mesh", .mesh = mesh, .settings = {}},
          *device_);
      whole.subject = "mesh " + scene->mesh().name;
      whole.items = scene->mesh().triangle_count();
      if (!verified(state, *scene, whole)) return;
      Timeline& timeline = scene->timeline();
      whole.milliseconds = median_time(
          state, timeline.stream(), lab::Start::queued, [] {}, [&] { scene->compute(); });
      // The stages' own times: a run is collected before the next one overwrites it.
      timeline.forget_times();
      for (int run = 0; run < options_.repeat; ++run) {
        scene->compute();
        scene->collect();
      }
      std::vector<TableRow> stages;
      for (const StageResult& stage : timeline.stage_results()) {
        if (!stage.has_times()) continue;
        whole.bytes += static_cast<double>(stage.work.bytes);
        const std::string variant =
            stage.variant ? fmt::format(" {}", (*stage.variant)->name) : std::string();
        stages.push_back({.subject = whole.subject,
                          .items = stage.work.items,
                          .variant = stage.name + variant,
                          .milliseconds = stage.median_ms,
                          .bytes = static_cast<double>(stage.work.bytes),
                          .copy_gb_per_s = copy_.gb_per_s(static_cast<double>(stage.work.bytes))});
      }
      keep(state, std::move(whole));
      rows_.insert(rows_.end(), stages.begin(), stages.end());
    } catch (const Error& error) {
      refuse(state, std::move(whole), error.what());
    }
  }

  // Time per frame of a scene, over many frames that are queued one behind another.
  void measure_scene(benchmark::State& state, const SceneRow& row, int frames) {
    TableRow result{.subject = std::string(row.subject), .variant = std::string(row.variant)};
    try {
      const std::unique_ptr<Scene> scene = make(row, *device_);
      result.items = items_of(*scene);
      if (!verified(state, *scene, result)) return;
      stopwatch_.warm_up(scene->timeline().stream());
      std::vector<double> times;
      for ([[maybe_unused]] auto iteration : state) {
        times.push_back(time_of_frames(*scene, row.before, frames));
        state.SetIterationTime(times.back() * 1e-3);
      }
      result.milliseconds = median(times);
      state.counters["frames"] = frames;
      tell_quartiles(state, times, "");
      for (const auto& [name, value] : told_of_next_frame(*scene)) state.counters[name] = value;
      state.SetItemsProcessed(static_cast<std::int64_t>(result.items) * state.iterations());
      rows_.push_back(std::move(result));
    } catch (const Error& error) {
      refuse(state, std::move(result), error.what());
    }
  }

  bool verified(benchmark::State& state, Scene& scene, const TableRow& row) {
    for (const Check& check : scene.verify()) {
      if (check.difference.empty()) continue;
      refuse(state, row, check.stage + ": " + check.difference);
      return false;
    }
    return true;
  }

  Options options_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  lab::Stopwatch stopwatch_;
  lab::CopyRate copy_;
  std::vector<TableRow> rows_;
};

// Reports progress on stderr; the table follows at the end.
class Progress : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      std::cerr << run.benchmark_name()
                << (run.error_occurred ? ": not timed: " + run.error_message : "") << std::endl;
  }
};

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", std::gmtime(&time));
  return text.data();
}

// The commit of the checkout that the benchmark runs in.
std::string commit_here() {
  std::array<char, 128> text{};
  std::FILE* git = popen("git describe --always --dirty --abbrev=12 2>/dev/null", "r");
  if (!git) return "unknown";
  const std::size_t length = std::fread(text.data(), 1, text.size() - 1, git);
  pclose(git);
  const std::string commit(text.data(), length);
  return commit.empty() ? "unknown" : commit.substr(0, commit.find('\n'));
}

Heading heading_of(const Options& options, const DeviceInfo& device, int argc, char** argv) {
  std::string command = "warpview_bench";
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  return {{"device",
           fmt::format("{} ({}), {:.1f} GB, warps of {}", device.name, to_string(device.backend),
                       static_cast<double>(device.memory) * 1e-9, device.warp_size)},
          {"driver", device.driver},
          {"date", now()},
          {"commit", options.commit.empty() ? commit_here() : options.commit},
          {"command", command}};
}

std::string versions_in_words() {
  return fmt::format("GCC {}, Dear ImGui {}, {{fmt}} {}", __VERSION__, IMGUI_VERSION, FMT_VERSION);
}

// "1.20 1.05 0.98"
std::string load_here() {
  std::array<double, 3> load{};
  if (getloadavg(load.data(), 3) != 3) return "unknown";
  return fmt::format("{:.2f} {:.2f} {:.2f}", load[0], load[1], load[2]);
}

// Returns false, and reports on stderr, if it cannot be written.
bool write_file(const std::string& path, const std::string& title,
                const std::function<void(std::ostream&)>& write) {
  std::ofstream file(path);
  file << title;
  write(file);
  if (file.flush()) return true;
  std::cerr << "warpview_bench: " << path << " could not be written\n";
  return false;
}

// What --scene names beside the scenes: a script's uses of a mesh.
const std::map<std::string, WindowScene>& uses() {
  static const std::map<std::string, WindowScene> all = {
      {"rest", WindowScene::rest}, {"rebuilt", WindowScene::rebuilt}, {"both", WindowScene::both}};
  return all;
}

// The scene of that name, or all of them.
std::vector<std::string> scenes_of(const std::string& name) {
  std::vector<std::string> names;
  for (const SceneKind& kind : scene_kinds())
    if (name == "all" || name == kind.name) names.emplace_back(kind.name);
  return names;
}

std::string scenes_in_words() {
  std::string words;
  for (const std::string& name : scenes_of("all")) words += name + ", ";
  return words + "or all of them";
}

std::string refused_scene(const std::string& name) {
  if (uses().contains(name) || !scenes_of(name).empty()) return {};
  return "no such scene: rest, rebuilt, both, " + scenes_in_words();
}

// The measurements of the whole viewer.
int run_viewer(const Options& options, int argc, char** argv) {
  warpview::Options viewer;
  viewer.backend = parse_backend(options.backend);
  viewer.device = options.device;
  const std::string load = load_here();
  std::function<void(std::ostream&)> write_results;
  if (options.window) {
    const auto use = uses().find(options.scene);
    if (use == uses().end())
      write_results = [plays = measure_play(viewer, scenes_of(options.scene), options.seconds)](
                          std::ostream& out) { write_play_table(out, plays); };
    else
      write_results = [uses = measure_window(viewer, use->second, options.seconds)](
                          std::ostream& out) { write_window_table(out, uses); };
  } else {
    constexpr int usual_runs = 10;
    const int runs = options.repeat > 0 ? options.repeat : usual_runs;
    write_results = [opening = measure_opening(viewer, options.file, runs)](std::ostream& out) {
      write_opening_table(out, opening);
    };
  }
  Heading heading =
      heading_of(options, open_device(viewer.backend, viewer.device)->info(), argc, argv);
  heading.push_back({"versions", versions_in_words()});
  heading.push_back({"load", fmt::format("{} before, {} after (runnable threads of all programs, "
                                         "averages over 1, 5 and 15 minutes), {} cores",
                                         load, load_here(), std::thread::hardware_concurrency())});
  const auto write = [&](std::ostream& out) {
    for (const auto& [name, text] : heading) out << fmt::format("- {}: {}\n", name, text);
    out << '\n';
    write_results(out);
  };
  write(std::cout);
  const char* const title =
      options.window ? "# The window's latency\n\n" : "# From a file to its picture\n\n";
  return options.out.empty() || write_file(options.out, title, write) ? 0 : 1;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times frames of the scenes, the stages of meshes, and the library rows of the catalogue "
      "beside plain calls; `warpview lab` times the variants. Options that begin with "
      "--benchmark_ go to Google Benchmark: --benchmark_filter=REGEX runs some, "
      "--benchmark_out=FILE writes JSON.");
  app.add_option("--backend", options.backend, "auto, cuda, hip or cpu")->capture_default_str();
  app.add_option("--device", options.device, "number of the GPU within its backend");
  app.add_option("--out", options.out, "write the table to this file (Markdown) too");
  app.add_option(
         "--sizes", options.sizes,
         "items of plain calls, for example 4096,1048576; default: 2^16, 2^20, 2^24 and 2^28")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1U << 28U));
  app.add_option("--repeat", options.repeat, "runs per row; default: 100 on GPUs, 5 on cpu")
      ->check(CLI::Range(1, 1'000'000));
  app.add_flag("--window", options.window,
               "time the frames of the window's thread instead, without a display, while a script "
               "uses it: a mesh of 3 000 000 triangles, and one of 200 000 rebuilt each frame; the "
               "target is 100 ms at most");
  app.add_option(
         "--scene", options.scene,
         "with --window: a script that uses a mesh: rest (3 000 000 triangles), rebuilt "
         "(200 000), or both; or a scene that plays, whose pictures a second are counted: " +
             scenes_in_words())
      ->check(CLI::Validator(refused_scene, "SCENE"));
  app.add_option("--open", options.file,
                 "time opening this file instead, from the request to its picture, --repeat times "
                 "(10 without it)");
  app.add_option("--seconds", options.seconds, "with --window: how long each use goes on")
      ->check(CLI::Range(1.0, 3600.0))
      ->capture_default_str();
  app.add_option("--commit", options.commit, "what to call the commit; default: git's answer");
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::vector<std::string> remaining = app.remaining();
  if (options.window || !options.file.empty()) {
    if (remaining.empty()) return run_viewer(options, argc, argv);
    std::cerr << fmt::format("warpview_bench: {}: --open and --window take no such option.\n",
                             remaining.front());
    return 2;
  }
  std::vector<char*> arguments = {argv[0]};
  for (std::string& argument : remaining) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  Bench bench(options);
  bench.register_all();
  const DeviceInfo& device = bench.device().info();
  const Heading heading = heading_of(options, device, argc, argv);
  for (const auto& [name, text] : heading)
    if (name != "date") benchmark::AddCustomContext(name, text);  // Google Benchmark adds its own

  Progress progress;
  benchmark::RunSpecifiedBenchmarks(&progress);
  write_table(std::cout, heading, bench.rows(), bench.notes());
  if (!options.out.empty() &&
      !write_file(options.out, "# Benchmark: " + device.name + "\n\n", [&](std::ostream& out) {
        write_table(out, heading, bench.rows(), bench.notes());
      }))
    return 1;
  const bool all_timed = std::all_of(bench.rows().begin(), bench.rows().end(),
                                     [](const TableRow& row) { return row.error.empty(); });
  return all_timed ? 0 : 1;
}

}  // namespace
}  // namespace warpview::bench

int main(int argc, char** argv) {
  try {
    return warpview::bench::run(argc, argv);
  } catch (const warpview::UnavailableError& error) {
    std::cerr << "warpview_bench: " << error.what() << '\n';
    return 4;
  } catch (const std::exception& error) {
    std::cerr << "warpview_bench: " << error.what() << '\n';
    return 1;
  }
}
