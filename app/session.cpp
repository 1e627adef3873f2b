#include "app/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <thread>
#include <utility>

#include "app/backend_switch.h"
#include "app/common/editor.h"
#include "app/common/process.h"
#include "app/common/trouble.h"
#include "app/common/worker.h"
#include "app/glance.h"
#include "app/lab_run.h"
#include "app/render/render_thread.h"
#include "app/scene_loader.h"
#include "app/scene_memory.h"
#include "gpu/lab/series.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/statistics.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

std::string name_of(const OpenedScene& scene) {
  const bool is_plain = scene.kind == &scene_kinds().front();
  return is_plain ? scene.mesh->name : std::string(scene.kind->title) + ", " + scene.mesh->name;
}

// Does what was asked for make no sense, however it was left?
bool fails_by_asking(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const InputError&) {
    return true;
  } catch (const ChoiceError&) {
    return true;
  } catch (...) {
    return false;
  }
  return false;
}

std::string text_of(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const std::exception& error) {
    return in_words(error);
  }
}

}  // namespace

struct Session::State {
  Model& model;
  const Mode mode;
  const CpuOptions cpu_options;  // of the device that counts
  const InteropRequest interop;
  const DeviceOpener opener;
  std::function<void()> news;
  std::unique_ptr<Device> device;
  std::unique_ptr<Device> other_device;  // at the end, if the buffers may be of that one already
  RenderThread render;
  std::unique_ptr<Compute> compute;
  BackendSwitch other;        // that what is open is being made on
  std::future<void> retired;  // what computed before, until it has ended
  std::shared_ptr<const OpenedScene> opened;
  VariantWishes habits;  // variants that the user chose, for the scenes to come
  std::unique_ptr<SceneLoader> loader;
  bool keeps_camera = false;  // of what is loading
  // What follows as soon as the loader, which was cancelled for it, has ended.
  struct Next {
    SceneLoader::Request request;
    bool keeps_camera = false;
  };
  std::optional<Next> next;
  std::unique_ptr<LabRun> lab_run;
  Glance glance;
  Worker writer;  // of files, once there was one to write
  bool writer_runs = false;
  std::vector<LaunchedProcess> editors;  // that have not ended yet
  std::chrono::steady_clock::time_point edited;
  std::atomic<bool> closing{false};
  Worker disassembler;  // once it was asked
  bool disassembler_runs = false;

  View view;
  bool is_coarse = false;
  std::optional<Camera> fitted;    // as fit_camera() left it
  std::optional<UpAxis> up_given;  // by the command line: whatever is remembered
  SceneMemory begun;               // the scene that is open, as it began
  // A stage that was asked to run once more: of which scene, by which row, after how many runs.
  struct WarmUp {
    std::uint64_t scene = 0;
    std::string stage{};
    int row = -1;
    std::size_t runs = 0;
    bool operator==(const WarmUp&) const = default;
  };
  WarmUp warming;
  SceneWishes wishes;  // as sent last
  std::uint64_t pictures_seen = 0;
  std::chrono::steady_clock::time_point last_picture;

  // What other threads found out, for the next update.
  struct News {
    std::mutex mutex;
    std::vector<Message> messages;
    std::optional<std::vector<Fact>> picked;
    std::optional<Vec3> pivot;
    std::optional<std::pair<Primitive, std::uint32_t>> most_items;
    std::vector<SassAnswer> sass;
  };
  std::shared_ptr<News> found = std::make_shared<News>();
  std::optional<Primitive> most_items_of;  // asked for; none: something changed since
  std::future<std::vector<BackendStatus>> backends;
  bool backends_asked = false;

  State(Model& model_, const Options& options, std::unique_ptr<Device> device_,
        std::unique_ptr<GlContext> context, Mode mode_, std::function<void()> news_,
        DeviceOpener opener_)
      : model(model_),
        mode(mode_),
        cpu_options(options.cpu),
        interop(options.interop),
        opener(opener_ ? std::move(opener_)
                       : [cpu = options.cpu](
                             Backend backend) { return open_device(backend, -1, cpu); }),
        news(std::move(news_)),
        device(std::move(device_)),
        render(std::move(context), *device, options.interop,
               mode == Mode::window ? RenderThread::Pictures::by_themselves
                                    : RenderThread::Pictures::on_demand,
               news),
        compute(make_compute(*device)),
        up_given(options.up) {
    note_device();
    model.gl_renderer = render.gl_renderer();
    for (std::size_t b = 0; b < model.absent.size(); ++b)
      if (static_cast<Backend>(b) != device->info().backend) model.absent[b] = "not tried yet";
  }
  std::unique_ptr<Compute> make_compute(Device& on) {
    return std::make_unique<Compute>(
        on, render,
        mode == Mode::window ? Compute::Frames::by_themselves : Compute::Frames::on_demand, news);
  }
  void note_device() {
    model.device = device->info();
    model.built_with = device->table().built_with;
    model.interop = render.interop().description;
    model.absent[static_cast<std::size_t>(model.device.backend)].clear();
    // What it can answer in a moment.
    const bool on_cpu = model.device.backend == Backend::cpu;
    model.lab.question.n = on_cpu ? 1U << 16U : 1U << 22U;
    model.lab.sweep_first = on_cpu ? 6 : 10;
    model.lab.sweep_last = on_cpu ? 14 : 24;
  }
  // Whoever waits for a picture to be taken goes on, or the threads could not end.
  ~State() {
    closing = true;
    render.close();
    compute->close();
    if (other.has_device()) other.compute().close();
    loader.reset();
    BackendSwitch::Side side = other.give_up();
    side.compute.reset();
    other_device = std::move(side.device);
  }

