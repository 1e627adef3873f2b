#include "app/session.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <limits>
#include <new>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "app/lab_run.h"
#include "app/render/renderer.h"
#include "app/surfaces.h"
#include "gpu/interop/shared_buffer.h"
#include "gpu/pipeline/copy_curve.h"
#include "gpu/runtime/backends.h"
#include "scenes/async_loader.h"
#include "scenes/open_scene.h"

namespace warpview {
namespace {

// A mesh with everything that the device and OpenGL hold of it.
struct Scene {
  std::shared_ptr<const Mesh> mesh;  // the pipeline reads it
  std::unique_ptr<MeshPipeline> pipeline;
  SharedBuffer vertices, indices, material, commands;
  std::optional<SharedBuffer> boxes, curve;  // from when they are first shown
  Aabb rest_bounds;                          // of the mesh without the wave

  // Computes everything. Error when memory does not suffice or a kernel fails.
  Scene(Device& device, InteropMode mode, std::shared_ptr<const Mesh> mesh_,
        const VariantChoice& choice)
      : mesh(std::move(mesh_)),
        pipeline(
            std::make_unique<MeshPipeline>(device, mesh->corners, mesh->triangle_material, choice)),
        vertices(device, vertex_bytes(*mesh), mode),
        indices(device, 3 * mesh->triangle_count() * sizeof(std::uint32_t), mode),
        material(device, mesh->triangle_count() * sizeof(std::uint32_t), mode),
        commands(device, sizeof(DrawCommands), mode) {
    pipeline->load();
    rest_bounds = pipeline->bounds().points;
  }

  static std::size_t vertex_bytes(const Mesh& mesh) { return mesh.corners.size() * sizeof(Vertex); }

  // Device memory that a mesh takes with everything shown; a quarter more for the variants'
  // scratch.
  static std::uint64_t bytes_needed(const Mesh& mesh) {
    const std::uint64_t n = mesh.triangle_count();
    const std::uint64_t drawn =
        vertex_bytes(mesh) + n * (4 * sizeof(std::uint32_t) + sizeof(Aabb) + sizeof(Vec3));
    return (MeshPipeline::bytes_needed(n) + drawn) / 4 * 5;
  }
};

// Everything that decides what a frame computes and writes. Two equal ones in a row need one frame.
struct FrameInputs {
  Animation animation = Animation::once;
  Wave wave;  // as default while nothing is animated
  bool boxes = false;
  int level = 0;  // 0 while no boxes are shown
  bool curve = false;
  std::uint64_t run = 0;  // counts what else recomputes the mesh

  bool same_geometry(const FrameInputs& other) const {
    const auto tie = [](const Wave& w) {
      return std::tie(w.amplitude, w.wave_number, w.phase, w.axis, w.direction);
    };
    return run == other.run && animation == other.animation && tie(wave) == tie(other.wave);
  }
  bool operator==(const FrameInputs& other) const {
    return same_geometry(other) && boxes == other.boxes && level == other.level &&
           curve == other.curve;
  }
};

// The buffers that kernels write in one frame. They are unmapped at the latest when it ends.
class Mappings {
 public:
  explicit Mappings(Stream& stream) : stream_(stream) {}
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings() {
    try {
      unmap();
    } catch (const Error&) {
      // Only on the way out of another Error, which says more.
    }
  }

  template <class T>
  void map(SharedBuffer& buffer, T*& address) {
    address = static_cast<T*>(buffer.map(stream_));
    mapped_.push_back(&buffer);
  }
  void unmap() {
    while (!mapped_.empty()) {
      SharedBuffer* const buffer = mapped_.back();
      mapped_.pop_back();
      buffer->unmap(stream_);
    }
  }

