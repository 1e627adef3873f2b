// What compute publishes: results of frames, and comparisons of variants.
#include <exception>
#include <mutex>
#include <utility>

#include "app/compute.h"

namespace warpview {

// ---- Comparing variants -------------------------------------------------------------------------

// One run.
void Compute::step_comparison() {
  if (wishes_other_variants()) {
    end_comparison();
    return;
  }
  try {
    if (!comparison_->step(*scene_)) end_comparison();
  } catch (const std::exception& error) {
    comparison_.reset();
    compared_.under_way = false;
    stand_still(error);
    return;
  }
  if (comparison_) publish_comparison();
}

// Whether it was over or not.
void Compute::end_comparison() {
  if (!comparison_) return;
  const auto ended = std::move(comparison_);
  try {
    ended->cancel(*scene_);
  } catch (const std::exception& error) {
    stand_still(error);
  }
  compared_ = ended->results();
  publish_results();
}

bool Compute::wishes_other_variants() const {
  const std::lock_guard lock(mutex_);
  return wishes_.scene == scene_number_ && wishes_.number != acted_on_.number &&
         with_choices(scene_->timeline(), wishes_.choices) !=
             with_choices(scene_->timeline(), acted_on_.choices);
}

// All other results stay: the variants chosen meanwhile are not the user's choice.
void Compute::publish_comparison() {
  compared_ = comparison_->results();
  {
    const std::lock_guard lock(mutex_);
    results_.change().comparison = compared_;
  }
  if (news_) news_();
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

Snapshot Compute::make_results() const {
  Snapshot results;
  results.copy_gb_per_s = curve_.largest_gb_per_s();
  if (scene_) {
    const Timeline& timeline = scene_->timeline();
    results.scene = scene_number_;
    results.wishes = acted_on_.number;
    results.frames = frame_count_;
    results.seconds = seconds_;
    results.facts = scene_->facts();
    results.legends = scene_->legends();
    results.courses = courses_;
    results.reach = scene_->reach();
    results.outline = scene_->outline();
    results.moving = scene_->moving();
    results.budgets = scene_->budgets();
    results.blocks = scene_->blocks_at_work();
    results.skips_time = scene_->can_skip_time();
    if (scene_->depends_on_view()) results.seen = seen_;
    results.graph = timeline.replays();
    results.kernels_ms = timeline.frame_times().last();
    results.failed = failed_;
    results.comparison = compared_;
    for (std::size_t i = 0; i < scene_->controls().size(); ++i) {
      results.slider_max.push_back(scene_->slider_max(i));
      results.derived.push_back(scene_->derived(i));
    }
    results.stages = timeline.stage_results();
    for (StageResult& stage : results.stages) {
      const double copy = curve_.gb_per_s(stage.work.bytes);
      if (copy > 0.0) stage.copy_share = stage.gb_per_s / copy;
      stage.repeats_alone = scene_->repeats_alone(stage.stage);
    }
  }
  return results;
}

void Compute::publish_results() {
  Snapshot results = make_results();
  results.frame_parts = frame_clock_.parts();
  publish(std::move(results));
}

void Compute::publish(Snapshot results) {
  Published<Snapshot> published(std::move(results));
  {
    const std::lock_guard lock(mutex_);
    results_ = std::move(published);
  }
  if (news_) news_();
}

void Compute::say(std::string text) const {
  if (tell_) tell_({Message::Kind::error, std::move(text)});
}

}  // namespace warpview
