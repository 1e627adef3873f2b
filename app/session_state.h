// What a session is made of. Its functions stand where the file's name says: opening, memory (of
// scenes as they were left), switch (of the backend), lab, requests, results; those that concern
// all of it in session.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/backend_switch.h"
#include "app/common/other_load.h"
#include "app/common/process.h"
#include "app/common/worker.h"
#include "app/events.h"
#include "app/glance.h"
#include "app/lab_run.h"
#include "app/render/render_thread.h"
#include "app/scene_loader.h"
#include "app/scene_memory.h"
#include "app/session.h"
#include "app/undo.h"
#include "gpu/runtime/backends.h"

namespace warpview {

struct Session::State {
  Model& model;
  const Mode mode;
  const CpuOptions cpu_options;  // of the device that counts
  const InteropRequest interop;
  const DeviceOpener opener;
  const std::function<void()> news;
  const std::shared_ptr<SessionEvents> events;  // what other threads say, for the next update
  std::unique_ptr<Device> device;
  std::unique_ptr<Device> other_device;  // at the end, if the buffers may be of that one already
  RenderThread render;
  std::unique_ptr<Compute> compute;
  BackendSwitch other;        // that what is open is being made on
  std::future<void> retired;  // what computed before, until it has ended
  std::shared_ptr<const OpenedScene> opened;
  VariantWishes habits;  // variants that the user chose, for the scenes to come
  std::unique_ptr<SceneLoader> loader;
  FileWatch watch{[this] {
    if (news) news();
  }};
  std::uint64_t watched = 0;  // number of the scene whose files they are; 0: none
  enum class Purpose {
    another,  // scene, or the same one as it is remembered
    same,     // scene, as the user has set it
    anew      // the same scene as it begins, with nothing of what was set in it
  };
  Purpose purpose = Purpose::another;  // of what is loading
  // Number of the first scene whose picture is one of what is open, in whatever size.
  std::uint64_t oldest_picture = 0;
  std::chrono::steady_clock::time_point opened_at;
  // What follows as soon as the loader, which was cancelled for it, has ended.
  struct Next {
    SceneLoader::Request request;
    Purpose purpose = Purpose::another;
  };
  std::optional<Next> next;
  std::unique_ptr<LabRun> lab_run;
  Glance glance{events};
  Worker writer;  // of files, once there was one to write
  bool writer_runs = false;
  std::vector<LaunchedProcess> editors;  // that have not ended yet
  std::chrono::steady_clock::time_point edited;
  std::atomic<bool> closing{false};
  Worker disassembler;  // once it was asked
  bool disassembler_runs = false;

  View view;
  // Pictures that wait until what they are to show is computed.
  struct PictureToDraw {
    std::string file;
    View view;
    std::uint64_t scene = 0;   // number of the scene that it is of
    std::uint64_t wishes = 0;  // number of the wishes that must be acted on before
  };
  std::deque<PictureToDraw> to_save;
  bool is_coarse = false;
  std::optional<Camera> fitted;  // as fit_camera() left it
  const bool up_is_given;        // by the command line: whatever is remembered
  SceneMemory begun;             // the scene that is open, as it began
  UndoHistory history;           // of what was set in it
  // A stage that was asked to run once more: of which scene, by which variant, after how many warm
  // runs.
  struct AskedRun {
    std::uint64_t scene = 0;
    std::string stage{};
    std::optional<VariantId> variant{};
    std::size_t runs = 0;
    bool operator==(const AskedRun&) const = default;
  };
  AskedRun warming;
  SceneWishes wishes;  // as sent last
  // When those were sent that are not acted on yet, the oldest first.
  std::deque<std::chrono::steady_clock::time_point> sent;
  std::uint64_t pictures_seen = 0;
  std::chrono::steady_clock::time_point last_picture;

  OtherLoad other_load;
  std::optional<double> others;  // as of the last look
  std::chrono::steady_clock::time_point last_look{};
  std::optional<Primitive> most_items_of;  // asked for; none: something changed since
  bool backends_asked = false, backends_awaited = false;
  std::jthread backends;  // that are being tried

  State(Model& model_, const Options& options, std::unique_ptr<Device> device_,
        std::unique_ptr<GlContext> context, Mode mode_, std::function<void()> news_,
        DeviceOpener opener_);
  std::unique_ptr<Compute> make_compute(Device& on);
  void note_device();
  // Releases threads that wait for a picture to be taken, or they could not end.
  ~State();

  void say(Message message);
  void say(Message::Kind kind, std::string text, std::string about = {});
  // Says what was mended or left out of the files of what is open; after another reading without
  // warnings, that there are none.
  void tell_warnings();

  // ---- Opening ----------------------------------------------------------------------------------

  // What is loading makes way for it.
  void start_loading(SceneLoader::Request request, Purpose purpose_of_it);

  // What is open, as the user has set it meanwhile: should it have to be made again.
  std::shared_ptr<const OpenedScene> as_it_is() const;

  void start_opening(SceneDescription description);
  std::vector<std::string> shown_names() const;
  // What a scene takes over from the one that is open, where nothing of the kind was set in it
  // before (docs/scenes/README.md): variants, and in the same scene with other files controls.
  void carry_variants();
  void carry_controls(SceneDescription& description) const;

  // Opens the scene again from its files, as they are now.
  void reload_files();

  // Where the user wants that: as soon as one of them was written.
  void reload_on_change();

  // A request for the scene with its settings, and the mesh that is loaded.
  SceneLoader::Request same_scene() const;

  // Has something changed that says how files are read?
  bool needs_files() const;

