// What a session is made of. The parts have state of their own; here they are wired to each other,
// to the model and to the threads. Its functions stand in session.cpp, and those that a request, a
// result or another backend concerns in the file of that name.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "app/ab_desk.h"
#include "app/backend_switch.h"
#include "app/events.h"
#include "app/files.h"
#include "app/fitting_sizes.h"
#include "app/glance.h"
#include "app/kept_runs.h"
#include "app/lab_desk.h"
#include "app/opening.h"
#include "app/render/render_thread.h"
#include "app/session.h"
#include "app/stage_history.h"
#include "app/undo.h"
#include "app/video_desk.h"
#include "app/viewing.h"

namespace warpview {

struct Session::State {
  Model& model;
  const Mode mode;
  const InteropRequest interop;
  const DeviceOpener opener;
  const bool up_is_given;  // by the command line: whatever is remembered
  const std::function<void()> news;
  const std::shared_ptr<SessionEvents> events;  // what other threads say, for the next update
  std::unique_ptr<Device> device;
  std::unique_ptr<Device> other_device;  // at the end, if the buffers may be of that one already
  RenderThread render;
  std::unique_ptr<Compute> compute;

  BackendSwitch other;        // that what is open is being made on
  std::future<void> retired;  // what computed before, until it has ended
  Viewing viewing;
  Opening opening;
  LabDesk lab;
  RunKeeper runs;
  Files files;
  VideoDesk video;
  AbDesk ab;
  Glance glance;
  StageHistory times;
  UndoHistory history;  // of what was set in the scene that is open
  FittingSizes sizes;
  bool backends_asked = false, backends_awaited = false;
  std::jthread backends;  // that are being tried

  SceneWishes wishes;  // as sent last
  // When those were sent that are not acted on yet, the oldest first.
  std::deque<std::chrono::steady_clock::time_point> sent;
  std::uint64_t pictures_seen = 0;
  std::chrono::steady_clock::time_point last_picture;

  State(Model& model_, const Options& options, std::unique_ptr<Device> device_,
        std::unique_ptr<GlContext> context, Mode mode_, std::function<void()> news_,
        DeviceOpener opener_);
  std::unique_ptr<Compute> make_compute(Device& on);
  void note_device();
  // Releases threads that wait for a picture to be taken, or they could not end.
  ~State();

  Opening::On here() const { return {*device, *compute}; }
  void fail(const std::exception& error);

  void update();
  bool busy() const;
  // By something else than frames of what moves.
  bool occupied() const;
  bool shows_all() const;

  // Waits, and throws why it failed.
  void wait_until_open();
  // Takes what the loading thread has left.
  void poll_loader();
  // The model becomes that of another scene.
  void take_over(std::shared_ptr<const OpenedScene> scene, bool is_new);

  // What the user has set since the last update, and then what the session has made of it.
  void note_set();
  void follow_set();

  // Other backends are tried on another thread: a driver's start takes a while.
  void try_backends();

  // ---- Another backend --------------------------------------------------------------------------

  // Once the other device is there, what is open is made on it beside the one that runs, and takes
  // its place only when it is whole.
  void poll_switch();
  // From now on the other device is the one.
  void move_over();
  // What it holds is freed, and its thread ended, which may take a frame's time.
  void retire(BackendSwitch::Side side);
  // The scene was made on the other device, or could not be.
  void end_switch(const SceneLoader& done);

  // ---- Requests ---------------------------------------------------------------------------------

  void take_requests();
  template <class Kind>
  bool must_wait() const;
  void act(request::Open asked);
  void act(request::CancelLoad asked);
  void act(request::Reload asked);
  void act(request::ResetSettings asked);
  void act(request::ForgetScenes asked);
  void act(request::Repeat asked) const;
  void act(request::Compare asked) const;
  void act(request::CancelComparison asked) const;
  void act(request::ResetScene asked) const;
  void act(request::Step asked) const;
  void act(request::Undo asked);
  void act(request::Redo asked);
  void act(request::FitCamera asked);
  void act(request::LookFrom asked);
  void act(request::Pick asked);
  void act(request::Pivot asked);
  void act(request::KeepPicture asked);
  void act(const request::SavePicture& asked);
  void act(const request::SaveScene& asked);
  void act(const request::KeepCamera& asked);
  void act(const request::LookThrough& asked);
  void act(request::RecordVideo asked);
  void act(request::CancelVideo asked);
  void act(request::SwitchBackend asked);
  void act(request::RunLab asked);
  void act(request::CancelLab asked);
  void act(const request::Record& asked);
  void act(request::CancelRecording asked);
  void act(const request::Watch& asked);
  void act(request::OpenRecording asked);
  void act(const request::RunFault& asked);
  void act(request::CancelFault asked);
  void act(const request::PlayFault& asked);
  void act(request::WriteFile asked);
  void act(request::WriteReport asked);
  void act(const request::EditFile& asked);
  void act(request::Disassemble asked);

  // What is open, in words.
  SceneDescription description() const;
  // Tells compute and render what the model has now.
  void send_wishes();
  void record_video();
  void remember_habits(const SceneWishes& now);

  // ---- Results ----------------------------------------------------------------------------------

  void take_events();
  void take(Message message);
  void take(event::Picked picked);
  void take(event::Glanced glanced);
  void take(event::PivotFound found);
  void take(const event::BackendsTried& tried);
  void take(event::VideoFrameDrawn drawn) { video.take(std::move(drawn)); }
  void take(event::VideoFrameDone done) { video.take(done); }
  void take(const event::VideoEnded& ended) { video.take(ended); }
  void take(const event::PictureKept& kept) { ab.take(kept); }
  void take(event::RunsFound found) { runs.take(std::move(found)); }
  // What is remembered of the file is of what it was before.
  void take(const event::SceneSaved& saved) { opening.forget_file(saved.file); }
  // The laboratory's.
  template <class Kind>
  void take(Kind event) {
    lab.take(std::move(event));
  }

  // `all`: the model's own choices are taken from there too.
  void take_results(bool all = false);
  // While nothing runs but frames, stages run until their times have a spread.
  void warm_up();
  void note_pictures();
  void fit_sizes();
  void note_lag();
};

}  // namespace warpview
