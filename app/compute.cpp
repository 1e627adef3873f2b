#include "app/compute.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "app/common/trouble.h"

namespace warpview {
namespace {

// Parts of a frame beside its stages, whose numbers are below these.
enum Part : int {
  between_part = 1000,
  launch_part,
  asked_part,
  copies_part,
  map_part,
  draw_part,
  wait_part,
  kept_part,
  facts_part
};

// What the compute thread waited for until it knew where to write.
void note_map(PartClock& clock, const RenderThread::MapTimes& times) {
  const double waited = clock.lap(std::chrono::steady_clock::now());
  clock.add({.order = copies_part,
             .title = "Publish",
             .about = "Hands the last frame's buffers to OpenGL; copies them if OpenGL runs on "
                      "another device.",
             .ms = times.copies_ms});
  clock.add({.order = map_part,
             .title = "Map",
             .about = "Maps the buffers once OpenGL has finished drawing from them.",
             .ms = times.map_ms});
  clock.add({.order = draw_part,
             .title = "Draw",
             .about = "The frame waited for the last picture to be drawn. Drawing that overlapped "
                      "a frame is in no part.",
             .ms = times.draw_ms});
  clock.add({.order = wait_part,
             .title = "Wait",
             .about = "Waited until the window had taken the last picture: frames that would not "
                      "be shown are not computed.",
             .ms = std::max(waited - times.copies_ms - times.map_ms - times.draw_ms, 0.0)});
}

}  // namespace

Compute::Compute(Device& device, RenderThread& render, Frames frames,
                 std::function<void(Message)> tell, std::function<void()> news)
    : device_(device),
      render_(render),
      frames_(frames),
      tell_(std::move(tell)),
      news_(std::move(news)),
      curve_(device) {
  worker_.start([this] { return step(); });
  worker_.post([this] {
    interruptible_.emplace([this] {
      if (closed_.load(std::memory_order_relaxed)) throw Interrupted();
    });
  });
}

Compute::~Compute() {
  worker_.post([this] {
    interruptible_.reset();
    comparison_.reset();
    kept_.reset();
    scene_.reset();
  });
  worker_.stop();
}

// ---- Asking -------------------------------------------------------------------------------------

void Compute::set_wishes(SceneWishes wishes) {
  {
    const std::lock_guard lock(mutex_);
    wishes_ = std::move(wishes);
  }
  worker_.wake();
}

void Compute::set_view(const FrameView& view, bool shown, bool with_a) {
  {
    const std::lock_guard lock(mutex_);
    if (view_ == view && is_shown_ == shown && shows_a_ == with_a) return;
    view_ = view;
    is_shown_ = shown;
    shows_a_ = with_a;
  }
  worker_.wake();
}

FrameView Compute::view() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

bool Compute::is_shown() const {
  const std::lock_guard lock(mutex_);
  return is_shown_;
}

Published<Snapshot> Compute::results() const {
  const std::lock_guard lock(mutex_);
  return results_;
}

void Compute::ask(std::function<void(Scene&)> action) {
  worker_.post([this, action = std::move(action)] {
    if (!scene_) return;
    attempt(action);
    is_stale_ = true;
  });
}

void Compute::repeat(std::string stage) {
  worker_.post([this, stage = std::move(stage)] {
    const auto id = scene_ ? scene_->timeline().find(stage) : std::nullopt;
    if (!id) return;
    attempt([&id](Scene& scene) { scene.repeat(*id); });
    publish_results();
  });
}

// What fails becomes a message.
void Compute::attempt(const std::function<void(Scene&)>& action) const {
  try {
    action(*scene_);
  } catch (const std::exception& error) {
    say(in_words(error));
  }
}

void Compute::peek(std::function<void(Scene*)> action) {
  worker_.post([this, action = std::move(action)] { action(scene_.get()); });
}

void Compute::begin_again() {
  ask([this](Scene& scene) {
    scene.reset();
    seconds_ = 0.0;
  });
}

void Compute::advance(double seconds, int steps) {
  worker_.post([this, seconds, steps] {
    for (int step = 1; step <= steps; ++step)
      asked_frames_.push_back({seconds / steps, step < steps ? Seen::unseen : Seen::drawn});
    is_stale_ = true;
  });
}

void Compute::compare(std::string stage) {
  worker_.post([this, stage = std::move(stage)] {
    end_comparison();
    const auto id = scene_ ? scene_->timeline().find(stage) : std::nullopt;
    if (!id || !scene_->timeline().info(*id).primitive) return;
    comparison_ = std::make_unique<VariantComparison>(*scene_, *id, ++comparison_number_);
    publish_comparison();
  });
}

void Compute::cancel_comparison() {
  worker_.post([this] { end_comparison(); });
}

void Compute::ask_device(std::function<void(Device&)> action) {
  worker_.post([this, action = std::move(action)] {
    try {
      action(device_);
    } catch (const std::exception& error) {
      say(in_words(error));
    }
    if (news_) news_();
  });
}

std::uint64_t Compute::install(std::unique_ptr<Scene> scene, SurfaceLook look,
                               const std::function<void()>& ask, double seconds) {
  const RenderThread::Replacement replacement(render_);
  return worker_.call_unless([&] { return take_over(scene, look, seconds); }, ask);
}

std::uint64_t Compute::take_over(std::unique_ptr<Scene>& scene, SurfaceLook& look, double seconds) {
  static std::atomic<std::uint64_t> scenes = 0;  // of all devices
  const std::uint64_t number = ++scenes;
  render_.set_scene({scene->streams(), scene->outputs(), scene->command_count(), number},
                    std::move(look));
  comparison_.reset();
  compared_ = {};
  scene_ = std::move(scene);
  scene_number_ = number;
  seconds_ = seconds;
  // Time passes when the first wishes say so: the scene may have been opened paused.
  acted_on_ = {.scene = scene_number_,
               .choices = {.controls = scene_->controls(),
                           .variants = chosen_in(scene_->timeline()),
                           .playing = false}};
  for (const Output& output : scene_->outputs())
    if (output.shown) acted_on_.choices.shown.insert(output.name);
  is_stale_ = true;
  has_drawn_ = false;
  failed_ = false;
  unseen_ms_.reset();
  last_frame_.reset();
  asked_frames_.clear();
  frame_clock_.cancel();
  frame_clock_.forget();
  courses_.clear();
  publish_results();
  return scene_number_;
}

void Compute::release_scene(const std::function<void()>& ask) {
  const RenderThread::Replacement replacement(render_);
  worker_.call_unless(
      [this] {
        comparison_.reset();
        scene_.reset();
        if (kept_) render_.forget_kept();
        kept_.reset();
        render_.clear_scene();
      },
      ask);
}

void Compute::pause() {
  worker_.call([this] { paused_ = true; });
}
void Compute::resume() {
  worker_.post([this] {
    paused_ = false;
    last_frame_.reset();
  });
}

void Compute::frame(double seconds) {
  worker_.call([this, seconds] {
    if (!scene_) return;
    frame_clock_.begin(Clock::now());
    act_on_wishes();
    if (kept_lags()) follow_with_kept(false);
    run_frame(acted_on_.choices.playing ? seconds : 0.0);
  });
}

void Compute::measure_copies() {
  worker_.call([this] {
    while (measure_copy()) {
    }
    publish_results();
  });
}

// ---- Frames -------------------------------------------------------------------------------------

// Frames that follow each other without a rest are measured from end to end.
bool Compute::step() {
  if (comparison_ && scene_ && !paused_) {
    frame_clock_.cancel();
    last_frame_.reset();
    step_comparison();
    return true;
  }
  if (paused_ || frames_ == Frames::on_demand || !scene_) {
    frame_clock_.cancel();
    return false;
  }
  if (frame_clock_.under_way())
    frame_clock_.lap({.order = asked_part,
                      .title = "Requests",
                      .about = "Requests between two frames: repeated stages, picking."},
                     Clock::now());
  else
    frame_clock_.begin(Clock::now());
  try {
    act_on_wishes();
    const bool is_needed = needs_frame();
    if (kept_lags()) {
      follow_with_kept(!is_needed);
      frame_clock_.lap({.order = kept_part,
                        .title = "A",
                        .about = "A's own frame, where frames depend on the view."},
                       Clock::now());
      if (!is_needed) return true;
    }
    if (is_needed) {
      constexpr double longest = 1.0 / 30.0;
      const auto now = Clock::now();
      const double passed =
          last_frame_ ? std::chrono::duration<double>(now - *last_frame_).count() : 0.0;
      const bool moves = acted_on_.choices.playing && scene_->moving();
      last_frame_ = now;
      AskedFrame asked;
      if (!asked_frames_.empty()) {
        asked = asked_frames_.front();
        asked_frames_.pop_front();
      }
      if (moves)
        run_frame(std::min(passed, longest),
                  !is_stale_ && steps_unseen() ? Seen::unseen : Seen::drawn);
      else
        run_frame(asked.seconds, asked.seen);
      is_stale_ |= !asked_frames_.empty();
      return true;
    }
  } catch (const Interrupted&) {
    return false;  // the end
  } catch (const std::exception& error) {
    frame_clock_.cancel();
    stand_still(error);
    return true;
  }
  frame_clock_.cancel();
  last_frame_.reset();
  if (!measure_copy()) return false;
  publish_results();
  return true;
}

bool Compute::needs_frame() const {
  if (failed_) return false;
  if (is_stale_ || !is_shown()) return is_stale_;
  return unseen_ms_ || (acted_on_.choices.playing && scene_->moving()) ||
         (scene_->depends_on_view() && !(view() == seen_));
}

// Runs the variants that are chosen: those that are not there or fail are refused, with a message.
void Compute::act_on_wishes() {
  SceneWishes wishes;
  {
    const std::lock_guard lock(mutex_);
    if (wishes_.scene != scene_number_ || wishes_.number == acted_on_.number) return;
    wishes = wishes_;
  }
  acted_on_.number = wishes.number;  // whatever comes of them: they are not tried again
  is_stale_ = true;
  failed_ = false;
  Timeline& timeline = scene_->timeline();
  const StageVariants earlier = timeline.choices();
  const StageVariants wished = with_choices(timeline, wishes.choices);
  if (wished != earlier) {
    std::vector<StageId> chosen;
    try {
      timeline.choose(wished);
      for (std::size_t i = 0; i < earlier.size(); ++i)
        if (timeline.choices()[i] != earlier[i]) chosen.push_back(static_cast<StageId>(i));
      if (!chosen.empty()) scene_->compute_after(chosen);
      scene_->collect();  // so that a kernel that fails does so here
    } catch (const Error& error) {
      say(in_words(error));
      timeline.choose(earlier);
      if (!chosen.empty()) scene_->compute_after(chosen);
    }
  }
  const Controls before = scene_->controls();
  const Controls& controls = wishes.choices.controls;
  if (controls.size() == before.size() && !(controls == before)) {
    scene_->set_controls(controls);
    timeline.forget_frame_times();
    if (!before.same(controls, Effect::reset)) {
      scene_->reset();
      seconds_ = 0.0;
    }
  }
  // What is written from now on is other work.
  if (wishes.choices.shown != acted_on_.choices.shown) timeline.forget_frame_times();
  acted_on_ = std::move(wishes);
  acted_on_.choices.variants = chosen_in(timeline);
  // Frames as they were set before say nothing of those to come, nor does what the change took.
  frame_clock_.forget();
  frame_clock_.begin(Clock::now());
}

// May a step run while the last frame is being drawn? Steps take at most a quarter of the time that
// a picture takes, as kernels may share the processors with OpenGL.
bool Compute::steps_unseen() const {
  if (!render_.is_drawing() || scene_->depends_on_view()) return false;
  const double kernels_ms = scene_->timeline().frame_times().last();
  return unseen_ms_.value_or(0.0) + kernels_ms <= 0.25 * render_.statistics().draw_ms;
}

void Compute::run_frame(double seconds, Seen seen) {
  is_stale_ = false;  // a frame that fails is not tried again before something changes
  RenderThread::Targets targets{.streams = std::vector<void*>(scene_->streams().size())};
  if (seen == Seen::drawn) {
    targets = render_.map(streams_of(*scene_, acted_on_.choices.shown));
    note_map(frame_clock_, targets.times);
  }
  seen_ = view();
  try {
    compute_into(*scene_, {.seconds = seconds,
                           .targets = std::move(targets.streams),
                           .commands = targets.commands,
                           .view = seen_});
  } catch (...) {
    if (seen == Seen::drawn) render_.abandon();
    throw;
  }
  note_device_parts(frame_clock_.lap(Clock::now()));
  ++frame_count_;
  seconds_ += seconds;
  if (seconds > 0.0) plot_facts();
  if (seen == Seen::drawn) {
    unseen_ms_.reset();
    render_.publish(written_by(*scene_));
    has_drawn_ = true;
  } else {
    unseen_ms_ = unseen_ms_.value_or(0.0) + scene_->timeline().frame_times().last();
  }
  Snapshot results = make_results();
  const auto end = Clock::now();
  const TimePart facts{.order = facts_part,
                       .title = "Facts",
                       .about = "The stages' facts and statistics, for the panels."};
  frame_clock_.lap(facts, end);
  frame_clock_.end(end);
  results.frame_parts = frame_clock_.parts();
  publish(std::move(results));
  // What telling it takes is the next frame's.
  frame_clock_.begin(end);
  frame_clock_.lap(facts, Clock::now());
  keep_if_drawn();
}

// What the device says of a frame that took the host so long from the first launch to its end.
void Compute::note_device_parts(double host_ms) {
  const Timeline& timeline = scene_->timeline();
  double stages_ms = 0.0;
  for (const StageResult& stage : timeline.stage_results()) {
    if (stage.runs == 0) continue;
    const double ms = stage.last_ms;
    stages_ms += ms;
    frame_clock_.add({.order = static_cast<int>(stage.stage),
                      .title = stage.title,
                      .about = "One stage, between two device events.",
                      .place = TimePart::Place::device,
                      .ms = ms});
  }
  const double device_ms = timeline.frame_times().last();
  frame_clock_.add(
      {.order = between_part,
       .title = "Between",
       .about = "Device time between and after the stages: read-backs and draw commands.",
       .place = TimePart::Place::device,
       .ms = std::max(device_ms - stages_ms, 0.0)});
  frame_clock_.add(
      {.order = launch_part,
       .title = "Launches",
       .about = "Host time to queue the frame and wait for it, beyond the device's time.",
       .ms = std::max(host_ms - std::max(device_ms, stages_ms), 0.0)});
}

// After a failed frame: the picture is what it was, until the user changes something.
void Compute::stand_still(const std::exception& error) {
  say(in_words(error));
  failed_ = true;
  asked_frames_.clear();
  publish_results();
  keep_if_drawn();
}

// The next size. False when there is none.
bool Compute::measure_copy() {
  if (curve_.complete() || curve_failed_) return false;
  try {
    curve_.step();
  } catch (const std::exception&) {
    curve_failed_ = true;  // no yardstick; the times remain
  }
  return true;
}

}  // namespace warpview
