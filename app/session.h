// Does what the model asks for: opens scenes, has them computed and drawn, brings back what came of
// it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/gl/context.h"
#include "app/model.h"
#include "app/options.h"
#include "app/render/framebuffer.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Three threads work for it: one computes (app/compute.h), one draws (app/render/render_thread.h),
// and one loads while something is being opened. The session itself belongs to the thread that made
// it, the window's, and never launches, waits for the device, or draws a scene.
//
//     ...the user and the panels edit the model...
//     session.update();
//     ...show the model and session.picture()...
//
// Without a window nothing happens by itself: open(), advance() and draw() wait for what they ask.
class Session {
 public:
  enum class Mode { window, headless };

  // Opens the first device of a backend that works. UnavailableError where there is none.
  using DeviceOpener = std::function<std::unique_ptr<Device>(Backend)>;

  // `context` is for the thread that draws; in a window it shares with the window's. `news` is
  // called, on any thread, when an update would change something. UnavailableError when the options
  // force an interop that is impossible here. The model must outlive the session. `opener` is
  // called on another thread when the model asks for another backend; without one open_device() is.
  Session(Model& model, const Options& options, std::unique_ptr<Device> device,
          std::unique_ptr<GlContext> context, Mode mode, std::function<void()> news = {},
          DeviceOpener opener = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Acts on the model's choices and requests, and takes results, without waiting. What fails
  // becomes a message, and what was open stays.
  void update();
  // Takes how the scene that is open is now into the model's memories.
  void remember();
  // A view of this size in pixels; 0: it is hidden. Then nothing is drawn, and frames are computed
  // only after changes.
  void set_view(int width, int height);
  // The last finished picture, for the window's context, which must be current; null before the
  // first. It is of the scene that the model holds since the last update: one of a scene to come
  // waits, and one of another scene before is null. The same scene in another size keeps its
  // picture until there is a new one.
  const Framebuffer* picture();
  // Does it show what the model holds, in full? What moves has always another frame to come.
  bool shows_all() const;
  // Scene of the picture, as Snapshot::scene counts; 0: the background alone.
  std::uint64_t picture_scene() const;
  // Scene of the last picture drawn, which may not be taken yet.
  std::uint64_t drawn_scene() const;
  // Is something running that will change the picture or the results without the user?
  bool busy() const;

  // --- without a window; wait

  // Opens a scene. InputError, ChoiceError or an Error of the device when that fails: what was open
  // stays.
  void open(const SceneDescription& description);
  // The same, but nothing that is set in the scene that is open is carried over. With `beside_a`
  // what is pinned stays, and the new scene is B beside it.
  void open_as_described(const SceneDescription& description, bool beside_a);
  // A frame in which `seconds` pass, with the model's choices and requests. Error when it fails.
  void advance(double seconds);
  // Draws it.
  void draw();
  Picture read_back();
  GLuint texture();
  // All of the scene's stages again, from the host's data on.
  void reload();
  void forget_times();
  std::vector<Check> verify();
  // Answers what model.lab asks. Recordings were asked for by a request::Record, if any is missing.
  void answer_lab(LabTask task);
  // The copies that the stages' bandwidth is held against: less than about a second.
  void measure_copies();
  // What is open, as a scene file in this folder. Error where nothing is.
  std::string scene_text(const std::filesystem::path& folder) const;
  // For a turntable: the camera moves back so far that the model is in the view from all sides,
  // where it is from this one as fit_camera() left it.
  void fit_all_around();
  // Until nothing is loading, answered, recorded, disassembled or switched any more.
  void finish();

  Device& device() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpview
