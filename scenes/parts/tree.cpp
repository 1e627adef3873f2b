#include "scenes/parts/tree.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <utility>

#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/reference/optimised.h"
#include "gpu/reference/reference.h"
#include "gpu/steps/mesh.h"
#include "scenes/parts/differences.h"

namespace warpview {
namespace {

using Snapshot = Tree::Snapshot;

std::string check_bounds(const Snapshot& s) {
  const SceneBounds bounds = reference::bounds(s.boxes);
  return first_of({difference("the bounds", s.bounds.points, bounds.points),
                   difference("the bounds of the centres", s.bounds.centres, bounds.centres)});
}

std::string check_morton(const Snapshot& s) {
  if (s.code_bits > 32)
    return difference("the code of triangle", s.codes,
                      reference::morton_bits63(s.boxes, s.boxes.size(), s.bounds.centres));
  const auto codes = reference::morton_bits30(s.boxes, s.boxes.size(), s.bounds.centres);
  return difference("the code of triangle", s.codes,
                    std::vector<std::uint64_t>(codes.begin(), codes.end()));
}

std::string check_sort(const Snapshot& s) {
  const auto sorted = reference::sort<std::uint64_t>(s.codes, {}, 0, s.code_bits);
  return first_of({difference("sorted code", s.sorted_codes, sorted.keys),
                   difference("the triangle of sorted code", s.primitives, sorted.values)});
}

// The radix tree does not depend on the boxes. Another tree does, and where it was only refitted
// the boxes that it was built from are gone. Of an optimised radix tree the numbers of the nodes
// that it began with are gone.
std::string check_links(const Snapshot& s, const reference::Tree& tree,
                        const std::vector<Aabb>& boxes) {
  const bool is_radix = (s.build_traits & BuildTrait::radix) != 0;
  const bool is_optimised = s.optimise_rounds > 0;
  if (is_radix && !is_optimised)
    return reference::check_topology(tree, s.sorted_codes, s.primitives);
  if (is_radix || !s.is_current) return reference::check_links(tree, s.primitives);
  return reference::check_same_links(
      tree, reference::optimised(s.optimise_traits,
                                 reference::built_tree(s.build_traits, s.sorted_codes, s.primitives,
                                                       boxes, tree.capacity),
                                 s.optimise_rounds));
}

// Depth and cost from the root down. The device adds the costs up in any order.
std::string check_statistics(const Snapshot& s) {
  constexpr double tolerance = 1e-6;
  std::uint32_t max_depth = 0;
  double cost = 0.0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open;  // node, depth
  if (s.root != Bvh::no_node) open.emplace_back(s.root, 0);
  const double root_area = open.empty() ? 0.0 : s.nodes[s.root].box().half_area();
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const BvhNode& node = s.nodes[index];
    max_depth = std::max(max_depth, depth);
    if (root_area > 0.0) cost += node.box().half_area() / root_area;
    if (node.is_leaf()) continue;
    open.emplace_back(node.left, depth + 1);
    open.emplace_back(node.right, depth + 1);
  }
  const auto inner_nodes = static_cast<std::uint32_t>(s.boxes.empty() ? 0 : s.boxes.size() - 1);
  const bool cost_differs = std::abs(s.statistics.sah_cost - cost) > tolerance * cost;
  return first_of(
      {difference("the number of inner nodes", s.statistics.inner_nodes, inner_nodes),
       difference("the tree's depth", s.statistics.max_depth, max_depth),
       cost_differs ? fmt::format("the tree's SAH cost is {}, not {}", s.statistics.sah_cost, cost)
                    : std::string()});
}

}  // namespace

reference::Tree Tree::Snapshot::tree() const {
  return {.nodes = nodes,
          .parent = parent,
          .root = root,
          .capacity = static_cast<std::uint32_t>((nodes.size() + 1) / 2),
          .count = static_cast<std::uint32_t>(boxes.size())};
}

Fact level_fact(std::uint32_t level, const DrawCommand& drawn) {
  return {.name = "bvh.level_boxes",
          .title = fmt::format("Level {}", level),
          .value = std::uint64_t{drawn.instances},
          .unit = drawn.instances == 1 ? "box" : "boxes",
          .tooltip = "Nodes at this depth below the root."};
}

std::uint64_t Tree::bytes_needed(std::uint64_t triangles) {
  const std::uint64_t order = sizeof(Aabb) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t tree = 2 * (sizeof(BvhNode) + 2 * sizeof(std::uint32_t));
  return triangles * (order + tree);
}

