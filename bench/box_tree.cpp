#include "bench/box_tree.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "gpu/catalogue.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/reference/reference.h"

namespace warpview::bench {
namespace {

constexpr int code_bits = 30;
constexpr std::uint8_t spoiled_byte = 0xa5;

std::vector<Aabb> triangle_boxes(std::uint32_t n) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(0.0F, 1.0F);
  const float reach = 0.5F / std::cbrt(static_cast<float>(n));
  std::uniform_real_distribution<float> offset(-reach, reach);
  std::vector<Aabb> boxes(n);
  for (Aabb& box : boxes) {
    const Vec3 centre{place(random), place(random), place(random)};
    box = {centre, centre};
    for (int corner = 0; corner < 2; ++corner) {
      const Vec3 other = centre + Vec3{offset(random), offset(random), offset(random)};
      box = merge(box, Aabb{other, other});
    }
  }
  return boxes;
}

}  // namespace

BoxTree::BoxTree(Device& device, Stream& stream, std::uint32_t n, VariantId builder)
    : device_(device),
      stream_(stream),
      builder_(builder),
      host_boxes_(triangle_boxes(n)),
      boxes_(device, n),
      count_(device, 1),
      codes_(device, n),
      sorted_codes_(device, n),
      primitives_(device, n),
      parent_(device, bvh().node_count()),
      root_(device, 1),
      bounds_(device, 1),
      nodes_(device, bvh().node_count()),
      scratch_(device) {
  boxes_.upload(stream, host_boxes_);
  count_.upload(stream, std::vector<std::uint32_t>{n});
  run();  // takes the scratch memory that it needs
  stream.synchronize();
}

Bvh BoxTree::bvh() const {
  return {.nodes = nodes_.data(),
          .parent = parent_.data(),
          .root = root_.data(),
          .capacity = static_cast<std::uint32_t>(boxes_.size())};
}

void BoxTree::run() {
  const auto n = static_cast<std::uint32_t>(boxes_.size());
  const auto run = [&]<Primitive primitive>(VariantId variant, const auto& args) {
    scratch_.run(device_.table().get<primitive>(variant), stream_, args);
  };
  run.operator()<Primitive::reduce>(
      default_variant(Primitive::reduce, device_.info().backend),
      ReduceArgs{
          .op = ReduceOperator::scene_bounds, .in = boxes_.data(), .n = n, .out = bounds_.data()});
  run.operator()<Primitive::morton>(find_variant(Primitive::morton, "bits30"),
                                    MortonArgs{.boxes = boxes_.data(),
                                               .count = count_.data(),
                                               .n = n,
                                               .bounds = bounds_.data(),
                                               .codes = codes_.data()});
  run.operator()<Primitive::sort>(default_variant(Primitive::sort, device_.info().backend),
                                  SortArgs{.keys_in = codes_.data(),
                                           .keys_out = sorted_codes_.data(),
                                           .values_out = primitives_.data(),
                                           .n = n,
                                           .end_bit = code_bits});
  run.operator()<Primitive::build>(builder_, BuildArgs{.codes = sorted_codes_.data(),
                                                       .primitives = primitives_.data(),
                                                       .count = count_.data(),
                                                       .boxes = boxes_.data(),
                                                       .bvh = bvh()});
  if ((builder_->traits & BuildTrait::fits) != 0) return;
  run.operator()<Primitive::refit>(
      default_variant(Primitive::refit, device_.info().backend),
      RefitArgs{
          .count = count_.data(), .boxes = boxes_.data(), .bvh = bvh(), .code_bits = code_bits});
}

std::unique_ptr<Graph> BoxTree::captured() {
  stream_.begin_capture();
  run();
  return stream_.end_capture();
}

std::string BoxTree::difference() {
  const auto spoil = [&](const auto& buffer) {
    stream_.fill(buffer.data(), spoiled_byte, buffer.bytes());
  };
  spoil(codes_);
  spoil(sorted_codes_);
  spoil(primitives_);
  spoil(parent_);
  spoil(root_);
  spoil(bounds_);
  spoil(nodes_);
  run();

  const auto n = static_cast<std::uint32_t>(boxes_.size());
  const std::vector<std::uint32_t> codes = reference::morton_bits30(
      host_boxes_, host_boxes_.size(), reference::bounds(host_boxes_).centres);
  const auto sorted = reference::sort<std::uint32_t>(codes, {}, 0, code_bits);
  const reference::Tree tree{nodes_.download(stream_), parent_.download(stream_),
                             root_.download(stream_).front(), n, n};
  const std::vector<std::uint64_t> keys(sorted.keys.begin(), sorted.keys.end());
  std::string topology = reference::check_topology(tree, keys, sorted.values);
  if (!topology.empty()) return topology;
  return reference::check_boxes(tree, host_boxes_);
}

double BoxTree::least_bytes() const {
  const Traffic traffic{.item = sizeof(std::uint32_t), .value = sizeof(std::uint32_t)};
  double each = sizeof(Aabb);  // of the reduction
  for (const Primitive primitive :
       {Primitive::morton, Primitive::sort, Primitive::build, Primitive::refit})
    each += warpview::least_bytes(primitive, traffic);
  return each * static_cast<double>(boxes_.size());
}

}  // namespace warpview::bench
