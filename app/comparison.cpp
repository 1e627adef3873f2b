#include "app/comparison.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace warpview {

VariantComparison::VariantComparison(Scene& scene, StageId stage, std::uint64_t number)
    : stage_(stage), rows_(scene.timeline().rows()) {
  const Timeline& timeline = scene.timeline();
  const StageInfo& info = timeline.info(stage);
  if (!info.primitive) throw std::logic_error("the stage " + info.name + " has no variants");
  results_ = {.number = number,
              .stage = info.name,
              .items = info.work ? info.work().items : 0,
              .variants = {},
              .chosen = timeline.row(stage),
              .under_way = true};
  for (const int row : variants_of(*info.primitive))
    results_.variants.push_back({row, timeline.why_not(stage, row), {}});
  order_.resize(results_.variants.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_partition(order_.begin(), order_.end(), [this](std::size_t i) {
    return results_.variants[i].row != results_.chosen;
  });
}

void VariantComparison::choose(Scene& scene, int row) const {
  std::vector<int> rows = rows_;
  rows[index_of(stage_)] = row;
  scene.timeline().choose(rows);
}

// The stage's time, or that of the stage which does its work.
double VariantComparison::run(Scene& scene) const {
  Timeline& timeline = scene.timeline();
  const std::uint64_t before = timeline.times(stage_).taken();
  scene.repeat(stage_);
  if (timeline.times(stage_).taken() != before) return timeline.times(stage_).last();
  const auto other = timeline.info(stage_).done_by ? timeline.info(stage_).done_by() : std::nullopt;
  return timeline.times(other.value_or(stage_)).last();
}

bool VariantComparison::step(Scene& scene) {
  if (!results_.under_way) return false;
  ComparedVariant& variant = results_.variants[order_[place_]];
  bool is_done = !variant.why_not.empty();
  if (!is_done) {
    results_.row = variant.row;
    try {
      choose(scene, variant.row);
      const double ms = run(scene);
      if (is_warm_) variant.milliseconds.push_back(ms);
      is_warm_ = true;
      is_done = variant.milliseconds.size() == runs;
    } catch (const Error& error) {
      if (variant.row == results_.chosen) {
        results_.under_way = false;
        throw;
      }
      variant.why_not = error.what();
      variant.milliseconds.clear();
      is_done = true;
    }
  }
  if (!is_done) return true;
  is_warm_ = false;
  if (++place_ < order_.size()) return true;
  results_.under_way = false;
  results_.row = -1;
  return false;
}

void VariantComparison::cancel(Scene& scene) {
  if (!results_.under_way) return;
  results_.under_way = false;
  results_.cancelled = true;
  results_.row = -1;
  if (scene.timeline().rows() == rows_) return;
  scene.timeline().choose(rows_);
  scene.repeat(stage_);
}

}  // namespace warpview
