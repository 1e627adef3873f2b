#include "app/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/lists.h"
#include "app/message.h"
#include "app/option_ab.h"
#include "app/option_kept.h"
#include "app/option_lab.h"
#include "app/option_values.h"
#include "gpu/recording/file.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/suggestion.h"
#include "scenes/description.h"

namespace warpview {
namespace {

// Throws CLI::ValidationError where an output would be written over another or over the scene.
void check_outputs(const Options& options) {
  const auto complain = [](const char* option, const std::string& other) {
    throw CLI::ValidationError(option, "this file is also " + other + ": give another name");
  };
  for (const auto& file : options.scene.files) {
    if (is_same_file(options.screenshot, file.spec)) complain("--screenshot", "the scene");
    if (is_same_file(options.report, file.spec)) complain("--report", "the scene");
    if (is_same_file(options.ui_map, file.spec)) complain("--ui-map", "the scene");
    if (options.video && is_same_file(options.video->file, file.spec))
      complain("--video", "the scene");
    // A scene file may be written over by what was made of it.
    if (!is_scene_file(file.spec) && is_same_file(options.save_scene, file.spec))
      complain("--save-scene", "the scene");
  }
  if (is_same_file(options.save_scene, options.report)) complain("--save-scene", "the report");
  if (options.video && is_same_file(options.video->file, options.report))
    complain("--video", "the report");
  if (is_same_file(options.report, options.screenshot)) complain("--report", "the screenshot");
  for (const auto& [option, file] :
       {std::pair{"--plot", options.lab.plot}, std::pair{"--busy", options.lab.busy}}) {
    if (is_same_file(file, options.screenshot)) complain(option, "the screenshot");
    if (is_same_file(file, options.report)) complain(option, "the report");
    if (is_standard_output(file)) complain(option, "where the table is printed to");
  }
  if (is_same_file(options.lab.plot, options.lab.busy)) complain("--busy", "the plot");
}

// "name=value" of a scene's control. What a scene file says of its scene is known only when it is
// read: then it is checked there.
void add_setting(SceneDescription& scene, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos)
    throw Error("\"" + setting + "\"", "there is no '=' in it",
                "Write it as name=value, for example --set shape=wave");
  scene.controls.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  const bool is_file = scene.files.size() == 1 && is_scene_file(scene.files.front().spec);
  if (!is_file) controls_of(scene);
}

constexpr const char* epilogue =
    "SCENE is a scene's name, followed by :SIZE if it takes one (--list-scenes). It may "
    "be\nomitted: a bare FILE opens as a mesh, and an SVG file as filled paths. FILE is a "
    "Wavefront\nOBJ file, a PLY file, an SVG file for the scene svg, a generated "
    "mesh\n(generated:knot, "
    "generated:teapot, generated:lattice, generated:sphere:<N> or\ngenerated:rooms:<N>), or a "
    "scene "
    "file in JSON. A recording (FILE.wvrec) is shown in the\nlaboratory's tab Steps.\n"
    "Without a FILE a scene opens its own mesh.\nExit status: 0 success; 1 the device failed or an "
    "output could not be written; 2 wrong usage;\n3 a FILE cannot be opened or parsed; 4 the "
    "backend or OpenGL is unavailable; 5 --verify found a\ndifference.";

// What the options hold as words until all of them are read.
struct Words {
  std::vector<std::string> scene, settings, variants, show;
  std::string backend = "auto";
  std::string interop = "auto";
  std::string size, up, theme;
  std::optional<std::string> lab, lab_tab, lab_variant, lab_listing;
  bool lab_unasked = false;
  std::string lab_tab_by;  // the option that said the tab
  std::optional<std::string> camera;
  std::optional<double> time;
  KeptWords kept;
  AbWords ab;
};

CLI::Option* repeatable(CLI::Option* option) {
  return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

void add_scene_options(CLI::App& app, Options& options, Words& words) {
  app.add_option("FILE", words.scene, "What to show: [SCENE[:SIZE]] [FILE...]")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  // In the order of the command line, whichever option says it: the last one counts.
  const auto setting = [&](const char* flag, const std::string& begin, const char* description) {
    repeatable(
        app.add_option_function<std::string>(
            flag,
            [&words, begin](const std::string& rest) { words.settings.push_back(begin + rest); },
            description))
        ->trigger_on_parse();
  };
  setting("--set", "", "NAME=VALUE: a control of the scene, see --list-scenes; repeatable");
  repeatable(app.add_option("--variant", words.variants,
                            "PRIMITIVE=NAME or STAGE=NAME: chooses an algorithm; repeatable"));
  setting("--animate", "animation=",
          "off: the mesh is at rest; refit or rebuild: a wave. Short for --set shape=none, or for "
          "--set shape=wave --set tree=...");
  setting("--level", "level=", "Short for --set level=...: the BVH level drawn as boxes, 0: root");
  repeatable(app.add_option("--show", words.show,
                            "Outputs of the scene to draw, for example mesh, wire, boxes; "
                            "repeatable or separated by commas; '' for none"))
      ->delimiter(',');
  app.add_option("--up", words.up, "Up axis of the scene; default: y, or the window's last")
      ->check(CLI::IsMember({"y", "z"}));
  app.add_option("--time", words.time,
                 "Start time of animations in seconds. Exact for deformations; simulations run "
                 "there in steps of 1/60 s")
      ->check(between(0.0, SceneDescription::most_seconds));
  for (std::size_t i = 0; i < look_switches.size(); ++i) {
    const LookSwitch& row = look_switches[i];
    app.add_flag_function(
        fmt::format("--{},!--no-{}", row.name, row.name),
        [&options, i](std::int64_t count) { options.look[i] = count > 0; },
        fmt::format("--no-{}: {}", row.name, row.without));
  }
  app.add_option("--theme", words.theme, "Colour theme; default: dark, or the window's last")
      ->check(
          CLI::IsMember({std::string(name_of(Theme::dark)), std::string(name_of(Theme::light))}));
  app.add_option_function<std::string>(
         "--camera", [&words](const std::string& numbers) { words.camera = numbers; },
         "X,Y,Z,X,Y,Z[,DEGREES]: eye, target and vertical field of view; or the name of a camera "
         "of "
         "the scene file; default: fits the whole scene")
      ->type_name("NUMBERS|NAME");
}

void add_device_options(CLI::App& app, Options& options, Words& words) {
  app.add_option("--backend", words.backend,
                 "Backend that runs the kernels; auto: the first GPU that works")
      ->check(CLI::IsMember({"auto", "cuda", "hip", "cpu"}));
  app.add_option("--device", options.device, "Index of the device within its backend")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()));
  app.add_option("--interop", words.interop, "How OpenGL gets the results")
      ->check(CLI::IsMember({"auto", "direct", "copy"}));
  app.add_option("--warp-size", options.cpu.warp_size, "Lanes of a warp on the cpu device")
      ->check(CLI::IsMember({32, 64}));
  app.add_option("--seed", options.cpu.seed,
                 "Shuffles the order of lanes, warps and blocks on the cpu device; 0: in order")
      ->check(whole_number<decltype(options.cpu.seed)>());
  app.add_flag("--lockstep", options.cpu.lockstep,
               "The lanes of a warp share an instruction pointer on the cpu device");
  app.add_flag(
      "--delay-publish", options.cpu.late_publications,
      "Delay publications between blocks as long as possible on the cpu device, by the seed");
}