  void say(Message::Kind kind, std::string text) {
    constexpr std::size_t most = 200;
    std::vector<Message>& messages = model.messages;
    if (messages.size() >= most) messages.erase(messages.begin());
    messages.push_back({kind, std::move(text)});
  }
  // The same from any thread.
  std::function<void(Message::Kind, std::string)> messenger() const {
    return [found = found, news = news](Message::Kind kind, std::string text) {
      {
        const std::lock_guard lock(found->mutex);
        found->messages.push_back({kind, std::move(text)});
      }
      if (news) news();
    };
  }

  // ---- Opening ----------------------------------------------------------------------------------

  // What is loading makes way for it.
  void start_loading(SceneLoader::Request request, bool keeps_the_camera) {
    if (loader) {
      loader->cancel();
      next.emplace(Next{std::move(request), keeps_the_camera});
      return;
    }
    if (opened) opened = as_it_is();
    keeps_camera = keeps_the_camera;
    loader = std::make_unique<SceneLoader>(std::move(request), opened, *device, *compute);
  }

  // What is open, as the user has set it meanwhile: should it have to be made again.
  std::shared_ptr<const OpenedScene> as_it_is() const {
    auto now = std::make_shared<OpenedScene>(*opened);
    for (std::size_t i = 0; i < now->controls.size(); ++i)
      if (now->controls.all()[i].effect != Effect::remake)
        now->controls.set(i, model.controls.value(i));
    now->variants = {};
    for (const StageRow& stage : model.stages)
      if (stage.row >= 0) now->variants.add(stage.result.name, variant_at(stage.row).name);
    for (std::size_t i = 0; i < now->shown.size(); ++i) now->shown[i] = model.outputs[i].shown;
    return now;
  }

  void start_opening(SceneDescription description) {
    SceneLoader::Request request{.description = std::move(description), .habits = habits};
    if (opened) request.shown = shown_names();
    remember();  // it may be the same scene that is opened again
    if (const SceneMemory* memory = memory_for(request.description)) request.memory = *memory;
    start_loading(std::move(request), false);
  }
  std::vector<std::string> shown_names() const {
    std::vector<std::string> names;
    for (const OutputRow& output : model.outputs)
      if (output.shown) names.push_back(output.name);
    return names;
  }

  // ---- How scenes were left ---------------------------------------------------------------------

  SceneMemory memory_now() const {
    return memory_of(model, memory_key(opened->description), fitted == model.camera);
  }
  void remember() {
    if (opened && model.remembers) warpview::remember(model.memories, memory_now(), begun);
  }
  const SceneMemory* memory_for(const SceneDescription& description) const {
    return model.remembers ? find_memory(model.memories, memory_key(description)) : nullptr;
  }
  void forget(const std::string& key) {
    std::erase_if(model.memories, [&key](const SceneMemory& each) { return each.key == key; });
  }

  // The scene anew, as it was asked for: nothing of what was chosen in it is left.
  void reset_settings() {
    SceneLoader::Request request{.description = *opened->description.asked};
    forget(memory_key(opened->description));
    VariantWishes others;
    for (const VariantWishes::Wish& wish : habits.all())
      if (model.stage(wish.stage) == nullptr) others.add(wish.stage, wish.variant);
    request.habits = habits = std::move(others);
    model.camera.look_from(Side::home);
    model.camera.up_axis = up_given.value_or(UpAxis::y);
    fit_camera();
    begun = memory_now();  // so that the rest of it is not remembered when it makes way
    start_loading(std::move(request), false);
  }

  // What could not be opened as it was left is opened as if it never was.
  bool open_anew(const SceneLoader& failed) {
    if (!failed.memory() || fails_by_asking(failed.failure()) || next) return false;
    say(Message::Kind::warning, failed.spec() +
                                    " cannot be opened as it was left: it begins anew. " +
                                    text_of(failed.failure()));
    forget(failed.memory()->key);
    next.emplace(Next{{.description = failed.asked(), .habits = habits}, false});
    return true;
  }