std::string stage_title(const std::string& prefix, const char* title) {
  if (prefix.empty()) return title;
  std::string words = prefix.substr(0, prefix.size() - 1) + ": " + title;
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

Tree::Tree(Timeline& timeline, const Triangles& triangles, std::string prefix,
           std::optional<std::uint32_t> optimise_rounds, const char* initial_build)
    : timeline_(timeline),
      triangles_(triangles),
      prefix_(std::move(prefix)),
      optimise_rounds_(optimise_rounds),
      initial_build_(initial_build) {
  Device& device = timeline.device();
  const std::size_t n = triangles.capacity;
  if (!triangles.given) boxes_ = {device, n};
  bounds_ = {device, 1};
  codes_ = {device, n};
  sorted_codes_ = {device, n};
  primitives_ = {device, n};
  nodes_ = {device, bvh().node_count()};
  parent_ = {device, bvh().node_count()};
  depth_ = {device, bvh().node_count()};
  root_ = {device, 1};
  statistics_ = {device, 1};
  ray_ = {device, 1};
  hit_ = {device, 1};
  steps_ = {device, 1};
  asked_ = {device, 1};
  leaf_ = {device, 1};
  read_bounds_ = timeline.read_back(bounds_.data());
  read_statistics_ = timeline.read_back(statistics_.data());
  read_count_ = timeline.read_back(triangles.count);
  add_stages();
}

Bvh Tree::bvh() const {
  return {.nodes = nodes_.data(),
          .parent = parent_.data(),
          .root = root_.data(),
          .capacity = triangles_.capacity};
}

bool Tree::build_fits() const { return (builder().traits & BuildTrait::fits) != 0; }
bool Tree::is_radix() const { return (traits() & BuildTrait::radix) != 0; }
unsigned Tree::traits() const {
  return traits_of_tree(builder().traits, optimise_rounds_.value_or(0));
}
int Tree::code_bits() const { return morton_code_bits(timeline_.variant(morton_).traits); }
int Tree::key_bits() const { return morton_key_bits(timeline_.variant(morton_).traits); }

StageWork Tree::work_of(StageId stage, double item_bytes) const {
  const std::uint64_t items = triangle_count();
  double each = item_bytes;
  if (timeline_.chosen(stage)) {
    const Traffic traffic{.item = item_bytes, .value = 4.0};
    each = least_bytes(timeline_.variant(stage).primitive, traffic);
    if (stage == build_ && build_fits()) each += least_bytes(Primitive::refit, traffic);
  }
  return {items, static_cast<std::uint64_t>(each * static_cast<double>(items))};
}

void Tree::add_stages() {
  const auto titled = [this](const char* title) { return stage_title(prefix_, title); };
  const auto key_bytes = [this] { return key_bits() / 8.0; };
  if (!triangles_.given) {
    box_stage_ = timeline_.add(
        {.name = prefix_ + "boxes",
         .title = titled("Triangle boxes"),
         .about = "Computes the bounding box of each triangle.",
         .queue =
             [this](const StageRun& run) {
               run.run<Step::triangle_boxes>(TriangleBoxArgs{.vertices = triangles_.vertices,
                                                             .indices = triangles_.indices,
                                                             .count = triangles_.count,
                                                             .n = triangles_.capacity,
                                                             .boxes = boxes_.data()});
             },
         // Indices and, at best, each vertex's position once; the box.
         .work =
             [this] {
               return work_of(box_stage_, 3 * sizeof(std::uint32_t) + sizeof(Vec3) + sizeof(Aabb));
             }});
    to_build_.push_back(box_stage_);
  }
  bounds_stage_ =
      timeline_.add({.name = prefix_ + "bounds",
                     .title = titled("Bounds"),
                     .about = "Reduces all boxes to the bounds of the scene, and their centres to "
                              "the bounds of the Morton codes.",
                     .primitive = Primitive::reduce,
                     .queue =
                         [this](const StageRun& run) {
                           run.run<Primitive::reduce>(ReduceArgs{.op = ReduceOperator::scene_bounds,
                                                                 .in = boxes(),
                                                                 .n = triangles_.capacity,
                                                                 .out = bounds_.data()});
                         },
                     .work = [this] { return work_of(bounds_stage_, sizeof(Aabb)); },
                     .why_not =
                         [](VariantId variant) {
                           return why_not_reduced(variant->traits, ReduceOperator::scene_bounds);
                         },
                     .of_mesh = !triangles_.given});
  morton_ = timeline_.add(
      {.name = prefix_ + "morton",
       .title = titled("Morton codes"),
       .about = "Computes the Morton code of each box: its centre on a space-filling curve.",
       .primitive = Primitive::morton,
       .queue =
           [this](const StageRun& run) {
             run.run<Primitive::morton>(MortonArgs{.boxes = boxes(),
                                                   .count = triangles_.count,
                                                   .n = triangles_.capacity,
                                                   .bounds = bounds_.data(),
                                                   .codes = codes_.data()});
           },
       .work = [this, key_bytes] { return work_of(morton_, key_bytes()); },
       .of_mesh = !triangles_.given});
  sort_ = timeline_.add({.name = prefix_ + "sort",
                         .title = titled("Sort"),
                         .about = "Sorts the triangles by their Morton codes, which puts "
                                  "neighbours in space next to each other.",
                         .primitive = Primitive::sort,
                         .queue =
                             [this](const StageRun& run) {
                               run.run<Primitive::sort>(
                                   SortArgs{.key = key_bits() == 64 ? SortKey::u64 : SortKey::u32,
                                            .keys_in = codes_.data(),
                                            .keys_out = sorted_codes_.data(),
                                            .values_in = nullptr,
                                            .values_out = primitives_.data(),
                                            .n = triangles_.capacity,
                                            .begin_bit = 0,
                                            .end_bit = code_bits()});
                             },
                         .work = [this, key_bytes] { return work_of(sort_, key_bytes()); },
                         .of_mesh = !triangles_.given});
  build_ =
      timeline_.add({.name = prefix_ + "build",
                     .title = titled("Build"),
                     .about = "Builds the BVH over the sorted codes: a node splits its range where "
                              "the highest bit of the codes differs, or near clusters are joined.",
                     .primitive = Primitive::build,
                     .initial = initial_build_,
                     .queue =
                         [this](const StageRun& run) {
                           run.run<Primitive::build>(BuildArgs{.key_bits = key_bits(),
                                                               .codes = sorted_codes_.data(),
                                                               .primitives = primitives_.data(),
                                                               .count = triangles_.count,
                                                               .boxes = boxes(),
                                                               .bvh = bvh()});
                         },
                     .work = [this, key_bytes] { return work_of(build_, key_bytes()); },
                     .of_mesh = !triangles_.given});
  refit_ = timeline_.add(
      {.name = prefix_ + "refit",
       .title = titled("Refit"),
       .about = "Computes the boxes of the BVH nodes from the leaves to the root.",
       .primitive = Primitive::refit,
       .queue =
           [this](const StageRun& run) {
             run.run<Primitive::refit>(RefitArgs{.count = triangles_.count,
                                                 .boxes = boxes(),
                                                 .bvh = bvh(),
                                                 .code_bits = code_bits()});
           },
       .work = [this, key_bytes] { return work_of(refit_, key_bytes()); },
       .why_not =
           [this](VariantId variant) {
             return std::string(why_not_refitted(variant->traits, traits()));
           },
       // A tree that was only refitted had its boxes from here, whatever the builder does.
       .done_by =
           [this] { return build_fits() && is_current_ ? std::optional(build_) : std::nullopt; },
       .of_mesh = !triangles_.given});
  to_build_.insert(to_build_.end(), {bounds_stage_, morton_, sort_, build_});
  if (optimise_rounds_) add_optimise_stage(titled("Optimise"));
  statistics_stage_ = timeline_.add(
      {.name = prefix_ + "statistics",
       .title = titled("Statistics"),
       .about = "Computes the depth of each BVH node, and the SAH cost of the tree.",
       .queue =
           [this](const StageRun& run) {
             run.run<Step::tree_statistics>(TreeStatisticsArgs{.count = triangles_.count,
                                                               .bvh = bvh(),
                                                               .depth = depth_.data(),
                                                               .out = statistics_.data()});
           },
       // The box, parent and depth of each of two nodes per triangle.
       .work = [this] { return work_of(statistics_stage_, 2 * (sizeof(BvhNode) + 8)); }});
}

void Tree::add_optimise_stage(std::string title) {
  optimise_ = timeline_.add(
      {.name = prefix_ + "optimise",
       .title = std::move(title),
       .about = "Changes the links of the tree until rays have less to do: subtrees move to better "
                "places, or the tops of subtrees get their best nodes. Nothing with 0 rounds.",
       .primitive = Primitive::optimise,
       .queue =
           [this](const StageRun& run) {
             run.run<Primitive::optimise>(OptimiseArgs{
                 .count = triangles_.count, .bvh = bvh(), .rounds = *optimise_rounds_});
           },
       .work = [this] { return is_optimised() ? work_of(optimise_, 0.0) : StageWork{}; },
       .of_mesh = !triangles_.given});
}

// The optimiser works on what build and refit made, and leaves something else there: they run
// before it each time.
void Tree::rebuild(StageId first) {
  if (!keeps_topology(first)) {
    for (const StageId stage : to_build_)
      if (stage >= first || !is_current_ || (stage == build_ && is_optimised()))
        run_from(first, stage);
    is_current_ = true;
    if (!build_fits()) run_from(first, refit_);
    if (is_optimised()) run_from(first, optimise_);
  } else if (!is_optimised() && (!build_fits() || !is_current_)) {
    run_from(first, refit_);
  }
  run_from(first, statistics_stage_);
}

void Tree::rebuild_untimed() {
  for (const StageId stage : to_build_) timeline_.run_untimed(stage);
  if (!build_fits()) timeline_.run_untimed(refit_);
  if (is_optimised()) timeline_.run_untimed(optimise_);
  timeline_.run_untimed(statistics_stage_);
  is_current_ = true;
}

void Tree::refit(StageId first) {
  if (!triangles_.given) run_from(first, box_stage_);
  for (const StageId stage : {refit_, statistics_stage_}) run_from(first, stage);
  is_current_ = false;
}

void Tree::run_from(StageId first, StageId stage) {
  if (stage < first)
    timeline_.run_untimed(stage);
  else
    timeline_.run(stage);
}

double Tree::milliseconds(double (StageTimes::*of)() const) const {
  double sum = 0.0;
  const auto add = [&](StageId stage) { sum += (timeline_.times(stage).*of)(); };
  if (!triangles_.given) add(box_stage_);
  if (is_current_)
    for (const StageId stage : {bounds_stage_, morton_, sort_, build_}) add(stage);
  if (!is_current_ || !build_fits()) add(refit_);
  if (is_current_ && is_optimised()) add(optimise_);
  return sum;
}

bool Tree::repeat(StageId stage) {
  if (!is_ours(stage)) return false;
  // The stages up to `build` need the input that a deformed tree has overwritten.
  if (!keeps_topology(stage) && !is_current_) rebuild_untimed();
  const bool optimises = optimise_rounds_ && stage == optimise_;
  if (optimises && !is_optimised()) return true;  // nothing to repeat
  if (optimises) {
    timeline_.run_untimed(build_);
    if (!build_fits()) timeline_.run_untimed(refit_);
  }
  timeline_.run(stage);
  // Build writes the topology alone; its boxes are gone with it, and its better links.
  if (stage == build_ && !build_fits()) timeline_.run(refit_);
  if (stage == build_ && is_optimised()) timeline_.run_untimed(optimise_);
  return true;
}

Tree::Traced Tree::trace(const BoundedRay& ray) {
  Stream& stream = timeline_.stream();
  ray_.upload(stream, {&ray, 1});
  if (triangles_.given) {
    timeline_.run_step<Step::trace_boxes>({.rays = ray_.data(),
                                           .n = 1,
                                           .count = triangles_.count,
                                           .bvh = bvh(),
                                           .hits = hit_.data(),
                                           .steps = steps_.data()});
  } else {
    Scratch none(nullptr, 0);
    timeline_.device().table().get<Primitive::trace>(find_variant(Primitive::trace, "stack"))(
        stream,
        {.rays = ray_.data(),
         .n = 1,
         .count = triangles_.count,
         .bvh = bvh(),
         .vertices = triangles_.vertices,
         .indices = triangles_.indices,
         .hits = hit_.data(),
         .steps = steps_.data()},
        none);
  }
  return {hit_.download(stream).front(), steps_.download(stream).front()};
}

LeafPlace Tree::leaf_of(std::uint32_t triangle) {
  Stream& stream = timeline_.stream();
  asked_.upload(stream, {&triangle, 1});
  timeline_.run_step<Step::write_path>({.count = triangles_.count,
                                        .bvh = bvh(),
                                        .depth = depth_.data(),
                                        .primitives = primitives_.data(),
                                        .picked = asked_.data(),
                                        .n = triangles_.capacity,
                                        .leaf = leaf_.data()});
  return leaf_.download(stream).front();
}

std::uint64_t Tree::code_of(std::uint32_t triangle) const {
  Stream& stream = timeline_.stream();
  const std::size_t bytes = static_cast<std::size_t>(key_bits()) / 8;
  std::uint64_t code = 0;
  stream.copy(&code, reinterpret_cast<const std::byte*>(codes_.data()) + triangle * bytes, bytes,
              Copy::device_to_host);
  stream.synchronize();
  return code;
}

Tree::Snapshot Tree::snapshot(std::uint32_t vertex_count) const {
  timeline_.collect();
  Stream& stream = timeline_.stream();
  std::uint32_t count = 0;
  stream.copy(&count, triangles_.count, sizeof count, Copy::device_to_host);
  stream.synchronize();
  const auto read = [&stream]<class T>(const T* from, std::size_t n) {
    std::vector<T> to(n);
    if (n > 0) stream.copy(to.data(), from, n * sizeof(T), Copy::device_to_host);
    stream.synchronize();
    return to;
  };
  // Only what is defined is read: codes may be narrower than their buffer, and a tree over fewer
  // triangles than it has room for leaves nodes unused.
  const auto codes_of = [&](const Buffer<std::uint64_t>& buffer) {
    if (key_bits() == 64) return read(buffer.data(), count);
    const auto narrow = read(reinterpret_cast<const std::uint32_t*>(buffer.data()), count);
    return std::vector<std::uint64_t>(narrow.begin(), narrow.end());
  };
  const auto nodes_of = [&]<class T>(const Buffer<T>& buffer) {
    std::vector<T> nodes(buffer.size());
    if (count == 0) return nodes;
    const std::size_t first_leaf = buffer.size() / 2;
    const auto inner = read(buffer.data(), count - 1);
    const auto leaves = read(buffer.data() + first_leaf, count);
    std::copy(inner.begin(), inner.end(), nodes.begin());
    std::copy(leaves.begin(), leaves.end(),
              nodes.begin() + static_cast<std::ptrdiff_t>(first_leaf));
    return nodes;
  };
  Snapshot s;
  if (!triangles_.given) {
    s.vertices = read(triangles_.vertices, vertex_count);
    s.indices = read(triangles_.indices, 3 * std::size_t{count});
  }
  s.boxes = read(boxes(), count);
  s.bounds = bounds_.download(stream).front();
  s.key_bits = key_bits();
  s.code_bits = code_bits();
  s.codes = codes_of(codes_);
  s.sorted_codes = codes_of(sorted_codes_);
  s.primitives = primitives_.download(stream, count);
  s.nodes = nodes_of(nodes_);
  s.parent = nodes_of(parent_);
  s.root = root_.download(stream).front();
  s.statistics = statistics_.download(stream).front();
  s.is_current = is_current_;
  s.build_traits = builder().traits;
  s.optimise_rounds = optimise_rounds_.value_or(0);
  if (optimise_rounds_) s.optimise_traits = timeline_.variant(optimise_).traits;
  return s;
}

std::vector<Check> Tree::verify(const Snapshot& s) const {
  std::vector<Check> checks;
  const auto check = [&](const char* stage, std::string difference) {
    checks.push_back({prefix_ + stage, std::move(difference)});
    return checks.back().difference.empty();
  };
  const std::vector<Aabb> boxes =
      triangles_.given ? s.boxes : reference::triangle_boxes(s.vertices, s.indices);
  if (!triangles_.given && !check("boxes", difference("the box of triangle", s.boxes, boxes)))
    return checks;
  if (s.is_current && !check("bounds", check_bounds(s))) return checks;
  if (s.is_current && !check("morton", check_morton(s))) return checks;
  if (!check("sort", check_sort(s))) return checks;
  const reference::Tree tree = s.tree();
  // Once optimised, the links are those of both stages.
  std::string wrong_links = check_links(s, tree, boxes);
  if (s.optimise_rounds > 0 && !check("optimise", wrong_links)) return checks;
  if (!check("build", std::move(wrong_links))) return checks;
  if (!check("refit", reference::check_boxes(tree, boxes))) return checks;
  check("statistics", check_statistics(s));
  return checks;
}

}  // namespace warpview