// The step of a recording that is drawn in the laboratory's tab and in files.
void add_step(CLI::App& app, Options& options) {
  app.add_option_function<std::uint32_t>(
         "--step", [&options](const std::uint32_t& step) { options.lab.step = step; },
         "With --lab-tab steps, --watch, or --record FILE.svg or FILE.html: shows the recording "
         "after this many steps")
      ->check(whole_number<std::uint32_t>());
}

// Throws CLI::ValidationError where no recording is drawn.
void check_step(const Options& options, bool in_tab) {
  const std::string end = options.lab.record.extension().string();
  if (!options.lab.step || in_tab || end == ".svg" || end == ".html") return;
  throw CLI::ValidationError("--step",
                             "it goes with --lab-tab steps, or with --record and a file that ends "
                             "in .svg or .html, or with "
                             "--watch, or with a FILE.wvrec");
}

// The laboratory among the panels.
void add_lab_picture(CLI::App& app, CLI::Option* panels, Words& words) {
  std::vector<std::string> tabs;
  tabs.reserve(lab_tasks.size());
  for (const LabTaskRow& task : lab_tasks) tabs.emplace_back(task.name);
  auto* lab = app.add_option("--lab", words.lab,
                             "With --panels: the laboratory, with its answers for this primitive")
                  ->needs(panels);
  // Several options say the tab; one of them may.
  const auto say_tab = [&words](const char* option, std::string tab) {
    if (!words.lab_tab_by.empty()) throw CLI::ExcludesError(option, words.lab_tab_by);
    words.lab_tab_by = option;
    words.lab_tab = std::move(tab);
  };
  app.add_option_function<std::string>(
         "--lab-tab", [say_tab](const std::string& name) { say_tab("--lab-tab", name); },
         fmt::format("With --lab: the tab in front; {}", tabs.front()))
      ->check(CLI::IsMember(tabs))
      ->needs(lab);
  app.add_option("--lab-variant", words.lab_variant,
                 "With --lab: the variant that the tab shows, such as its code; with --lab-tab "
                 "faults: the fault that it runs, as NAME or NAME:FORM; NAME:right runs the right "
                 "twin and shows the answer")
      ->needs(lab);
  app.add_option("--lab-listing", words.lab_listing,
                 "With --lab-tab code: as source, ptx or sass; source")
      ->check(CLI::IsMember({"source", "ptx", "sass"}))
      ->needs(lab);
  app.add_flag("--lab-unasked", words.lab_unasked,
               "With --lab: the tab as it is before its question was asked")
      ->needs(lab);
  // Earlier spellings, not in the help.
  for (const auto& [option, name] :
       {std::pair{"--lab-counters", "counters"}, {"--lab-sweep", "sweep"}, {"--lab-busy", "busy"}})
    app.add_flag_callback(option,
                          [say_tab, option = option, name = name] { say_tab(option, name); })
        ->needs(lab)
        ->group("");
  app.add_option_function<std::string>("--lab-code",
                                       [say_tab, &words](const std::string& variant) {
                                         if (words.lab_variant)
                                           throw CLI::ExcludesError("--lab-code", "--lab-variant");
                                         say_tab("--lab-code", "code");
                                         words.lab_variant = variant;
                                       })
      ->needs(lab)
      ->group("");
}