  // From where the user looked at the scene when it was left.
  void look_again(const SceneMemory::View& left) {
    model.camera.yaw = left.yaw;
    model.camera.pitch = left.pitch;
    model.camera.field_of_view = left.field_of_view;
    if (!up_given) model.camera.up_axis = left.up;
    fit_camera();
    recall(model.camera, left);
  }

  // The same scene from its files, as they are now.
  void reload_files() {
    SceneLoader::Request request{.description = opened->description,
                                 .habits = habits,
                                 .shown = shown_names(),
                                 .controls = model.controls};
    request.description.camera.reset();
    request.description.show.reset();
    request.description.variants = {};
    start_loading(std::move(request), true);
  }

  // The same scene as the user has set it, of the mesh that is there.
  SceneLoader::Request same_scene() const {
    SceneLoader::Request request{.description = opened->description,
                                 .habits = as_it_is()->variants,
                                 .shown = shown_names(),
                                 .mesh = opened->mesh,
                                 .controls = model.controls};
    request.description.camera.reset();
    request.description.show.reset();
    request.description.variants = {};
    return request;
  }

  // ---- Another backend --------------------------------------------------------------------------

  // Once the other device is there, what is open is made on it beside the one that runs, and takes
  // its place only when it is whole.
  void poll_switch() {
    model.switching_to = other.wanted();
    if (!other.is_ready()) return;
    if (lab_run) lab_run->cancel();
    if (lab_run || loader) return;  // first
    try {
      other.take_device([this](Device& on) { return make_compute(on); });
      if (!opened) {
        render.set_device(other.device(), interop);
        move_over();
        return;
      }
      SceneLoader::Request request = same_scene();
      request.habits = choices_for(other.device());
      request.before_install = [this] {
        compute->pause();
        render.set_device(other.device(), interop);
        other.note_moved();
      };
      keeps_camera = true;
      loader = std::make_unique<SceneLoader>(std::move(request), nullptr, other.device(),
                                             other.compute());
      model.loading = true;
    } catch (const std::exception& error) {
      say(Message::Kind::error, in_words(error));
      retire(other.give_up());
    }
    model.switching_to = other.wanted();
  }

  // The user's choices of variants, as far as they are there.
  VariantWishes choices_for(const Device& on) const {
    VariantWishes choices;
    for (const StageRow& stage : model.stages) {
      if (stage.row < 0) continue;
      const bool is_there = on.table().functions[static_cast<std::size_t>(stage.row)] != nullptr &&
                            why_unavailable(variant_at(stage.row), on.info()).empty();
      if (is_there) choices.add(stage.result.name, variant_at(stage.row).name);
    }
    return choices;
  }

  // From now on the other device is the one.
  void move_over() {
    BackendSwitch::Side left = other.exchange({std::move(device), std::move(compute)});
    device = std::move(left.device);
    compute = std::move(left.compute);
    retire(other.give_up());
    note_device();
    // Times of one device are nothing to hold another's against.
    model.lab.times = model.lab.sweep = {};
    model.pinned.reset();
    most_items_of.reset();
    say(Message::Kind::info, fmt::format("Computed on {} from now on.", device->info().name));
  }

  // What it holds is freed, and its thread ended, which may take a frame's time.
  void retire(BackendSwitch::Side side) {
    if (!side.device) return;
    if (side.compute) side.compute->close();
    auto shared = std::make_shared<BackendSwitch::Side>(std::move(side));
    try {
      retired = std::async(std::launch::async, [shared] {
        shared->compute.reset();
        shared->device.reset();
      });
    } catch (const std::system_error&) {
      // No thread for it: here and now then.
    }
  }

  // The scene was made on the other device, or could not be.
  void end_switch(const SceneLoader& done) {
    if (done.state() == SceneLoader::State::done) {
      move_over();
      take_over(done.opened(), true);
      return;
    }
    const bool moved = other.moved();
    if (!moved) {
      if (next)
        say(Message::Kind::info, "The change to another backend was given up for what is opened.");
      retire(other.give_up());
      compute->resume();  // it may have been about to be left
      return;
    }
    // Too late for what was open, whose buffers are gone: it is made again.
    compute->release_scene();
    SceneLoader::Request again = same_scene();
    try {
      render.set_device(*device, interop);
    } catch (const std::exception& error) {
      // Then the other device is the one, with nothing open.
      say(Message::Kind::error, in_words(error));
      move_over();
      take_over(nullptr, false);
      return;
    }
    retire(other.give_up());
    compute->resume();
    start_loading(std::move(again), true);
  }

