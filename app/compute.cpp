#include "app/compute.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "app/common/trouble.h"

namespace warpview {

Compute::Compute(Device& device, RenderThread& render, Frames frames, std::function<void()> news)
    : device_(device), render_(render), frames_(frames), news_(std::move(news)), curve_(device) {
  worker_.start([this] { return step(); });
}

Compute::~Compute() {
  worker_.post([this] { scene_.reset(); });
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

SceneResults Compute::results() const {
  const std::lock_guard lock(mutex_);
  return results_;
}

std::vector<Message> Compute::take_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

void Compute::ask(std::function<void(Scene&)> action) {
  worker_.post([this, action = std::move(action)] {
    if (!scene_) return;
    try {
      action(*scene_);
    } catch (const std::exception& error) {
      say(Message::Kind::error, in_words(error));
    }
    is_stale_ = true;
  });
}

void Compute::advance(double seconds) {
  worker_.post([this, seconds] {
    asked_seconds_ += seconds;
    is_stale_ = true;
  });
}

void Compute::ask_device(std::function<void(Device&)> action) {
  worker_.post([this, action = std::move(action)] {
    try {
      action(device_);
    } catch (const std::exception& error) {
      say(Message::Kind::error, in_words(error));
    }
    if (news_) news_();
  });
}

std::uint64_t Compute::install(std::unique_ptr<Scene> scene, SurfaceLook look) {
  return worker_.call([&] {
    render_.set_scene({scene->streams(), scene->outputs(), scene->command_count()},
                      std::move(look));
    scene_ = std::move(scene);
    static std::atomic<std::uint64_t> scenes = 0;  // of all devices
    scene_number_ = ++scenes;
    acted_on_ = {.scene = scene_number_, .controls = scene_->controls()};
    acted_on_.rows = scene_->timeline().rows();
    for (const Output& output : scene_->outputs()) acted_on_.shown.push_back(output.shown);
    is_stale_ = true;
    failed_ = false;
    last_frame_.reset();
    courses_.clear();
    publish_results();
    return scene_number_;
  });
}

void Compute::release_scene() {
  worker_.call([this] {
    scene_.reset();
    render_.clear_scene();
  });
}

void Compute::pause() {
  worker_.call([this] { paused_ = true; });
}
void Compute::resume() {
  worker_.call([this] {
    paused_ = false;
    last_frame_.reset();
  });
}

void Compute::frame(double seconds) {
  worker_.call([this, seconds] {
    if (!scene_) return;
    act_on_wishes();
    run_frame(acted_on_.playing ? seconds : 0.0);
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

bool Compute::step() {
  if (paused_ || frames_ == Frames::on_demand) return false;
  if (!scene_) return false;
  try {
    act_on_wishes();
    if (needs_frame()) {
      constexpr double longest = 1.0 / 30.0;
      const auto now = Clock::now();
      const double passed =
          last_frame_ ? std::chrono::duration<double>(now - *last_frame_).count() : 0.0;
      const bool moves = acted_on_.playing && scene_->moving();
      last_frame_ = now;
      const double asked = std::exchange(asked_seconds_, 0.0);
      run_frame(moves ? std::min(passed, longest) : asked);
      return true;
    }
  } catch (const std::exception& error) {
    stand_still(error);
    return true;
  }
  last_frame_.reset();
  if (!measure_copy()) return false;
  publish_results();
  return true;
}

bool Compute::needs_frame() const {
  return !failed_ && (is_stale_ || (acted_on_.playing && scene_->moving()));
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
  const std::vector<int> rows = timeline.rows();
  if (!wishes.rows.empty() && wishes.rows != rows) {
    try {
      timeline.choose(wishes.rows);
      scene_->compute();
      scene_->collect();  // so that a kernel that fails does so here
    } catch (const Error& error) {
      say(Message::Kind::error, in_words(error));
      timeline.choose(rows);
      scene_->compute();
    }
  }
  const Controls before = scene_->controls();
  if (wishes.controls.size() == before.size() && !(wishes.controls == before)) {
    scene_->set_controls(wishes.controls);
    if (!before.same(wishes.controls, Effect::reset)) scene_->reset();
  }
  acted_on_ = std::move(wishes);
  acted_on_.rows = timeline.rows();
}

// The streams of what is shown.
std::vector<bool> Compute::wanted_streams() const {
  std::vector<bool> wanted(scene_->streams().size());
  for (std::size_t i = 0; i < scene_->outputs().size(); ++i) {
    if (i >= acted_on_.shown.size() || !acted_on_.shown[i]) continue;
    for (const std::size_t stream : scene_->outputs()[i].streams) wanted[stream] = true;
  }
  return wanted;
}

void Compute::run_frame(double seconds) {
  is_stale_ = false;  // a frame that fails is not tried again before something changes
  RenderThread::Targets targets = render_.map(wanted_streams());
  const auto begin = Clock::now();
  try {
    scene_->queue(
        {.seconds = seconds, .targets = std::move(targets.streams), .commands = targets.commands});
    scene_->collect();
  } catch (...) {
    render_.abandon();
    throw;
  }
  frame_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  ++frame_count_;
  if (seconds > 0.0) plot_facts();
  WrittenFrame written;
  for (const Output& output : scene_->outputs()) written.styles.push_back(output.style);
  for (std::size_t i = 0; i < scene_->command_count(); ++i)
    written.commands.push_back(scene_->command_drawn(i));
  render_.publish(std::move(written));
  publish_results();
}

// After a failed frame: the picture is what it was, until the user changes something.
void Compute::stand_still(const std::exception& error) {
  say(Message::Kind::error, in_words(error));
  failed_ = true;
  publish_results();
}

// The next size. False when there is none.
bool Compute::measure_copy() {
  if (curve_.complete() || curve_failed_) return false;
  try {
    curve_.step();
  } catch (const Error&) {
    curve_failed_ = true;  // no yardstick; the times remain
  }
  return true;
}

// ---- Results ------------------------------------------------------------------------------------

void Compute::plot_facts() {
  constexpr std::size_t kept = 240;  // frames
  for (const Fact& fact : scene_->facts()) {
    if (!fact.plotted) continue;
    std::vector<float>& course = courses_[fact.name];
    if (course.size() == kept) course.erase(course.begin());
    if (const auto* number = std::get_if<double>(&fact.value))
      course.push_back(static_cast<float>(*number));
    else if (const auto* count = std::get_if<std::uint64_t>(&fact.value))
      course.push_back(static_cast<float>(*count));
  }
}

void Compute::publish_results() {
  SceneResults results;
  results.copy_gb_per_s = curve_.largest_gb_per_s();
  if (scene_) {
    const Timeline& timeline = scene_->timeline();
    results.scene = scene_number_;
    results.wishes = acted_on_.number;
    results.frames = frame_count_;
    results.rows = timeline.rows();
    results.facts = scene_->facts();
    results.courses = courses_;
    results.moving = scene_->moving();
    results.graph = timeline.replays();
    results.kernels_ms = timeline.frame_times().last();
    results.frame_ms = frame_ms_;
    results.failed = failed_;
    for (std::size_t i = 0; i < scene_->controls().size(); ++i)
      results.useful_most.push_back(scene_->useful_most(i));
    for (const StageReport& report : timeline.reports()) {
      const auto& milliseconds = report.times->milliseconds();
      const double copy = curve_.gb_per_s(report.work.bytes);
      results.stages.push_back({.name = report.info->name,
                                .title = report.info->title,
                                .primitive = report.info->primitive,
                                .row = report.row,
                                .work = report.work,
                                .milliseconds = {milliseconds.begin(), milliseconds.end()},
                                .last_ms = report.times->last(),
                                .median_ms = report.times->median(),
                                .least_ms = report.times->least(),
                                .gb_per_s = report.gb_per_s(),
                                .copy_share = copy > 0.0 ? report.gb_per_s() / copy : 0.0,
                                .runs = report.runs,
                                .repeatable = report.info->repeatable,
                                .done_by = report.done_by});
    }
  }
  {
    const std::lock_guard lock(mutex_);
    results_ = std::move(results);
  }
  if (news_) news_();
}

void Compute::say(Message::Kind kind, std::string text) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back({kind, std::move(text)});
  }
  if (news_) news_();
}

}  // namespace warpview
