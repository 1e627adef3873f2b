#include "gpu/triangle_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/limits.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/runtime/finite.h"
#include "gpu/steps/mesh.h"

namespace warpview {
namespace {

// The variant of a name, or the device's default.
VariantId chosen(Primitive primitive, const std::string& name, const Device& device) {
  const VariantId variant = name.empty() ? default_variant(primitive, device.info().backend)
                                         : find_variant(primitive, name);
  if (const std::string why = why_unavailable(variant, device); !why.empty())
    throw UnavailableError(fmt::format("variant {} of {}", variant->name, title(primitive)), why,
                           "Choose another one: warpview --list-variants");
  return variant;
}

// A refit that takes the builder's trees, as they are after these rounds of an optimiser.
VariantId chosen_refit(const std::string& name, VariantId build, std::uint32_t rounds,
                       const Device& device) {
  const VariantId wanted = chosen(Primitive::refit, name, device);
  const unsigned traits = traits_of_tree(build->traits, rounds);
  const auto why_not = [traits](VariantId refit) {
    return std::string(why_not_refitted(refit->traits, traits));
  };
  if (why_not(wanted).empty()) return wanted;
  const std::string trees =
      fmt::format("trees that {} builds{}", build->name, rounds > 0 ? ", once optimised" : "");
  if (!name.empty())
    throw Error(fmt::format("refit {} of {}", wanted->name, trees), "it " + why_not(wanted),
                "Leave the refit's name empty");
  for (const VariantId refit : variants_of(Primitive::refit))
    if (why_not(refit).empty() && why_unavailable(refit, device).empty()) return refit;
  throw Error(trees, "no refit here takes them", "Choose another builder");
}

void check_triangles(std::span<const Vertex> vertices, std::span<const std::uint32_t> indices) {
  if (indices.size() % 3 != 0)
    throw Error("a tree over triangles", fmt::format("there are {} indices", indices.size()),
                "Give three for each triangle");
  check_items(Primitive::build, indices.size() / 3);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto corner = [i] { return fmt::format("corner {} of triangle {}", i % 3, i / 3); };
    if (indices[i] >= vertices.size())
      throw Error(corner(),
                  fmt::format("its index is {}, of {} vertices", indices[i], vertices.size()),
                  "Indices count from 0");
    if (!is_finite(vertices[indices[i]].position))
      throw Error(corner(), "a coordinate is not a finite number", "Leave the triangle out");
  }
}

}  // namespace

TriangleTree::TriangleTree(Device& device, const TreeVariants& variants)
    : device_(&device),
      morton_(chosen(Primitive::morton, variants.morton, device)),
      sort_(chosen(Primitive::sort, variants.sort, device)),
      build_(chosen(Primitive::build, variants.build, device)),
      optimise_(chosen(Primitive::optimise, variants.optimise, device)),
      optimise_rounds_(variants.optimise_rounds),
      refit_(chosen_refit(variants.refit, build_, optimise_rounds_, device)),
      trace_(chosen(Primitive::trace, variants.trace, device)),
      collapse_(collapse_for(trace_)),
      stream_(device.create_stream()),
      scratch_(device) {
  build(DeviceTriangles{});
}

Bvh TriangleTree::bvh() const { return built_.bvh(); }

Bvh TriangleTree::Built::bvh() const {
  return {
      .nodes = nodes.data(), .parent = parent.data(), .root = root.data(), .capacity = triangles.n};
}

// ---- Building and refitting ---------------------------------------------------------------------

// Scratch memory is replaced only where nothing that is queued may still use it.
template <class Function, class Args>
void TriangleTree::run(Function* function, const Args& args) {
  if (scratch_bytes(function, *stream_, args) > scratch_.bytes()) stream_->synchronize();
  scratch_.run(function, *stream_, args);
}

template <Primitive primitive, class Args>
void TriangleTree::run_variant(VariantId variant, const Args& args) {
  run(device_->table().get<primitive>(variant), args);
}

TriangleTree::Built TriangleTree::on_device(const DeviceTriangles& triangles) {
  check_items(Primitive::build, triangles.n);
  const std::size_t n = triangles.n;
  const std::size_t nodes = n > 0 ? 2 * n - 1 : 0;
  Built built;
  built.triangles = triangles;
  built.count = {*device_, 1};
  built.parent = {*device_, nodes};
  built.root = {*device_, 1};
  built.bounds = {*device_, 1};
  built.boxes = {*device_, n};
  built.nodes = {*device_, nodes};
  built.leaves = {*device_, n};
  if (collapse_) built.wide = {*device_, *collapse_, triangles.n};
  built.count.upload(*stream_, std::span(&triangles.n, 1));
  stream_->synchronize();  // `triangles` may end before the stream reads it
  return built;
}

