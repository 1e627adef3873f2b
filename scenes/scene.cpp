#include "scenes/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "scenes/parts/drawn.h"

namespace warpview {

#define SCENE(name) SceneKind name##_scene();
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
                    const Controls& controls, std::uint64_t needed, std::uint64_t available) {
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

void require_matching_arrays(const Mesh& mesh) {
  if (mesh.corners.size() == 3 * mesh.triangle_count()) return;
  throw Error(fmt::format("the mesh \"{}\"", mesh.name),
              fmt::format("it has {} corners and {} materials of triangles", mesh.corners.size(),
                          mesh.triangle_count()),
              "Each triangle needs three corners and a material");
}

}  // namespace

Scene::Scene(const SceneRequest& request, const SceneKind& kind)
    : kind_(kind),
      mesh_(request.mesh),
      controls_(request.controls),
      timeline_(request.device, request.variants),
      memory_available_(request.device.memory_available()) {
  require_matching_arrays(*mesh_);
  require_memory(request.device, kind, *mesh_, controls_, kind.memory(*mesh_, controls_),
                 memory_available_);
}

std::optional<Viewpoint> Scene::first_view() const {
  return kind_.shows_mesh(controls_) ? mesh_->first_view : std::nullopt;
}

void Scene::set_controls(const Controls& controls) {
  if (!controls_.same(controls, Effect::remake))
    throw std::logic_error("a scene cannot change its size: open another one");
  controls_ = controls;
}

std::size_t stream_slots(const Device& device, bool each_frame) {
  if (!each_frame) return 1;
  return device.info().backend == Backend::cpu ? 3 : 2;
}

std::uint64_t Scene::drawn_bytes() const {
  std::uint64_t bytes = 0;
  for (const StreamInfo& info : streams_)
    bytes += info.bytes() * stream_slots(timeline_.device(), info.each_frame);
  return bytes;
}

WrittenAt Scene::add_writer(Writer writer) {
  const WrittenAt at{streams_.size(), writer.streams.size(), command_count_};
  streams_.insert(streams_.end(), writer.streams.begin(), writer.streams.end());
  command_count_ += writer.commands;
  writers_.push_back({std::move(writer), at});
  return at;
}

void Scene::add_output(Output output) { outputs_.push_back(std::move(output)); }

WrittenAt Scene::add_output(Output output, Writer writer) {
  const WrittenAt at = add_writer(std::move(writer));
  output.streams = at.all();
  output.command = at.command;
  add_output(std::move(output));
  return at;
}

WrittenAt Scene::add_surface(Output body, Output edges, Writer surface,
                             std::optional<Writer> values) {
  const WrittenAt at = add_writer(std::move(surface));
  body.kind = OutputKind::surface;
  edges.kind = OutputKind::edges;
  const bool has_colours = streams_[at.stream + 3].capacity > 0;
  std::vector<std::size_t> streams = at.all();
  if (values) streams.push_back(add_writer(*std::move(values)).stream);
  for (Output* const output : {&body, &edges}) {
    output->streams = streams;
    output->command = at.command;
    output->style = SurfaceStyle{.has_colours = has_colours};
    add_output(std::move(*output));
  }
  return at;
}

void Scene::compute() {
  std::vector<StageId> all;
  for (std::size_t i = 0; i < timeline_.size(); ++i) all.push_back(static_cast<StageId>(i));
  compute_after(all);
}

void Scene::repeat(StageId stage) {
  collect();
  timeline_.run(stage);
  timeline_.queue_read_backs();
  collect();
}

void Scene::reserve(const char* write_name, const char* write_title, const char* write_about) {
  write_ = timeline_.add({.name = write_name,
                          .title = write_title,
                          .about = write_about,
                          .queue = [this](const StageRun& run) { queue_writers(run); },
                          .work = [this] { return written(); },
                          .repeatable = false});
  Device& device = timeline_.device();
  require_memory(device, kind_, *mesh_, controls_, kind_.memory(*mesh_, controls_) + drawn_bytes(),
                 memory_available_);
  require_memory(device, kind_, *mesh_, controls_, timeline_.scratch_bytes(),
                 device.memory_available());
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

void Scene::queue(const Frame& frame) {
  written_ = {frame.targets, frame.commands};
  queue_frame(frame);
}

const Controls& Scene::controls() const {
  if (is_queueing_)
    throw std::logic_error("a scene reads its controls while a frame's stages are queued");
  return controls_;
}

void Scene::plan_writers() {
  written_.lit = lit();
  written_.runs.clear();
  for (const PlacedWriter& placed : writers_) {
    const bool is_wanted = placed.writer.always || targets_of(placed).any();
    written_.runs.push_back(is_wanted && (!placed.writer.is_due || placed.writer.is_due()));
  }
}

Targets Scene::targets_of(const PlacedWriter& placed) const {
  const WrittenAt& at = placed.at;
  return {std::span(written_.targets).subspan(at.stream, at.streams), command(at.command),
          &commands_drawn_[at.command], written_.lit};
}

bool Scene::writes() const {
  return written_.commands != nullptr ||
         std::find(written_.runs.begin(), written_.runs.end(), true) != written_.runs.end();
}

void Scene::queue_writers(const StageRun& run) {
  if (run.measuring()) return;
  for (std::size_t i = 0; i < written_.runs.size(); ++i)
    if (written_.runs[i]) writers_[i].writer.write(run, targets_of(writers_[i]));
  if (written_.commands)
    run.stream().copy(written_.commands, command_memory_.data(), command_memory_.bytes(),
                      Copy::device_to_device);
}

// The work of the last frame's writers.
StageWork Scene::written() const {
  StageWork work;
  for (std::size_t i = 0; i < written_.runs.size(); ++i)
    if (written_.runs[i]) work = work + writers_[i].writer.work(targets_of(writers_[i]));
  return work;
}

std::string Scene::check_drawn(const Drawn& drawn) {
  collect();
  DrawnCheck check(drawn, streams_, timeline_.stream());
  for (const PlacedWriter& placed : writers_)
    if (check.difference().empty()) placed.writer.check(check, placed.at);
  return check.difference();
}

Check Scene::check_writers() { return {timeline_.info(write_).name, check_drawn(drawn())}; }

Drawn Scene::drawn() {
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
  std::vector<void*> all;
  for (const StreamInfo& info : streams_) {
    targets.push_back(memory_of(info.bytes()));
    all.push_back(targets.back().data());
  }
  Buffer<DrawCommand> commands(device, command_count_);
  struct Restore {
    Written& written;
    Written before;
    ~Restore() { written = std::move(before); }
  } const restore{written_, std::exchange(written_, {std::move(all), commands.data()})};
  plan_writers();
  timeline_.run_untimed(write_);
  Drawn drawn;
  for (const Buffer<std::byte>& target : targets) drawn.streams.push_back(target.download(stream));
  drawn.commands = commands.download(stream);
  return drawn;
}

}  // namespace warpview