  // Makes the scene again in another size, on the loading thread.
  void remake();

  // Takes what the loading thread has left.
  void poll_loader();

  // Sizes that could not be had.
  void take_sizes_back();

  // The model becomes that of another scene.
  void take_over(std::shared_ptr<const OpenedScene> scene, bool is_new);
  // The user's choices of variants, made while a scene was loading, for the stages it has, too.
  void choose_again(const std::vector<StageRow>& before);

  void look_from(const Viewpoint& viewpoint);

  void fit_camera();

  // The view's size changes: what fitted, and was not moved since, fits again.
  void set_view(int width, int height);

  // ---- How scenes were left ---------------------------------------------------------------------

  SceneMemory memory_now() const;
  void remember();
  const SceneMemory* memory_for(const SceneDescription& description) const;
  void forget(const std::string& key);
  // None of what there was, and of the scene that is open only what is set from now on.
  void forget_scenes();
  // The scene anew, as it was asked for. Until that is there nothing is forgotten.
  void reset_settings();
  VariantWishes habits_of_other_scenes() const;
  // What could not be opened as it was left, or takes the user too long where nothing is open, is
  // opened as if it never was.
  bool open_anew(const SceneLoader& failed);
  // From where the user looked at the scene when it was left.
  void look_again(const SceneMemory::View& left);

  // ---- Undo -------------------------------------------------------------------------------------

  // What the user has set since the last update, and then what the session has made of it.
  void note_set();
  void follow_set();
  void undo();
  void redo();

  // ---- Another backend --------------------------------------------------------------------------

  // Once the other device is there, what is open is made on it beside the one that runs, and takes
  // its place only when it is whole.
  void poll_switch();

  // The user's choices of variants, as far as they are there.
  VariantWishes choices_for(const Device& on) const;

  // From now on the other device is the one.
  void move_over();

  // What it holds is freed, and its thread ended, which may take a frame's time.
  void retire(BackendSwitch::Side side);

  // The scene was made on the other device, or could not be.
  void end_switch(const SceneLoader& done);

  // ---- The laboratory ---------------------------------------------------------------------------

  // On the device, or on one that counts, where as many items as these show all there is to see.
  void start_lab(LabTask task);

  void cancel_lab();

  // How many items of the question's primitive fit into what the device has free.
  void ask_most_items();

  // ---- Requests ---------------------------------------------------------------------------------

  void take_requests();
  template <class Kind>
  bool must_wait() const;
  void act(request::Open asked);
  void act(request::CancelLoad asked);
  void act(request::Reload asked);
  void act(request::ResetSettings asked);
  void act(request::ForgetScenes asked);
  void act(request::Repeat asked);
  void act(request::Compare asked);
  void act(request::CancelComparison asked);
  void act(request::ResetScene asked);
  void act(request::Step asked);
  void act(request::Undo asked);
  void act(request::Redo asked);
  void act(request::FitCamera asked);
  void act(request::LookFrom asked);
  void act(request::Pick asked);
  void act(request::Pivot asked);
  void act(const request::SavePicture& asked);
  void act(request::SwitchBackend asked);
  void act(request::RunLab asked);
  void act(request::CancelLab asked);
  void act(request::WriteFile asked);
  void act(request::WriteReport asked);
  void act(const request::EditFile& asked);
  void act(request::Disassemble asked);

  void repeat(std::string stage) const;

  // Whole, of the scene as it is set now, whatever the view shows meanwhile.
  void save_picture(const request::SavePicture& picture);
  void save_pictures();
  bool is_computed(PictureToDraw& picture) const;
  void give_up_pictures(const std::string& why);
  std::function<void(std::string, bool)> teller() const;

  void write_file(request::WriteFile file);
  // What was measured, as things stand.
  void write_report(std::string file);

  void edit_file(const request::EditFile& file);
  // Was one started just now? If it fails, it does so soon.
  bool awaits_editor() const;
  // One that ends at once may have found nothing to open the file with.
  void poll_editors();

  // On a thread of its own; an answer that is there already is not asked for again.
  void disassemble(SassQuestion question);

  // Tells compute and render what the model has now.
  void send_wishes();
  SceneWishes wishes_now() const;

  // From the first picture of a drag that takes too long until its end.
  bool coarse_view();
  static View coarsened(View view);
  bool shows_all() const;

  void remember_habits(const SceneWishes& now);

  // ---- Results ----------------------------------------------------------------------------------

  void take_events();
  void take(Message message);
  void take(event::Picked picked);
  void take(event::Glanced glanced);
  void take(event::PivotFound found);
  void take(event::Disassembled done);
  void take(event::MostItems found);
  void take(event::BackendsTried tried);
  void take(event::LabBuilds now);
  void take(event::LabAsks now);
  void take(event::LabRuns now);
  void take(event::LabAnswers given);
  void take(event::LabEnded ended);

  // `all`: the model's own choices are taken from there too.
  void take_results(bool all = false);

  // Keeps how a stage went, where the times to come are another variant's.
  static void note_switch(StageRow& row, const StageResult& now);
  // Under what new times of a stage were taken.
  void note_taken(TimesTaken& taken);
  // Looks at what other programs take, now and then, where kernels run on the processors too.
  void look_at_load();

  // While nothing runs but frames, stages run until their times have a spread
  // (app/warm_up.h).
  void warm_up();

  void note_pictures();
  void note_lag();

  // Other backends are tried on another thread: a driver's start takes a while.
  void try_backends();

  void update();

  bool busy() const;
  // By something else than frames of what moves.
  bool occupied() const;
};

}  // namespace warpview