// Boxes of the triangles, and one around them all.
void TriangleTree::find_boxes(Built& built) {
  run(device_->table().step<Step::triangle_boxes>(),
      TriangleBoxArgs{.vertices = built.triangles.vertices,
                      .indices = built.triangles.indices,
                      .count = built.count.data(),
                      .n = built.triangles.n,
                      .boxes = built.boxes.data()});
  run_variant<Primitive::reduce>(default_variant(Primitive::reduce, device_->info().backend),
                                 ReduceArgs{.op = ReduceOperator::scene_bounds,
                                            .in = built.boxes.data(),
                                            .n = built.triangles.n,
                                            .out = built.bounds.data()});
}

// Triangles in the order of their Morton codes: what is near in space is near in memory. Then the
// inner nodes above them.
void TriangleTree::build_on_device(Built& built) {
  // All memory is there before the first kernel is queued: nothing is freed under a kernel.
  const std::uint32_t n = built.triangles.n;
  const int key_bits = morton_key_bits(morton_->traits);
  const std::size_t key_bytes = static_cast<std::size_t>(key_bits) / 8;
  const Buffer<std::byte> codes(*device_, n * key_bytes);
  const Buffer<std::byte> sorted_codes(*device_, n * key_bytes);
  const Buffer<std::uint32_t> order(*device_, n);
  find_boxes(built);
  run_variant<Primitive::morton>(morton_, MortonArgs{.boxes = built.boxes.data(),
                                                     .count = built.count.data(),
                                                     .n = n,
                                                     .bounds = built.bounds.data(),
                                                     .codes = codes.data()});
  run_variant<Primitive::sort>(sort_, SortArgs{.key = key_bits == 64 ? SortKey::u64 : SortKey::u32,
                                               .keys_in = codes.data(),
                                               .keys_out = sorted_codes.data(),
                                               .values_out = order.data(),
                                               .n = n,
                                               .end_bit = morton_code_bits(morton_->traits)});
  run_variant<Primitive::build>(build_, BuildArgs{.key_bits = key_bits,
                                                  .codes = sorted_codes.data(),
                                                  .primitives = order.data(),
                                                  .count = built.count.data(),
                                                  .boxes = built.boxes.data(),
                                                  .bvh = built.bvh()});
  if ((build_->traits & BuildTrait::fits) == 0) fit(built);
  optimise(built);
  copy_leaf_triangles(built);
  collapse(built);
  stream_->synchronize();  // before codes and order are freed
}

// Every node's box, from the leaves up.
void TriangleTree::fit(Built& built) {
  run_variant<Primitive::refit>(
      refit_,
      RefitArgs{.count = built.count.data(), .boxes = built.boxes.data(), .bvh = built.bvh()});
}

// Better links for rays, where they are wanted.
void TriangleTree::optimise(Built& built) {
  if (optimise_rounds_ == 0) return;
  run_variant<Primitive::optimise>(
      optimise_,
      OptimiseArgs{.count = built.count.data(), .bvh = built.bvh(), .rounds = optimise_rounds_});
}

// Corners in the order of the leaves: neighbouring leaves are tested one after another.
void TriangleTree::copy_leaf_triangles(Built& built) {
  run(device_->table().step<Step::leaf_triangles>(),
      LeafTrianglesArgs{.count = built.count.data(),
                        .bvh = built.bvh(),
                        .vertices = built.triangles.vertices,
                        .indices = built.triangles.indices,
                        .out = built.leaves.data()});
}

// The wide tree, where rays walk one.
void TriangleTree::collapse(Built& built) {
  if (!collapse_) return;
  run_variant<Primitive::collapse>(*collapse_, CollapseArgs{.count = built.count.data(),
                                                            .bvh = built.bvh(),
                                                            .leaves = built.leaves.data(),
                                                            .out = built.wide.tree()});
}

void TriangleTree::build(const DeviceTriangles& triangles) {
  stream_->synchronize();  // queued kernels may use the old tree
  Built built = on_device(triangles);
  build_on_device(built);
  built_ = std::move(built);
}

