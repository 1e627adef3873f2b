#include "gpu/lab/record.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "gpu/runtime/recorded_device.h"

namespace warpview::lab {
namespace {

// The arrays of a run, for their names. A result is part of an output.
std::vector<Region> arrays_of(Experiment& experiment) {
  std::vector<Region> arrays = experiment.outputs();
  for (const Region& region : experiment.scratch_arrays()) arrays.push_back(region);
  for (const Region& region : experiment.result()) arrays.push_back(region);
  return arrays;
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
    default:
      return 64;
  }
}

namespace {

RecordedMesh recorded_mesh(const MeshInput& mesh) {
  RecordedMesh recorded{.name = mesh.name,
                        .whole = mesh.whole,
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

Recorded record_once(Device& device, const Question& question, VariantId variant) {
  const auto stream = device.create_stream();
  const auto experiment = make_experiment(device, *stream, question);
  Recorded recorded;
  recorded.difference = experiment->run_verified(variant, [&] {
    begin_recording();
    try {
      experiment->run(variant);
      stream->synchronize();
    } catch (...) {
      abandon_recording();
      throw;
    }
    recorded.recording = take_recording(arrays_of(*experiment));
  });
  return recorded;
}

}  // namespace

Recorded record(Device& device, const Question& asked, VariantId variant) {
  Question question = asked;
  const ExperimentKind& kind = experiment(question.primitive);
  std::string refused = why_not(variant, question.form, device.info(), question.n);
  if (refused.empty() && !device.table().has(variant)) refused = why_unavailable(variant, device);
  const char* const form = kind.forms[static_cast<std::size_t>(question.form)].name;
  if (!refused.empty())
    throw Error(
        fmt::format("recording {} of {} {}, {}", variant->name, question.n, kind.items, form),
        refused, "Choose another variant, form or size");
  std::optional<Recorded> recorded;
  while (!recorded) {
    try {
      recorded = record_once(device, question, variant);
    } catch (const RecordingFullError&) {
      if (!question.mesh || question.mesh->triangles() < 2) throw;
      halve(question);
    }
  }
  Recording& recording = recorded->recording;
  recording.primitive = to_string(question.primitive);
  recording.variant = variant->name;
  recording.form = form;
  recording.distribution = to_string(question.distribution);
  recording.items = question.n;
  recording.input_seed = question.seed;
  if (question.mesh) recording.mesh = recorded_mesh(*question.mesh);
  return std::move(*recorded);
}

}  // namespace warpview::lab
