// The mesh pipeline: from corners in host memory to a fitted BVH, and the frames that follow.
//
//   upload -> scan (drop what is not finite) -> dedup -> bounds -> morton -> sort -> build -> refit
//
// Every stage is timed with device events. Counts that depend on the data stay on the device:
// launches are sized by upper bounds, kernels read the counts, and the host sees them a frame late.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/scratch.h"

namespace warpview {

// In order. All but `upload` are the primitive of the same name; `scan` drops non-finite triangles.
enum class Stage { upload, scan, dedup, bounds, morton, sort, build, refit };
inline constexpr int stage_count = 8;
inline constexpr std::array<Stage, stage_count> all_stages = {
    Stage::upload, Stage::scan, Stage::dedup, Stage::bounds,
    Stage::morton, Stage::sort, Stage::build, Stage::refit};
const char* to_string(Stage stage);                  // "dedup"
const char* title(Stage stage);                      // "De-duplication"
std::optional<Primitive> primitive_of(Stage stage);  // none for upload

// The times of one stage over its last runs, from device events.
class StageTimes {
 public:
  static constexpr std::size_t kept = 120;

  explicit StageTimes(Device& device)
      : begin_(device.create_event()), end_(device.create_event()) {}

  void begin(Stream& stream) { stream.record(*begin_); }
  void end(Stream& stream) {
    stream.record(*end_);
    recorded_ = true;
  }
  // A launched graph has recorded the events again.
  void replayed() { recorded_ = true; }
  // Takes in the last run. The stream must have passed it.
  void collect();
  void forget() { milliseconds_.clear(); }

  const std::deque<double>& milliseconds() const { return milliseconds_; }  // oldest first
  double last() const { return milliseconds_.empty() ? 0.0 : milliseconds_.back(); }
  double median() const;
  double least() const;

 private:
  std::unique_ptr<Event> begin_, end_;
  bool recorded_ = false;
  std::deque<double> milliseconds_;
};

// What the panel and the report say of a stage.
struct StageReport {
  Stage stage;
  std::string variant;  // "-" for upload
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  // fewest that the variant moves for these items
  const StageTimes* times = nullptr;
  bool fused = false;  // refit: done by the builder in the same pass
  double median_gb_per_s() const {
    const double ms = times->median();
    return ms > 0 ? static_cast<double>(bytes) / ms * 1e-6 : 0.0;
  }
};

enum class Animation { once, refit, rebuild };
const char* to_string(Animation animation);

// Where the frame leaves what is drawn: device addresses of mapped buffers. A null member is not
// written, the buffer keeps what it had.
struct DrawTargets {
  Vertex* vertices = nullptr;         // room for vertex_capacity()
  std::uint32_t* indices = nullptr;   // 3 * triangle_capacity()
  std::uint32_t* material = nullptr;  // triangle_capacity()
  Aabb* boxes = nullptr;              // triangle_capacity()
  Vec3* curve = nullptr;              // triangle_capacity()
  DrawCommands* commands = nullptr;
  bool operator==(const DrawTargets&) const = default;
};

struct FrameRequest {
  Animation animation = Animation::once;
  Wave wave;
  std::uint32_t level = 0;  // depth of the boxes in targets.boxes
  DrawTargets targets;
  bool graph = true;  // replay a captured graph where the device can time it
};

class MeshPipeline {
 public:
  // Takes room for the mesh on the device. `corners` holds three per triangle and, like `material`
  // (one a triangle), must outlive the pipeline. Error when it has 2^31 corners or more, or needs
  // more memory than the device has free: with the sizes needed and available.
  MeshPipeline(Device& device, std::span<const Vertex> corners,
               std::span<const std::uint32_t> material, const VariantChoice& choice);
  ~MeshPipeline();

  // Bytes of device memory for a mesh of this many triangles, without the variants' scratch.
  static std::uint64_t bytes_needed(std::uint64_t triangles);

  // Runs every stage from the upload on, and reads the counts.
  void load();
  // Runs what lies on the device again, from `scan` to `refit`, without waiting and without the
  // host: the mesh is then at rest. Counts and statistics follow with collect().
  void compute();
  // Runs one stage again on the same input, to time it. Where an animation has overwritten that
  // input, everything is computed first, and the mesh is at rest.
  void repeat(Stage stage);
  // Switches variants. Results do not change, so only times are forgotten; compute() to run them.
  void choose(const VariantChoice& choice);
  const VariantChoice& choice() const { return choice_; }