void TriangleTree::build(std::span<const Vertex> vertices, std::span<const std::uint32_t> indices) {
  check_triangles(vertices, indices);
  Buffer<Vertex> device_vertices(*device_, vertices.size());
  Buffer<std::uint32_t> device_indices(*device_, indices.size());
  device_vertices.upload(*stream_, vertices);
  device_indices.upload(*stream_, indices);
  build(DeviceTriangles{.vertices = device_vertices.data(),
                        .indices = device_indices.data(),
                        .n = static_cast<std::uint32_t>(indices.size() / 3)});
  built_.vertices = std::move(device_vertices);
  built_.indices = std::move(device_indices);
}

void TriangleTree::refit() {
  find_boxes(built_);
  fit(built_);
  copy_leaf_triangles(built_);
  collapse(built_);
}

void TriangleTree::refit(std::span<const Vertex> vertices) {
  if (vertices.size() != built_.vertices.size())
    throw Error(fmt::format("refit to {} vertices", vertices.size()),
                fmt::format("the tree was built with {} from the host", built_.vertices.size()),
                "Give as many, or build again");
  const auto moved = std::find_if_not(vertices.begin(), vertices.end(),
                                      [](const Vertex& v) { return is_finite(v.position); });
  if (moved != vertices.end())
    throw Error(fmt::format("refit to vertex {}", moved - vertices.begin()),
                "a coordinate is not a finite number", "Give finite coordinates");
  built_.vertices.upload(*stream_, vertices);
  refit();
  stream_->synchronize();
}

// ---- Asking -------------------------------------------------------------------------------------

void TriangleTree::trace(const BoundedRay* rays, std::uint32_t n, RayHit* hits,
                         std::uint32_t* any) {
  check_items(Primitive::trace, n);
  run_variant<Primitive::trace>(trace_,
                                TraceArgs{.rays = rays,
                                          .n = n,
                                          .count = built_.count.data(),
                                          .bvh = built_.bvh(),
                                          .vertices = built_.triangles.vertices,
                                          .indices = built_.triangles.indices,
                                          .leaves = built_.leaves.data(),
                                          .hits = hits,
                                          .any = any,
                                          .sort = device_->table().get<Primitive::sort>(sort_),
                                          .wide = built_.wide.tree()});
}

void TriangleTree::nearest(const BoundedRay* rays, std::uint32_t n, RayHit* hits) {
  if (n > 0) trace(rays, n, hits, nullptr);
}

void TriangleTree::any(const BoundedRay* rays, std::uint32_t n, std::uint32_t* any) {
  if (n > 0) trace(rays, n, nullptr, any);
}

std::vector<RayHit> TriangleTree::nearest(std::span<const BoundedRay> rays) {
  check_items(Primitive::trace, rays.size());
  Buffer<BoundedRay> device_rays(*device_, rays.size());
  const Buffer<RayHit> hits(*device_, rays.size());
  device_rays.upload(*stream_, rays);
  nearest(device_rays.data(), static_cast<std::uint32_t>(rays.size()), hits.data());
  return hits.download(*stream_);
}

std::vector<std::uint32_t> TriangleTree::any(std::span<const BoundedRay> rays) {
  check_items(Primitive::trace, rays.size());
  Buffer<BoundedRay> device_rays(*device_, rays.size());
  const Buffer<std::uint32_t> answers(*device_, rays.size());
  device_rays.upload(*stream_, rays);
  any(device_rays.data(), static_cast<std::uint32_t>(rays.size()), answers.data());
  return answers.download(*stream_);
}

TreeStatistics TriangleTree::statistics() {
  if (triangles() == 0) return {};
  const Buffer<std::uint32_t> depth(*device_, built_.nodes.size());
  const Buffer<TreeStatistics> found(*device_, 1);
  run(device_->table().step<Step::tree_statistics>(),
      TreeStatisticsArgs{.count = built_.count.data(),
                         .bvh = built_.bvh(),
                         .depth = depth.data(),
                         .out = found.data()});
  return found.download(*stream_).front();
}

TreeOverlap TriangleTree::overlap() {
  const Buffer<TreeOverlap> found(*device_, 1);
  run(device_->table().step<Step::tree_overlap>(), TreeOverlapArgs{.count = built_.count.data(),
                                                                   .bvh = built_.bvh(),
                                                                   .leaves = built_.leaves.data(),
                                                                   .out = found.data()});
  return found.download(*stream_).front();
}

Aabb TriangleTree::bounds() { return built_.bounds.download(*stream_).front().points; }

}  // namespace warpview