  // Has something changed that says how files are read?
  bool needs_files() const {
    for (std::size_t i = 0; i < model.controls.size(); ++i)
      if (model.controls.all()[i].of_files && model.controls.value(i) != opened->controls.value(i))
        return true;
    return false;
  }

  // The same scene with another size: a new one, made on the loading thread.
  void remake() {
    SceneLoader::Request request{.description = opened->description,
                                 .habits = habits,
                                 .shown = shown_names(),
                                 .mesh = needs_files() ? nullptr : opened->mesh,
                                 .controls = model.controls};
    request.description.camera.reset();
    request.description.show.reset();
    request.description.variants = {};
    for (std::size_t i = 0; i < model.controls.size(); ++i)
      if (const Control& control = model.controls.all()[i]; control.effect == Effect::remake)
        request.description.controls.emplace_back(control.name,
                                                  fmt::format("{}", model.controls.value(i)));
    start_loading(std::move(request), true);
  }

  // Takes what the loading thread has left.
  void poll_loader() {
    model.loading = loader != nullptr;
    if (!loader) return;
    model.loading_spec = loader->spec();
    model.load_progress = loader->progress();
    model.load_phase = loader->phase();
    if (loader->state() == SceneLoader::State::loading) return;
    const auto done = std::move(loader);
    model.loading = false;
    if (done->state() == SceneLoader::State::failed && !open_anew(*done))
      say(Message::Kind::error, text_of(done->failure()));
    if (done->state() == SceneLoader::State::cancelled && !next)
      say(Message::Kind::info, "Loading " + done->spec() + " was cancelled.");
    if (other.has_device())
      end_switch(*done);
    else if (done->opened() != opened)
      take_over(done->opened(), done->state() == SceneLoader::State::done);
    else if (opened)
      take_sizes_back();
    if (auto following = std::exchange(next, {})) {
      start_loading(std::move(following->request), following->keeps_camera);
      model.loading = true;
    }
  }

  // Sizes that could not be had.
  void take_sizes_back() {
    for (std::size_t i = 0; i < model.controls.size(); ++i)
      if (model.controls.all()[i].effect == Effect::remake)
        model.controls.set(i, opened->controls.value(i));
  }

  // The model becomes that of another scene.
  void take_over(std::shared_ptr<const OpenedScene> scene, bool is_new) {
    const bool is_another = is_new && !keeps_camera;
    if (is_another) remember();
    opened = std::move(scene);
    if (!opened) {
      model.scene_kind = nullptr;
      model.scene_name.clear();
      model.scene_spec.clear();
      model.scene_files.clear();
      model.scene_bounds = Aabb::empty();
      model.controls = {};
      model.pinned.reset();
      model.picked.clear();
      model.glanced.clear();
      model.outputs.clear();
      model.stages.clear();
      model.results = {.copy_gb_per_s = model.results.copy_gb_per_s};
      say(Message::Kind::error,
          "What was open made way, and could not be made again: open it once more.");
      return;
    }
    model.scene_kind = opened->kind;
    model.scene_name = name_of(*opened);
    model.scene_spec = opened->description.spec();
    model.scene_files = opened->description.files;
    model.scene_bounds = opened->bounds;
    model.picked.clear();
    model.glanced.clear();
    // What was set while another size was being made stays.
    const bool is_remade = is_new && keeps_camera;
    if (is_new && !is_remade) model.pinned.reset();
    if (!is_remade) model.controls = opened->controls;
    const std::vector<OutputRow> before = std::exchange(model.outputs, {});
    for (std::size_t i = 0; i < opened->outputs.size(); ++i) {
      const Output& output = opened->outputs[i];
      const bool shown = is_remade && i < before.size() ? before[i].shown : opened->shown[i];
      model.outputs.push_back({output.name, output.title, output.key, shown, output.empty});
    }
    model.stages.clear();
    for (const OpenedScene::Stage& stage : opened->stages)
      model.stages.push_back({.variants = stage.rows, .why_not = stage.why_not});
    wishes = {};
    most_items_of.reset();
    take_results(true);
    if (!is_new) return;
    if (is_another) {
      fit_camera();
      if (opened->view) look_again(*opened->view);
      for (const std::string& warning : opened->mesh->warnings)
        say(Message::Kind::warning, opened->mesh->name + ": " + warning);
    }
    if (const auto& camera = opened->description.camera) look_from(*camera);
    if (is_another) begun = memory_now();
  }

  void look_from(const Viewpoint& viewpoint) {
    fit_camera();
    model.requests.fit_camera = false;
    model.camera.look_from({viewpoint.eye.x, viewpoint.eye.y, viewpoint.eye.z},
                           {viewpoint.target.x, viewpoint.target.y, viewpoint.target.z},
                           viewpoint.field_of_view);
  }