 private:
  Stream& stream_;
  std::vector<SharedBuffer*> mapped_;
};

float axis_of(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Wave wave_of(const WaveSettings& settings, const Aabb& bounds, double turns) {
  if (bounds.is_empty()) return {};
  constexpr float turn = 2.0F * std::numbers::pi_v<float>;
  const Vec3 half = bounds.max * 0.5F - bounds.min * 0.5F;
  const float radius = std::hypot(half.x, half.y, half.z);
  const float along = 2.0F * axis_of(half, settings.axis);
  const float length = along > 0.0F ? along : 2.0F * radius;
  Wave wave{.amplitude = settings.amplitude * radius,
            .wave_number = turn * settings.waves / length,
            .phase = turn * static_cast<float>(turns),
            .axis = static_cast<std::uint32_t>(settings.axis),
            .direction = static_cast<std::uint32_t>(settings.direction)};
  // A mesh without extent, or with more than floats can square, keeps still.
  if (!std::isfinite(wave.amplitude) || !std::isfinite(wave.wave_number))
    wave.amplitude = wave.wave_number = 0.0F;
  return wave;
}

bool is_rebuilt(Stage stage) { return stage >= Stage::bounds; }

}  // namespace

struct Session::State {
  WorkspaceModel& workspace;
  std::unique_ptr<Device> device;
  InteropChoice interop;
  CopyCurve curve;
  bool curve_failed = false;
  Renderer renderer;
  std::unique_ptr<Scene> scene;
  std::vector<Picture> pictures;  // the scene's textures, for the renderer to take up again
  std::unique_ptr<AsyncLoader> loader;
  std::future<std::vector<BackendStatus>> backends;  // what idle() asked for
  bool backends_asked = false;

  FrameInputs last_inputs;       // of the frame whose results are drawn
  bool targets_written = false;  // has any frame written this scene's buffers?
  bool frame_pending = false;    // its times and counts are still to be taken in
  std::uint64_t run = 0;
  double wave_turns = 0.0;  // phase of the wave, 0 to 1

  const CpuOptions cpu_options;                // of the device that counts
  std::unique_ptr<LabRun> lab_run;             // while it is busy
  std::optional<Primitive> most_items_are_of;  // none: something changed since they were asked for

  State(WorkspaceModel& workspace_, const Options& options, std::unique_ptr<Device> device_)
      : workspace(workspace_),
        device(std::move(device_)),
        interop(choose_interop(*device, options.interop)),
        curve(*device),
        cpu_options(options.cpu) {
    workspace.device = device->info();
    workspace.interop = interop.description;
    const bool on_cpu = device->info().backend == Backend::cpu;
    workspace.lab.question.n = on_cpu ? 1U << 16U : 1U << 22U;
    if (const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER)))
      workspace.gl_renderer = name;
    for (std::size_t b = 0; b < workspace.absent.size(); ++b)
      if (static_cast<Backend>(b) != device->info().backend) workspace.absent[b] = "not tried yet";
  }

  void say(Message::Kind kind, std::string text) {
    constexpr std::size_t most = 200;
    std::vector<Message>& messages = workspace.messages;
    if (messages.size() >= most) messages.erase(messages.begin());
    messages.push_back({kind, std::move(text)});
  }

  // ---- Opening ----------------------------------------------------------------------------------

  // Error when it does not fit; what was open then stays.
  void show(Mesh&& loaded, const std::string& spec) {
    try {
      replace_scene(std::move(loaded), spec);
    } catch (const std::bad_alloc&) {
      throw Error(spec, "the system gives no more memory for it",
                  "Close other programs or open a smaller mesh");
    }
  }

  void replace_scene(Mesh&& loaded, const std::string& spec) {
    std::vector<Picture> loaded_pictures = pictures_of(std::move(loaded.textures));
    const auto mesh = std::make_shared<const Mesh>(std::move(loaded));
    set_materials(*mesh, loaded_pictures);  // first, since it may fail too
    try {
      scene = make_scene(mesh);
    } catch (...) {
      if (scene) set_materials(*scene->mesh, pictures);
      throw;
    }
    pictures = std::move(loaded_pictures);
    begin_scene();
    most_items_are_of.reset();
    workspace.scene_name = mesh->name;
    workspace.scene_spec = spec;
    workspace.dropped_faces = mesh->dropped_faces;
    workspace.requests.fit_camera = true;
    wave_turns = 0.0;
    for (const std::string& warning : mesh->warnings) say(Message::Kind::warning, warning);
  }

  void set_materials(const Mesh& mesh, const std::vector<Picture>& images) {
    renderer.set_materials(surfaces_of(mesh.materials), images);
  }

  void begin_scene() {
    targets_written = false;
    frame_pending = false;
    ++run;
  }

  // Beside what is open if the device has room for both. If it has room for the new mesh only, what
  // is open makes way, and comes back if that fails.
  std::unique_ptr<Scene> make_scene(const std::shared_ptr<const Mesh>& mesh) {
    const auto make = [this](const std::shared_ptr<const Mesh>& m) {
      return std::make_unique<Scene>(*device, interop.mode, m, workspace.choice);
    };
    const std::uint64_t needed = Scene::bytes_needed(*mesh);
    const std::uint64_t available = device->memory_available();
    const bool must_make_way =
        scene && needed > available && needed <= available + Scene::bytes_needed(*scene->mesh);
    if (!must_make_way) return make(mesh);

    const auto before = scene->mesh;
    scene.reset();
    try {
      return make(mesh);
    } catch (...) {
      scene = make(before);
      begin_scene();
      throw;
    }
  }