  // One frame: deform and refit or rebuild as asked, then write the targets. Queues only.
  void frame(const FrameRequest& request);
  // Was the last frame replayed from a captured graph?
  bool used_graph() const { return used_graph_; }
  // Waits for the device, then takes in times, counts and statistics.
  void collect();

  // Drops all times so far: after a warm-up.
  void forget_times();

  // As of the last collect().
  const MeshCounts& counts() const { return host_->counts; }
  const TreeStatistics& tree() const { return host_->statistics; }
  const SceneBounds& bounds() const { return host_->bounds; }
  std::vector<StageReport> stages() const;
  double last_frame_milliseconds() const { return frame_times_.last(); }
  const StageTimes& frame_times() const { return frame_times_; }

  std::uint32_t triangle_capacity() const { return triangles_; }
  std::uint32_t vertex_capacity() const { return 3 * triangles_; }
  Device& device() const { return device_; }
  Stream& stream() const { return *stream_; }

  // Everything on the device, for verification and tests. Only the first counts().x elements of
  // each array mean anything.
  struct Snapshot {
    std::vector<Vertex> corners;  // as kept by `scan`
    std::vector<std::uint32_t> material;
    std::vector<Vertex> rest;      // unique vertices
    std::vector<Vertex> vertices;  // the same, deformed
    std::vector<std::uint32_t> indices;
    std::vector<Aabb> boxes;  // of triangles, deformed
    SceneBounds bounds;
    int code_bits;                     // 32 or 64
    std::vector<std::uint64_t> codes;  // by triangle
    std::vector<std::uint64_t> sorted_codes;
    std::vector<std::uint32_t> primitives;  // in Morton order
    std::vector<BvhNode> nodes;
    std::vector<std::uint32_t> parent;
    std::uint32_t root;
    MeshCounts counts;
    TreeStatistics statistics;
    bool tree_is_current;  // codes, order and topology belong to the deformed positions
  };
  Snapshot snapshot();

 private:
  // Small results in page-locked memory, copied at the end of each frame.
  struct ReadBack {
    MeshCounts counts;
    TreeStatistics statistics;
    SceneBounds bounds;
  };
  // Small inputs of a frame, in device memory so that a captured graph reads the new ones.
  struct Parameters {
    Wave wave;
    std::uint32_t level;
  };
  struct GraphKey {
    Animation animation;
    DrawTargets targets;
    VariantChoice choice;
    bool operator==(const GraphKey&) const = default;
  };

  StageTimes& times(Stage stage) { return times_[static_cast<std::size_t>(stage)]; }
  Bvh bvh() const;
  const std::uint32_t* triangle_count() const;  // in device memory
  const Vertex* positions() const { return deformed_ ? vertices_.data() : rest_.data(); }
  template <class Use>
  void with_stage(Stage stage, Use&& use);
  std::uint64_t scratch_needed();
  void run_stage(Stage stage);  // timed
  void find_triangle_boxes();
  void rebuild();
  void find_statistics();
  void read_back();
  std::vector<Stage> stages_of_frame(Animation animation) const;
  void queue_frame(const FrameRequest& request);

  Device& device_;
  std::unique_ptr<Stream> stream_;
  std::span<const Vertex> host_corners_;
  std::span<const std::uint32_t> host_material_;
  VariantChoice choice_;
  std::uint32_t triangles_;

  Buffer<Vertex> corners_, kept_corners_, rest_, vertices_;
  Buffer<std::uint32_t> material_, kept_material_, indices_;
  Buffer<Aabb> boxes_;
  Buffer<SceneBounds> bounds_;
  Buffer<std::uint64_t> codes_, sorted_codes_;  // wide enough for either width
  Buffer<std::uint32_t> primitives_;
  Buffer<BvhNode> nodes_;
  Buffer<std::uint32_t> parent_, root_, depth_;
  Buffer<MeshCounts> counts_;
  Buffer<TreeStatistics> statistics_;
  Buffer<DrawCommands> commands_;
  Buffer<Parameters> parameters_;
  Scratch scratch_;

  ReadBack* host_ = nullptr;               // page-locked
  Parameters* host_parameters_ = nullptr;  // page-locked
  std::vector<StageTimes> times_;
  StageTimes frame_times_;
  bool deformed_ = false;
  bool tree_is_current_ = true;

  std::unique_ptr<Graph> graph_;
  std::optional<GraphKey> graph_key_;
  bool used_graph_ = false;
};

}  // namespace warpview
