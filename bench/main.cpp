// warpview_bench: every variant of the catalogue beside the vendor's library and a copy, verified
// before it is timed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <optional>
#include <sstream>

#include "bench/table.h"
#include "gpu/lab/laboratory.h"
#include "gpu/pipeline/mesh_pipeline.h"
#include "gpu/pipeline/verify.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/whole_file.h"
#include "scenes/generated.h"

namespace warpview::bench {
namespace {

struct Options {
  std::string backend = "auto";
  int device = -1;
  std::string out;
  std::string commit;
  std::vector<std::uint32_t> sizes;
  int repeat = 0;  // 0: as many as suit the backend
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
    if (options_.sizes.empty()) {
      options_.sizes = {1U << 12U, 1U << 16U, 1U << 20U};
      if (!on_cpu) options_.sizes.push_back(1U << 24U);
    }
  }

  void register_all() {
    for (int p = 0; p < primitive_count; ++p) {
      const auto primitive = static_cast<Primitive>(p);
      const auto forms = static_cast<int>(lab::experiment(primitive).forms.size());
      for (int form = 0; form < forms; ++form)
        for (const std::uint32_t n : options_.sizes) register_rows(primitive, form, n);
    }
    add("mesh/knot", [this](benchmark::State& state) { measure_mesh(state, make_knot()); });
    add("mesh/sphere",
        [this](benchmark::State& state) { measure_mesh(state, make_sphere(1'000'000)); });
  }

  const Device& device() const { return *device_; }
  const std::vector<TableRow>& rows() const { return rows_; }
  std::vector<std::string> notes() const {
    return {
        std::string("Each variant's result was compared with a sequential reference on the host "
                    "first; one that differs is not timed."),
        fmt::format("ms: median of {} runs by device events, each with cold caches ({} MiB are "
                    "written before it), so that no size is flattered by them.",
                    options_.repeat, stopwatch_.flushed_bytes() >> 20U),
        "GB/s: the fewest bytes that the algorithm must move (catalogue), over the time. copy "
        "GB/s: "
        "a device-to-device copy that moves as many bytes, reads and writes together. of copy: "
        "their quotient. of library: the library's time over ours; above 1 ours is faster.",
        "*: moves less than 1 MB, where launches and not memory bound the time.",
        "mesh: scan (drops non-finite triangles), dedup, bounds, morton, sort, build and refit "
        "with "
        "the default variants, on data that the host uploaded before. Its stages run one after the "
        "other with warm caches; whole also holds the triangles' boxes, the tree's statistics and "
        "the read-back of counts.",
    };
  }

 private:
  // Rows of one primitive in one form at one size, on one input: the library's first, as the others
  // are held against it.
  void register_rows(Primitive primitive, int form, std::uint32_t n) {
    const std::string subject = subject_name(primitive, form);
    for (const int row : rows_library_first(primitive, form))
      add(fmt::format("{}/{}/{}", subject, variant(row).name, n),
          [this, primitive, form, n, row](benchmark::State& state) {
            measure(state,
                    {.primitive = primitive,
                     .form = form,
                     .distribution = lab::experiment(primitive).distributions.front(),
                     .n = n},
                    row);
          });
  }
  static std::string subject_name(Primitive primitive, int form) {
    return fmt::format("{} {}", to_string(primitive),
                       lab::experiment(primitive).forms[static_cast<std::size_t>(form)].name);
  }

  static const Variant& variant(int row) { return variants()[static_cast<std::size_t>(row)]; }

  // Those that this device can run.
  std::vector<int> rows_library_first(Primitive primitive, int form) const {
    std::vector<int> rows = variants_of(primitive);
    std::erase_if(rows, [&](int row) { return !lab::why_not(row, form, device_->info()).empty(); });
    std::stable_partition(rows.begin(), rows.end(), is_library);
    return rows;
  }

  template <class Function>
  void add(const std::string& name, Function function) {
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(options_.repeat);
  }

  // Times `work` in the loop that Google Benchmark asks for.
  template <class Work>
  double median_time(benchmark::State& state, Stream& stream, lab::Start start, Work&& work) {
    stopwatch_.warm_up(stream);
    std::vector<double> times;
    for ([[maybe_unused]] auto iteration : state) {
      if (experiment_) experiment_->reset();
      times.push_back(stopwatch_.time(stream, work, start));
      state.SetIterationTime(times.back() * 1e-3);
    }
    return lab::median(times);
  }

  void keep(benchmark::State& state, TableRow row) {
    row.copy_gb_per_s = copy_.gb_per_s(row.bytes);
    state.counters["median_ms"] = row.milliseconds;
    state.counters["gb_per_s"] = row.gb_per_s();
    state.counters["copy_gb_per_s"] = row.copy_gb_per_s;
    state.counters["of_copy"] = row.gb_per_s() / row.copy_gb_per_s;
    if (row.library_ms > 0) state.counters["of_library"] = row.library_ms / row.milliseconds;
    state.SetItemsProcessed(static_cast<std::int64_t>(row.items) * state.iterations());
    state.SetBytesProcessed(static_cast<std::int64_t>(row.bytes) * state.iterations());
    rows_.push_back(std::move(row));
  }
  void refuse(benchmark::State& state, TableRow row, const std::string& why) {
    state.SkipWithError(why.c_str());
    row.error = why;
    rows_.push_back(std::move(row));
  }

