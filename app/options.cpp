#include "app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/runtime/backends.h"
#include "scenes/open_scene.h"

namespace warpview {
namespace {

// The parts of the picture that --show names.
constexpr std::pair<const char*, bool DrawOptions::*> parts_of_picture[] = {
    {"mesh", &DrawOptions::mesh},     {"wire", &DrawOptions::wire},
    {"boxes", &DrawOptions::boxes},   {"curve", &DrawOptions::curve},
    {"points", &DrawOptions::points},
};

// Exactly the parts named are shown.
void set_show(const std::vector<std::string>& names, DrawOptions& show) {
  for (const auto& [part, member] : parts_of_picture)
    show.*member = std::find(names.begin(), names.end(), part) != names.end();
}

std::vector<std::string> names_of_parts() {
  std::vector<std::string> names;
  for (const auto& [part, member] : parts_of_picture) names.emplace_back(part);
  return names;
}

// "1280x720". Throws CLI::ValidationError.
std::pair<int, int> parse_size(const std::string& text) {
  int width = 0;
  int height = 0;
  int end = 0;
  // %n tells that nothing follows the numbers.
  const int found = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &end);  // NOLINT
  constexpr int most = 16384;
  if (found != 2 || static_cast<std::size_t>(end) != text.size() || width < 1 || height < 1 ||
      width > most || height > most)
    throw CLI::ValidationError("--size",
                               "write it as WIDTHxHEIGHT with 1 to 16384 each, for "
                               "example 1280x720");
  return {width, height};
}

// "4096", "2^12" or "2^10..2^20", the powers of two from one to the other. Throws
// CLI::ValidationError.
std::vector<std::uint32_t> parse_sizes(const std::string& text) {
  constexpr std::uint64_t most = 1U << 28U;
  const auto complain = [&text] {
    throw CLI::ValidationError(
        "--sizes", "\"" + text + "\": write sizes of at most 2^28 as 4096, 2^12 or 2^10..2^28");
  };
  const auto exponent = [&complain](std::string_view word) {
    unsigned value = 0;
    if (word.substr(0, 2) != "2^") complain();
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data() + 2, end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value > 28) complain();
    return value;
  };
  std::vector<std::uint32_t> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const unsigned last = exponent(std::string_view(text).substr(dots + 2));
    for (unsigned e = exponent(std::string_view(text).substr(0, dots)); e <= last; ++e)
      sizes.push_back(1U << e);
    if (sizes.empty()) complain();
  } else if (text.substr(0, 2) == "2^") {
    sizes.push_back(1U << exponent(text));
  } else {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value > most) complain();
    sizes.push_back(static_cast<std::uint32_t>(value));
  }
  return sizes;
}

// Turns the library's complaint about a word on the command line into the parser's.
template <class Function>
void or_wrong_usage(const char* option, Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    throw CLI::ValidationError(option, error.what());
  }
}

// Adds `warpview lab` and what it takes. `finish` reads it once the command line is parsed.
CLI::App* add_lab(CLI::App& app, Options& options, std::function<void()>& finish) {
  struct Words {
    std::vector<std::string> primitives, sizes;
    std::string distribution;
    bool json = false;
    bool csv = false;
  };
  const auto words = std::make_shared<Words>();
  LabOptions& asked = options.lab;
  CLI::App* lab = app.add_subcommand("lab", "Run all variants of primitives side by side");
  lab->fallthrough();  // --backend and its kin may follow it
  lab->add_option("PRIMITIVE", words->primitives, "Which; all if none is named");
  const auto list = [](CLI::Option* option) {
    option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->delimiter(',')
        ->allow_extra_args(false);
  };
  list(lab->add_option("--sizes", words->sizes,
                       "Items: 4096, 2^12 or 2^10..2^28; repeatable or separated by commas"));
  list(lab->add_option("--form", asked.forms,
                       "Types and operators of a primitive, by name, or all; repeatable"));
  lab->add_option("--distribution", words->distribution, "Of the input")
      ->check(CLI::IsMember({"uniform", "few", "skewed", "sorted", "reversed", "constant"}));
  lab->add_option("--input-seed", asked.seed, "Same seed, same input");
  lab->add_option("--runs", asked.runs, "How often a variant is timed")
      ->check(CLI::Range(1, 1'000'000));
  lab->add_flag("--verify", asked.only_verify,
                "Compare every result with its reference and time nothing");
  auto* json = lab->add_flag("--json", words->json, "For programs");
  auto* csv = lab->add_flag("--csv", words->csv, "For spreadsheets")->excludes(json);
  auto* counters = lab->add_flag(
      "--counters", asked.counters,
      "Count instead of timing, on the cpu: bank conflicts, memory transactions, atomics ...");
  counters->excludes(csv);
  lab->add_option("--banks", asked.banks, "Of shared memory, for --counters")
      ->check(CLI::IsMember({16, 32}))
      ->needs(counters)
      ->capture_default_str();
  lab->footer(
      "Each variant is compared with a sequential reference before it is timed. Exit status as of\n"
      "warpview; 5: a result differs.");
  finish = [words, &options, &asked] {
    options.command = Options::Command::lab;
    or_wrong_usage("PRIMITIVE", [&] {
      for (const std::string& name : words->primitives)
        asked.primitives.push_back(find_primitive(name));
    });
    for (const std::string& text : words->sizes)
      for (const std::uint32_t n : parse_sizes(text)) asked.sizes.push_back(n);
    if (!words->distribution.empty())
      asked.distribution = lab::find_distribution(words->distribution);
    if (words->json) asked.format = LabOptions::Format::json;
    if (words->csv) asked.format = LabOptions::Format::csv;
  };
  return lab;
}

