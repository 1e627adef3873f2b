#include "scenes/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "scenes/parts/drawn.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/surface.h"

namespace warpview {

#define SCENE(name) const SceneKind& name##_scene();
#include "scenes/scenes.def"
#undef SCENE

std::span<const SceneKind> scene_kinds() {
  static const std::vector<SceneKind> kinds = {
#define SCENE(name) name##_scene(),
#include "scenes/scenes.def"
#undef SCENE
  };
  return kinds;
}

const SceneKind* find_scene_kind(std::string_view name) {
  for (const SceneKind& kind : scene_kinds())
    if (name == kind.name) return &kind;
  return nullptr;
}

namespace {

void require_memory(const Device& device, const SceneKind& kind, const Mesh& mesh,
                    const Controls& controls, std::uint64_t needed) {
  const std::uint64_t available = device.memory_available();
  if (needed <= available) return;
  const auto megabytes = [](std::uint64_t n) { return static_cast<double>(n) * 1e-6; };
  const std::string size = kind.size_control ? fmt::format(" and {}={:.0f}", kind.size_control,
                                                           controls[kind.size_control])
                                             : "";
  throw Error(fmt::format("a scene of {} triangles{} on {}", mesh.triangle_count(), size,
                          device.info().name),
              fmt::format("it needs {:.1f} MB of device memory, and {:.1f} MB are free",
                          megabytes(needed), megabytes(available)),
              "Open a smaller one, or choose a device with more memory");
}

}  // namespace

Scene::Scene(const SceneRequest& request, const SceneKind& kind)
    : kind_(kind),
      mesh_(request.mesh),
      controls_(request.controls),
      timeline_(request.device, request.variants) {
  require_memory(request.device, kind, *mesh_, controls_, kind.memory(*mesh_, controls_));
}

void Scene::set_controls(const Controls& controls) {
  if (!controls_.same(controls, Effect::remake))
    throw std::logic_error("a scene cannot change its size: open another one");
  controls_ = controls;
}

std::size_t Scene::add_stream(StreamInfo info) {
  streams_.push_back(std::move(info));
  return streams_.size() - 1;
}

SurfaceStreams Scene::add_surface_streams(std::uint64_t triangles) {
  SurfaceStreams streams;
  streams.vertices =
      add_stream({.name = "vertices", .element_bytes = sizeof(Vertex), .capacity = 3 * triangles});
  streams.indices = add_stream({.name = "indices",
                                .element_bytes = sizeof(std::uint32_t),
                                .capacity = 3 * triangles,
                                .each_frame = false});
  streams.material = add_stream({.name = "material",
                                 .element_bytes = sizeof(std::uint32_t),
                                 .capacity = triangles,
                                 .each_frame = false});
  streams.colours = add_stream({.name = "colours",
                                .element_bytes = sizeof(std::uint32_t),
                                .capacity = mesh().corner_colours.size(),
                                .each_frame = false});
  streams.triangles = add_command();
  streams.points = add_command();
  return streams;
}

SurfaceTargets Scene::surface_targets(const Frame& frame, const SurfaceStreams& streams) const {
  return {.vertices = target<Vertex>(frame, streams.vertices),
          .indices = target<std::uint32_t>(frame, streams.indices),
          .material = target<std::uint32_t>(frame, streams.material),
          .colours = target<std::uint32_t>(frame, streams.colours),
          .triangles = command(streams.triangles),
          .points = command(streams.points)};
}

ElementStreams Scene::add_element_outputs(char points_key, char lines_key) {
  const auto stream = [this](const char* name, std::size_t bytes, std::uint64_t capacity,
                             bool each_frame) {
    return add_stream(
        {.name = name, .element_bytes = bytes, .capacity = capacity, .each_frame = each_frame});
  };
  const std::uint64_t points = mesh().points.size();
  const std::uint64_t ends = mesh().line_ends.size();
  ElementStreams streams;
  streams.points = stream("dots", sizeof(Vertex), points, true);
  streams.point_colours = stream("dot colours", sizeof(std::uint32_t), points, false);
  streams.ends = stream("line ends", sizeof(Vertex), ends, true);
  streams.end_colours = stream("line colours", sizeof(std::uint32_t), ends, false);
  streams.points_command = add_command();
  streams.lines_command = add_command();
  add_output({.kind = OutputKind::dots,
              .name = "dots",
              .title = "Points of the file",
              .key = points_key,
              .shown = true,
              .streams = {streams.points, streams.point_colours},
              .command = streams.points_command,
              .empty = points == 0});
  add_output({.kind = OutputKind::lines,
              .name = "lines",
              .title = "Lines of the file",
              .key = lines_key,
              .shown = true,
              .streams = {streams.ends, streams.end_colours},
              .command = streams.lines_command,
              .empty = ends == 0});
  return streams;
}

ElementTargets Scene::element_targets(const Frame& frame, const ElementStreams& streams) const {
  return {.points = target<Vertex>(frame, streams.points),
          .point_colours = target<std::uint32_t>(frame, streams.point_colours),
          .ends = target<Vertex>(frame, streams.ends),
          .end_colours = target<std::uint32_t>(frame, streams.end_colours)};
}

void Scene::compute() {
  std::vector<StageId> all;
  for (std::size_t i = 0; i < timeline_.size(); ++i) all.push_back(static_cast<StageId>(i));
  compute_after(all);
}

void Scene::add_output(Output output) { outputs_.push_back(std::move(output)); }

void Scene::reserve(std::uint64_t bytes) {
  Device& device = timeline_.device();
  require_memory(device, kind_, *mesh_, controls_, bytes + timeline_.scratch_bytes());
  command_memory_ = {device, command_count_};
  commands_drawn_ = timeline_.read_back(command_memory_.data(), command_count_);
  timeline_.stream().fill(command_memory_.data(), 0, command_memory_.bytes());
  timeline_.reserve_scratch();
}

void Scene::run_phases(LoadControl& control, int stages, const std::function<void()>& queue) {
  int begun = 0;
  timeline_.watch([&](const StageInfo& stage) {
    timeline_.stream().synchronize();
    control.begin_phase(stage.title);
    control.report(std::min(static_cast<float>(begun++) / static_cast<float>(stages), 0.99F));
  });
  struct Watch {
    Timeline& timeline;
    ~Watch() { timeline.watch(nullptr); }
  } const watch{timeline_};
  const Interruptible cancels([&control] { control.throw_if_cancelled(); });
  queue();
  collect();
  control.report(1.0F);
}

void Scene::queue_commands(const Frame& frame) {
  if (frame.commands)
    timeline_.stream().copy(frame.commands, command_memory_.data(), command_memory_.bytes(),
                            Copy::device_to_device);
}

Drawn Scene::drawn() { return {}; }

std::string Scene::check_drawn(const Drawn& /*drawn*/) { return {}; }

Drawn Scene::drawn_by(StageId write, Frame& frame) {
  collect();
  Device& device = timeline_.device();
  Stream& stream = timeline_.stream();
  const auto memory_of = [&](std::uint64_t bytes) {
    constexpr std::uint8_t spoiled = 0x5a;
    Buffer<std::byte> memory(device, bytes);
    if (bytes > 0) stream.fill(memory.data(), spoiled, bytes);
    return memory;
  };
  std::vector<Buffer<std::byte>> targets;
  Frame all = frame;
  all.targets.clear();
  for (const StreamInfo& info : streams_) {
    targets.push_back(memory_of(info.bytes()));
    all.targets.push_back(targets.back().data());
  }
  Buffer<DrawCommand> commands(device, command_count_);
  all.commands = commands.data();
  struct Restore {
    Frame& frame;
    Frame before;
    ~Restore() { frame = std::move(before); }
  } const restore{frame, std::exchange(frame, all)};
  timeline_.run_untimed(write);
  Drawn drawn;
  for (const Buffer<std::byte>& target : targets) drawn.streams.push_back(target.download(stream));
  drawn.commands = commands.download(stream);
  return drawn;
}

Timeline::Key Scene::key_of(const Frame& frame) const {
  Timeline::Key key;
  for (const void* target : frame.targets) key.push_back(std::bit_cast<std::uintptr_t>(target));
  key.push_back(std::bit_cast<std::uintptr_t>(frame.commands));
  for (std::size_t i = 0; i < controls_.size(); ++i)
    if (controls_.all()[i].effect == Effect::plan)
      key.push_back(std::bit_cast<std::uint64_t>(controls_.value(i)));
  return key;
}

}  // namespace warpview
