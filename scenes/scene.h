// A living scene: what is computed and what of it can be drawn.
//
// Between scenes and app this is the whole contract. Session, renderer, panels, command line,
// report, tests and benchmark know no scene but through it, and find all of them in
// scenes/scenes.def. A scene knows neither OpenGL nor a window.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/schedule/blocks_at_work.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vec.h"
#include "gpu/timeline/timeline.h"
#include "scenes/budget.h"
#include "scenes/controls.h"
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/output.h"
#include "scenes/parts/outline.h"
#include "scenes/viewpoint.h"

namespace warpview {

// --- What it tells

struct Fact {
  // "mesh.triangles": what stands before the dot is a group, in the panel and in the report.
  std::string name;
  std::string title;
  std::variant<std::uint64_t, double, Vec3, Aabb, std::string> value;
  const char* unit = "";
  std::string tooltip{};
  bool plotted = false;  // a number whose course over the last frames is shown beside it
  bool varies = false;   // from run to run of the same: blocks meet as it happens
};

// What a ray hits; empty: nothing.
struct PickResult {
  std::optional<Vec3> place{};
  std::vector<Fact> facts{};

  bool empty() const { return !place; }
  // Sets the place, and adds it to the facts.
  void hit(Vec3 at) {
    place = at;
    facts.push_back({.name = "pick.place",
                     .title = "Position",
                     .value = at,
                     .tooltip = "Where the ray hits the surface."});
  }
};

// What the colours of an output mean.
struct Legend {
  enum class Scale {
    ramp,         // of surfaces: Colouring::ramp, from `least` to `most`
    blocks,       // of surfaces: Colouring::blocks
    sphere_ramp,  // of spheres, from `least` to `most`
    sphere_hues,  // of spheres: their hues
    strip,        // of a strip, from its first place to its last
    box_level,    // of boxes: those of the level `least`, in one colour
    box_overlap,  // of boxes: how far their children overlap, from 0 to 1
    box_path,     // of boxes that are a path, from its first to its last
    swatches
  };
  struct Swatch {
    std::string name;
    Vec3 colour{};            // sRGB, 0 to 1
    bool is_texture = false;  // a picture instead
  };
  std::size_t output = 0;  // that is coloured so
  std::string title;       // "Depth of the leaf"
  Scale scale = Scale::ramp;
  double least = 0.0;  // of a ramp
  double most = 1.0;
  const char* unit = "";
  bool more = false;   // what is above `most` has its colour
  std::string note{};  // of scales without numbers: how to read them
  std::vector<Swatch> swatches{};
  std::size_t left_out = 0;  // swatches, of which there are too many
};

// What `verify` found of one stage.
struct Check {
  std::string stage;
  std::string difference;  // from the sequential reference; empty: none
};

// Appends what was found of further stages. Is all in order so far? There is a check at least.
inline bool append(std::vector<Check>& checks, std::vector<Check> more) {
  for (Check& check : more) checks.push_back(std::move(check));
  return checks.back().difference.empty();
}

// --- The scene

struct SceneKind;
struct Drawn;  // scenes/parts/drawn.h

// What a scene is made for and from. The device must outlive it.
struct SceneRequest {
  Device& device;
  std::shared_ptr<const Mesh> mesh;
  Controls controls;  // of the kind
  VariantWishes variants{};
};

// All of a scene's calls come from one thread at a time. Errors of the device come as Error, from
// the call that caused them or from the next that waits.
class Scene {
 public:
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SceneKind& kind() const { return kind_; }
  const Mesh& mesh() const { return *mesh_; }
  std::shared_ptr<const Mesh> shared_mesh() const { return mesh_; }
  Timeline& timeline() { return timeline_; }
  const Timeline& timeline() const { return timeline_; }
  // std::logic_error while a frame's stages are queued: what these need is in the frame's plan, or
  // a graph would be replayed that was captured for other controls.
  const Controls& controls() const;
  const std::vector<StreamInfo>& streams() const { return streams_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  std::size_t command_count() const { return command_count_; }
  // As of the last collect().
  const DrawCommand& command_drawn(std::size_t index) const { return commands_drawn_[index]; }

  // Computes everything from what lies on the host, and waits. Each stage is a phase of `control`.
  // After LoadCancelled the scene is of no use.
  virtual void load(LoadControl& control) = 0;
  // Computes again what depends on choices of variants, from what lies on the device. Queues only.
  void compute();
  // Runs after choices for these stages alone, at least one, in ascending order. They run and
  // what depends on them; a stage before them only where what it left is gone, and without a time.
  virtual void compute_after(std::span<const StageId> /*chosen*/) { timeline_.queue_read_backs(); }
  // Begins again: what moves is where it was after load(). Queues only.
  virtual void reset() {}
  // Runs one stage again on the same input, to time it, and what must follow it. Waits.
  virtual void repeat(StageId stage);
  // Would repeat() leave the scene just as it is now? Else what the stage works on is made anew.
  virtual bool repeats_alone(StageId /*stage*/) const { return true; }
  // Values of effects `frame` and `plan` show with the next frame. std::logic_error where one of
  // effect `remake` changed.
  void set_controls(const Controls& controls);

  // Queues a frame. What it needs for the first time may be allocated before: Error where it does
  // not fit.
  void queue(const Frame& frame);
  // Waits for what was queued. Then facts and the timeline's reports are of the last frame.
  void collect() { timeline_.collect(); }

  virtual SceneMaterials materials() const { return {mesh_->materials, mesh_->textures}; }
  // The plane of the last frame that was queued.
  virtual CutPlane cut() const { return {}; }
  // Where the camera looks, as of load().
  virtual Aabb bounds() const = 0;
  // What it may fill at any time, as its controls are set: bounds(), and where what moves leaves
  // them far behind.
  virtual Aabb reach() const { return bounds(); }
  // What it fills of reach(), at any time.
  virtual Outline outline() const { return nullptr; }
  // From where it is seen at first; none: all of it is seen.
  virtual std::optional<Viewpoint> first_view() const;
  // Do its frames depend on Frame::view? Then one follows each change of it.
  virtual bool depends_on_view() const { return false; }
  // The last frame came to more than there was memory for, and lacks something. Queued again it
  // takes more, or throws an Error.
  virtual bool lacks_room() const { return false; }
  // Does it change with time, as its controls are set?
  virtual bool moving() const { return false; }
  // Is one frame of many seconds as good as many frames that take as long together? Else it moves
  // in small steps only.
  virtual bool can_skip_time() const { return false; }
  // The largest value of a number that means anything now, for a slider's end.
  virtual double slider_max(std::size_t control) const { return controls_.all()[control].most; }
  // The value that is derived for a number which is 0, where 0 asks for that; none: 0 means 0.
  virtual std::optional<double> derived(std::size_t /*control*/) const { return {}; }
  virtual std::vector<Fact> facts() const = 0;
  // Legends of outputs with meaningful colours, shown or not, as of the last frame: one each.
  virtual std::vector<Legend> legends() const { return {}; }
  // What several ways to the same result cost; none: it does not compare any.
  virtual std::optional<Budgets> budgets() const { return {}; }
  // What the blocks of its scheduled stage did in the last run; none: nothing is recorded.
  virtual std::optional<BlocksAtWork> blocks_at_work() const { return {}; }

  // Compares what is on the device, and one more step of what moves, with the same done
  // sequentially on the host. Waits; what moves has moved by that step.
  virtual std::vector<Check> verify() { return {check_writers()}; }
  // Device memory of all streams, in all their slots.
  std::uint64_t drawn_bytes() const;
  // What the writers leave of all streams and draw commands, run once more into memory that was
  // spoiled before. Waits.
  virtual Drawn drawn();
  // Where that first differs from the same done sequentially from what the other stages left;
  // empty: nowhere. Waits.
  std::string check_drawn(const Drawn& drawn);

  // What the ray hits first of what is shown. The scene may light it up from the next frame on.
  // Waits.
  virtual PickResult pick(const Ray& /*ray*/) { return {}; }
  // Picks without any effect, for the few facts that cost little. Waits.
  virtual PickResult glance(const Ray& ray) { return pick(ray); }

 protected:
  // Error when the device has less memory free than the kind says it takes.
  Scene(const SceneRequest& request, const SceneKind& kind);

  // --- for the constructor
  WrittenAt add_writer(Writer writer);
  void add_output(Output output);
  // An output with a writer of its own.
  WrittenAt add_output(Output output, Writer writer);
  // A surface and its edges. The streams of `surface` are those of OutputKind::surface, its first
  // draw command is that of the triangles; `values` writes a float of each triangle.
  WrittenAt add_surface(Output body, Output edges, Writer surface,
                        std::optional<Writer> values = {});
  // After all stages and outputs: adds the stage that runs the writers, and takes what must exist
  // before the first stage runs. Error when the device has too little memory free.
  void reserve(
      const char* write_name = "write", const char* write_title = "Write",
      const char* write_about = "Writes all outputs that are shown into OpenGL's buffers.");

  // --- for load()
  // Queues what runs about so many stages, and waits. Each of them is a phase of `control` by its
  // title, begins when the one before has ended, and has its share of the progress. LoadCancelled
  // before the next stage, on the CPU device before the next kernel.
  void run_phases(LoadControl& control, int stages, const std::function<void()>& queue);

  // --- for frames: scenes/planned.h
  virtual void queue_frame(const Frame& frame) = 0;
  // Queues a frame of which `plan` says all beside where it is written.
  template <class Plan>
  void queue_planned(const Plan& plan, Timing timing, const std::function<void()>& queue) {
    struct Whole {
      Written written;
      Plan plan;
      bool operator==(const Whole&) const = default;
    };
    plan_writers();
    timeline_.frame(Whole{written_, plan}, timing, [this, &queue] {
      const Queueing queueing(*this);
      queue();
    });
  }
  bool is_queueing() const { return is_queueing_; }
  // The surface that was picked from, if what was picked is lit up. Asked after plan_frame().
  virtual std::optional<std::size_t> lit() const { return {}; }
  // For verify(): both, of the stage that writes.
  Check check_writers();
  // Runs the writers of what the frame wants, and hands over the draw commands. A frame that is not
  // drawn has neither, and runs nothing: its time would say nothing of those that are.
  void write() {
    if (writes()) timeline_.run(write_);
  }
  // Does the last frame want this stream?
  bool is_wanted(std::size_t stream) const {
    return !written_.targets.empty() && written_.targets[stream];
  }
  // Is it drawn? Before the first picture everything counts as drawn.
  bool is_drawn(std::size_t stream) const { return !written_.commands || written_.targets[stream]; }
  // Where kernels leave a draw command; the frame's are copies.
  DrawCommand* command(std::size_t index) const { return command_memory_.data() + index; }

  void set_style(std::size_t output, const OutputStyle& style) { outputs_[output].style = style; }
  void set_colouring(std::size_t surface, Colouring colouring) {
    std::get<SurfaceStyle>(outputs_[surface].style).colouring = colouring;
  }

 private:
  const SceneKind& kind_;
  std::shared_ptr<const Mesh> mesh_;
  Controls controls_;
  Timeline timeline_;
  std::vector<StreamInfo> streams_;
  std::vector<Output> outputs_;
  struct PlacedWriter {
    Writer writer;
    WrittenAt at;
  };
  // Where a frame is written, and by which writers: of every scene's plan.
  struct Written {
    std::vector<void*> targets;
    DrawCommand* commands = nullptr;
    std::optional<std::size_t> lit{};
    std::vector<bool> runs{};  // by writer

    bool operator==(const Written&) const = default;
  };
  // Which writers run where written_ says.
  void plan_writers();
  struct Queueing {
    explicit Queueing(Scene& of) : scene(of) { scene.is_queueing_ = true; }
    ~Queueing() { scene.is_queueing_ = false; }
    Queueing(const Queueing&) = delete;
    Queueing& operator=(const Queueing&) = delete;
    Scene& scene;
  };
  Targets targets_of(const PlacedWriter& placed) const;
  bool writes() const;
  void queue_writers(const StageRun& run);
  StageWork written() const;

  std::vector<PlacedWriter> writers_;
  StageId write_{};
  Written written_;  // of the last frame that was queued
  bool is_queueing_ = false;
  std::uint64_t memory_available_;  // before the scene took any
  std::size_t command_count_ = 0;
  Buffer<DrawCommand> command_memory_;
  ReadBack<DrawCommand> commands_drawn_;
};

// --- All scenes

struct SceneKind {
  const char* name;     // "particles"
  const char* title;    // "Particles"
  const char* usage;    // on the command line: "particles[:COUNT] [FILE]"
  const char* summary;  // one line
  // What one sees and what to try: two short sentences, two lines of the Scene panel at most.
  const char* invitation = "";
  // Words of the command line, the scene's own first, for a small picture of it that is quick to
  // make.
  const char* thumbnail = "";
  std::span<const Control> controls;
  std::span<const OldSetting> old_settings{};  // of controls that it has no longer
  const char* size_control;   // what the number after the colon sets; null: no number may follow
  std::string_view own_mesh;  // what open_mesh() is given where no file is named
  Need needs_for_mesh{};      // where the mesh has an effect; none: always
  // Does it draw pictures of filled paths (Mesh::picture)? Others are not given such.
  bool draws_pictures = false;
  // Does nothing in it ever move, whatever is set?
  bool stands_still = false;

