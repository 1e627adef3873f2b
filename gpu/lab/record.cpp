#include "gpu/lab/record.h"

#include <fmt/format.h>

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

Recorded record(Device& device, const Question& question, VariantId variant) {
  const ExperimentKind& kind = experiment(question.primitive);
  std::string refused = why_not(variant, question.form, device.info(), question.n);
  if (refused.empty() && !device.table().has(variant)) refused = why_unavailable(variant, device);
  const char* const form = kind.forms[static_cast<std::size_t>(question.form)].name;
  if (!refused.empty())
    throw Error(
        fmt::format("recording {} of {} {}, {}", variant->name, question.n, kind.items, form),
        refused, "Choose another variant, form or size");
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
  recorded.recording.primitive = to_string(question.primitive);
  recorded.recording.variant = variant->name;
  recorded.recording.form = form;
  recorded.recording.distribution = to_string(question.distribution);
  recorded.recording.items = question.n;
  recorded.recording.input_seed = question.seed;
  return recorded;
}

}  // namespace warpview::lab
