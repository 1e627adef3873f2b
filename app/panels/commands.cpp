#include "app/panels/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warpview {
namespace {

std::vector<std::string> command_for(const Model& model, const lab::Question& question,
                                     std::string sizes) {
  const lab::ExperimentKind& kind = lab::experiment(question.primitive);
  std::vector<std::string> words = {"warpview",
                                    "lab",
                                    "--backend",
                                    to_string(model.device.backend),
                                    to_string(question.primitive),
                                    "--form",
                                    kind.forms[static_cast<std::size_t>(question.form)].name};
  if (!question.typed.empty())
    words.push_back(fmt::format("--input={}", fmt::join(question.typed, ",")));
  else
    words.insert(words.end(), {"--sizes", std::move(sizes), "--distribution",
                               lab::to_string(question.distribution), "--input-seed",
                               std::to_string(question.seed)});
  return words;
}

}  // namespace

std::vector<std::string> scene_command(const Model& model) {
  if (model.scene_kind == nullptr) return {};
  std::vector<std::string> words = {"warpview"};
  const bool is_plain = model.scene_kind == &scene_kinds().front();
  const bool is_said = !model.scene_file.empty();
  // A scene file may be of another kind.
  if (!is_plain || is_said || model.scene_files.empty()) words.emplace_back(model.scene_kind->name);
  if (is_said) {
    words.push_back(model.scene_file);
  } else {
    for (const MeshSource& file : model.scene_files) words.push_back(file.spec);
  }
  words.insert(words.end(), {"--backend", to_string(model.device.backend)});

  for (std::size_t i = 0; i < model.controls.size(); ++i) {
    const Control& control = model.controls.all()[i];
    if (control.kind == Control::Kind::action) continue;
    words.insert(words.end(),
                 {"--set", fmt::format("{}={}", control.name, model.controls.text(i))});
  }
  for (const StageRow& stage : model.stages)
    if (stage.variant)
      words.insert(words.end(),
                   {"--variant", fmt::format("{}={}", stage.result->name, (*stage.variant)->name)});
  std::string shown;
  for (const OutputRow& output : model.outputs)
    if (output.shown) shown += (shown.empty() ? "" : ",") + output.name;
  words.insert(words.end(), {"--show", shown});
  words.insert(words.end(), {"--theme", std::string(name_of(model.show.theme))});
  for (const LookSwitch& row : look_switches)
    if (!(model.show.*row.value)) words.push_back(fmt::format("--no-{}", row.name));
  if (model.show.pixel_scale != 1.0F)
    words.insert(words.end(), {"--ui-scale", fmt::format("{}", model.show.pixel_scale)});
  if (model.results->seconds > 0.0)
    words.insert(words.end(), {"--time", fmt::format("{}", model.results->seconds)});
  if (model.view_width > 0 && model.view_height > 0)
    words.insert(words.end(),
                 {"--size", fmt::format("{}x{}", model.view_width, model.view_height)});
  const Camera& camera = model.camera;
  words.insert(words.end(), {"--up", camera.up_axis == UpAxis::z ? "z" : "y"});
  const glm::vec3 eye = camera.eye();
  const glm::vec3 to = camera.target;
  words.insert(words.end(),
               {"--camera", fmt::format("{},{},{},{},{},{},{}", eye.x, eye.y, eye.z, to.x, to.y,
                                        to.z, camera.field_of_view * 180.0F / 3.14159265F)});
  return words;
}

std::vector<std::string> lab_command(const Model& model) {
  const LabSeries& times = model.lab.shown(LabTask::results);
  if (times.answers.empty()) return {};
  return command_for(model, times.asked, std::to_string(times.asked.n));
}

std::vector<std::string> busy_command(const Model& model) {
  const lab::Question& asked = model.lab.shown(LabTask::results).asked;
  std::vector<std::string> words = lab_command(model);
  if (words.empty()) return words;
  words.insert(words.end(), {"--busy", fmt::format("{}-busy.svg", to_string(asked.primitive))});
  return words;
}

std::vector<std::string> sweep_command(const Model& model) {
  const LabSeries& sweep = model.lab.shown(LabTask::sweep);
  const auto power = [](std::uint32_t n) { return fmt::format("2^{}", std::bit_width(n) - 1); };
  std::vector<std::string> words =
      command_for(model, sweep.asked,
                  power(sweep.sizes.empty() ? sweep.asked.n : sweep.sizes.front()) + ".." +
                      power(sweep.asked.n));
  words.insert(words.end(), {"--plot", fmt::format("{}.svg", to_string(sweep.asked.primitive))});
  return words;
}

}  // namespace warpview
