#include "tests/step_views/recordings.h"

#include "gpu/lab/record.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview::test {

std::shared_ptr<const Recording> record(const AskedRecording& asked) {
  const Primitive primitive = find_primitive(asked.primitive);
  const auto device =
      open_recorded_device({.warp_size = asked.warp_size, .seed = asked.seed}, asked.interleave);
  lab::Question question = {.primitive = primitive,
                            .form = asked.form.empty() ? 0 : lab::find_form(primitive, asked.form),
                            .distribution = lab::experiment(primitive).distributions.front(),
                            .n = asked.items};
  if (asked.small) question.distribution = lab::Distribution::small;
  if (!asked.typed.empty()) lab::type_input(question, asked.typed);
  if (asked.mesh) lab::take_mesh(question, asked.mesh);
  lab::Recorded recorded =
      lab::record(*device, question, find_variant(primitive, asked.variant), asked.blocks);
  if (!recorded.difference.empty()) throw Error("a recording", recorded.difference, "");
  return std::make_shared<const Recording>(std::move(recorded.recording));
}

}  // namespace warpview::test