  void fit_camera() {
    const float aspect =
        view.height > 0 ? static_cast<float>(view.width) / static_cast<float>(view.height) : 1.0F;
    model.camera.fit(model.scene_bounds, aspect);
    fitted = model.camera;
  }

  // The view's size changes: what fitted, and was not moved since, fits again.
  void set_view(int width, int height) {
    if (view.width == width && view.height == height) return;
    view.width = width;
    view.height = height;
    if (fitted == model.camera) fit_camera();
  }

  // ---- The laboratory ---------------------------------------------------------------------------

  // On the device, or on one that counts, where as many items as these show all there is to see.
  void start_lab(LabModel::Task task) {
    LabModel& lab = model.lab;
    lab::Question question = lab.question;
    LabSeries series{.asked = question, .rows = variants_of(question.primitive)};
    switch (task) {
      case LabModel::Task::times:
        lab_run = std::make_unique<LabRun>(*compute, *device, std::vector{question});
        break;
      case LabModel::Task::counters:
        question.n = std::min(question.n, 1U << static_cast<unsigned>(lab.counted));
        lab_run = std::make_unique<LabRun>(*compute, cpu_options, lab.banks, question);
        lab.counted_banks = lab.banks;
        break;
      case LabModel::Task::sweep:
        series.sizes = lab::powers_of_two(lab.sweep_first, lab.last_of_sweep());
        if (series.sizes.empty()) return;
        question.n = series.sizes.back();
        lab_run =
            std::make_unique<LabRun>(*compute, *device, lab::at_sizes(question, series.sizes));
        break;
    }
    series.asked = question;
    lab.state = LabModel::State::preparing;
    lab.task = task;
    lab.under_way() = std::move(series);
  }

  // Takes what the laboratory's thread has found out.
  void poll_lab() {
    LabModel& lab = model.lab;
    if (lab_run) {
      LabSeries& series = lab.under_way();
      const bool ended = lab_run->ended();
      for (lab::Answer& answer : lab_run->take_answers())
        series.answers.push_back(std::move(answer));
      lab.row = lab_run->row();
      lab.size = lab_run->size();
      if (lab.row >= 0) lab.state = LabModel::State::measuring;
      lab.cancelling = lab_run->cancelled();
      if (ended) {
        series.error = lab_run->error();
        series.cancelled = lab_run->cancelled();
        if (!series.error.empty()) say(Message::Kind::error, series.error);
        lab.state = LabModel::State::idle;
        lab.row = -1;
        lab.cancelling = false;
        lab_run.reset();
        most_items_of.reset();
      }
    }
    if (!lab_run && most_items_of != lab.question.primitive) ask_most_items();
  }

  // How many items of the question's primitive fit into what the device has free.
  void ask_most_items() {
    const Primitive primitive = model.lab.question.primitive;
    most_items_of = primitive;
    compute->ask_device([found = found, primitive](Device& on) {
      const std::uint32_t most = lab::most_items(primitive, on);
      const std::lock_guard lock(found->mutex);
      found->most_items = {primitive, most};
    });
  }

  // ---- Requests ---------------------------------------------------------------------------------

  void take_requests() {
    Requests& requests = model.requests;
    if (const auto backend = std::exchange(requests.backend, {});
        backend && !other.wanted() && *backend != device->info().backend)
      other.start(*backend, opener, news);
    model.switching_to = other.wanted();
    if (std::exchange(requests.cancel_lab, false) && lab_run) lab_run->cancel();
    if (!other.has_device()) {  // else it waits for the other device
      if (std::exchange(requests.run_lab, false) && !lab_run) start_lab(LabModel::Task::times);
      if (std::exchange(requests.count_lab, false) && !lab_run) start_lab(LabModel::Task::counters);
      if (std::exchange(requests.sweep_lab, false) && !lab_run) start_lab(LabModel::Task::sweep);
    }
    for (FileToWrite& file : std::exchange(requests.write, {})) write_file(std::move(file));
    if (const auto file = std::exchange(requests.edit, {})) edit_file(*file);
    if (auto question = std::exchange(requests.sass, {})) disassemble(*std::move(question));
    if (std::exchange(requests.cancel_load, false) && loader) loader->cancel();
    if (std::exchange(requests.cancel_comparison, false)) compute->cancel_comparison();
    if (const auto side = std::exchange(requests.look_from, {})) {
      model.camera.look_from(*side);
      requests.fit_camera = true;
    }
    if (std::exchange(requests.fit_camera, false)) fit_camera();
    if (const auto file = std::exchange(requests.screenshot, {})) save_picture(*file);
    if (lab_run) return;  // the rest waits
    if (auto description = std::exchange(requests.open, {})) start_opening(*std::move(description));
    if (std::exchange(requests.reload, false) && opened) reload_files();
    if (std::exchange(requests.reset_settings, false) && opened) reset_settings();
    for (std::string& stage : std::exchange(requests.repeat, {})) repeat(std::move(stage));
    if (auto stage = std::exchange(requests.compare, {})) compute->compare(*std::move(stage));
    if (std::exchange(requests.reset_scene, false))
      compute->ask([](Scene& scene) { scene.reset(); });
    for (; requests.steps > 0; --requests.steps) compute->advance(1.0 / 60.0);
    if (const auto ray = std::exchange(requests.pick, {}))
      compute->ask([found = found, ray = *ray](Scene& scene) {
        std::vector<Fact> picked = scene.pick(ray);
        const std::lock_guard lock(found->mutex);
        found->picked = std::move(picked);
      });
    if (const auto ray = std::exchange(requests.pivot, {}))
      compute->peek([found = found, ray = *ray, say = messenger()](Scene* scene) {
        if (scene == nullptr) return;
        try {
          for (const Fact& fact : scene->glance(ray))
            if (const Vec3* const place = std::get_if<Vec3>(&fact.value);
                place && fact.name == "pick.place") {
              const std::lock_guard lock(found->mutex);
              found->pivot = *place;
            }
        } catch (const std::exception& error) {
          say(Message::Kind::error, in_words(error));
        }
      });
  }

