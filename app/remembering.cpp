#include "app/remembering.h"

#include <algorithm>
#include <filesystem>
#include <glm/geometric.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "app/viewpoints.h"
#include "gpu/catalogue.h"
#include "gpu/runtime/error.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

constexpr char between_words = '\t';

// A file by its whole path; empty where there is none.
std::string absolute(const std::string& spec) {
  if (is_generated(spec)) return spec;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(spec, error).lexically_normal();
  return error ? std::string() : path.string();
}

// The part now, if it is worth keeping.
template <class Part>
Part kept(const Part& now, const Part& begun, const SceneMemory* before, Part SceneMemory::*part) {
  const bool was_kept = before != nullptr && (before->*part).has_value();
  return was_kept || now != begun ? now : Part();
}

// Is there such a variant, and does the device have it?
bool may_be_had(const SceneMemory::Choice& choice, const Device& device) {
  try {
    const VariantId variant = find_variant(find_primitive(choice.primitive), choice.variant);
    return why_unavailable(variant, device).empty();
  } catch (const ChoiceError&) {
    return false;  // of another version of the program
  }
}

void recall_controls(SceneDescription& description, const SceneDescription& asked,
                     const SceneMemory& memory) {
  if (!memory.controls) return;
  Controls known = kind_of(description).initial_controls();
  const auto is_asked = [&](const std::string& name) {
    return std::any_of(asked.controls.begin(), asked.controls.end(),
                       [&](const auto& control) { return known.sets(control.first, name); });
  };
  for (const auto& [old_name, old_value] : *memory.controls) try {
      for (const auto& [name, value] : known.today(old_name, old_value)) {
        if (is_asked(name)) continue;
        known.set(known.find(name), std::string_view(value));
        description.controls.emplace_back(name, value);
      }
    } catch (const Error&) {
      // Written by another version of the program.
    }
}

void recall_variants(SceneLoader::Request& request, const SceneDescription& asked,
                     const SceneMemory& memory, const Device& device) {
  if (!memory.variants) return;
  std::set<std::string> named;
  for (const VariantWishes::Wish& wish : asked.variants.all()) named.insert(wish.stage);
  // Stages of which it says nothing are as usual. What the file says was said before.
  request.habits = {};
  for (const VariantWishes::Wish& wish : request.description.variants.all())
    request.habits.add(wish.stage, wish.variant);
  request.description.variants = asked.variants;
  for (const SceneMemory::Choice& choice : *memory.variants)
    if (!choice.is_usual && may_be_had(choice, device) && !named.contains(choice.stage) &&
        !named.contains(choice.primitive))
      request.habits.add(choice.stage, choice.variant);
}

}  // namespace

std::string memory_key(const SceneDescription& description) {
  const SceneDescription& asked = description.as_asked();
  const bool is_file = asked.files.size() == 1 && is_scene_file(asked.files.front().spec);
  // What a scene file shows it says itself.
  std::string key = asked.scene.empty() && !is_file ? kind_of(asked).name : asked.scene;
  for (const MeshSource& file : asked.files) {
    const std::string path = absolute(file.spec);
    if (path.empty() || !file.transform.is_identity()) return {};
    key += between_words + path;
  }
  const bool fits_a_line = key.size() <= SceneMemory::longest_key &&
                           key.find_first_of(std::string_view("\n\r\0", 3)) == std::string::npos;
  return fits_a_line ? key : std::string();
}

SceneMemory memory_of(const Model& model, std::string key, bool fits) {
  const Camera& camera = model.camera;
  SceneMemory memory{.key = std::move(key)};
  SceneMemory::View view{.fits = fits,
                         .up = camera.up_axis,
                         .yaw = camera.yaw,
                         .pitch = camera.pitch,
                         .field_of_view = camera.field_of_view};
  if (!fits) {
    view.distance = camera.distance;
    view.target = camera.target;
  }
  memory.view = view;
  auto& controls = memory.controls.emplace();
  for (std::size_t i = 0; i < model.controls.size(); ++i)
    if (const Control& control = model.controls.all()[i]; control.kind != Control::Kind::action)
      controls.emplace_back(control.name, model.controls.text(i));
  auto& variants = memory.variants.emplace();
  for (const StageRow& stage : model.stages)
    if (stage.variant)
      variants.push_back({stage.result->name, to_string((*stage.variant)->primitive),
                          (*stage.variant)->name, stage.variant == stage.usual});
  auto& shown = memory.shown.emplace();
  for (const OutputRow& output : model.outputs)
    if (output.shown) shown.push_back(output.name);
  memory.cameras = model.cameras;
  return memory;
}

void remember(std::vector<SceneMemory>& memories, SceneMemory now, const SceneMemory& begun) {
  if (now.key.empty()) return;
  const SceneMemory* const before = find_memory(memories, now.key);
  now.view = kept(now.view, begun.view, before, &SceneMemory::view);
  now.controls = kept(now.controls, begun.controls, before, &SceneMemory::controls);
  now.variants = kept(now.variants, begun.variants, before, &SceneMemory::variants);
  now.shown = kept(now.shown, begun.shown, before, &SceneMemory::shown);
  now.cameras = kept(now.cameras, begun.cameras, before, &SceneMemory::cameras);
  std::erase_if(memories, [&now](const SceneMemory& each) { return each.key == now.key; });
  if (now.empty()) return;
  memories.insert(memories.begin(), std::move(now));
  if (memories.size() > SceneMemory::most) memories.resize(SceneMemory::most);
}

const SceneMemory* find_memory(const std::vector<SceneMemory>& memories, const std::string& key) {
  for (const SceneMemory& memory : memories)
    if (memory.key == key) return &memory;
  return nullptr;
}

void recall(SceneLoader::Request& request, const Device& device) {
  SceneDescription& description = request.description;
  const SceneDescription& asked = description.as_asked();
  const SceneMemory& memory = *request.memory;
  recall_controls(description, asked, memory);
  recall_variants(request, asked, memory, device);
  if (memory.shown && !asked.show) {
    description.show.reset();
    request.shown = memory.shown;
  }
  if (asked.camera || !asked.camera_name.empty()) request.memory->view.reset();
  if (memory.view) description.camera.reset();
  if (memory.cameras) {
    description.cameras.clear();
    for (const SceneMemory::NamedCamera& each : *memory.cameras)
      description.cameras.push_back({each.name, viewpoint_of(each.view)});
  }
}

void recall(Camera& fitted, const SceneMemory::View& view) {
  if (view.fits) return;
  const float reach = Camera::farthest * fitted.scene_radius;
  const bool is_near = glm::length(view.target - fitted.scene_centre) <= 2.0F * reach &&
                       view.distance <= reach &&
                       view.distance >= Camera::nearest * fitted.scene_radius;
  if (!is_near) return;
  fitted.target = view.target;
  fitted.distance = view.distance;
}

}  // namespace warpview