// Would writing the one overwrite the other? A terminal, a pipe or /dev/null can take several.
bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty()) return false;
  std::error_code none;
  const fs::file_status status = fs::status(a, none);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  if (fs::equivalent(a, b, none)) return true;
  // There is no such file yet, so that the names must tell.
  const fs::path whole_a = fs::weakly_canonical(a, none);
  return !none && whole_a == fs::weakly_canonical(b, none);
}

// Throws CLI::ValidationError where an output would be written over another or over the scene.
void check_outputs(const Options& options) {
  const auto complain = [](const char* option, const std::string& other) {
    throw CLI::ValidationError(option, "this file is also " + other + ": give another name");
  };
  if (is_same_file(options.screenshot, options.scene)) complain("--screenshot", "the scene");
  if (is_same_file(options.report, options.scene)) complain("--report", "the scene");
  if (is_same_file(options.report, options.screenshot)) complain("--report", "the screenshot");
}

constexpr const char* epilogue =
    "FILE is a Wavefront OBJ file or a generated scene, generated:knot or generated:sphere:<N>.\n"
    "Exit status: 0 success; 1 the device failed or an output could not be written; 2 wrong "
    "usage;\n"
    "3 FILE cannot be opened or parsed; 4 the backend or OpenGL is not there; 5 --verify found a\n"
    "difference.";

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv, int& exit_code) {
  Options options;
  options.scene = std::string(default_scene);
  CLI::App app("A viewer that makes GPU programming primitives visible.", "warpview");
  app.set_version_flag("--version", "warpview " WARPVIEW_VERSION);
  app.footer(epilogue);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);

  app.add_option("FILE", options.scene, "Scene to open");

  std::string backend = "auto";
  std::string interop = "auto";
  std::string animation = "once";
  std::vector<std::string> variants;
  app.add_option("--backend", backend, "Where kernels run: auto takes the first GPU that works")
      ->check(CLI::IsMember({"auto", "cuda", "hip", "cpu"}));
  app.add_option("--device", options.device, "Number of the device within its backend")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--interop", interop, "How results reach OpenGL")
      ->check(CLI::IsMember({"auto", "direct", "copy"}));
  app.add_option("--warp-size", options.cpu.warp_size, "Lanes of a warp on the cpu device")
      ->check(CLI::IsMember({32, 64}));
  app.add_option("--seed", options.cpu.seed,
                 "Shuffles the order of lanes, warps and blocks on the cpu device; 0: in order");
  app.add_option("--variant", variants, "STAGE=NAME: which algorithm a stage uses; repeatable")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
  app.add_option("--animate", animation,
                 "A wave deforms the mesh; its BVH is built once, or "
                 "refitted or rebuilt in each frame")
      ->check(CLI::IsMember({"once", "refit", "rebuild"}));

  std::vector<std::string> show;
  app.add_option("--show", show,
                 "What to draw: mesh, wire, boxes, curve, points; repeatable or "
                 "separated by commas")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->delimiter(',')
      ->check(CLI::IsMember(names_of_parts()));
  app.add_option("--level", options.show.level, "Level of the BVH whose boxes are drawn, 0: root")
      ->check(CLI::NonNegativeNumber);

  // The flags that name a command; one that stands later here overrides those before.
  using Command = Options::Command;
  const auto command = [&](const char* flag, Command meant, const char* description) {
    return app.add_flag_callback(
        flag, [&options, meant] { options.command = meant; }, description);
  };
  auto* headless = command("--headless", Command::headless, "Render without a window and leave");
  std::string size;
  const auto headless_only = [&](CLI::Option* option) { option->needs(headless); };
  headless_only(app.add_option("--size", size, "WIDTHxHEIGHT of the picture; 1280x720"));
  app.add_option("--frames", options.frames,
                 "Frames to run; without it one if headless, else until the window is closed")
      ->check(CLI::Range(1, 1000000));
  auto* panels = app.add_flag("--panels", options.panels,
                              "Draw the panels around the picture, as in the window");
  headless_only(panels);
  std::string panel_lab;
  std::string panel_code;
  auto* lab_in_panels =
      app.add_option("--lab", panel_lab,
                     "With --panels: the laboratory, with this primitive's results")
          ->needs(panels);
  auto* code = app.add_option("--lab-code", panel_code, "With --lab: the code of this variant");
  code->needs(lab_in_panels);
  app.add_flag("--lab-counters", options.panel_counters, "With --lab: the counters")
      ->needs(lab_in_panels)
      ->excludes(code);
  headless_only(app.add_flag("--software", options.software,
                             "OpenGL by Mesa's software rasteriser, even where a GPU is"));
  headless_only(
      app.add_flag("--verify", options.verify, "Check every stage against a sequential reference"));
  headless_only(app.add_option("--screenshot", options.screenshot, "Write the picture, a PNG"));
  headless_only(app.add_option("--report", options.report, "Write what was measured, as JSON"));

  command("--list-backends", Command::list_backends, "Say which backends work here, and why not");
  auto* list_variants =
      command("--list-variants", Command::list_variants, "Print the catalogue of algorithms");
  auto* json =
      app.add_flag("--json", options.json, "With --list-variants: as JSON")->needs(list_variants);
  app.add_flag("--markdown", options.markdown, "With --list-variants: as a page of the docs")
      ->needs(list_variants)
      ->excludes(json);

  std::function<void()> finish_lab;
  const CLI::App* lab = add_lab(app, options, finish_lab);

  try {
    app.parse(argc, argv);
    if (lab->parsed()) finish_lab();
    or_wrong_usage("--backend", [&] { options.backend = parse_backend(backend); });
    for (const std::string& variant : variants)
      or_wrong_usage("--variant", [&] { options.choice.set(variant); });
    or_wrong_usage("--lab", [&] {
      if (!panel_lab.empty()) options.panel_lab = find_primitive(panel_lab);
      if (!panel_code.empty()) options.panel_code = find_variant(*options.panel_lab, panel_code);
    });
    if (!size.empty()) std::tie(options.width, options.height) = parse_size(size);
    check_outputs(options);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    exit_code = app.exit(error, out, err) == 0 ? exit_success : exit_usage;
    fmt::print("{}", out.str());
    fmt::print(stderr, "{}", err.str());
    return {};
  }

  if (interop == "direct") options.interop = InteropRequest::direct;
  if (interop == "copy") options.interop = InteropRequest::copy;
  for (const Animation mode : {Animation::once, Animation::refit, Animation::rebuild})
    if (animation == to_string(mode)) options.animation = mode;
  if (!show.empty()) set_show(show, options.show);
  return options;
}

WorkspaceModel workspace_for(const Options& options) {
  WorkspaceModel workspace;
  workspace.choice = options.choice;
  workspace.animation = options.animation;
  workspace.show = options.show;
  return workspace;
}

std::unique_ptr<Device> open_device(const Options& options) {
  auto device = open_device(options.backend, options.device, options.cpu);
  for (const int row : options.choice.row) {
    const Variant& variant = variants()[static_cast<std::size_t>(row)];
    const std::string why = lab::why_not_in_pipeline(row, device->info());
    if (!why.empty())
      throw UsageError(fmt::format("--variant {}={} on {}", to_string(variant.primitive),
                                   variant.name, device->info().name),
                       "the variant " + why, "See --list-variants");
  }
  return device;
}

}  // namespace warpview