  void repeat(std::string stage) const {
    compute->ask([name = std::move(stage)](Scene& scene) {
      if (const auto id = scene.timeline().find(name)) scene.repeat(*id);
    });
  }

  void save_picture(const std::string& file) {
    render.save_picture(file, [say = messenger()](std::string text, bool failed) {
      say(failed ? Message::Kind::error : Message::Kind::info, std::move(text));
    });
  }

  void write_file(FileToWrite file) {
    if (!writer_runs) writer.start([] { return false; });
    writer_runs = true;
    writer.post([say = messenger(), file = std::move(file)] {
      try {
        if (file.picture)
          write_png(file.file, *file.picture);
        else
          write_whole_file(file.file, file.bytes);
        say(Message::Kind::info, "Saved " + file.file);
      } catch (const std::exception& error) {
        say(Message::Kind::error, in_words(error));
      }
    });
  }

  void edit_file(const FileToEdit& file) {
    try {
      editors.emplace_back(editor_command(file.command, file.file, file.line));
      edited = std::chrono::steady_clock::now();
    } catch (const std::exception& error) {
      say(Message::Kind::error, in_words(error));
    }
  }
  // Was one started just now? If it fails, it does so soon.
  bool awaits_editor() const {
    constexpr std::chrono::seconds soon(5);
    return !editors.empty() && std::chrono::steady_clock::now() - edited < soon;
  }
  // One that ends at once may have found nothing to open the file with.
  void poll_editors() {
    std::erase_if(editors, [this](const LaunchedProcess& editor) {
      const std::optional<int> code = editor.ended();
      if (code && *code != 0)
        say(Message::Kind::error,
            fmt::format("{} ended with {}: the file may not have been opened.", editor.name(),
                        *code));
      return code.has_value();
    });
  }

  // On a thread of its own; an answer that is there already is not asked for again.
  void disassemble(SassQuestion question) {
    std::vector<SassAnswer>& answers = model.lab.sass;
    const auto known =
        std::find_if(answers.begin(), answers.end(),
                     [&question](const SassAnswer& each) { return each.question == question; });
    if (known != answers.end() && (!known->done || known->error.empty())) return;
    if (known != answers.end()) answers.erase(known);
    constexpr std::size_t most = 32;
    if (answers.size() >= most) answers.erase(answers.begin());
    answers.push_back({.question = question});
    if (!disassembler_runs) disassembler.start([] { return false; });
    disassembler_runs = true;
    disassembler.post([this, found = found, question = std::move(question)] {
      SassAnswer answer{.question = question, .done = true};
      try {
        answer.text = sass_of(question, &closing);
      } catch (const std::exception& error) {
        answer.error = in_words(error);
      }
      {
        const std::lock_guard lock(found->mutex);
        found->sass.push_back(std::move(answer));
      }
      if (news && !closing) news();
    });
  }

  // Tells compute and render what the model has now.
  void send_wishes() {
    if (opened && !loader && !model.controls.same(opened->controls, Effect::remake)) {
      remake();
      return;
    }
    if (opened) {
      SceneWishes now{.scene = opened->number,
                      .number = wishes.number,
                      .controls = model.controls,
                      .rows = {},
                      .shown = {},
                      .playing = model.playing};
      for (const StageRow& stage : model.stages) now.rows.push_back(stage.row);
      for (const OutputRow& output : model.outputs) now.shown.push_back(output.shown);
      const bool is_new = now.scene != wishes.scene || now.rows != wishes.rows ||
                          now.shown != wishes.shown || now.playing != wishes.playing ||
                          !(now.controls == wishes.controls);
      // While another scene of this kind is made with other sizes, these wishes are not for the old
      // one.
      if (is_new && now.controls.same(opened->controls, Effect::remake)) {
        remember_habits(now);
        ++now.number;
        wishes = now;
        compute->set_wishes(std::move(now));
      }
      view.shown = wishes.shown;
    }
    view.camera = model.camera;
    view.options = model.show;
    render.set_view(coarse_view() ? coarsened(view) : view);
  }

