#include "scenes/parts/rays_wide.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "gpu/reference/wide.h"

namespace warpview {
namespace {

std::set<VariantId> makers_of(const std::vector<VariantId>& tracers) {
  std::set<VariantId> makers;
  for (const VariantId tracer : tracers)
    if (const auto maker = collapse_for(tracer)) makers.insert(*maker);
  return makers;
}

}  // namespace

RaysWide::RaysWide(Timeline& timeline, const Tree& tree, const Buffer<LeafTriangle>& leaves,
                   const std::string& prefix)
    : timeline_(timeline), tree_(tree), leaves_(leaves), prefix_(prefix) {
  stage_ = timeline.add(
      {.name = prefix + "collapse",
       .title = stage_title(prefix, "Wide tree"),
       .about =
           "Collapses the tree into the wide one that the chosen tracer walks; nothing where it "
           "walks the binary tree.",
       .queue = [this](const StageRun& run) { queue(run); },
       .work =
           [this] {
             const std::uint64_t n = made_.empty() ? 0 : tree_.triangle_count();
             return StageWork{n,
                              n * (2 * sizeof(BvhNode) + 2 * sizeof(LeafTriangle)) * made_.size()};
           }});
}

std::uint64_t RaysWide::bytes_needed(std::uint64_t triangles) {
  return variants_of(Primitive::collapse).size() * WideMemory::bytes(triangles);
}

bool RaysWide::has_room_for(const std::vector<VariantId>& tracers) const {
  const std::set<VariantId> makers = makers_of(tracers);
  return std::all_of(makers.begin(), makers.end(),
                     [this](VariantId maker) { return made_.contains(maker); });
}

bool RaysWide::has_more_than(const std::vector<VariantId>& tracers) const {
  return made_.size() > makers_of(tracers).size();
}

void RaysWide::make_room_for(const std::vector<VariantId>& tracers) {
  const std::set<VariantId> makers = makers_of(tracers);
  std::erase_if(made_, [&makers](const auto& made) { return !makers.contains(made.first); });
  for (const VariantId maker : makers)
    if (!made_.contains(maker))
      made_.emplace(maker, WideMemory(timeline_.device(), maker, tree_.capacity()));
}

WideTree RaysWide::tree_of(VariantId tracer) const {
  const auto maker = collapse_for(tracer);
  const auto made = maker ? made_.find(*maker) : made_.end();
  return made != made_.end() ? made->second.tree() : WideTree{};
}

void RaysWide::queue(const StageRun& run) {
  const auto collapse = [&](VariantId maker, const WideTree& out) {
    run.run_variant<Primitive::collapse>(
        maker,
        CollapseArgs{
            .count = tree_.count(), .bvh = tree_.bvh(), .leaves = leaves_.data(), .out = out});
  };
  if (run.measuring()) {  // tracers may be chosen later
    for (const VariantId maker : variants_of(Primitive::collapse)) collapse(maker, {});
    return;
  }
  for (const auto& [maker, memory] : made_) collapse(maker, memory.tree());
}

std::vector<Check> RaysWide::verify(const Tree::Snapshot& tree,
                                    const std::vector<LeafTriangle>& leaves) {
  const reference::Tree binary = tree.tree();
  std::vector<Check> checks;
  for (const auto& [maker, memory] : made_) {
    Stream& stream = timeline_.stream();
    const std::vector<LeafTriangle> triangles = memory.triangles().download(stream, leaves.size());
    checks.push_back({prefix_ + "collapse", memory.with_nodes([&](const auto& nodes) {
                        return reference::check_wide(binary, leaves, nodes.download(stream),
                                                     triangles);
                      })});
  }
  return checks;
}

}  // namespace warpview
