#include "app/lab_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/common/digits.h"
#include "app/common/module_build.h"
#include "app/common/recorded_lines.h"
#include "app/step_views/page/page.h"
#include "app/step_views/page/sheet.h"
#include "app/step_views/words.h"
#include "app/watched_stage.h"
#include "gpu/lab/record.h"
#include "gpu/recording/file.h"
#include "gpu/recording/playback.h"
#include "gpu/recording/races.h"
#include "gpu/runtime/recorded_device.h"
#include "gpu/runtime/whole_file.h"
#include "scenes/files/input_error.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

// The one run that is asked for.
struct Run {
  lab::Question question;
  VariantId variant;
};

// Those with an input that can be made from triangles.
std::string primitives_of_mesh() {
  std::vector<const char*> names;
  for (int p = 0; p < primitive_count; ++p)
    if (form_of_mesh(static_cast<Primitive>(p)))
      names.push_back(to_string(static_cast<Primitive>(p)));
  return fmt::format("{}", fmt::join(names, ", "));
}

// The first triangles of the mesh as the input, seen from where the options say, at an angle
// without them.
void take_mesh(lab::Question& question, const Options& options) {
  const LabOptions& asked = options.lab;
  // A page draws every step.
  constexpr std::uint32_t usual_of_pages = 256;
  const std::uint32_t usual =
      asked.record.extension() == ".html" ? usual_of_pages : lab::MeshInput::usual_triangles;
  const std::uint32_t most = asked.sizes.empty() ? usual : asked.sizes.front();
  if (most == 0 || most > lab::MeshInput::most_triangles)
    throw ChoiceError("--mesh " + asked.mesh, fmt::format("{} triangles are asked for", most),
                      fmt::format("Choose from 1 to {}", lab::MeshInput::most_triangles));
  const auto form = form_of_mesh(question.primitive);
  if (!form)
    throw ChoiceError(
        "--mesh " + asked.mesh,
        std::string(title(question.primitive)) + ": its input cannot be made from triangles",
        "Choose one of: " + primitives_of_mesh());
  if (asked.forms.empty()) question.form = *form;
  Camera camera;
  camera.up_axis = options.up.value_or(UpAxis::y);
  if (const auto& from = options.scene.camera)
    camera.look_from({from->eye.x, from->eye.y, from->eye.z},
                     {from->target.x, from->target.y, from->target.z}, from->field_of_view);
  try {
    LoadControl control;
    const Mesh mesh = open_mesh(asked.mesh, control);
    lab::take_mesh(question, watched_mesh(mesh, camera, most));
  } catch (const Error& error) {
    throw InputError(error.what());
  }
}

Run run_of(const Options& options) {
  const LabOptions& asked = options.lab;
  const auto refuse = [&asked](const char* what) {
    throw ChoiceError("--record " + asked.record.string(), what,
                      "For example: warpview lab scan --variant lookback --sizes 4096 --record "
                      "scan.wvrec");
  };
  if (asked.primitives.size() != 1) refuse("it takes one primitive");
  if (asked.variants.size() != 1) refuse("it takes one variant");
  if (asked.forms.size() > 1 || (asked.forms.size() == 1 && asked.forms.front() == "all"))
    refuse("it takes one form");
  if (asked.sizes.size() > 1) refuse("it takes one size");
  const Primitive primitive = asked.primitives.front();
  const VariantId variant = find_variant(primitive, asked.variants.front());
  const int form = asked.forms.empty() ? 0 : lab::find_form(primitive, asked.forms.front());
  lab::Question question = {
      .primitive = primitive,
      .form = form,
      .distribution = asked.distribution.value_or(lab::recorded_distribution(variant, form)),
      .n = asked.sizes.empty() ? lab::usual_recorded_items(primitive) : asked.sizes.front(),
      .seed = asked.seed};
  if (!asked.typed.empty()) lab::type_input(question, asked.typed);
  if (!asked.mesh.empty()) take_mesh(question, options);
  if (const std::string why = lab::why_not_input(question); !why.empty())
    throw ChoiceError(!asked.mesh.empty()   ? "--mesh " + asked.mesh
                      : asked.typed.empty() ? "--distribution small"
                                            : "--input",
                      why, "Choose another input, form or primitive");
  return {.question = std::move(question), .variant = variant};
}

