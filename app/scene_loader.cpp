#include "app/scene_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "app/common/trouble.h"
#include "app/remembering.h"
#include "app/surfaces.h"
#include "gpu/runtime/cpu/host_memory.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/suggestion.h"
#include "gpu/runtime/upload.h"

namespace warpview {
namespace {

// Fraction of the whole load: files are read, the device has not begun.
constexpr float on_the_host = 0.8F;
// Fraction of the rest: textures, if any, are ready.
constexpr float of_textures = 0.5F;
// Fraction of the rest: the scene is loaded, if its time is then advanced.
constexpr float of_loading = 0.5F;

// Has the device ready for large uploads while files are read. Ends with what it returns; where no
// thread is to be had the first upload does it.
std::future<void> prepare_uploads_beside(Device& device) {
  if (!device.stages_uploads()) return {};
  try {
    return std::async(std::launch::async, [&device] { prepare_uploads(device); });
  } catch (const std::system_error&) {
    return {};
  }
}

// What a scene file says, with what was said beside its name on top.
SceneDescription resolved(const SceneDescription& asked) {
  SceneDescription scene = asked;
  if (!scene.asked) scene.asked = std::make_shared<const SceneDescription>(asked);
  if (asked.files.size() != 1 || !is_scene_file(asked.files.front().spec)) return scene;
  scene = read_scene_file(asked.files.front().spec);
  scene.asked = std::make_shared<const SceneDescription>(asked);
  if (!asked.scene.empty()) {
    // Controls are of the file's scene, which is the first kind where it names none.
    if (&kind_of(asked) != &kind_of(scene)) scene.controls.clear();
    scene.scene = asked.scene;
  }
  scene.controls.insert(scene.controls.end(), asked.controls.begin(), asked.controls.end());
  for (const VariantWishes::Wish& wish : asked.variants.all())
    scene.variants.add(wish.stage, wish.variant);
  if (asked.camera) scene.camera = asked.camera;
  scene.camera_name = asked.camera_name;
  if (asked.show) scene.show = asked.show;
  if (asked.seconds) scene.seconds = asked.seconds;
  return scene;
}

// Looks through the camera that is asked for by its name. ChoiceError where the scene has none of
// this name.
void choose_camera(SceneDescription& scene) {
  if (scene.camera_name.empty()) return;
  const std::string name = std::exchange(scene.camera_name, {});
  std::vector<std::string_view> names;
  for (const NamedViewpoint& each : scene.cameras) {
    names.emplace_back(each.name);
    if (each.name == name) scene.camera = each.view;
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw ChoiceError(
      fmt::format("camera \"{}\"", name),
      names.empty() ? "the scene has no named cameras" : "the scene has no camera of this name",
      names.empty()
          ? "Save one in the window: View > Look from > Cameras, then File > Save scene"
          : fmt::format("{}Its cameras are {}", did_you_mean(name, names), fmt::join(names, ", ")));
}

// Advances the scene's time by so much, without pictures.
void let_pass(Scene& scene, double seconds, LoadControl& control) {
  if (!(seconds > 0.0)) return;
  control.begin_phase("advancing the animation");
  constexpr double step = 1.0 / 60.0;
  // The last step is shorter, but no rounding error.
  const double steps =
      scene.can_skip_time() ? 1.0 : std::max(std::ceil(seconds / step - 1e-6), 1.0);
  const double each = scene.can_skip_time() ? seconds : step;
  double passed = 0.0;
  for (double n = 1.0; n <= steps; ++n) {
    control.throw_if_cancelled();
    const double next = n < steps ? n * each : seconds;
    scene.queue({.seconds = next - passed, .targets = std::vector<void*>(scene.streams().size())});
    scene.collect();
    passed = next;
    control.report(static_cast<float>(passed / seconds));
  }
  scene.timeline().forget_frame_times();
}

// Which outputs are shown. ChoiceError where a name is none of theirs.
std::set<std::string> shown_outputs(const Scene& scene,
                                    const std::optional<std::vector<std::string>>& wanted,
                                    bool is_strict) {
  std::set<std::string> usual;
  std::vector<std::string_view> names;
  for (const Output& output : scene.outputs()) {
    if (output.shown) usual.insert(output.name);
    names.emplace_back(output.name);
  }
  if (!wanted) return usual;
  std::set<std::string> asked;
  for (const std::string& name : *wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end())
      asked.insert(name);
    else if (is_strict)
      throw ChoiceError(
          fmt::format("showing \"{}\"", name),
          fmt::format("the scene {} does not have this output", scene.kind().name),
          fmt::format("{}It has {}", did_you_mean(name, names), fmt::join(names, ", ")));
  }
  return asked;
}

// Could the wish be for a variant that the device has? Which primitive a stage runs is known only
// where the wish names the primitive.
bool can_be_granted(const VariantWishes::Wish& wish, const Device& device) {
  bool names_primitive = false;
  for (int p = 0; p < primitive_count; ++p)
    names_primitive |= wish.stage == to_string(static_cast<Primitive>(p));
  const auto all = variants();
  return std::any_of(all.begin(), all.end(), [&](VariantId variant) {
    return variant->name == wish.variant &&
           (!names_primitive || wish.stage == to_string(variant->primitive)) &&
           why_unavailable(variant, device).empty();
  });
}

// The variant that a stage has where the user chooses none. What was said may not be there: it may
// have been for another device.
std::optional<VariantId> usual_variant(const Timeline& timeline, StageId stage,
                                       const VariantWishes& said) {
  const auto variant = timeline.chosen_by(said, stage);
  return !variant || timeline.why_not(stage, *variant).empty() ? variant
                                                               : timeline.chosen_by({}, stage);
}

// The latter override the former.
VariantWishes wishes_for(const VariantWishes& habits, const VariantWishes& wishes,
                         const Device& device) {
  VariantWishes all;
  for (const VariantWishes::Wish& wish : habits.all())
    if (can_be_granted(wish, device)) all.add(wish.stage, wish.variant);
  for (const VariantWishes::Wish& wish : wishes.all()) all.add(wish.stage, wish.variant);
  return all;
}

}  // namespace

SceneLoader::SceneLoader(Request request, std::shared_ptr<const OpenedScene> open, Device& device,
                         Compute& compute)
    : request_(std::move(request)),
      spec_(request_.description.spec()),
      device_(device),
      compute_(compute),
      opened_(std::move(open)),
      thread_(start_thread<std::jthread>([this] { load(); })) {}

SceneLoader::~SceneLoader() {
  cancel();
  making_again_.cancel();
}

void SceneLoader::load() {
  State end = State::failed;
  try {
    open();
    end = State::done;
  } catch (const LoadCancelled&) {
    end = State::cancelled;
  } catch (const std::bad_alloc&) {
    failure_ = std::make_exception_ptr(Error(spec_, "out of memory", "Open something smaller"));
  } catch (...) {
    failure_ = std::current_exception();
  }
  state_.store(end, std::memory_order_release);
  state_.notify_all();
}

void SceneLoader::open() {
  Request& request = request_;
  control_.stop_if(request.stop);
  const auto note_file = [&request](const std::filesystem::path& file) {
    request.files.push_back({file, stamp_of(file)});
  };
  control_.on_file(note_file);
  try {
    if (!request.mesh) request.files.clear();
    const auto& asked = request.description.as_asked().files;
    const bool is_of_file = asked.size() == 1 && is_scene_file(asked.front().spec);
    if (!request.mesh && is_of_file) note_file(asked.front().spec);
    request.description = resolved(request.description);
    if (is_of_file && !request.of_file) request.of_file = controls_of(request.description);
    if (!request.said) request.said = request.description.variants;
    if (request.memory) recall(request, device_);
    if (!request.controls) request.controls = controls_of(request.description);
    if (!request.mesh) {
      const std::future<void> uploads = prepare_uploads_beside(device_);
      const LoadControl::Part files(control_, 0.0F, on_the_host);
      request.mesh = std::make_shared<const Mesh>(load_meshes(
          request.description, control_, request.limits, mesh_options(*request.controls)));
    }
  } catch (const Error& error) {
    throw InputError(error.what());
  } catch (const std::bad_alloc&) {
    throw InputError(spec_, "out of memory while reading it", "Open something smaller");
  }

  choose_camera(request.description);

  // Beside what is open if the device has room for both. If it has room for the new one only, what
  // is open makes way, and comes back if that fails.
  const SceneKind& kind = kind_of(request.description);
  const std::uint64_t needed = kind.memory(*request.mesh, *request.controls);
  const std::uint64_t available = device_.memory_available();
  const std::shared_ptr<const OpenedScene> before = opened_;
  bool makes_way = false;
  const auto make_way = [&] {
    makes_way = true;
    compute_.release_scene([this] { control_.throw_if_cancelled(); });
    opened_.reset();
  };
  const auto has_room_alone = [&](std::uint64_t bytes) {
    return before && bytes <= available + before->memory;
  };
  if (needed > available && has_room_alone(needed)) make_way();
  try {
    try {
      opened_ = make(request, control_);
    } catch (const ChoiceError&) {
      throw;
    } catch (const Error&) {
      // The arrays that are drawn take about as much again, which only the scene itself knows.
      if (makes_way || needed < available / 2 || !has_room_alone(needed)) throw;
      make_way();
      opened_ = make(request, control_);
    }
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    if (makes_way) {
      Request again{.description = before->description,
                    .habits = before->choices.wishes(),
                    .shown = std::vector<std::string>(before->choices.shown.begin(),
                                                      before->choices.shown.end()),
                    .mesh = before->mesh,
                    .files = before->files,
                    .controls = before->choices.controls,
                    .of_file = before->of_file,
                    .said = before->said};
      again.description.show.reset();
      again.description.seconds.reset();
      again.description.variants = {};
      try {
        opened_ = make(again, making_again_);
      } catch (const Error&) {
        // Nothing is open then; the first failure says why.
      } catch (const LoadCancelled&) {
        // No caller waits for it any more.
      }
    }
    std::rethrow_exception(failure);
  }
}

std::shared_ptr<OpenedScene> SceneLoader::make(const Request& request, LoadControl& control) {
  const SceneDescription& description = request.description;
  auto opened = std::make_shared<OpenedScene>();
  opened->kind = &kind_of(description);
  opened->description = description;
  opened->mesh = request.mesh;
  opened->files = request.files;
  opened->choices.controls = *request.controls;
  opened->of_file = request.of_file;
  if (request.memory) opened->view = request.memory->view;
  VariantWishes variants = wishes_for(request.habits, description.variants, device_);
  opened->said = *request.said;
  const LoadControl::Part part(control, on_the_host, 1.0F);
  control.begin_phase("allocating device memory");
  control.report(0.0F);
  // Memory is taken piece by piece.
  const Interruptible cancels([&control] { control.throw_if_cancelled(); });
  const auto make_scene = [&] {
    return opened->kind->make({device_, opened->mesh, opened->choices.controls, variants});
  };
  std::unique_ptr<Scene> scene;
  try {
    scene = make_scene();
  } catch (const ChoiceError&) {
    // Habits are of other scenes, and may be of another device.
    if (request.habits.all().empty()) throw;
    variants = description.variants;
    scene = make_scene();
  }
  opened->memory = opened->kind->memory(*request.mesh, *request.controls) + scene->drawn_bytes();
  scene->timeline().refuse_unknown_wishes(description.variants);
  opened->outputs = scene->outputs();
  const bool says_itself = description.show.has_value();
  opened->choices.shown =
      shown_outputs(*scene, says_itself ? description.show : request.shown, says_itself);
  // Where only this thread waits for it.
  SurfaceLook look{surfaces_of(scene->materials()), {}};
  if (const auto images = scene->materials().textures; !images.empty()) {
    control.begin_phase("preparing textures");
    const LoadControl::Part textures(control, 0.0F, of_textures);
    look.images = make_textures(images, host_memory_available(),
                                [&control](float done) { control.report(done); });
  }
  const double seconds = description.seconds.value_or(0.0);
  const float loaded = seconds > 0.0 ? of_loading : 1.0F;
  {
    const LoadControl::Part loading(control, 0.0F, loaded);
    scene->load(control);
  }
  {
    const LoadControl::Part passing(control, loaded, 1.0F);
    let_pass(*scene, seconds, control);
  }
  opened->bounds = scene->reach();
  opened->outline = scene->outline();
  opened->first_view = scene->first_view();
  const Timeline& timeline = scene->timeline();
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const auto id = static_cast<StageId>(i);
    StageRow stage;
    stage.result = StageResult{.stage = id, .name = timeline.info(id).name};
    if (timeline.info(id).primitive) stage.variants = variants_of(*timeline.info(id).primitive);
    for (const VariantId variant : stage.variants)
      stage.why_not.push_back(timeline.why_not(id, variant));
    stage.usual = usual_variant(timeline, id, opened->said);
    if (const auto chosen = timeline.chosen(id))
      opened->choices.variants.emplace(stage.result->name, *chosen);
    opened->stages.push_back(std::move(stage));
  }
  control.begin_phase("uploading");
  control.throw_if_cancelled();
  // Behind this there is no way back: what was open is on a device that is left.
  std::function<void()> ask = [&control] { control.throw_if_cancelled(); };
  if (request.before_install) {
    request.before_install();
    ask = [] {};
  }
  opened->number = compute_.install(std::move(scene), std::move(look), ask, seconds);
  opened->phases = control.phases();
  return opened;
}

}  // namespace warpview