// A flag that names a command; one that stands later on the command line overrides those before.
CLI::Option* add_command(CLI::App& app, Options& options, const char* flag, Options::Command meant,
                         const char* description) {
  return app.add_flag_callback(
      flag, [&options, meant] { options.command = meant; }, description);
}

void add_headless_options(CLI::App& app, Options& options, Words& words) {
  auto* headless = add_command(app, options, "--headless", Options::Command::headless,
                               "Render without a window, then exit");
  const auto headless_only = [&](CLI::Option* option) {
    option->needs(headless);
    return option;
  };
  app.add_option("--size", words.size,
                 "WIDTHxHEIGHT of the picture in pixels, panels included with --panels; default: "
                 "1280x720. With a window: its view's initial size");
  app.add_option("--ui-scale", options.ui_scale,
                 "Scale of text, panels and lines; default: the desktop's, 1 without a window")
      ->check(between(0.5, 4.0));
  app.add_option("--frames", options.frames,
                 "Frames to run; default: one with --headless, else until the window closes")
      ->check(CLI::Range(1, 1000000));
  auto* panels = headless_only(app.add_flag(
      "--panels", options.panels, "Draw the panels around the picture, as in the window"));
  add_lab_picture(app, panels, words);
  app.add_option("--watch", options.watch,
                 "STAGE: records this stage of the scene, with its variant, on the mesh's first "
                 "triangles, and shows it in the laboratory's tab Steps; pictures need --panels")
      ->excludes(app.get_option("--lab"));
  add_step(app, options);
  headless_only(app.add_flag("--software", options.software,
                             "Use Mesa's software rasteriser, even if there is a GPU"));
  headless_only(
      app.add_flag("--verify", options.verify, "Check every stage against a sequential reference"));
  headless_only(app.add_option("--screenshot", options.screenshot, "Write the picture as PNG"));
  app.add_flag("--transparent", options.transparent,
               "With --screenshot or --video: the scene on a transparent background")
      ->excludes(panels);
  add_kept(app, headless, words.kept);
  add_ab(app, headless, words.ab);
  headless_only(app.add_option(
      "--report", options.report,
      "Write the measurements as JSON; only the stages' times as CSV if the name ends in .csv"));
}

void add_window_options(CLI::App& app, Options& options) {
  app.add_option("--ui-map", options.ui_map,
                 "With a window: write its state and its widgets' places to a file as JSON "
                 "whenever they change; for tests")
      ->excludes(app.get_option("--headless"));
  app.add_flag(
      "!--no-welcome", options.welcome,
      "With a window: do not open Welcome at the first start. It never opens where a scene, "
      "a FILE or a setting of a scene is named");
}

