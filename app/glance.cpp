#include "app/glance.h"

#include <exception>
#include <utility>

namespace warpview {

bool Glance::same(const Question& a, const Question& b) {
  const auto equal = [](Vec3 v, Vec3 w) { return v.x == w.x && v.y == w.y && v.z == w.z; };
  return equal(a.ray.origin, b.ray.origin) && equal(a.ray.direction, b.ray.direction) &&
         a.scene == b.scene && a.frames == b.frames;
}

void Glance::take(event::Glanced answer, Model& model) {
  is_under_way_ = false;
  model.glanced = std::move(answer.result.facts);
}

void Glance::update(Model& model, Compute& compute) {
  if (!model.pointer || model.scene_name.empty()) {
    model.glanced.clear();
    asked_.reset();
    return;
  }
  const Question now{*model.pointer, model.results->scene, model.results->frames};
  if (asked_ && same(*asked_, now)) return;
  if (is_under_way_) return;
  if (model.lab.busy() || model.loading) {  // what was said is of another place
    model.glanced.clear();
    return;
  }
  asked_ = now;
  is_under_way_ = true;
  compute.peek([events = events_, ray = now.ray](Scene* scene) {
    event::Glanced found;
    try {
      if (scene) found.result = scene->glance(ray);
    } catch (const std::exception&) {
      // Whatever it is, a frame will meet it too, and say so.
    }
    events->post(std::move(found));
  });
}

}  // namespace warpview
