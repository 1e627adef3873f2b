// Records what is open as a video, frame by frame, while the window goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "app/common/worker.h"
#include "app/compute.h"
#include "app/events.h"
#include "app/model.h"
#include "app/video/plan.h"
#include "app/viewing.h"

namespace warpview {

// How a frame's time passes in steps of at most 1/60 s, equal ones.
int steps_of_frame(double seconds);

// Keeps model.video true. Never waits: for each frame it has the scene's time advanced by just the
// frame's, then the picture drawn, which the encoder takes on a thread of its own. What becomes of
// a video is a message. The model must outlive it.
class VideoDesk {
 public:
  // Where the scene stands, beside the model.
  struct Now {
    std::uint64_t scene = 0;   // number of the scene that is open
    std::uint64_t wishes = 0;  // sent last
    bool is_busy = false;      // another scene is being made, or the laboratory is at work
  };

  VideoDesk(Model& model, std::shared_ptr<SessionEvents> events)
      : model_(model), events_(std::move(events)) {}
  ~VideoDesk();
  VideoDesk(const VideoDesk&) = delete;
  VideoDesk& operator=(const VideoDesk&) = delete;

  // While it records the scene's time passes by its frames alone.
  bool is_recording() const { return state_ != State::idle; }
  // Ignored while it records. Error where the plan cannot be had.
  void start(VideoPlan plan, const Viewing& viewing, std::uint64_t scene);
  void cancel();
  // The next step, if it is time for one.
  void update(Compute& compute, Viewing& viewing, const Now& now);

  void take(event::VideoFrameDrawn drawn);
  void take(event::VideoFrameDone done);
  void take(const event::VideoEnded& ended);

 private:
  enum class State {
    idle,
    pausing,    // until time passes by itself no more
    ready,      // for the next frame
    advancing,  // until the frame's time has passed
    drawing,    // until its picture is drawn
    writing     // all frames are with the encoder
  };
  struct Encoder;  // with the file that is being written; used by the worker alone

  void advance(Compute& compute);
  bool has_advanced() const;
  void draw(Viewing& viewing);
  void give_up(std::string error);

  Model& model_;
  const std::shared_ptr<SessionEvents> events_;
  State state_ = State::idle;
  std::uint64_t number_ = 0;  // of the recording; events of earlier ones are ignored
  VideoPlan plan_;
  View view_;  // of the first frame
  bool passes_time_ = false;
  std::uint64_t scene_ = 0;
  std::uint64_t next_ = 0;   // frame to be drawn
  double begun_at_ = 0.0;    // seconds of the scene when the frame's time began to pass
  std::uint64_t drawn_ = 0;  // frames that the encoder was given
  std::shared_ptr<Encoder> encoder_;
  bool worker_runs_ = false;
  Worker worker_;
};

}  // namespace warpview