  // From the first picture of a drag that takes too long until its end.
  bool coarse_view() {
    is_coarse = model.camera_dragged && (is_coarse || model.draw_ms > model.coarse_above_ms);
    return is_coarse;
  }
  static View coarsened(View view) {
    view.width = (view.width + 1) / 2;
    view.height = (view.height + 1) / 2;
    view.options.shadows = false;
    view.options.pixel_scale *= 0.5F;
    return view;
  }

  void remember_habits(const SceneWishes& now) {
    if (now.scene != wishes.scene) return;
    for (std::size_t i = 0; i < now.rows.size(); ++i)
      if (now.rows[i] >= 0 && now.rows[i] != wishes.rows[i])
        habits.add(model.stages[i].result.name, variant_at(now.rows[i]).name);
  }

  // ---- Results ----------------------------------------------------------------------------------

  void take_news() {
    for (Message& message : compute->take_messages()) say(message.kind, std::move(message.text));
    if (std::string error = render.take_error(); !error.empty())
      say(Message::Kind::error, std::move(error));
    const std::lock_guard lock(found->mutex);
    for (Message& message : std::exchange(found->messages, {}))
      say(message.kind, std::move(message.text));
    if (auto picked = std::exchange(found->picked, {})) model.picked = *std::move(picked);
    if (const auto point = std::exchange(found->pivot, {}))
      model.camera.set_pivot({point->x, point->y, point->z});
    for (SassAnswer& answer : std::exchange(found->sass, {}))
      for (SassAnswer& waiting : model.lab.sass)
        if (waiting.question == answer.question) waiting = answer;
    if (const auto most = std::exchange(found->most_items, {}))
      if (most->first == model.lab.question.primitive) model.lab.most_items = most->second;
  }

  // `all`: the model's own choices are taken from there too.
  void take_results(bool all = false) {
    SceneResults results = compute->results();
    if (!opened || results.scene != opened->number) {
      model.results.copy_gb_per_s = results.copy_gb_per_s;
      return;
    }
    // A choice that was refused is taken back, once the latest wishes were acted on.
    const bool is_answer = results.wishes == wishes.number;
    for (std::size_t i = 0; i < model.stages.size(); ++i) {
      StageRow& row = model.stages[i];
      note_switch(row, results.stages[i]);
      row.result = std::move(results.stages[i]);
      if (all) row.row = results.rows[i];
      if (is_answer && !wishes.rows.empty() && wishes.rows[i] != results.rows[i]) {
        // Unless the user has chosen yet another one meanwhile.
        if (row.row == wishes.rows[i]) row.row = results.rows[i];
        habits.add(row.result.name, variant_at(results.rows[i]).name);
        wishes.rows[i] = results.rows[i];
      }
    }
    results.stages.clear();
    model.results = std::move(results);
    constexpr std::uint64_t launch_bound = 1'000'000;  // bytes
    for (StageRow& row : model.stages) {
      row.launch_bound = row.result.work.bytes < launch_bound;
      row.every_frame = model.moves() && row.result.runs > 0 && row.result.done_by.empty();
      row.has_run |= !row.result.milliseconds.empty() || !row.result.done_by.empty();
      const Comparison& compared = model.results.comparison;
      if (compared.stage == row.result.name && !compared.under_way &&
          (!row.compared || row.compared->number != compared.number))
        row.compared = compared;
    }
  }

  // Keeps how a stage went, where the times to come are another variant's.
  static void note_switch(StageRow& row, const StageResult& now) {
    const StageResult& was = row.result;
    if (was.name.empty() || was.row == now.row) return;
    row.before.reset();
    if (was.milliseconds.empty() || !was.done_by.empty()) return;
    const std::vector<double> times(was.milliseconds.begin(), was.milliseconds.end());
    row.before = {.row = was.row,
                  .items = was.work.items,
                  .median_ms = was.median_ms,
                  .quartile_1_ms = quantile(times, 0.25),
                  .quartile_3_ms = quantile(times, 0.75),
                  .runs = times.size()};
  }

