// A of A|B: the picture that is kept, and the scene behind it where frames depend on the view.
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/compute.h"

namespace warpview {

std::vector<bool> Compute::streams_of(const Scene& scene, const std::set<std::string>& shown) {
  std::vector<bool> wanted(scene.streams().size());
  for (const Output& output : scene.outputs())
    if (shown.contains(output.name))
      for (const std::size_t stream : output.streams) wanted[stream] = true;
  return wanted;
}

void Compute::compute_into(Scene& scene, Frame frame) {
  scene.queue(frame);
  scene.collect();
  for (frame.seconds = 0.0; scene.lacks_room();) {
    scene.queue(frame);
    scene.collect();
  }
}

WrittenFrame Compute::written_by(const Scene& scene) {
  WrittenFrame written;
  for (const Output& output : scene.outputs()) written.styles.push_back(output.style);
  for (std::size_t i = 0; i < scene.command_count(); ++i)
    written.commands.push_back(scene.command_drawn(i));
  written.cut = scene.cut();
  return written;
}

// Loaded, and set as the scene that is open.
std::unique_ptr<Scene> Compute::twin() const {
  const Choices& choices = acted_on_.choices;
  std::unique_ptr<Scene> twin =
      scene_->kind().make({device_, scene_->shared_mesh(), choices.controls, choices.wishes()});
  LoadControl control;
  twin->load(control);
  return twin;
}

void Compute::keep(KeptTold told) {
  worker_.post([this, told = std::move(told)]() mutable {
    to_keep_ = std::move(told);
    keep_if_drawn();
  });
}

// What is asked for before the scene's first frame waits for that, or for its failure.
void Compute::keep_if_drawn() {
  if (!to_keep_ || (scene_ && !has_drawn_ && !failed_)) return;
  const KeptTold told = std::exchange(to_keep_, {});
  kept_.reset();
  try {
    if (!scene_) throw Error("keeping the picture as A", "nothing is open", "Open a scene first");
    std::unique_ptr<KeptScene> kept;
    const std::set<std::string>& shown = acted_on_.choices.shown;
    if (scene_->depends_on_view())
      kept = std::make_unique<KeptScene>(KeptScene{twin(), shown, seen_});
    std::vector<bool> outputs;
    for (const Output& output : scene_->outputs()) outputs.push_back(shown.contains(output.name));
    render_.keep(outputs);
    kept_ = std::move(kept);
    told({}, seconds_);
  } catch (const std::exception& error) {
    render_.forget_kept();
    told(in_words(error), 0.0);
  }
  if (news_) news_();
}

void Compute::forget_kept() {
  worker_.post([this] {
    to_keep_ = {};
    kept_.reset();
    render_.forget_kept();
  });
}

bool Compute::kept_lags() const {
  const std::lock_guard lock(mutex_);
  return kept_ && is_shown_ && shows_a_ && !(view_ == kept_->seen);
}

// `is_last`: no frame of the scene that is open follows.
void Compute::follow_with_kept(bool is_last) {
  KeptScene& kept = *kept_;
  kept.seen = view();
  try {
    RenderThread::Targets targets =
        render_.map(streams_of(*kept.scene, kept.shown), RenderThread::Side::a);
    compute_into(*kept.scene, {.seconds = 0.0,
                               .targets = std::move(targets.streams),
                               .commands = targets.commands,
                               .view = kept.seen});
    render_.publish_a(written_by(*kept.scene), is_last);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    render_.abandon(RenderThread::Side::a);
    kept_.reset();
    render_.forget_kept();
    say("A is given up: " + in_words(error));
    if (news_) news_();
  }
}

}  // namespace warpview
