#include "app/session.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/common/steps.h"
#include "app/common/trouble.h"
#include "app/session_state.h"
#include "app/video/turntable.h"
#include "gpu/runtime/backends.h"

namespace warpview {

Session::State::State(Model& model_, const Options& options, std::unique_ptr<Device> device_,
                      std::unique_ptr<GlContext> context, Mode mode_, std::function<void()> news_,
                      DeviceOpener opener_)
    : model(model_),
      mode(mode_),
      interop(options.interop),
      opener(opener_
                 ? std::move(opener_)
                 : [cpu = options.cpu](Backend backend) { return open_device(backend, -1, cpu); }),
      up_is_given(options.up.has_value()),
      news(std::move(news_)),
      events(std::make_shared<SessionEvents>(news)),
      device(std::move(device_)),
      render(std::move(context), *device, options.interop,
             mode == Mode::window ? RenderThread::Pictures::by_themselves
                                  : RenderThread::Pictures::on_demand,
             news),
      compute(make_compute(*device)),
      viewing(model, events),
      opening(model, viewing, news),
      lab(model, events, options.cpu),
      runs(model, events),
      files(events),
      video(model, events),
      ab(model, events),
      glance(events) {
  note_device();
  model.wants_whole = mode == Mode::headless;
  model.gl_renderer = render.gl_renderer();
  for (std::size_t b = 0; b < model.absent.size(); ++b)
    if (static_cast<Backend>(b) != device->info().backend) model.absent[b] = "not tried yet";
}

std::unique_ptr<Compute> Session::State::make_compute(Device& on) {
  return std::make_unique<Compute>(
      on, render,
      mode == Mode::window ? Compute::Frames::by_themselves : Compute::Frames::on_demand,
      [events = events](Message message) { events->post(std::move(message)); }, news);
}

void Session::State::note_device() {
  model.device = device->info();
  model.built_with = device->table().built_with;
  model.interop = render.interop().description;
  model.absent[static_cast<std::size_t>(model.device.backend)].clear();
  lab.begin_on(model.device);
}

Session::State::~State() {
  // A picture that the scene makes for its view is not there; all others are drawn.
  if (!model.results->seen) viewing.draw_all_saved(render);
  render.close();
  compute->close();
  if (other.has_device()) other.compute().close();
  opening.close();
  BackendSwitch::Side side = other.give_up();
  side.compute.reset();
  other_device = std::move(side.device);
}

void Session::State::fail(const std::exception& error) {
  model.say({Message::Kind::error, in_words(error)});
}

void Session::State::update() {
  take_steps(
      [this](const std::exception& error) { fail(error); },  // no thread could be started, say
      [this] { note_set(); }, [this] { take_events(); }, [this] { lab.update(*compute); },
      [this] { poll_loader(); }, [this] { poll_switch(); }, [this] { take_requests(); },
      [this] { opening.watch_files(!lab.is_busy() && !other.has_device(), here()); },
      [this] { take_results(); }, [this] { ab.update(*compute, render); },
      [this] { glance.update(model, *compute); }, [this] { record_video(); },
      [this] { send_wishes(); }, [this] { note_pictures(); }, [this] { note_lag(); },
      [this] { try_backends(); }, [this] { files.update(); }, [this] { runs.update(); },
      [this] { warm_up(); }, [this] { follow_set(); });
}

bool Session::State::busy() const { return model.moves() || occupied(); }

bool Session::State::occupied() const {
  return lab.is_busy() || lab.records() || opening.is_busy() || viewing.saves() ||
         video.is_recording() || ab.is_busy() || model.results->comparison.under_way ||
         !model.requests.empty() || backends_awaited || other.wanted() ||
         (opening.scene() && model.results->wishes != wishes.number) || files.awaits_editor();
}

bool Session::State::shows_all() const {
  if (viewing.saves() || !sent.empty() || model.first_picture_ms > 0.0) return false;
  if (!viewing.is_shown()) return true;
  if (viewing.is_coarse()) return false;
  // What moves is overtaken all the time.
  return model.moves() ? render.shows(viewing.whole()) : !render.overtaken();
}

void Session::State::poll_loader() {
  const std::unique_ptr<SceneLoader> done = opening.take_ended();
  if (!done) return;
  if (other.has_device())
    end_switch(*done);
  else if (done->opened() != opening.scene())
    take_over(done->opened(), done->state() == SceneLoader::State::done);
  else
    opening.take_sizes_back();
  opening.go_on(here());
}

void Session::State::take_over(std::shared_ptr<const OpenedScene> scene, bool is_new) {
  const bool was_at_home = model.camera.is_at_home();  // of the scene before
  const Opening::Change change = opening.publish(std::move(scene), is_new);
  const OpenedScene* const opened = opening.scene().get();
  if (change.is_another || opened == nullptr)
    viewing.give_up_saved("another scene was opened before it was drawn");
  if (opened == nullptr) {
    model.say({Message::Kind::error,
               "The previous scene was closed and could not be restored: open it again."});
    return;
  }
  wishes = {};
  lab.note_memory();
  take_results(true);
  if (!change.is_new) return;
  if (change.is_remade) opening.choose_again(change.stages_before);
  if (change.is_another) {
    model.camera.up_axis = model.usual_up;
    viewing.fit_camera();
    if (change.begins_at_home || was_at_home) {
      model.camera.look_from(Side::home);  // which depends on what it now sees
      viewing.fit_camera();
    }
    if (opened->view)
      viewing.look_again(*opened->view, up_is_given);
    else if (opened->first_view)
      viewing.look_from(*opened->first_view, up_is_given);
  }
  if (change.has_new_warnings) opening.tell_warnings();
  if (const auto& camera = opened->description.camera) viewing.look_from(*camera, up_is_given);
  if (!change.is_another) return;
  opening.note_begun();
  history.begin(set_in(model));
}

void Session::State::note_set() {
  if (opening.scene()) history.note(set_in(model), model.is_setting);
}

void Session::State::follow_set() {
  model.undoes.clear();
  model.redoes.clear();
  if (!opening.scene()) return;
  // What is being set becomes a step only when it is let go, from how it was before.
  if (!model.is_setting) history.follow(set_in(model));
  const auto words = [this](const SceneMemory* step) {
    return step != nullptr ? difference_in_words(model, history.now(), *step) : std::string();
  };
  model.undoes = words(history.before());
  model.redoes = words(history.after());
}

void Session::State::try_backends() {
  if (mode == Mode::headless || backends_asked || !opening.scene()) return;
  backends_asked = true;
  backends = start_thread<std::jthread>([events = events] {
    event::BackendsTried tried;
    try {
      tried.all = list_backends();
    } catch (const std::exception& error) {
      events->post(Message{Message::Kind::error, in_words(error)});
    }
    events->post(std::move(tried));
  });
  backends_awaited = true;
}

Session::Session(Model& model, const Options& options, std::unique_ptr<Device> device,
                 std::unique_ptr<GlContext> context, Mode mode, std::function<void()> news,
                 DeviceOpener opener)
    : state_(std::make_unique<State>(model, options, std::move(device), std::move(context), mode,
                                     std::move(news), std::move(opener))) {
  for (const VariantWishes::Wish& wish : options.scene.variants.all())
    state_->opening.add_habit(wish.stage, wish.variant);
}

Session::~Session() = default;

void Session::update() { state_->update(); }

void Session::set_view(int width, int height) { state_->viewing.set_size(width, height); }

const Framebuffer* Session::picture() {
  const State& state = *state_;
  const std::uint64_t newest = state.opening.number();
  const Framebuffer* const picture =
      state_->render.take_picture([newest](std::uint64_t scene) { return scene <= newest; });
  const std::uint64_t scene = picture_scene();
  return scene == 0 || scene >= state.opening.oldest_picture() ? picture : nullptr;
}

bool Session::shows_all() const { return state_->shows_all(); }

std::uint64_t Session::picture_scene() const { return state_->render.taken_scene(); }

std::uint64_t Session::drawn_scene() const { return state_->render.statistics().scene; }

void Session::remember() { state_->opening.remember(); }

bool Session::busy() const { return state_->busy(); }

void Session::State::wait_until_open() {
  opening.wait();
  const std::exception_ptr failure = opening.failure();
  const std::size_t messages = model.messages.size();
  poll_loader();
  if (!failure) return;
  model.messages.resize(messages);  // it is thrown instead
  std::rethrow_exception(failure);
}

void Session::open(const SceneDescription& description) {
  if (state_->opening.is_busy()) finish();
  state_->opening.open(description, state_->here());
  state_->wait_until_open();
}

void Session::open_as_described(const SceneDescription& description, bool beside_a) {
  if (state_->opening.is_busy()) finish();
  std::optional<PinnedRun> pinned = state_->model.pinned;
  state_->opening.open_as_described(description, state_->here());
  state_->wait_until_open();
  if (beside_a) state_->model.pinned = std::move(pinned);
}

void Session::advance(double seconds) {
  state_->update();
  state_->compute->frame(seconds);
  state_->take_events();
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

void Session::answer_lab(LabTask task) {
  if (lab_task(answered_by(task)).question.device != LabDevice::recording)
    state_->model.requests.add(request::RunLab{task});
  finish();
}

void Session::measure_copies() {
  state_->compute->measure_copies();
  state_->take_results();
}

void Session::finish() {
  do {
    state_->update();
    state_->opening.wait();
    std::this_thread::yield();
  } while (state_->opening.is_busy() || state_->lab.is_busy() || state_->lab.records() ||
           state_->ab.is_busy() || state_->other.wanted() || state_->model.lab.disassembles());
  state_->update();
}

std::string Session::scene_text(const std::filesystem::path& folder) const {
  return scene_file_text(state_->description(), folder);
}

void Session::fit_all_around() {
  Model& model = state_->model;
  if (!state_->viewing.fits()) return;
  const float aspect = static_cast<float>(model.view_width) / static_cast<float>(model.view_height);
  model.camera = fitted_all_around(model.camera, model.scene_bounds, aspect);
}

Device& Session::device() const { return *state_->device; }

}  // namespace warpview
