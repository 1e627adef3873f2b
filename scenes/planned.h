// A scene whose frames are planned: what their launches depend on is one value, and nothing else.
//
// A captured graph may be replayed only for a frame that would queue the very same launches. So a
// frame is planned first: plan_frame() looks at the frame, at controls and at where the scene is,
// and returns a Plan. Stages and writers see that Plan alone. Its == decides which graph is
// replayed, so what they see cannot be missing from the comparison. Controls cannot be read while
// stages are queued: Scene::controls() throws.
#pragma once

#include <concepts>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "scenes/scene.h"

namespace warpview {

// Plan: a plain struct of values with a defaulted ==. What goes to the device by FrameValues does
// not belong in it: graphs read it there.
template <class Plan, class Base = Scene>
requires std::is_aggregate_v<Plan> && std::equality_comparable<Plan>
class Planned : public Base {
 public:
  using Base::Base;

 protected:
  // The plan of the last frame; while stages are queued, of that frame. set_plan() changes it.
  const Plan& plan() const { return plan_; }
  // What stages see that run outside of frames, until the next one. std::logic_error while a
  // frame's stages are queued.
  void set_plan(const Plan& plan) {
    if (this->is_queueing())
      throw std::logic_error("a plan cannot change while the stages of its frame are queued");
    plan_ = plan;
  }

  // Adds a stage whose function sees the plan. `info.queue` is set here.
  StageId add_stage(StageInfo info, std::function<void(const StageRun&, const Plan&)> queue) {
    info.queue = [this, queue = std::move(queue)](const StageRun& run) { queue(run, plan_); };
    return this->timeline().add(std::move(info));
  }

  // --- for frames, in this order
  // What the launches of a frame depend on beside its targets. Sets values and styles. plan() is
  // that of the frame before.
  virtual Plan plan_frame(const Frame& /*frame*/) { return {}; }
  // Runs the stages of a frame. Not called for a replay: it changes nothing on the host.
  virtual void queue_stages(const Plan& plan) = 0;
  // A frame was queued, by launches or as a graph.
  virtual void has_queued(const Frame& /*frame*/) {}

 private:
  void queue_frame(const Frame& frame) final {
    const Plan before = plan_;
    plan_ = plan_frame(frame);
    try {
      this->queue_planned(plan_, frame.timing, [this] { queue_stages(plan_); });
    } catch (...) {
      plan_ = before;  // what is on the device is not of this frame
      throw;
    }
    has_queued(frame);
  }

  Plan plan_{};
};

}  // namespace warpview