void add_lists(CLI::App& app, Options& options) {
  using Command = Options::Command;
  add_command(app, options, "--list-backends", Command::list_backends,
              "List the backends: which work here, and why the others do not");
  auto* variants = add_command(app, options, "--list-variants", Command::list_variants,
                               "Print the catalogue of algorithms");
  add_command(app, options, "--list-scenes", Command::list_scenes,
              "Print the scenes and their controls");
  auto* json =
      app.add_flag("--json", options.json, "With --list-variants or --list-scenes: as JSON");
  app.add_flag("--markdown", options.markdown,
               "With --list-variants: as Markdown, a page of the docs")
      ->needs(variants)
      ->excludes(json);
}

// A stage's own name is known only when the scene is made: then it is checked there.
void add_variant(SceneDescription& scene, const std::string& assignment) {
  scene.variants.add(assignment);
  const VariantWishes::Wish& wish = scene.variants.all().back();
  for (int p = 0; p < primitive_count; ++p)
    if (wish.stage == to_string(static_cast<Primitive>(p)))
      find_variant(static_cast<Primitive>(p), wish.variant);
}

// Throws what the parser throws.
LabPicture read_lab_picture(const Words& words) {
  LabPicture picture{.unasked = words.lab_unasked};
  if (*words.lab == "faults")
    throw CLI::ValidationError("--lab faults",
                               "faults are no primitive. Choose any one: --lab scan --lab-tab "
                               "faults");
  or_wrong_usage("--lab", [&] { picture.primitive = find_primitive(*words.lab); });
  std::string tabs;
  for (const LabTaskRow& task : lab_tasks) {
    if (task.name == words.lab_tab) picture.tab = task.task;
    if (task.is_for(picture.primitive)) tabs += (tabs.empty() ? "" : ", ") + std::string(task.name);
  }
  if (words.lab_variant)
    or_wrong_usage("--lab-variant", [&] {
      if (picture.tab == LabTask::faults)
        picture.fault = &parse_form(*words.lab_variant);
      else
        picture.variant = find_variant(picture.primitive, *words.lab_variant);
    });
  if (!lab_task(picture.tab).is_for(picture.primitive))
    throw CLI::ValidationError("--lab-tab " + *words.lab_tab,
                               fmt::format("the tabs of {} are {}", *words.lab, tabs));
  if (words.lab_listing && picture.tab != LabTask::code)
    throw CLI::ValidationError("--lab-listing", "it goes with --lab-tab code");
  if (words.lab_listing == "ptx") picture.listing = Listing::ptx;
  if (words.lab_listing == "sass") picture.listing = Listing::sass;
  return picture;
}

// A recording is no part of the scene: the laboratory shows it.
void read_files(std::vector<std::string> files, Options& options) {
  for (const std::string& each : files) {
    if (!is_recording_file(each)) continue;
    if (!options.recording.empty())
      throw CLI::ValidationError("FILE", "the laboratory shows one recording at a time");
    options.recording = each;
  }
  std::erase_if(files, is_recording_file);
  or_wrong_usage("FILE", [&] { options.scene = describe_scene(files); });
  const bool is_picture = options.command == Options::Command::headless;
  if (!options.recording.empty() && is_picture && !options.panels)
    throw CLI::ValidationError("FILE", "a recording is shown among the panels: add --panels");
  if (!options.watch.empty() && is_picture && !options.panels)
    throw CLI::ValidationError("--watch", "the stage is shown among the panels: add --panels");
  if (!options.watch.empty() && !options.recording.empty())
    throw CLI::ValidationError("--watch", "the laboratory shows one recording at a time");
}

// Is it left to the program what it shows?
bool shows_nothing_named(const Words& words, const Options& options) {
  return options.command == Options::Command::view && words.scene.empty() &&
         words.settings.empty() && words.variants.empty() && words.show.empty() && !words.camera &&
         !words.time && options.watch.empty() && options.frames == 0;
}

