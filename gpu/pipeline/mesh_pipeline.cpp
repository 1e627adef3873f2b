#include "gpu/pipeline/mesh_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace warpview {

namespace {

constexpr std::uint64_t most_corners = std::uint64_t{1} << 31U;

std::uint32_t checked_triangles(std::span<const Vertex> corners,
                                std::span<const std::uint32_t> material) {
  if (corners.size() >= most_corners)
    throw Error(
        fmt::format("a mesh of {} corners", corners.size()),
        fmt::format("indices have 32 bits: fewer than {} corners are possible", most_corners),
        "Split the mesh");
  if (corners.size() != 3 * material.size())
    throw Error(fmt::format("a mesh of {} corners and {} material numbers", corners.size(),
                            material.size()),
                "a triangle has three corners and one material", "Pass matching arrays");
  return static_cast<std::uint32_t>(material.size());
}

double megabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-6; }

}  // namespace

const char* to_string(Stage stage) {
  const auto primitive = primitive_of(stage);
  return primitive ? to_string(*primitive) : "upload";
}

const char* title(Stage stage) {
  switch (stage) {
    case Stage::upload:
      return "Upload";
    case Stage::scan:
      return "Drop non-finite (scan)";
    case Stage::dedup:
      return "De-duplication";
    case Stage::bounds:
      return "Bounds";
    case Stage::morton:
      return "Morton codes";
    case Stage::sort:
      return "Sort";
    case Stage::build:
      return "Build";
    case Stage::refit:
      return "Refit";
  }
  return "";
}

std::optional<Primitive> primitive_of(Stage stage) {
  switch (stage) {
    case Stage::upload:
      return {};
    case Stage::scan:
      return Primitive::scan;
    case Stage::dedup:
      return Primitive::dedup;
    case Stage::bounds:
      return Primitive::reduce;
    case Stage::morton:
      return Primitive::morton;
    case Stage::sort:
      return Primitive::sort;
    case Stage::build:
      return Primitive::build;
    case Stage::refit:
      return Primitive::refit;
  }
  return {};
}

const char* to_string(Animation animation) {
  switch (animation) {
    case Animation::once:
      return "once";
    case Animation::refit:
      return "refit";
    case Animation::rebuild:
      return "rebuild";
  }
  return "";
}

void StageTimes::collect() {
  if (!recorded_) return;
  recorded_ = false;
  milliseconds_.push_back(end_->milliseconds_since(*begin_));
  if (milliseconds_.size() > kept) milliseconds_.pop_front();
}