  // --- filled in by scene_kind()
  std::unique_ptr<Scene> (*construct)(const SceneRequest& request, const SceneKind& kind) = nullptr;
  // Device memory that a scene takes beside its streams: an estimate from above.
  std::uint64_t (*memory)(const Mesh& mesh, const Controls& controls) = nullptr;

  Controls initial_controls() const { return Controls(controls, old_settings); }
  // Has the mesh an effect with these controls of the kind?
  bool shows_mesh(const Controls& set) const {
    return !needs_for_mesh.any() || set.has_value(needs_for_mesh);
  }
  // The scene refers to this row.
  std::unique_ptr<Scene> make(const SceneRequest& request) const {
    return construct(request, *this);
  }
};

// The row of class S, which has a constructor of the above arguments and a static memory().
template <class S>
constexpr SceneKind scene_kind(SceneKind row) {
  row.construct = [](const SceneRequest& request, const SceneKind& kind) -> std::unique_ptr<Scene> {
    return std::make_unique<S>(request, kind);
  };
  row.memory = &S::memory;
  return row;
}

// For SceneKind::memory, of a scene whose own arrays take so many bytes: a quarter more for the
// variants' scratch, which for a small mesh is most of it.
constexpr std::uint64_t with_scratch(std::uint64_t bytes) {
  constexpr std::uint64_t least_scratch = 2U << 20U;
  return bytes / 4 * 5 + least_scratch;
}

// The rows of scenes/scenes.def. The first is what a bare file is opened with.
std::span<const SceneKind> scene_kinds();
const SceneKind* find_scene_kind(std::string_view name);  // null: there is none

}  // namespace warpview
