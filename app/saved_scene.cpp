#include "app/saved_scene.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/remembering.h"
#include "app/viewpoints.h"

namespace warpview {

SceneDescription description_of(const Model& model, const VariantWishes& said, bool fits) {
  const SceneMemory now = memory_of(model, {}, fits);
  SceneDescription scene{.scene = model.scene_kind->name,
                         .files = model.scene_files,
                         .controls = *now.controls,
                         .camera = viewpoint_of(*now.view),
                         .show = now.shown};
  for (const SceneMemory::NamedCamera& each : model.cameras)
    scene.cameras.push_back({each.name, viewpoint_of(each.view)});
  const auto is_said = [&said](const SceneMemory::Choice& choice) {
    const auto& all = said.all();
    return std::any_of(all.begin(), all.end(), [&choice](const VariantWishes::Wish& wish) {
      return wish.stage == choice.stage || wish.stage == choice.primitive;
    });
  };
  // Another device may have other usual ones.
  for (const SceneMemory::Choice& choice : *now.variants)
    if (!choice.is_usual || is_said(choice)) scene.variants.add(choice.stage, choice.variant);
  if (!model.results->moving) return scene;
  scene.playing = model.playing;
  // The way to a later moment of a simulation takes as long to compute as it took.
  constexpr double most_simulated = 10.0;  // seconds
  const double most = model.results->skips_time ? SceneDescription::most_seconds : most_simulated;
  if (model.results->seconds <= most) scene.seconds = model.results->seconds;
  return scene;
}

}  // namespace warpview
