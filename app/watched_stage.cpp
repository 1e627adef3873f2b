#include "app/watched_stage.h"

#include <fmt/format.h>

#include <string_view>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/morton/morton.h"

namespace warpview {
namespace {

// Bits of the keys that the scene sorts: those of its Morton codes.
int key_bits_of(const Model& model) {
  for (const StageRow& stage : model.stages)
    if (stage.variant && (*stage.variant)->primitive == Primitive::morton)
      return morton_key_bits((*stage.variant)->traits);
  return 32;
}

}  // namespace

std::string why_not_watched(const StageRow& stage) {
  if (!stage.result->of_mesh || !stage.variant) return "it does not work on the open mesh alone";
  const Variant& variant = **stage.variant;
  if (!variant.available.cpu) return fmt::format("{} does not run on the CPU", variant.name);
  return {};
}

std::optional<int> form_of_mesh(Primitive primitive, int key_bits) {
  const auto forms = lab::experiment(primitive).forms;
  std::optional<int> first;
  for (int form = 0; form < static_cast<int>(forms.size()); ++form) {
    if (lab::items_a_triangle(primitive, form) == 0) continue;
    if (!first) first = form;
    const std::string_view name = forms[static_cast<std::size_t>(form)].name;
    if (primitive == Primitive::sort && name == (key_bits == 64 ? "u64" : "u32")) return form;
  }
  return first;
}

std::shared_ptr<const lab::MeshInput> watched_mesh(const Mesh& mesh, const Camera& camera,
                                                   std::uint32_t most) {
  lab::MeshInput input = lab::mesh_input(mesh.name, mesh.corners, most);
  const auto axis = [](const glm::vec3& v) { return Vec3{v.x, v.y, v.z}; };
  input.right = axis(camera.right());
  input.up = axis(camera.up());
  return std::make_shared<const lab::MeshInput>(std::move(input));
}

void watch_stage(Model& model, const Mesh& mesh, const std::string& name) {
  const StageRow* const stage = model.stage(name);
  std::string why = stage == nullptr ? "the scene has no such stage" : why_not_watched(*stage);
  std::string names;
  for (const StageRow& each : model.stages)
    if (why_not_watched(each).empty()) names += (names.empty() ? "" : ", ") + each.result->name;
  if (!why.empty())
    throw ChoiceError(fmt::format("watching {}", name), why,
                      names.empty() ? "Open a mesh: warpview mesh FILE" : "Choose one of " + names);
  const VariantId variant = *stage->variant;
  LabSteps& steps = model.lab.steps;
  steps.mesh = watched_mesh(mesh, model.camera);
  steps.watched = LabSteps::Watched{
      .variant = variant, .form = form_of_mesh(variant->primitive, key_bits_of(model)).value_or(0)};
}

}  // namespace warpview