  void measure(benchmark::State& state, const lab::Question& question, int row) {
    TableRow result{.subject = subject_name(question.primitive, question.form),
                    .items = question.n,
                    .variant = variant(row).name};
    try {
      if (!experiment_ || question != question_) {
        experiment_.reset();  // free its memory first
        experiment_ =
            lab::experiment(question.primitive)
                .make({*device_, *stream_, question.n, question.form, question.distribution});
        question_ = question;
        library_ms_ = 0;
      }
      const std::string difference = experiment_->run_verified(row);
      if (!difference.empty()) return refuse(state, std::move(result), difference);
      result.milliseconds = median_time(state, *stream_, lab::experiment(question.primitive).start,
                                        [&] { experiment_->run(row); });
      result.bytes = experiment_->bytes(row);
      if (is_library(row)) library_ms_ = result.milliseconds;
      result.library_ms = library_ms_;
      keep(state, std::move(result));
    } catch (const Error& error) {
      refuse(state, std::move(result), error.what());
    }
  }

  void measure_mesh(benchmark::State& state, const Mesh& mesh) {
    TableRow whole{
        .subject = "mesh " + mesh.name, .items = mesh.triangle_count(), .variant = "whole"};
    experiment_.reset();
    try {
      MeshPipeline pipeline(*device_, mesh.corners, mesh.triangle_material, VariantChoice());
      pipeline.load();
      const auto difference =
          verify(pipeline.snapshot(), mesh.corners, mesh.triangle_material, pipeline.choice());
      if (difference)
        return refuse(state, std::move(whole),
                      std::string(to_string(difference->stage)) + ": " + difference->text);
      whole.milliseconds =
          median_time(state, pipeline.stream(), lab::Start::queued, [&] { pipeline.compute(); });
      // The stages' own times: a run is collected before the next one overwrites it.
      pipeline.forget_times();
      for (int run = 0; run < options_.repeat; ++run) {
        pipeline.compute();
        pipeline.collect();
      }

      std::vector<TableRow> stages;
      for (const StageReport& stage : pipeline.stages()) {
        if (stage.stage == Stage::upload || stage.fused) continue;
        whole.bytes += static_cast<double>(stage.bytes);
        stages.push_back({.subject = whole.subject,
                          .items = stage.items,
                          .variant = fmt::format("{} {}", to_string(stage.stage), stage.variant),
                          .milliseconds = stage.times->median(),
                          .bytes = static_cast<double>(stage.bytes),
                          .copy_gb_per_s = copy_.gb_per_s(static_cast<double>(stage.bytes))});
      }
      keep(state, std::move(whole));
      rows_.insert(rows_.end(), stages.begin(), stages.end());
    } catch (const Error& error) {
      refuse(state, std::move(whole), error.what());
    }
  }

  Options options_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  lab::Stopwatch stopwatch_;
  lab::CopyRate copy_;
  std::unique_ptr<lab::Experiment> experiment_;
  lab::Question question_;
  double library_ms_ = 0;
  std::vector<TableRow> rows_;
};

// Says on stderr how far it has come; the table follows at the end.
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

// The commit of the checkout that the benchmark is run in.
std::string commit_here() {
  std::array<char, 128> text{};
  std::FILE* git = popen("git describe --always --dirty --abbrev=12 2>/dev/null", "r");
  if (!git) return "unknown";
  const std::size_t length = std::fread(text.data(), 1, text.size() - 1, git);
  pclose(git);
  const std::string commit(text.data(), length);
  return commit.empty() ? "unknown" : commit.substr(0, commit.find('\n'));
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Times every variant of every primitive and the mesh pipeline. Options that begin with "
      "--benchmark_ go to Google Benchmark: --benchmark_filter=REGEX runs some, "
      "--benchmark_out=FILE writes JSON.");
  app.add_option("--backend", options.backend, "auto, cuda, hip or cpu")->capture_default_str();
  app.add_option("--device", options.device, "number of the GPU within its backend");
  app.add_option("--out", options.out, "write the table to this file (Markdown) too");
  app.add_option("--sizes", options.sizes,
                 "items, for example 4096,1048576; default: 2^12, 2^16, 2^20 and on GPUs 2^24")
      ->delimiter(',')
      ->check(CLI::Range(1U, 1U << 26U));
  app.add_option("--repeat", options.repeat, "runs a row; default: 100 on GPUs, 5 on cpu")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--commit", options.commit, "what to call the commit; default: git's answer");
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::vector<std::string> remaining = app.remaining();
  std::vector<char*> arguments = {argv[0]};
  for (std::string& argument : remaining) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  Bench bench(options);
  bench.register_all();
  const DeviceInfo& device = bench.device().info();
  std::string command = "warpview_bench";
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  const Heading heading = {
      {"device",
       fmt::format("{} ({}), {:.1f} GB, warps of {}", device.name, to_string(device.backend),
                   static_cast<double>(device.memory) * 1e-9, device.warp_size)},
      {"driver", device.driver},
      {"date", now()},
      {"commit", options.commit.empty() ? commit_here() : options.commit},
      {"command", command},
  };
  for (const auto& [name, text] : heading)
    if (name != "date") benchmark::AddCustomContext(name, text);  // it has one of its own

  Progress progress;
  benchmark::RunSpecifiedBenchmarks(&progress);
  write_table(std::cout, heading, bench.rows(), bench.notes());
  if (!options.out.empty()) {
    std::ostringstream text;
    text << "# Benchmark: " << device.name << "\n\n";
    write_table(text, heading, bench.rows(), bench.notes());
    write_whole_file(options.out, text.str());
  }
  if (!std::cout.flush()) throw Error("stdout", "the table cannot be written", "Make room for it");
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