// Throws what the parser throws.
void read_words(const Words& words, Options& options) {
  or_wrong_usage("--backend", [&] { options.backend = parse_backend(words.backend); });
  read_files(words.scene, options);
  for (const std::string& variant : words.variants)
    or_wrong_usage("--variant", [&] { add_variant(options.scene, variant); });
  for (const std::string& setting : words.settings)
    or_wrong_usage("--set", [&] { add_setting(options.scene, setting); });
  if (!words.show.empty()) {
    options.scene.show = words.show;
    std::erase(*options.scene.show, "");
  }
  if (words.lab) options.panel_lab = read_lab_picture(words);
  check_step(options, (words.lab && words.lab_tab == "steps") || !options.recording.empty() ||
                          !options.watch.empty());
  if (!words.size.empty()) {
    std::tie(options.width, options.height) = parse_size(words.size);
    options.sized = true;
  }
  options.scene.seconds = words.time;
  if (words.camera) read_camera(*words.camera, options.scene);
  options.theme = theme_named(words.theme);
  if (!words.up.empty()) options.up = words.up == "z" ? UpAxis::z : UpAxis::y;
  if (words.interop == "direct") options.interop = InteropRequest::direct;
  if (words.interop == "copy") options.interop = InteropRequest::copy;
  options.welcome = options.welcome && shows_nothing_named(words, options);
  const bool lists = options.command == Options::Command::list_variants ||
                     options.command == Options::Command::list_scenes;
  if (options.json && !lists)
    throw CLI::ValidationError("--json", "it needs --list-variants or --list-scenes");
  read_kept(words.kept, options);
  read_ab(words.ab, options);
  check_outputs(options);
  const bool nothing_comes = options.command == Options::Command::headless && !options.verify &&
                             options.screenshot.empty() && options.report.empty() &&
                             options.save_scene.empty() && !options.video && !options.ab;
  if (nothing_comes)
    throw CLI::ValidationError(
        "--headless",
        "there is no output: add --screenshot FILE, --video FILE, --report FILE, --save-scene "
        "FILE or --verify");
}

// Refuses what `warpview lab` would ignore: options of the viewer that came with it.
void check_lab_takes_them(const CLI::App& app) {
  static constexpr std::string_view taken[] = {
      "--backend",       "--device", "--warp-size", "--seed",   "--lockstep",
      "--delay-publish", "--step",   "--up",        "--camera", "--version"};
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0 &&
        std::find(std::begin(taken), std::end(taken), option->get_name()) == std::end(taken))
      throw CLI::ValidationError(option->get_name(), "warpview lab does not take it");
}

// What the user may have meant by an option that is not known: "Did you mean --frames? ".
std::string meant_options(const CLI::App& app, const CLI::App* lab) {
  std::vector<std::string> options;
  for (const CLI::App* part : {&app, lab})
    if (part == &app || part->parsed())
      for (const CLI::Option* option : part->get_options())
        if (!option->get_group().empty())
          for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  const std::vector<std::string_view> known(options.begin(), options.end());
  std::string meant;
  for (const std::string& word : app.remaining(true))
    if (word.starts_with('-')) meant += did_you_mean(word.substr(0, word.find('=')), known);
  return meant;
}

// One line, whatever stood on the command line, and where to read on.
void print_wrong_usage(std::string_view what, std::string_view meant) {
  constexpr std::size_t longest = 2000;  // bytes
  std::string line(what.substr(0, longest));
  if (what.size() > longest) line += "...";
  if (!meant.empty()) line += fmt::format(". {}", meant.substr(0, meant.size() - 1));
  fmt::print(stderr, "warpview: {}\nRun with --help for more information.\n", printable(line));
}

}  // namespace

std::optional<Options> parse_options(int argc, const char* const* argv, int& exit_code) {
  Options options;
  Words words;
  CLI::App app("A viewer that makes GPU programming primitives visible.", "warpview");
  app.set_version_flag("--version", version_as_text,
                       "Print the version, the compiler and the backends, and exit");
  app.footer(epilogue);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_scene_options(app, options, words);
  add_device_options(app, options, words);
  add_headless_options(app, options, words);
  add_window_options(app, options);
  add_lists(app, options);
  std::function<void()> finish_lab;
  const CLI::App* lab = add_lab(app, options, finish_lab);
  try {
    app.parse(argc, argv);
    if (lab->parsed()) finish_lab();
    read_words(words, options);
    if (lab->parsed()) check_lab_takes_them(app);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      std::ostringstream out;
      exit_code = app.exit(error, out, out);
      fmt::print("{}", out.str());
    } else {
      exit_code = exit_usage;
      print_wrong_usage(error.what(), meant_options(app, lab));
    }
    return {};
  }
  return options;
}

void require_cpu(const Options& options, const char* asked, const char* why) {
  if (options.backend && *options.backend != Backend::cpu)
    throw ChoiceError(asked, why,
                      "Leave out --backend " + std::string(to_string(*options.backend)));
  if (options.device > 0)
    throw ChoiceError(fmt::format("{} with --device {}", asked, options.device),
                      std::string(why) + ", and there is one of it", "Leave out --device");
}

std::unique_ptr<Device> open_device(const Options& options) {
  return open_device(options.backend, options.device, options.cpu);
}

}  // namespace warpview
