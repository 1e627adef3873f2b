#include "app/comparison.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace warpview {

VariantComparison::VariantComparison(Scene& scene, StageId stage, std::uint64_t number)
    : stage_(stage), choices_(scene.timeline().choices()) {
  const Timeline& timeline = scene.timeline();
  const StageInfo& info = timeline.info(stage);
  if (!info.primitive) throw std::logic_error("the stage " + info.name + " has no variants");
  results_ = {.number = number,
              .stage = info.name,
              .items = info.work ? info.work().items : 0,
              .variants = {},
              .chosen = timeline.chosen(stage),
              .under_way = true};
  for (const VariantId variant : variants_of(*info.primitive))
    results_.variants.push_back(
        {.variant = variant, .items = results_.items, .why_not = timeline.why_not(stage, variant)});
  order_.resize(results_.variants.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_partition(order_.begin(), order_.end(), [this](std::size_t i) {
    return results_.variants[i].variant != results_.chosen;
  });
  find_fused(scene);
}

void VariantComparison::find_fused(Scene& scene) {
  Timeline& timeline = scene.timeline();
  std::vector<int> times_fused(choices_.size(), 0);
  int able = 0;
  for (const VariantTimes& compared : results_.variants) {
    if (!compared.why_not.empty()) continue;
    ++able;
    choose(scene, compared.variant.value());
    for (std::size_t i = 0; i < choices_.size(); ++i)
      if (const auto& done_by = timeline.info(static_cast<StageId>(i)).done_by)
        times_fused[i] += done_by() == stage_ ? 1 : 0;
  }
  timeline.choose(choices_);
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < choices_.size(); ++i)
    if (times_fused[i] > 0 && times_fused[i] < able) {
      fused_.push_back(static_cast<StageId>(i));
      titles.push_back(timeline.info(fused_.back()).title);
    }
  for (VariantTimes& compared : results_.variants) compared.fused = titles;
}

void VariantComparison::choose(Scene& scene, VariantId variant) const {
  StageVariants choices = choices_;
  choices[index_of(stage_)] = variant;
  scene.timeline().choose(choices);
}

// The stage's time, or that of the stage which does its work, and the times of those that other
// variants fuse.
double VariantComparison::run(Scene& scene) const {
  Timeline& timeline = scene.timeline();
  const auto taken = [&timeline](StageId stage) { return timeline.times(stage).taken(); };
  const std::uint64_t before = taken(stage_);
  std::vector<std::uint64_t> of_fused;
  for (const StageId stage : fused_) of_fused.push_back(taken(stage));
  scene.repeat(stage_);
  StageId timed = stage_;
  if (taken(stage_) == before && timeline.info(stage_).done_by)
    timed = timeline.info(stage_).done_by().value_or(stage_);
  double ms = timeline.times(timed).last();
  for (std::size_t i = 0; i < fused_.size(); ++i)
    if (taken(fused_[i]) != of_fused[i]) ms += timeline.times(fused_[i]).last();
  return ms;
}

bool VariantComparison::step(Scene& scene) {
  if (!results_.under_way) return false;
  VariantTimes& compared = results_.variants[order_[place_]];
  bool is_done = !compared.why_not.empty();
  if (!is_done) {
    results_.running = compared.variant;
    try {
      choose(scene, compared.variant.value());
      const double ms = run(scene);
      if (is_warm_) compared.milliseconds.push_back(ms);
      is_warm_ = true;
      is_done = compared.milliseconds.size() == runs;
    } catch (const Error& error) {
      if (compared.variant == results_.chosen) {
        results_.under_way = false;
        throw;
      }
      compared.why_not = error.what();
      compared.milliseconds.clear();
      is_done = true;
    }
  }
  if (!is_done) return true;
  is_warm_ = false;
  if (++place_ < order_.size()) return true;
  results_.under_way = false;
  results_.running.reset();
  return false;
}

void VariantComparison::cancel(Scene& scene) {
  if (!results_.under_way) return;
  results_.under_way = false;
  results_.cancelled = true;
  results_.running.reset();
  if (scene.timeline().choices() == choices_) return;
  scene.timeline().choose(choices_);
  scene.repeat(stage_);
}

}  // namespace warpview
