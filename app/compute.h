// The compute thread: owns the scene that is open, runs its frames, and tells what came of them.
//
// The window's side says what it wishes; this thread acts on the latest wishes between frames. It
// never waits for the window, and computes no frame that would not be shown. There is one
// exception: a moving scene takes steps that write nothing to be drawn while a slow picture of it
// is drawn.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/choices.h"
#include "app/common/published.h"
#include "app/common/worker.h"
#include "app/message.h"
#include "app/render/render_thread.h"
#include "app/snapshot.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/device.h"
#include "gpu/timeline/copy_curve.h"
#include "scenes/scene.h"

namespace warpview {

// What the user wishes of the scene that is open.
struct SceneWishes {
  std::uint64_t scene = 0;   // number of the scene that they are for; others are ignored
  std::uint64_t number = 0;  // grows with each change
  Choices choices{};         // stages that it does not name stay as they are
};

class Compute {
 public:
  enum class Frames {
    by_themselves,  // as time passes or something changes
    on_demand       // by frame() alone
  };

  // Both must outlive this. On the compute thread `tell` is given what happens, and `news` is
  // called after each change of results.
  Compute(Device& device, RenderThread& render, Frames frames,
          std::function<void(Message)> tell = {}, std::function<void()> news = {});
  ~Compute();
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;

  // --- never wait

  void set_wishes(SceneWishes wishes);
  // From where frames are seen from now on: where the scene asks for that, one follows. While they
  // are not shown no time passes, and frames follow changes alone.
  // `with_a`: so is A.
  void set_view(const FrameView& view, bool shown = true, bool with_a = false);
  Published<Snapshot> results() const;
  // Something to do with the scene between frames; it is followed by a frame. Without a scene
  // nothing is done. What fails becomes a message.
  void ask(std::function<void(Scene&)> action);
  // Runs a stage once more, for its times. No frame follows, as its results are what they were.
  void repeat(std::string stage);
  // The scene where it began.
  void begin_again();
  // A frame in which so much time passes, though the scene is paused: in so many steps, of which
  // the last is to be drawn.
  void advance(double seconds, int steps = 1);
  // All variants of a stage, five runs each, while no frame is computed. Another one, other wishes
  // for variants and another scene end a running one; what was chosen is chosen again.
  void compare(std::string stage);
  void cancel_comparison();
  // Keeps the picture of the last frame as A, in place of an earlier one; before the scene's first
  // frame, that frame's, once it is there. Where frames depend on
  // the view a second scene is made, as the first is set, whose frames follow the view together
  // with those of the first. `told` is given why that is not possible, or nothing and the time that
  // A shows. What fails in A later is said, and ends A.
  using KeptTold = std::function<void(std::string why_not, double seconds)>;
  void keep(KeptTold told);
  void forget_kept();
  // As above, for an action that changes nothing: no frame follows, and it reports failures. Given
  // null where there is no scene.
  void peek(std::function<void(Scene*)> action);
  // Something to do on the device, scene or not, and without a frame after it.
  void ask_device(std::function<void(Device&)> action);

  // For the end: interrupts running work, on the CPU device before its next kernel, and so
  // is whatever is asked from then on.
  void close() { closed_.store(true, std::memory_order_relaxed); }

  // --- wait

  // Takes over a scene that is loaded, in place of the one that is open. Its number. Error where it
  // cannot be drawn: then nothing has changed. `ask` is called now and then while a frame of the
  // old one runs; what it throws is thrown, and nothing has changed. Of its time `seconds`
  // have passed.
  std::uint64_t install(std::unique_ptr<Scene> scene, SurfaceLook look,
                        const std::function<void()>& ask = {}, double seconds = 0.0);
  // Gives up the scene that is open, for its memory. Its picture stays. `ask` as above.
  void release_scene(const std::function<void()>& ask = {});
  // Between these two no frame is computed and nothing is measured. resume() doesn't wait, as the
  // running frame may wait for the window.
  void pause();
  void resume();
  // One frame. Error where it fails.
  void frame(double seconds);
  // Does something with the scene; gives what it gives, throws what it throws. There must be one.
  template <class Function>
  auto with_scene(Function&& function) {
    return worker_.call([this, &function] { return function(*scene_); });
  }
  // The whole curve of copies: less than about a second.
  void measure_copies();

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t take_over(std::unique_ptr<Scene>& scene, SurfaceLook& look, double seconds);
  void attempt(const std::function<void(Scene&)>& action) const;
  bool step();
  void act_on_wishes();
  bool needs_frame() const;
  FrameView view() const;
  bool is_shown() const;
  bool kept_lags() const;
  void keep_if_drawn();
  void follow_with_kept(bool is_last);
  std::unique_ptr<Scene> twin() const;
  // The streams of these outputs, of any scene.
  static std::vector<bool> streams_of(const Scene& scene, const std::set<std::string>& shown);
  // A frame, again with more memory while that does not suffice.
  static void compute_into(Scene& scene, Frame frame);
  bool steps_unseen() const;
  enum class Seen { drawn, unseen };
  void run_frame(double seconds, Seen seen = Seen::drawn);
  static WrittenFrame written_by(const Scene& scene);
  void stand_still(const std::exception& error);
  bool measure_copy();
  void step_comparison();
  void end_comparison();
  bool wishes_other_variants() const;
  void publish_comparison();
  void plot_facts();
  void note_device_parts(double host_ms);
  Snapshot make_results() const;
  void publish_results();
  void publish(Snapshot results);
  void say(std::string text) const;

  Device& device_;
  RenderThread& render_;
  const Frames frames_;
  const std::function<void(Message)> tell_;
  const std::function<void()> news_;

  // Used by the thread alone.
  CopyCurve curve_;
  bool curve_failed_ = false;
  std::unique_ptr<Scene> scene_;
  std::uint64_t scene_number_ = 0;
  double seconds_ = 0.0;  // of its time that have passed
  std::unique_ptr<VariantComparison> comparison_;
  std::uint64_t comparison_number_ = 0;
  Comparison compared_;
  // What follows the view as A, set as the scene was when its picture was kept.
  struct KeptScene {
    std::unique_ptr<Scene> scene;
    std::set<std::string> shown;
    FrameView seen;
  };
  std::unique_ptr<KeptScene> kept_;
  KeptTold to_keep_;        // asked to keep a picture, and not yet answered
  bool has_drawn_ = false;  // is there a frame of this scene that can be drawn?
  SceneWishes acted_on_;
  bool is_stale_ = false;  // something changed since the last frame
  FrameView seen_;         // of the last frame
  // The time of the steps since the last frame that was drawn; none: there were no such steps.
  std::optional<double> unseen_ms_;
  bool failed_ = false;
  bool paused_ = false;
  struct AskedFrame {
    double seconds = 0.0;
    Seen seen = Seen::drawn;
  };
  std::deque<AskedFrame> asked_frames_;  // by advance()
  std::uint64_t frame_count_ = 0;
  std::map<std::string, std::vector<float>> courses_;
  PartClock frame_clock_;
  std::optional<Clock::time_point> last_frame_;

  std::optional<Interruptible> interruptible_;  // of all that the thread does

  // Shared.
  std::atomic<bool> closed_{false};
  mutable std::mutex mutex_;
  SceneWishes wishes_;
  FrameView view_;
  bool is_shown_ = true;
  bool shows_a_ = false;
  Published<Snapshot> results_;

  Worker worker_;  // last, so that all else exists while it runs
};

}  // namespace warpview
