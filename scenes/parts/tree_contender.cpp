#include "scenes/parts/tree_contender.h"

#include <fmt/format.h>

#include "gpu/reference/rays.h"
#include "scenes/parts/differences.h"
#include "scenes/parts/rays_reference.h"

namespace warpview {

TreeContender::TreeContender(Timeline& timeline, const Tree::Triangles& triangles,
                             const ContenderRays& rays, const ContenderSetup& setup)
    : timeline_(timeline),
      group_(setup.group),
      prefix_(setup.group + "."),
      optimise_rounds_(setup.optimise_rounds),
      rays_(rays),
      tree_(timeline, triangles, prefix_, setup.optimise_rounds, setup.build),
      first_(timeline.find(prefix_ + "boxes").value()),
      traced_(timeline, tree_, prefix_),
      counts_(timeline.device(), 1) {
  if (setup.measures_overlap) overlap_.emplace(timeline, tree_, traced_.leaves(), prefix_);
  add_ray_stages();
  read_counts_ = timeline.read_back(counts_.data());
}

void TreeContender::add_ray_stages() {
  trace_ = timeline_.add(
      {.name = prefix_ + "trace",
       .title = stage_title(prefix_, "Trace"),
       .about = "Finds what each ray hits first.",
       .primitive = Primitive::trace,
       .queue = [this](const StageRun& run) { traced_.trace(run, run.variant(), rays_.args()); },
       .work =
           [this] {
             return StageWork{rays_.n,
                              rays_.n * std::uint64_t{sizeof(BoundedRay) + sizeof(RayHit)}};
           },
       .why_not =
           [this](VariantId variant) { return TracedTree::why_not_traced(variant, rays_.n); }});
  count_ = timeline_.add(
      {.name = prefix_ + "count",
       .title = stage_title(prefix_, "Count"),
       .about = "Traces the rays again and counts the boxes and triangles that they test, which "
                "takes longer.",
       .queue =
           [this](const StageRun& run) {
             TraceArgs counted = rays_.args();
             counted.steps = rays_.steps;
             traced_.trace(run, timeline_.chosen(trace_).value(), counted);
             run.run<Step::count_rays>(CountRaysArgs{
                 .hits = rays_.hits, .steps = rays_.steps, .n = rays_.n, .counts = counts_.data()});
           },
       .work =
           [this] {
             constexpr std::uint64_t bytes =
                 sizeof(BoundedRay) + 2 * (sizeof(RayHit) + sizeof(TraceSteps));
             return StageWork{rays_.n, rays_.n * bytes};
           }});
}

void TreeContender::compute(StageId first) {
  tree_.rebuild(first);
  traced_.compute(first, tracers());
  if (overlap_ && first <= overlap_->stage()) timeline_.run(overlap_->stage());
  if (first <= trace_) timeline_.run(trace_);
  timeline_.run(count_);
}

void TreeContender::compute_untimed() {
  tree_.rebuild_untimed();
  traced_.renew_untimed();
  if (overlap_) timeline_.run_untimed(overlap_->stage());
  for (const StageId stage : {trace_, count_}) timeline_.run_untimed(stage);
}

void TreeContender::update(bool refits) {
  if (refits)
    tree_.refit();
  else
    tree_.rebuild();
  traced_.renew();
  if (overlap_) timeline_.run(overlap_->stage());
  for (const StageId stage : {trace_, count_}) timeline_.run(stage);
}

void TreeContender::repeat(StageId stage) {
  traced_.prepare_for(tracers());
  if (!tree_.repeat(stage)) timeline_.run(stage);
}

Contender TreeContender::contender(bool refits) const {
  Contender found;
  found.group = group_;
  found.name = fmt::format("{}: {}", found.letter(), tree_.builder().title);
  if (optimise_rounds_ > 0) found.name += fmt::format(" + {}", optimise_rounds_);
  if (refits) found.name += ", refitted";
  constexpr auto median = &StageTimes::median;
  found.once_ms = tree_.milliseconds(median) + traced_.milliseconds(median);
  found.each_ns = rays_.n > 0 ? 1e6 * timeline_.times(trace_).median() / rays_.n : 0.0;
  return found;
}

std::vector<Fact> TreeContender::facts(bool refits) const {
  const Contender contender = this->contender(refits);
  const double rays = rays_.n;
  std::vector<Fact> facts = {
      {.name = prefix_ + "tree",
       .title = "Tree",
       .value = contender.name,
       .tooltip = "Builder, rounds of optimisation, and what a frame does: builds the tree, or "
                  "refits its boxes."},
      {.name = prefix_ + "once_ms",
       .title = refits ? "Refit" : "Build",
       .value = contender.once_ms,
       .unit = "ms",
       .tooltip = "Median time of a frame until rays can be traced: from the boxes of the "
                  "triangles to the tree that the tracer walks.",
       .plotted = true,
       .varies = true},
      {.name = prefix_ + "trace",
       .title = "Trace",
       .value = contender.each_ns > 0.0 ? 1e3 / contender.each_ns : 0.0,
       .unit = "Mray/s",
       .tooltip = "Rays per second, by the median time of the last frames.",
       .varies = true},
      {.name = prefix_ + "boxes",
       .title = "Boxes per ray",
       .value = static_cast<double>(read_counts_->boxes) / rays,
       .tooltip = "Mean number of boxes that a ray tested."},
      {.name = prefix_ + "tests",
       .title = "Triangles per ray",
       .value = static_cast<double>(read_counts_->triangles) / rays,
       .tooltip = "Mean number of triangles that a ray tested."},
      {.name = prefix_ + "sah_cost",
       .title = "SAH cost",
       .value = tree_.statistics().sah_cost,
       .tooltip = "Surface-area heuristic: the expected number of nodes that a ray through the "
                  "root visits. Lower is better.",
       .plotted = true}};
  if (overlap_) facts.push_back(overlap_->fact(group_));
  facts.push_back({.name = prefix_ + "max_depth",
                   .title = "Depth",
                   .value = std::uint64_t{tree_.statistics().max_depth},
                   .tooltip = "Depth of the deepest leaf: the longest way from the root."});
  return facts;
}

std::vector<Check> TreeContender::verify(const Tree::Snapshot& snapshot) {
  std::vector<Check> checks = tree_.verify(snapshot);
  if (!checks.back().difference.empty()) return checks;
  if (!append(checks, traced_.verify(snapshot))) return checks;
  if (overlap_ && !append(checks, {overlap_->verify(snapshot, leaf_triangles_of(snapshot))}))
    return checks;
  append(checks, {{prefix_ + "trace", check_rays(snapshot)}});
  return checks;
}

// Both stages run into memory that was spoiled before.
std::string TreeContender::check_rays(const Tree::Snapshot& snapshot) {
  constexpr std::uint8_t spoiled = 0x5a;
  Stream& stream = timeline_.stream();
  const auto hits_after = [&](StageId stage) {
    stream.fill(rays_.hits, spoiled, rays_.n * sizeof(RayHit));
    timeline_.run_untimed(stage);
    std::vector<RayHit> hits(rays_.n);
    stream.copy(hits.data(), rays_.hits, rays_.n * sizeof(RayHit), Copy::device_to_host);
    stream.synchronize();
    return hits;
  };
  std::vector<BoundedRay> rays(rays_.n);
  stream.copy(rays.data(), rays_.rays, rays_.n * sizeof(BoundedRay), Copy::device_to_host);
  stream.synchronize();
  const reference::RayTracer tracer(snapshot.vertices, snapshot.indices);
  std::vector<RayHit> expected;
  expected.reserve(rays.size());
  std::uint64_t count = 0;
  for (const BoundedRay& ray : rays) {
    expected.push_back(tracer.nearest(ray));
    if (expected.back().triangle != RayHit::nothing) ++count;
  }
  std::string wrong = difference("the hit of ray", hits_after(trace_), expected);
  if (wrong.empty()) wrong = difference("the hit of counted ray", hits_after(count_), expected);
  const std::uint64_t hits = counts_.download(stream).front().hits;
  if (wrong.empty() && hits != count) wrong = fmt::format("{} rays hit, not {}", hits, count);
  return wrong;
}

}  // namespace warpview