void tell(const Recording& recording, std::size_t steps, std::size_t bytes,
          const std::filesystem::path& file, double seconds) {
  const std::size_t events = recording.events.size();
  fmt::print(
      "{}: {} {}, {}, {} {}: {} event{} in {} step{}, {} bytes ({:.1f} an event), {:.2f} s\n",
      file.string(), recording.primitive, recording.variant, recording.form,
      group_digits(recording.items), lab::experiment(find_primitive(recording.primitive)).items,
      group_digits(events), events == 1 ? "" : "s", group_digits(steps), steps == 1 ? "" : "s",
      group_digits(bytes),
      events == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(events), seconds);
  if (recording.launches.empty() && recording.items == 0)
    fmt::print("Without items the variant launches no kernel.\n");
  else if (recording.launches.empty())
    fmt::print("The variant runs on the host: the recording has only its writes.\n");
}

void tell_races(const Recording& recording) {
  if (!recording.blocks.empty()) {
    fmt::print("Data races: not searched, since blocks are missing\n");
    return;
  }
  constexpr std::size_t most = 10;
  const std::vector<Race> races = find_races(recording);
  if (races.empty()) {
    fmt::print("No data races\n");
    return;
  }
  fmt::print("{}:\n", step_views::count_of(races.size(), "data race"));
  for (std::size_t i = 0; i < std::min(races.size(), most); ++i)
    fmt::print("  {}\n", in_words(recording, races[i]));
  if (races.size() > most) fmt::print("  and {} more\n", races.size() - most);
}

// A page draws every step, which may take minutes.
void note_long_page(const Recording& recording) {
  constexpr std::size_t long_events = 100'000;
  if (recording.events.size() < long_events) return;
  fmt::print(stderr,
             "warpview: drawing every step of {} events for the page, which may take minutes; a "
             ".wvrec file is written at once\n",
             group_digits(recording.events.size()));
}

}  // namespace

std::size_t write_recording(const std::shared_ptr<const Recording>& recording,
                            const std::filesystem::path& file, std::optional<std::uint32_t> step,
                            std::string_view note) {
  const std::string end = file.extension().string();
  std::string contents;
  if (end == ".json") {
    contents = recording_as_json(*recording);
  } else if (end == ".html") {
    note_long_page(*recording);
    contents = step_views::recording_as_page(recording, step, note);
  } else if (end == ".svg") {
    contents = step_views::step_as_svg(recording, step, note);
  } else {
    const std::vector<std::uint8_t> bytes = packed(*recording);
    contents.assign(bytes.begin(), bytes.end());
  }
  write_whole_file(file, contents);
  return contents.size();
}

int run_lab_record(const Options& options) {
  const LabOptions& asked = options.lab;
  require_cpu(options, "--record", "only the cpu device records");
  const Run run = run_of(options);
  build_module(recording_module,
               [](const std::string& words) { fmt::print(stderr, "{}\n", words); });
  const auto device = open_recorded_device(options.cpu, asked.interleave);
  const auto begin = std::chrono::steady_clock::now();
  lab::Recorded recorded = lab::record(*device, run.question, run.variant, asked.blocks);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (const std::string why = find_lines(recorded.recording); !why.empty())
    fmt::print(stderr, "warpview: the recording has no source lines: {}\n", why);
  const auto recording = std::make_shared<const Recording>(std::move(recorded.recording));
  const std::size_t bytes = write_recording(recording, asked.record, asked.step);
  tell(*recording, Playback(recording).steps(), bytes, asked.record, seconds.count());
  tell_races(*recording);
  if (recorded.difference.empty()) return exit_success;
  fmt::print("WRONG: {}\n", recorded.difference);
  return exit_verify;
}

}  // namespace warpview