  // Takes what the loading thread has left.
  void poll_loader() {
    if (!loader) return;
    workspace.loading = true;
    workspace.loading_spec = loader->spec();
    workspace.load_progress = loader->progress();
    workspace.load_phase = loader->phase();
    const AsyncLoader::State state = loader->state();
    if (state == AsyncLoader::State::loading || lab_run) return;

    const auto done = std::move(loader);
    workspace.loading = false;
    if (state == AsyncLoader::State::failed) say(Message::Kind::error, done->error());
    if (state == AsyncLoader::State::cancelled)
      say(Message::Kind::info, "Loading " + done->spec() + " was cancelled.");
    if (state != AsyncLoader::State::done) return;
    try {
      show(done->take_mesh(), done->spec());
    } catch (const std::exception& error) {  // host memory may run out too
      say(Message::Kind::error, error.what());
    }
  }

  // ---- The laboratory ---------------------------------------------------------------------------

  // On the device, or on one that counts, where as many items as these show all there is to see.
  void start_lab(bool counting) {
    constexpr std::uint32_t most_counted = 1U << 12U;
    LabModel& model = workspace.lab;
    lab::Question question = model.question;
    if (counting) {
      question.n = std::min(question.n, most_counted);
      lab_run = std::make_unique<LabRun>(cpu_options, model.banks, question);
      model.counted_banks = model.banks;
    } else {
      question.n = model.question.n =
          std::min(question.n, lab::most_items(question.primitive, *device));
      if (scene && std::exchange(frame_pending, false)) scene->pipeline->collect();
      lab_run = std::make_unique<LabRun>(*device, question);
    }
    model.state = LabModel::State::preparing;
    model.counting = counting;
    series_under_way() = {question, variants_of(question.primitive), {}, {}};
  }

  LabSeries& series_under_way() {
    return workspace.lab.counting ? workspace.lab.counters : workspace.lab.times;
  }

  // Takes what the laboratory's thread has found out.
  void poll_lab() {
    LabModel& model = workspace.lab;
    if (lab_run) {
      LabSeries& series = series_under_way();
      const bool ended = lab_run->ended();
      for (lab::Answer& answer : lab_run->take_answers())
        series.answers.push_back(std::move(answer));
      model.row = lab_run->row();
      if (model.row >= 0) model.state = LabModel::State::measuring;
      model.cancelling = lab_run->cancelled();
      if (ended) {
        series.error = lab_run->error();
        if (!series.error.empty()) say(Message::Kind::error, series.error);
        model.state = LabModel::State::idle;
        model.row = -1;
        model.cancelling = false;
        lab_run.reset();
        most_items_are_of.reset();
      }
    }
    if (lab_run || most_items_are_of == model.question.primitive) return;
    model.most_items = lab::most_items(model.question.primitive, *device);
    most_items_are_of = model.question.primitive;
  }

  // ---- A frame ----------------------------------------------------------------------------------

  bool is_moving() const {
    return workspace.animation != Animation::once && workspace.wave.running;
  }

  void take_lab_requests() {
    Requests& requests = workspace.requests;
    if (std::exchange(requests.cancel_lab, false) && lab_run) lab_run->cancel();
    if (std::exchange(requests.run_lab, false) && !lab_run) start_lab(false);
    if (std::exchange(requests.count_lab, false) && !lab_run) start_lab(true);
  }

  void take_requests() {
    Requests& requests = workspace.requests;
    if (std::exchange(requests.cancel_load, false) && loader) loader->cancel();
    if (lab_run) return;  // the rest waits
    if (const auto spec = std::exchange(requests.open, {}))
      loader = std::make_unique<AsyncLoader>(*spec);
    if (const auto stage = std::exchange(requests.repeat, {}); stage && scene) {
      scene->pipeline->repeat(*stage);
      ++run;
    }
  }

  // Runs the variants that are chosen. Those that are not there or fail are refused, with a
  // message.
  void apply_choice() {
    MeshPipeline& pipeline = *scene->pipeline;
    const VariantChoice before = pipeline.choice();
    if (workspace.choice == before) return;
    try {
      pipeline.choose(workspace.choice);
      pipeline.compute();
      pipeline.collect();  // so that a kernel that fails does so here
      ++run;
    } catch (const Error& error) {
      say(Message::Kind::error, error.what());
      workspace.choice = before;
      pipeline.choose(before);
      pipeline.compute();
    }
  }

