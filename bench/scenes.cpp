#include "bench/scenes.h"

#include <cmath>
#include <utility>

#include "scenes/files/open_mesh.h"

namespace warpview::bench {
namespace {

constexpr double frame_seconds = 1.0 / 60.0;

void queue_frames(Scene& scene, int frames) {
  Frame frame{.seconds = frame_seconds, .targets = {}, .timing = Timing::whole};
  frame.targets.resize(scene.streams().size(), nullptr);
  for (int i = 0; i < frames; ++i) scene.queue(frame);
}

// Gentle hills of 660 x 660 squares, each cut into two triangles: large enough to carry 100 000
// spheres.
Mesh make_hills() {
  constexpr int squares = 660;
  Mesh mesh;
  mesh.name = "hills";
  mesh.file = "hills";
  mesh.materials.resize(1);
  const auto vertex = [](int i, int k) {
    const auto place = [](int at) { return 2.0F * static_cast<float>(at) / squares - 1.0F; };
    constexpr float height = 0.04F;
    constexpr float waves = 9.0F;
    const float x = place(i);
    const float z = place(k);
    const Vec3 normal = {-height * waves * std::cos(waves * x) * std::sin(waves * z), 1.0F,
                         -height * waves * std::sin(waves * x) * std::cos(waves * z)};
    return Vertex{.position = {x, height * std::sin(waves * x) * std::sin(waves * z), z},
                  .normal = normal * (1.0F / std::sqrt(dot(normal, normal))),
                  .texcoord = {}};
  };
  for (int k = 0; k < squares; ++k)
    for (int i = 0; i < squares; ++i) {
      const Vertex corners[4] = {vertex(i, k), vertex(i, k + 1), vertex(i + 1, k),
                                 vertex(i + 1, k + 1)};
      for (const int corner : {0, 1, 2, 2, 1, 3}) mesh.corners.push_back(corners[corner]);
    }
  mesh.triangle_material.assign(mesh.corners.size() / 3, 0);
  return mesh;
}

}  // namespace

const std::vector<SceneRow>& scene_rows() {
  // NVIDIA's sample `particles` is stepped from its lattice: 100 and 160 spheres per edge, and as
  // many as fill its boxes equally (2^20 in 128^3 cells, 2^23 in 256^3).
  static const std::vector<SceneRow> rows = {
      {.subject = "particles sample",
       .variant = "steps 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=65536"}},
      {.subject = "particles sample",
       .variant = "steps 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=1000000"}},
      {.subject = "particles sample",
       .variant = "steps 300 to 400",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=1000000"},
       .before = 300},
      {.subject = "particles sample",
       .variant = "steps 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=4096000"}},
      {.subject = "particles sample",
       .variant = "steps 300 to 400",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=4096000"},
       .before = 300},
      {.subject = "particles sample",
       .variant = "steps 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=1048576"}},
      {.subject = "particles sample",
       .variant = "steps 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"physics=sample", "count=8000000"}},
      // One in ten touches the hills when they have settled.
      {.subject = "particles on hills",
       .variant = "frames 600 to 620",
       .scene = "particles",
       .mesh = "hills",
       .settings = {"count=1000000", "radius=0.0015", "gravity=3", "restitution=0", "substeps=10"},
       .before = 600,
       .frames = 20},
      {.subject = "particles on hills",
       .variant = "frames 600 to 620, no obstacle",
       .scene = "particles",
       .mesh = "hills",
       .settings = {"count=1000000", "radius=0.0015", "gravity=3", "restitution=0", "substeps=10",
                    "obstacle=off"},
       .before = 600,
       .frames = 20},
      {.subject = "particles",
       .variant = "frames 0 to 100",
       .scene = "particles",
       .mesh = {},
       .settings = {"count=20000"},
       .frames_on_cpu = 10},
      {.subject = "deformation",
       .variant = "refit",
       .scene = "deformation",
       .mesh = "generated:sphere:1000000",
       .settings = {"tree=refit"}},
      {.subject = "deformation",
       .variant = "rebuild",
       .scene = "deformation",
       .mesh = "generated:sphere:1000000",
       .settings = {"tree=rebuild"}},
  };
  return rows;
}

std::unique_ptr<Scene> make(const SceneRow& row, Device& device) {
  const SceneKind* const kind = find_scene_kind(row.scene);
  Controls controls = kind->initial_controls();
  for (const std::string_view setting : row.settings) controls.set(setting);
  LoadControl control;
  const std::string name(row.mesh.empty() ? kind->own_mesh : row.mesh);
  Mesh mesh = name == "hills" ? make_hills() : open_mesh(name, control);
  std::unique_ptr<Scene> scene =
      kind->make({device, std::make_shared<const Mesh>(std::move(mesh)), std::move(controls)});
  scene->load(control);
  return scene;
}

std::uint64_t items_of(const Scene& scene) {
  const char* const size = scene.kind().size_control;
  return size ? static_cast<std::uint64_t>(scene.controls()[size]) : scene.mesh().triangle_count();
}

double time_of_frames(Scene& scene, int before, int frames) {
  Stream& stream = scene.timeline().stream();
  const std::unique_ptr<Event> begin = scene.timeline().device().create_event();
  const std::unique_ptr<Event> end = scene.timeline().device().create_event();
  scene.reset();
  // At least one frame, so that all graphs have been captured.
  queue_frames(scene, std::max(before, 1));
  if (before == 0) scene.reset();
  stream.record(*begin);
  queue_frames(scene, frames);
  stream.record(*end);
  stream.synchronize();
  const double milliseconds = end->milliseconds_since(*begin);
  scene.collect();
  return milliseconds / frames;
}

std::vector<std::pair<std::string, double>> told_of_next_frame(Scene& scene) {
  const Buffer<DrawCommand> commands(scene.timeline().device(), scene.command_count());
  Frame frame{.seconds = frame_seconds, .targets = {}, .commands = commands.data()};
  frame.targets.resize(scene.streams().size(), nullptr);
  // Twice: the second is the replay of a graph, where the device supports graphs.
  for (int i = 0; i < 2; ++i) {
    scene.timeline().forget_times();
    scene.queue(frame);
    scene.collect();
  }
  std::vector<std::pair<std::string, double>> told;
  for (const Fact& fact : scene.facts()) {
    if (const auto* const whole = std::get_if<std::uint64_t>(&fact.value))
      told.emplace_back(fact.name, static_cast<double>(*whole));
    if (const auto* const number = std::get_if<double>(&fact.value))
      told.emplace_back(fact.name, *number);
  }
  for (const StageResult& stage : scene.timeline().stage_results())
    if (stage.runs > 0 && stage.done_by.empty())
      told.emplace_back("ms." + stage.name, stage.last_ms / stage.runs);
  return told;
}

}  // namespace warpview::bench
