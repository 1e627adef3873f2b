#include "gpu/lab/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "gpu/runtime/digits.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview::lab {
namespace {

// The arrays of a run, for their names. A result is part of an output.
std::vector<Region> arrays_of(Experiment& experiment) {
  std::vector<Region> arrays = experiment.outputs();
  for (const Region& region : experiment.scratch_arrays()) arrays.push_back(region);
  for (const Region& region : experiment.result()) arrays.push_back(region);
  for (const Region& region : experiment.inputs()) arrays.push_back(region);
  return arrays;
}

// A question, and what of the answer is recorded.
struct Run {
  const Question& question;
  VariantId variant;
  const BlockRanges& blocks;
};

std::string why_not(const Device& device, const Run& run) {
  const Question& question = run.question;
  std::string refused = lab::why_not(run.variant, question.form, device.info(), question.n);
  if (refused.empty() && !device.table().has(run.variant))
    refused = why_unavailable(run.variant, device);
  return refused;
}

// None if a recording does not hold the run; `why` then says why.
std::optional<Recorded> attempt(Device& device, const Run& run, std::string& why) {
  const auto stream = device.create_stream();
  const auto experiment = make_experiment(device, *stream, run.question);
  Recorded recorded;
  try {
    recorded.difference = experiment->run_verified(run.variant, [&] {
      begin_recording(run.blocks);
      experiment->run(run.variant);
      stream->synchronize();
      recorded.recording = take_recording(arrays_of(*experiment));
    });
  } catch (...) {
    why = why_recording_is_full();
    abandon_recording();
    if (why.empty()) throw;
    return {};
  }
  return recorded;
}

// The largest size that a recording holds, to an eighth; 0: none that was tried. A run of a size
// that is too large stops when the recording is full, so that each trial takes a fraction of a
// second.
std::uint32_t largest_that_fits(Device& device, const Run& run) {
  if (!run.question.typed.empty() || run.question.mesh) return 0;
  const auto fits = [&](std::uint64_t n) {
    if (n >= run.question.n) return false;
    Question smaller = run.question;
    smaller.n = static_cast<std::uint32_t>(n);
    const Run trial{smaller, run.variant, run.blocks};
    std::string why;
    return why_not(device, trial).empty() && attempt(device, trial, why).has_value();
  };
  constexpr std::uint64_t smallest = 16;
  std::uint64_t fitting = 0;
  for (std::uint64_t n = smallest; fits(n); n *= 2) fitting = n;
  const std::uint64_t power = fitting;
  for (std::uint64_t step = power / 2; step >= std::max<std::uint64_t>(power / 8, 1); step /= 2)
    if (fits(fitting + step)) fitting += step;
  return static_cast<std::uint32_t>(fitting);
}

std::string asked_in_words(const Run& run) {
  const ExperimentKind& kind = experiment(run.question.primitive);
  return fmt::format("recording {} of {} {}, {}", run.variant->name, group_digits(run.question.n),
                     kind.items, kind.forms[static_cast<std::size_t>(run.question.form)].name);
}

[[noreturn]] void refuse_long_run(Device& device, const Run& run, const std::string& why) {
  const std::uint32_t n = largest_that_fits(device, run);
  const std::string fewer =
      run.blocks.empty() ? "record only some blocks, such as --blocks 0-3" : "record fewer blocks";
  const char* const items = experiment(run.question.primitive).items;
  throw Error(
      asked_in_words(run), fmt::format("the run has {}, the most that a recording holds", why),
      n == 0
          ? "Choose a smaller input, or " + fewer
          : fmt::format("{} {} fit: choose these or less, or {}", group_digits(n), items, fewer));
}

RecordedMesh recorded_mesh(const MeshInput& mesh) {
  RecordedMesh recorded{.name = mesh.name,
                        .whole = mesh.whole,
                        .corners = {},
                        .right = {mesh.right.x, mesh.right.y, mesh.right.z},
                        .up = {mesh.up.x, mesh.up.y, mesh.up.z}};
  recorded.corners.reserve(3 * mesh.corners.size());
  for (const Vertex& corner : mesh.corners)
    for (const float each : {corner.position.x, corner.position.y, corner.position.z})
      recorded.corners.push_back(each);
  return recorded;
}

// The first half of its triangles as the input.
void halve(Question& question) {
  MeshInput half = *question.mesh;
  half.corners.resize(3 * std::size_t{half.triangles() / 2});
  take_mesh(question, std::make_shared<const MeshInput>(std::move(half)));
}

// Blocks of the launch with the most of them.
std::uint64_t most_blocks(const Recording& recording) {
  std::uint64_t most = 0;
  for (const RecordedLaunch& launch : recording.launches) most = std::max(most, launch.blocks());
  return most;
}

}  // namespace

std::uint32_t usual_recorded_items(Primitive primitive) {
  switch (primitive) {
    case Primitive::scan:
    case Primitive::select:
    case Primitive::partition:
    case Primitive::reduce_by_key:
    case Primitive::run_length:
    case Primitive::flags:
      return 2048;
    case Primitive::block_scan:
    case Primitive::build:
    case Primitive::refit:
      return 16;
    case Primitive::trace:
      return 256;  // over 50 triangles
    default:
      return 64;
  }
}

Recorded record(Device& device, const Question& asked, VariantId variant,
                const BlockRanges& blocks) {
  Question question = asked;
  const Run run{question, variant, blocks};
  if (const std::string refused = why_not(device, run); !refused.empty())
    throw Error(asked_in_words(run), refused, "Choose another variant, form or size");
  std::string why;
  std::optional<Recorded> recorded = attempt(device, run, why);
  while (!recorded && question.mesh && question.mesh->triangles() > 1) {
    halve(question);
    recorded = attempt(device, run, why);
  }
  if (!recorded) refuse_long_run(device, run, why);
  Recording& recording = recorded->recording;
  const std::uint64_t most = most_blocks(recording);
  if (!blocks.empty() && blocks.front().first >= most)
    throw Error(fmt::format("recording blocks {} of {}", in_words(blocks), variant->name),
                most == 0 ? "the run launches no kernel"
                          : fmt::format("its largest launch has {} blocks, counted from 0", most),
                "Choose other blocks, or none to record all");
  const ExperimentKind& kind = experiment(question.primitive);
  recording.primitive = to_string(question.primitive);
  recording.variant = variant->name;
  recording.form = kind.forms[static_cast<std::size_t>(question.form)].name;
  recording.distribution = to_string(question.distribution);
  recording.items = question.n;
  recording.input_seed = question.seed;
  if (question.mesh) recording.mesh = recorded_mesh(*question.mesh);
  return std::move(*recorded);
}

}  // namespace warpview::lab
