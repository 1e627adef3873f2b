#include "app/session.h"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/common/trouble.h"
#include "app/session_state.h"
#include "gpu/runtime/backends.h"

namespace warpview {

Session::State::State(Model& model_, const Options& options, std::unique_ptr<Device> device_,
                      std::unique_ptr<GlContext> context, Mode mode_, std::function<void()> news_,
                      DeviceOpener opener_)
    : model(model_),
      mode(mode_),
      cpu_options(options.cpu),
      interop(options.interop),
      opener(opener_
                 ? std::move(opener_)
                 : [cpu = options.cpu](Backend backend) { return open_device(backend, -1, cpu); }),
      news(std::move(news_)),
      events(std::make_shared<SessionEvents>(news)),
      device(std::move(device_)),
      render(std::move(context), *device, options.interop,
             mode == Mode::window ? RenderThread::Pictures::by_themselves
                                  : RenderThread::Pictures::on_demand,
             news),
      compute(make_compute(*device)),
      up_is_given(options.up.has_value()) {
  note_device();
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
  // What it can answer in a moment.
  const bool on_cpu = model.device.backend == Backend::cpu;
  model.lab.question.n = on_cpu ? 1U << 16U : 1U << 22U;
  model.lab.sweep_first = on_cpu ? 6 : 10;
  model.lab.sweep_last = on_cpu ? 14 : 24;
}

Session::State::~State() {
  closing = true;
  // A picture that the scene makes for its view is not there; all others are drawn.
  if (!model.results.seen)
    for (const PictureToDraw& picture : to_save)
      render.save_view(picture.file, picture.view, teller());
  render.close();
  compute->close();
  if (other.has_device()) other.compute().close();
  loader.reset();
  BackendSwitch::Side side = other.give_up();
  side.compute.reset();
  other_device = std::move(side.device);
}

void Session::State::say(Message message) {
  constexpr std::size_t most = 200;
  std::vector<Message>& messages = model.messages;
  if (messages.size() >= most) messages.erase(messages.begin());
  messages.push_back(std::move(message));
}

void Session::State::say(Message::Kind kind, std::string text, std::string about) {
  say({kind, std::move(text), std::move(about)});
}

void Session::State::tell_warnings() {
  const std::string& name = opened->mesh->name;
  for (const std::string& warning : opened->mesh->warnings)
    say(Message::Kind::warning, fmt::format("{}: {}", name, warning), name);
  if (opened->mesh->warnings.empty())
    say(Message::Kind::info, fmt::format("{}: reloaded, no warnings", name), name);
}

void Session::State::update() {
  try {
    note_set();
    take_events();
    if (!lab_run && most_items_of != model.lab.question.primitive) ask_most_items();
    poll_loader();
    poll_switch();
    take_requests();
    reload_on_change();
    take_results();
    glance.update(model, *compute);
    send_wishes();
    note_pictures();
    note_lag();
    try_backends();
    poll_editors();
    warm_up();
    follow_set();
  } catch (const std::exception& error) {  // no thread could be started, say
    say(Message::Kind::error, in_words(error));
  }
}

bool Session::State::busy() const { return model.moves() || occupied(); }

bool Session::State::occupied() const {
  return lab_run || loader || !to_save.empty() || model.results.comparison.under_way ||
         !model.requests.empty() || backends_awaited || other.wanted() ||
         (opened && model.results.wishes != wishes.number) || awaits_editor();
}

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

const Framebuffer* Session::picture() {
  const State& state = *state_;
  const std::uint64_t newest = state.opened ? state.opened->number : 0;
  const Framebuffer* const picture =
      state_->render.take_picture([newest](std::uint64_t scene) { return scene <= newest; });
  const std::uint64_t scene = picture_scene();
  return scene == 0 || scene >= state.oldest_picture ? picture : nullptr;
}

bool Session::shows_all() const { return state_->shows_all(); }

std::uint64_t Session::picture_scene() const { return state_->render.taken_scene(); }

std::uint64_t Session::drawn_scene() const { return state_->render.statistics().scene; }

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
    if (state_->loader) state_->loader->wait();
    std::this_thread::yield();
  } while (state_->loader || state_->lab_run || state_->other.wanted() ||
           state_->model.lab.disassembles());
  state_->update();
}

Device& Session::device() const { return *state_->device; }

}  // namespace warpview