  FrameInputs inputs_now() const {
    FrameInputs inputs{.animation = workspace.animation,
                       .wave = {},
                       .boxes = workspace.show.boxes,
                       .level = workspace.show.boxes ? workspace.show.level : 0,
                       .curve = workspace.show.curve,
                       .run = run};
    if (inputs.animation != Animation::once)
      inputs.wave = wave_of(workspace.wave, scene->rest_bounds, wave_turns);
    return inputs;
  }

  void make_room(std::optional<SharedBuffer>& buffer, std::size_t bytes_each, bool& shown) {
    if (!shown || buffer) return;
    try {
      buffer.emplace(*device, scene->mesh->triangle_count() * bytes_each, interop.mode);
    } catch (const Error& error) {
      shown = false;
      say(Message::Kind::error, error.what());
    }
  }

  // Runs the kernels if anything changed, and writes the buffers that did.
  void run_frame() {
    make_room(scene->boxes, sizeof(Aabb), workspace.show.boxes);
    make_room(scene->curve, sizeof(Vec3), workspace.show.curve);
    const FrameInputs inputs = inputs_now();
    if (targets_written && inputs == last_inputs) {
      if (std::exchange(frame_pending, false)) scene->pipeline->collect();
      return;
    }
    const bool moved = !targets_written || !inputs.same_geometry(last_inputs);
    const bool new_boxes =
        inputs.boxes && (moved || !last_inputs.boxes || inputs.level != last_inputs.level);
    const bool new_curve = inputs.curve && (moved || !last_inputs.curve);

    MeshPipeline& pipeline = *scene->pipeline;
    FrameRequest request{.animation = inputs.animation,
                         .wave = inputs.wave,
                         .level = static_cast<std::uint32_t>(inputs.level),
                         .targets = {}};
    Mappings mappings(pipeline.stream());
    if (moved) mappings.map(scene->vertices, request.targets.vertices);
    if (!targets_written) {
      mappings.map(scene->indices, request.targets.indices);
      mappings.map(scene->material, request.targets.material);
    }
    if (new_boxes) mappings.map(*scene->boxes, request.targets.boxes);
    if (new_curve) mappings.map(*scene->curve, request.targets.curve);
    mappings.map(scene->commands, request.targets.commands);
    last_inputs = inputs;  // a frame that fails is not tried again before something changes
    pipeline.frame(request);
    mappings.unmap();
    targets_written = true;
    frame_pending = true;
  }

  void update(double seconds) {
    try {
      take_lab_requests();
      poll_lab();
      take_requests();
      if (scene && !lab_run) apply_choice();
      poll_loader();
      if (scene && !lab_run) {
        if (is_moving())
          wave_turns = std::fmod(wave_turns + seconds * double{workspace.wave.speed}, 1.0);
        run_frame();
      }
    } catch (const std::exception& error) {
      say(Message::Kind::error, error.what());
      stand_still();
    }
    workspace.frame_ms = 1e3 * seconds;
    refresh_results();
  }

  // After a failed frame: without animation, and drawn from the mesh at rest if that still works.
  void stand_still() {
    if (!scene) return;
    const bool was_animated = workspace.animation != Animation::once;
    workspace.animation = Animation::once;
    if (!was_animated) return;
    try {
      scene->pipeline->compute();
      ++run;
      run_frame();
    } catch (const Error&) {
      // What failed has been said; the picture is what it was.
    }
  }

  // ---- Results ----------------------------------------------------------------------------------

  void refresh_results() {
    workspace.copy_gb_per_s = curve.largest_gb_per_s();
    if (!scene) return;

    const MeshPipeline& pipeline = *scene->pipeline;
    workspace.counts = pipeline.counts();
    workspace.tree = pipeline.tree();
    workspace.bounds = pipeline.bounds();
    workspace.frame_gpu_ms = pipeline.last_frame_milliseconds();
    workspace.graph = pipeline.used_graph();
    const std::vector<StageReport> reports = pipeline.stages();
    workspace.stages.resize(reports.size());
    for (std::size_t i = 0; i < reports.size(); ++i) fill_row(reports[i], workspace.stages[i]);
  }