double StageTimes::median() const {
  if (milliseconds_.empty()) return 0.0;
  std::vector<double> sorted(milliseconds_.begin(), milliseconds_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

double StageTimes::least() const {
  return milliseconds_.empty() ? 0.0
                               : *std::min_element(milliseconds_.begin(), milliseconds_.end());
}

std::uint64_t MeshPipeline::bytes_needed(std::uint64_t triangles) {
  // Corners as uploaded and as kept, vertices at rest and deformed: at most one vertex a corner.
  const std::uint64_t corners = 3 * (4 * sizeof(Vertex) + sizeof(std::uint32_t));
  const std::uint64_t materials = 2 * sizeof(std::uint32_t);
  const std::uint64_t order = sizeof(Aabb) + 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t tree = 2 * (sizeof(BvhNode) + 2 * sizeof(std::uint32_t));
  return triangles * (corners + materials + order + tree);
}

MeshPipeline::MeshPipeline(Device& device, std::span<const Vertex> corners,
                           std::span<const std::uint32_t> material, const VariantChoice& choice)
    : device_(device),
      stream_(device.create_stream()),
      host_corners_(corners),
      host_material_(material),
      choice_(choice),
      triangles_(checked_triangles(corners, material)),
      scratch_(device),
      frame_times_(device) {
  for (int i = 0; i < stage_count; ++i) times_.emplace_back(device);
  counts_ = {device, 1};  // arguments of the stages point into it, measured ones too

  const std::uint64_t needed = bytes_needed(triangles_) + scratch_needed();
  const std::uint64_t available = device.memory_available();
  if (needed > available)
    throw Error(fmt::format("a mesh of {} triangles on {}", triangles_, device.info().name),
                fmt::format("it needs {:.1f} MB of device memory and {:.1f} MB are free",
                            megabytes(needed), megabytes(available)),
                "Open a smaller mesh, or choose a device with more memory");

  const std::size_t n = triangles_;
  corners_ = {device, 3 * n};
  kept_corners_ = {device, 3 * n};
  rest_ = {device, 3 * n};
  material_ = {device, n};
  kept_material_ = {device, n};
  indices_ = {device, 3 * n};
  boxes_ = {device, n};
  bounds_ = {device, 1};
  codes_ = {device, n};
  sorted_codes_ = {device, n};
  primitives_ = {device, n};
  nodes_ = {device, bvh().node_count()};
  parent_ = {device, bvh().node_count()};
  depth_ = {device, bvh().node_count()};
  root_ = {device, 1};
  statistics_ = {device, 1};
  commands_ = {device, 1};
  parameters_ = {device, 1};
  scratch_.reserve(scratch_needed());
  host_ = static_cast<ReadBack*>(device.allocate_pinned(sizeof(ReadBack)));
  host_parameters_ = static_cast<Parameters*>(device.allocate_pinned(sizeof(Parameters)));
  *host_ = {};
  *host_parameters_ = {};
  stream_->fill(commands_.data(), 0, commands_.bytes());
}

MeshPipeline::~MeshPipeline() {
  try {
    stream_->synchronize();  // nothing may still write what is freed below
  } catch (const Error&) {
    // The device failed earlier; whoever asked it for a result has been told.
  }
  if (host_) device_.release_pinned(host_);
  if (host_parameters_) device_.release_pinned(host_parameters_);
}

Bvh MeshPipeline::bvh() const {
  return {.nodes = nodes_.data(),
          .parent = parent_.data(),
          .root = root_.data(),
          .capacity = triangles_};
}

const std::uint32_t* MeshPipeline::triangle_count() const { return &counts_.data()->triangles; }

// The one place that says what each stage runs on: use(function, arguments). Used to measure
// scratch memory before anything is allocated, and to run.
template <class Use>
void MeshPipeline::with_stage(Stage stage, Use&& use) {
  const BackendTable& table = device_.table();
  ScanFunction* scan = table.get<Primitive::scan>(choice_[Primitive::scan]);
  const int morton = choice_[Primitive::morton];
  MeshCounts* counts = counts_.data();
  switch (stage) {
    case Stage::upload:
      break;
    case Stage::scan:
      use(table.drop, DropArgs{.corners = corners_.data(),
                               .material = material_.data(),
                               .n = triangles_,
                               .kept_corners = kept_corners_.data(),
                               .kept_material = kept_material_.data(),
                               .counts = counts,
                               .scan = scan});
      break;
    case Stage::dedup:
      use(table.get<Primitive::dedup>(choice_[Primitive::dedup]),
          DedupArgs{.corners = kept_corners_.data(),
                    .count = &counts->corners,
                    .n = 3 * triangles_,
                    .indices = indices_.data(),
                    .vertices = rest_.data(),
                    .vertex_count = &counts->vertices,
                    .scan = scan});
      break;
    case Stage::bounds:
      use(table.get<Primitive::reduce>(choice_[Primitive::reduce]),
          ReduceArgs{.op = ReduceOperator::scene_bounds,
                     .in = boxes_.data(),
                     .n = triangles_,
                     .out = bounds_.data()});
      break;
    case Stage::morton:
      use(table.get<Primitive::morton>(morton), MortonArgs{.boxes = boxes_.data(),
                                                           .count = triangle_count(),
                                                           .n = triangles_,
                                                           .bounds = bounds_.data(),
                                                           .codes = codes_.data()});
      break;
    case Stage::sort:
      use(table.get<Primitive::sort>(choice_[Primitive::sort]),
          SortArgs{.key = morton_key_bits(morton) == 64 ? SortKey::u64 : SortKey::u32,
                   .keys_in = codes_.data(),
                   .keys_out = sorted_codes_.data(),
                   .values_in = nullptr,
                   .values_out = primitives_.data(),
                   .n = triangles_,
                   .begin_bit = 0,
                   .end_bit = morton_code_bits(morton)});
      break;
    case Stage::build:
      use(table.get<Primitive::build>(choice_[Primitive::build]),
          BuildArgs{.code_bits = morton_key_bits(morton),
                    .codes = sorted_codes_.data(),
                    .primitives = primitives_.data(),
                    .count = triangle_count(),
                    .boxes = boxes_.data(),
                    .bvh = bvh()});
      break;
    case Stage::refit:
      use(table.get<Primitive::refit>(choice_[Primitive::refit]),
          RefitArgs{.count = triangle_count(), .boxes = boxes_.data(), .bvh = bvh()});
      break;
  }
}

std::uint64_t MeshPipeline::scratch_needed() {
  std::size_t most = 0;
  for (const Stage stage : all_stages)
    with_stage(stage, [&](auto* function, const auto& args) {
      most = std::max(most, workspace_bytes(function, *stream_, args));
    });
  return most;
}

void MeshPipeline::run_stage(Stage stage) {
  times(stage).begin(*stream_);
  if (stage == Stage::upload) {
    stream_->copy(corners_.data(), host_corners_.data(), corners_.bytes(), Copy::host_to_device);
    stream_->copy(material_.data(), host_material_.data(), material_.bytes(), Copy::host_to_device);
  }
  with_stage(stage,
             [&](auto* function, const auto& args) { scratch_.run(function, *stream_, args); });
  times(stage).end(*stream_);
}

void MeshPipeline::find_triangle_boxes() {
  device_.table().triangle_boxes(*stream_, {.vertices = positions(),
                                            .indices = indices_.data(),
                                            .count = triangle_count(),
                                            .n = triangles_,
                                            .boxes = boxes_.data()});
}

void MeshPipeline::rebuild() {
  for (const Stage stage : {Stage::bounds, Stage::morton, Stage::sort, Stage::build})
    run_stage(stage);
  if (!build_fits(choice_[Primitive::build])) run_stage(Stage::refit);
}

void MeshPipeline::find_statistics() {
  device_.table().tree_statistics(
      *stream_,
      {.count = triangle_count(), .bvh = bvh(), .depth = depth_.data(), .out = statistics_.data()});
}

void MeshPipeline::compute() {
  deformed_ = false;
  tree_is_current_ = true;
  run_stage(Stage::scan);
  run_stage(Stage::dedup);
  find_triangle_boxes();
  rebuild();
  find_statistics();
  read_back();
}

void MeshPipeline::load() {
  run_stage(Stage::upload);
  compute();
  collect();
}

void MeshPipeline::repeat(Stage stage) {
  collect();
  // The input of `scan` and `dedup` is the mesh at rest; that of the stages up to `build` is gone
  // where a deformed tree was only refitted.
  if (stage < Stage::bounds ? deformed_ : stage < Stage::refit && !tree_is_current_) compute();
  run_stage(stage);
  // Build writes the topology alone; its boxes are gone with it.
  if (stage == Stage::build && !build_fits(choice_[Primitive::build])) run_stage(Stage::refit);
  collect();
}

void MeshPipeline::choose(const VariantChoice& choice) {
  if (choice == choice_) return;
  collect();  // the scratch memory may be replaced: nothing may still use it
  const VariantChoice before = choice_;
  choice_ = choice;
  try {
    scratch_.reserve(scratch_needed());
  } catch (const Error&) {  // not available on this backend, or no memory: stay with what worked
    choice_ = before;
    scratch_.reserve(scratch_needed());
    throw;
  }
  graph_key_.reset();  // scratch may have moved
  for (const Stage stage : all_stages) {
    const auto primitive = primitive_of(stage);
    if (primitive && before[*primitive] != choice[*primitive]) times(stage).forget();
  }
}

void MeshPipeline::frame(const FrameRequest& request) {
  collect();  // the previous frame has read its parameters
  const bool animated = request.animation != Animation::once;
  if (animated && vertices_.size() == 0) vertices_ = {device_, rest_.size()};
  if (!animated && deformed_) compute();
  if (animated) deformed_ = true;
  if (request.animation == Animation::refit) tree_is_current_ = false;
  if (request.animation == Animation::rebuild) tree_is_current_ = true;

  *host_parameters_ = {request.wave, request.level};
  stream_->copy(parameters_.data(), host_parameters_, sizeof(Parameters), Copy::host_to_device);

  used_graph_ = animated && request.graph && device_.events_in_graphs();
  if (!used_graph_) {
    queue_frame(request);
    return;
  }
  const GraphKey key{request.animation, request.targets, choice_};
  if (graph_key_ != key) {
    graph_key_.reset();
    stream_->begin_capture();
    try {
      queue_frame(request);
    } catch (...) {
      stream_->end_capture();
      throw;
    }
    graph_ = stream_->end_capture();
    graph_key_ = key;
  }
  stream_->launch(*graph_);
  frame_times_.replayed();
  for (const Stage stage : stages_of_frame(request.animation)) times(stage).replayed();
}

std::vector<Stage> MeshPipeline::stages_of_frame(Animation animation) const {
  if (animation == Animation::once) return {};
  if (animation == Animation::refit) return {Stage::refit};
  std::vector<Stage> stages = {Stage::bounds, Stage::morton, Stage::sort, Stage::build};
  if (!build_fits(choice_[Primitive::build])) stages.push_back(Stage::refit);
  return stages;
}

void MeshPipeline::queue_frame(const FrameRequest& request) {
  const BackendTable& table = device_.table();
  const DrawTargets& targets = request.targets;
  frame_times_.begin(*stream_);
  if (request.animation != Animation::once) {
    table.deform(*stream_, {.rest = rest_.data(),
                            .count = &counts_.data()->vertices,
                            .n = vertex_capacity(),
                            .wave = &parameters_.data()->wave,
                            .vertices = vertices_.data()});
    find_triangle_boxes();
    if (request.animation == Animation::refit)
      run_stage(Stage::refit);
    else
      rebuild();
    find_statistics();
  }
  if (targets.vertices || targets.indices || targets.material)
    table.write_mesh(*stream_, {.vertices = positions(),
                                .counts = counts_.data(),
                                .n_vertices = vertex_capacity(),
                                .out_vertices = targets.vertices,
                                .indices = indices_.data(),
                                .material = kept_material_.data(),
                                .n_triangles = triangles_,
                                .out_indices = targets.indices,
                                .out_material = targets.material,
                                .commands = commands_.data()});
  if (targets.boxes)
    table.write_boxes(*stream_, {.count = triangle_count(),
                                 .bvh = bvh(),
                                 .depth = depth_.data(),
                                 .level = &parameters_.data()->level,
                                 .out = targets.boxes,
                                 .commands = commands_.data()});
  if (targets.curve)
    table.write_curve(*stream_, {.count = triangle_count(),
                                 .boxes = boxes_.data(),
                                 .primitives = primitives_.data(),
                                 .n = triangles_,
                                 .out = targets.curve,
                                 .commands = commands_.data()});
  if (targets.commands)
    stream_->copy(targets.commands, commands_.data(), sizeof(DrawCommands), Copy::device_to_device);
  frame_times_.end(*stream_);
  read_back();
}

void MeshPipeline::read_back() {
  stream_->copy(&host_->counts, counts_.data(), sizeof(MeshCounts), Copy::device_to_host);
  stream_->copy(&host_->statistics, statistics_.data(), sizeof(TreeStatistics),
                Copy::device_to_host);
  stream_->copy(&host_->bounds, bounds_.data(), sizeof(SceneBounds), Copy::device_to_host);
}

void MeshPipeline::collect() {
  stream_->synchronize();
  for (StageTimes& times : times_) times.collect();
  frame_times_.collect();
}

void MeshPipeline::forget_times() {
  collect();
  for (StageTimes& times : times_) times.forget();
  frame_times_.forget();
}

std::vector<StageReport> MeshPipeline::stages() const {
  std::vector<StageReport> reports;
  const int key_bits = morton_key_bits(choice_[Primitive::morton]);
  const double key_bytes = key_bits / 8.0;
  const double passes = (morton_code_bits(choice_[Primitive::morton]) + 7) / 8;  // NOLINT: whole
  for (const Stage stage : all_stages) {
    StageReport report{
        .stage = stage, .variant = "-", .times = &times_[static_cast<std::size_t>(stage)]};
    const auto primitive = primitive_of(stage);
    double bytes_each = sizeof(Vertex);
    if (primitive) {
      const Variant& variant = variants()[static_cast<std::size_t>(choice_[*primitive])];
      report.variant = variant.name;
      // The scan is of flags, the bounds are of boxes, everything else is of keys.
      const double item_bytes = stage == Stage::scan     ? sizeof(std::uint32_t)
                                : stage == Stage::bounds ? sizeof(Aabb)
                                                         : key_bytes;
      bytes_each = variant.bytes_per_item({.item = item_bytes, .value = 4.0, .passes = passes});
    }
    report.items = host_->counts.triangles;
    if (stage == Stage::upload) report.items = host_corners_.size();
    if (stage == Stage::scan) {
      report.items = triangles_;
      // Around the scan: positions are read to flag a triangle; its corners and material are read
      // again with their new place, and written.
      bytes_each += 3.0 * sizeof(Vec3) + 4.0 + 2.0 * (3.0 * sizeof(Vertex) + 4.0) + 4.0;
    }
    if (stage == Stage::dedup) report.items = host_->counts.corners;
    report.bytes = static_cast<std::uint64_t>(bytes_each * static_cast<double>(report.items));
    report.fused = stage == Stage::refit && build_fits(choice_[Primitive::build]);
    reports.push_back(std::move(report));
  }
  return reports;
}

MeshPipeline::Snapshot MeshPipeline::snapshot() {
  collect();
  Snapshot s;
  const auto read = [this]<class T>(T* to, const T* from, std::size_t count) {
    if (count > 0) stream_->copy(to, from, count * sizeof(T), Copy::device_to_host);
    stream_->synchronize();
  };
  s.counts = host_->counts;
  s.statistics = host_->statistics;
  s.bounds = host_->bounds;
  s.corners = kept_corners_.download(*stream_, s.counts.corners);
  s.material = kept_material_.download(*stream_, s.counts.triangles);
  s.rest = rest_.download(*stream_, s.counts.vertices);
  s.vertices = deformed_ ? vertices_.download(*stream_, s.counts.vertices) : s.rest;
  s.indices = indices_.download(*stream_, s.counts.corners);
  s.boxes = boxes_.download(*stream_, s.counts.triangles);
  s.code_bits = morton_key_bits(choice_[Primitive::morton]);
  // Only what is defined is read: codes may be narrower than their buffer, and a tree over fewer
  // triangles than it has room for leaves nodes unused.
  const auto codes_of = [&](const Buffer<std::uint64_t>& buffer) {
    std::vector<std::uint64_t> codes(s.counts.triangles);
    if (s.code_bits == 64) {
      read(codes.data(), buffer.data(), codes.size());
    } else {
      std::vector<std::uint32_t> narrow(codes.size());
      read(narrow.data(), reinterpret_cast<const std::uint32_t*>(buffer.data()), narrow.size());
      std::copy(narrow.begin(), narrow.end(), codes.begin());
    }
    return codes;
  };
  const auto nodes_of = [&]<class T>(const Buffer<T>& buffer) {
    std::vector<T> nodes(buffer.size());
    const std::size_t count = s.counts.triangles;
    if (count == 0) return nodes;
    const std::size_t first_leaf = buffer.size() / 2;
    read(nodes.data(), buffer.data(), count - 1);
    read(&nodes[first_leaf], buffer.data() + first_leaf, count);
    return nodes;
  };
  s.codes = codes_of(codes_);
  s.sorted_codes = codes_of(sorted_codes_);
  s.primitives = primitives_.download(*stream_, s.counts.triangles);
  s.nodes = nodes_of(nodes_);
  s.parent = nodes_of(parent_);
  s.root = root_.download(*stream_).front();
  s.tree_is_current = tree_is_current_;
  return s;
}

}  // namespace warpview