  // A first run is slower than those that follow, and one run has no spread: while nothing else is
  // under way, stages that take no time to speak of run until there are five of each.
  void warm_up() {
    constexpr std::size_t enough = 5;
    constexpr double most_ms = 100.0;
    if (mode == Mode::headless || !opened || model.results.moving || model.results.failed || busy())
      return;
    for (const StageRow& row : model.stages) {
      const StageResult& result = row.result;
      const std::size_t runs = result.milliseconds.size();
      if (runs == 0 || runs >= enough || !result.repeatable || !result.done_by.empty() ||
          result.last_ms > most_ms)
        continue;
      // One at a time; and not again where one brought nothing.
      WarmUp now{opened->number, result.name, result.row, runs};
      if (now == warming) return;
      warming = std::move(now);
      repeat(result.name);
      return;
    }
  }

  void note_pictures() {
    const PictureStatistics statistics = render.statistics();
    model.draw_ms = statistics.draw_ms;
    if (statistics.pictures == pictures_seen) return;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> passed = now - last_picture;
    model.picture_ms = passed.count() / static_cast<double>(statistics.pictures - pictures_seen);
    pictures_seen = statistics.pictures;
    last_picture = now;
  }

  // Other backends are tried on another thread: a driver's start takes a while.
  void poll_backends() {
    using namespace std::chrono_literals;
    if (mode == Mode::headless) return;
    if (!backends_asked && opened) {
      backends_asked = true;
      backends = std::async(std::launch::async, list_backends);
    }
    if (backends.valid() && backends.wait_for(0s) == std::future_status::ready)
      for (const BackendStatus& status : backends.get())
        model.absent[static_cast<std::size_t>(status.backend)] = status.why;
  }

  void update() {
    try {
      poll_lab();
      poll_loader();
      poll_switch();
      take_requests();
      take_news();
      take_results();
      glance.update(model, *compute);
      send_wishes();
      note_pictures();
      poll_backends();
      poll_editors();
      warm_up();
    } catch (const std::exception& error) {  // no thread could be started, say
      say(Message::Kind::error, in_words(error));
    }
  }

  bool busy() const {
    return lab_run || loader || model.results.comparison.under_way || model.requests.any() ||
           model.moves() || backends.valid() || other.wanted() ||
           (opened && model.results.wishes != wishes.number) || awaits_editor();
  }
};

Session::Session(Model& model, const Options& options, std::unique_ptr<Device> device,
                 std::unique_ptr<GlContext> context, Mode mode, std::function<void()> news,
                 DeviceOpener opener)
    : state_(std::make_unique<State>(model, options, std::move(device), std::move(context), mode,
                                     std::move(news), std::move(opener))) {
  for (const VariantWishes::Wish& wish : options.scene.variants.all())
    state_->habits.add(wish.stage, wish.variant);
}

Session::~Session() = default;

void Session::update() { state_->update(); }

void Session::set_view(int width, int height) { state_->set_view(width, height); }

const Framebuffer* Session::picture() { return state_->render.take_picture(); }

void Session::remember() { state_->remember(); }

bool Session::busy() const { return state_->busy(); }

void Session::open(const SceneDescription& description) {
  State& state = *state_;
  if (state.loader) finish();
  state.start_opening(description);
  state.loader->wait();
  const std::exception_ptr failure = state.loader->failure();
  const std::size_t messages = state.model.messages.size();
  state.poll_loader();
  if (!failure) return;
  state.model.messages.resize(messages);  // it is thrown instead
  std::rethrow_exception(failure);
}

void Session::advance(double seconds) {
  state_->update();
  state_->compute->frame(seconds);
  state_->take_news();
  state_->take_results();
}

void Session::draw() {
  state_->send_wishes();
  state_->render.draw_now();
  state_->note_pictures();
}

Picture Session::read_back() { return state_->render.read_back(); }

GLuint Session::texture() { return state_->render.texture_now(); }

void Session::reload() {
  state_->compute->with_scene([](Scene& scene) {
    LoadControl control;
    scene.load(control);
  });
}

void Session::forget_times() {
  state_->compute->with_scene([](Scene& scene) { scene.timeline().forget_times(); });
}

std::vector<Check> Session::verify() {
  return state_->compute->with_scene([](Scene& scene) { return scene.verify(); });
}

void Session::answer_lab(LabModel::Task task) {
  Requests& requests = state_->model.requests;
  (task == LabModel::Task::times      ? requests.run_lab
   : task == LabModel::Task::counters ? requests.count_lab
                                      : requests.sweep_lab) = true;
  finish();
}

void Session::measure_copies() {
  state_->compute->measure_copies();
  state_->take_results();
}

void Session::finish() {
  do {
    state_->update();
    if (state_->loader) state_->loader->wait();
    std::this_thread::yield();
  } while (state_->loader || state_->lab_run || state_->other.wanted());
  state_->update();
}

Device& Session::device() const { return *state_->device; }

}  // namespace warpview