  void fill_row(const StageReport& report, StageRow& row) const {
    constexpr std::uint64_t launch_bound = 1'000'000;  // bytes
    const auto primitive = primitive_of(report.stage);
    const auto& milliseconds = report.times->milliseconds();
    row.stage = report.stage;
    if (primitive && row.variants.empty()) row.variants = variants_of(*primitive);
    row.items = report.items;
    row.bytes = report.bytes;
    row.milliseconds.assign(milliseconds.begin(), milliseconds.end());
    row.last_ms = report.times->last();
    row.median_ms = report.times->median();
    row.least_ms = report.times->least();
    row.gb_per_s = report.median_gb_per_s();
    const double copy = curve.gb_per_s(report.bytes);
    row.copy_share = copy > 0.0 ? row.gb_per_s / copy : 0.0;
    row.launch_bound = report.bytes < launch_bound;
    row.every_frame = is_moving() && !report.fused &&
                      (workspace.animation == Animation::rebuild ? is_rebuilt(report.stage)
                                                                 : report.stage == Stage::refit);
    row.fused = report.fused;
  }

  // ---- Drawing ----------------------------------------------------------------------------------

  void draw(const Framebuffer& target) {
    if (std::exchange(workspace.requests.fit_camera, false) && scene)
      workspace.camera.fit(scene->rest_bounds, static_cast<float>(target.width()) /
                                                   static_cast<float>(target.height()));
    DrawBuffers buffers;
    std::vector<SharedBuffer*> drawn;
    const auto use = [&drawn](SharedBuffer& buffer, GLuint& name) {
      name = buffer.id();
      drawn.push_back(&buffer);
    };
    if (scene && targets_written) {
      use(scene->vertices, buffers.vertices);
      use(scene->indices, buffers.indices);
      use(scene->material, buffers.triangle_material);
      if (scene->boxes && last_inputs.boxes) use(*scene->boxes, buffers.boxes);
      if (scene->curve && last_inputs.curve) use(*scene->curve, buffers.curve);
      use(scene->commands, buffers.commands);
    }
    renderer.draw(target, workspace.camera, buffers, workspace.show);
    for (SharedBuffer* buffer : drawn) buffer->drawn();

    if (const auto file = std::exchange(workspace.requests.screenshot, {})) {
      try {
        write_png(*file, target.read_back());
        say(Message::Kind::info, "Wrote " + *file + ".");
      } catch (const Error& error) {
        say(Message::Kind::error, error.what());
      }
    }
  }

  // The next size. False when there is none.
  bool measure_copy() {
    if (curve.complete() || curve_failed) return false;
    try {
      curve.step();
    } catch (const Error&) {
      curve_failed = true;  // no yardstick; the times remain
    }
    return true;
  }

  bool idle() {
    using namespace std::chrono_literals;
    if (lab_run) return true;
    if (measure_copy()) return true;
    // Other backends are tried on another thread: a driver's start takes a while.
    if (!std::exchange(backends_asked, true))
      backends = std::async(std::launch::async, list_backends);
    if (!backends.valid()) return false;
    if (backends.wait_for(5ms) == std::future_status::ready)
      for (const BackendStatus& status : backends.get())
        workspace.absent[static_cast<std::size_t>(status.backend)] = status.why;
    return true;
  }
};

Session::Session(WorkspaceModel& workspace, const Options& options, std::unique_ptr<Device> device)
    : state_(std::make_unique<State>(workspace, options, std::move(device))) {}

Session::~Session() = default;

void Session::open(const std::string& spec) {
  LoadControl control;
  state_->show(open_scene(spec, control), spec);
}

void Session::update(double seconds) { state_->update(seconds); }

void Session::settle() {
  if (std::exchange(state_->frame_pending, false)) state_->scene->pipeline->collect();
  state_->refresh_results();
}

void Session::draw(const Framebuffer& target) { state_->draw(target); }

bool Session::idle() { return state_->idle(); }

void Session::measure_copies() {
  while (state_->measure_copy()) {
  }
  state_->refresh_results();
}

bool Session::wants_frames() const {
  const Requests& requests = state_->workspace.requests;
  return state_->lab_run || state_->loader || state_->frame_pending ||
         (state_->scene && state_->is_moving()) || requests.open || requests.repeat ||
         requests.screenshot || requests.fit_camera || requests.run_lab || requests.count_lab;
}

void Session::reload() {
  if (!state_->scene) return;
  state_->scene->pipeline->load();
  ++state_->run;
}

MeshPipeline* Session::pipeline() const {
  return state_->scene ? state_->scene->pipeline.get() : nullptr;
}

std::span<const Vertex> Session::corners() const {
  if (!state_->scene) return {};
  return state_->scene->mesh->corners;
}

std::span<const std::uint32_t> Session::triangle_material() const {
  if (!state_->scene) return {};
  return state_->scene->mesh->triangle_material;
}

}  // namespace warpview
