#include "app/video_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "app/common/trouble.h"
#include "app/video/turntable.h"
#include "app/video/writer.h"
#include "gpu/runtime/error.h"

namespace warpview {

// The worker makes and ends the writer, so that the window never waits for a disk.
struct VideoDesk::Encoder {
  std::atomic<bool> given_up{false};
  std::unique_ptr<VideoWriter> writer;
};

int steps_of_frame(double seconds) {
  constexpr double rate = 60.0;
  constexpr double rounding = 1e-6;
  return std::max(static_cast<int>(std::ceil(seconds * rate - rounding)), 1);
}

VideoDesk::~VideoDesk() { cancel(); }

void VideoDesk::start(VideoPlan plan, const Viewing& viewing, std::uint64_t scene) {
  if (is_recording()) return;
  View view = viewing.in_size(plan.width, plan.height, plan.transparent);
  plan.width = view.width;
  plan.height = view.height;
  check_plan(plan);
  if (plan.turntable && viewing.fits())
    view.camera =
        fitted_all_around(view.camera, model_.scene_bounds,
                          static_cast<float>(plan.width) / static_cast<float>(plan.height));
  if (!worker_runs_) worker_.start([] { return false; });
  worker_runs_ = true;
  plan_ = std::move(plan);
  view_ = std::move(view);
  passes_time_ = !plan_.turntable || model_.playing;
  scene_ = scene;
  next_ = drawn_ = 0;
  ++number_;
  model_.video = {.file = plan_.file, .frames = plan_.frames()};
  encoder_ = std::make_shared<Encoder>();
  worker_.post([events = events_, number = number_, encoder = encoder_, asked = plan_] {
    try {
      encoder->writer = open_video(asked);
    } catch (const std::exception& error) {
      events->post(event::VideoEnded{number, in_words(error)});
    }
  });
  state_ = State::pausing;
}

void VideoDesk::cancel() {
  if (!is_recording()) return;
  encoder_->given_up = true;
  worker_.post([encoder = std::move(encoder_)] { encoder->writer.reset(); });
  encoder_.reset();
  state_ = State::idle;
  model_.video = {};
}

void VideoDesk::give_up(std::string error) {
  const std::string file = plan_.file;
  cancel();
  model_.say({Message::Kind::error, fmt::format("No video was written to {}: {}", file, error)});
}

void VideoDesk::update(Compute& compute, Viewing& viewing, const Now& now) {
  if (!is_recording()) return;
  if (state_ != State::writing && now.scene != scene_)
    return give_up("another scene was opened, or it was made in another size");
  if (state_ != State::writing && model_.results->failed) return give_up("a frame failed");
  if (now.is_busy) return;
  const bool is_computed = model_.results->scene == scene_ && model_.results->wishes == now.wishes;
  constexpr std::uint64_t most_waiting = 2;  // pictures, for the encoder
  if (state_ == State::pausing && is_computed) state_ = State::ready;
  if (state_ == State::ready && drawn_ - model_.video.done < most_waiting) advance(compute);
  if (state_ == State::advancing && has_advanced()) draw(viewing);
}

// The first frame is the scene as it stands.
void VideoDesk::advance(Compute& compute) {
  const bool passes = passes_time_ && next_ > 0 && model_.results->moving;
  begun_at_ = model_.results->seconds;
  if (passes)
    compute.advance(1.0 / plan_.rate,
                    model_.results->skips_time ? 1 : steps_of_frame(1.0 / plan_.rate));
  else
    begun_at_ -= 1.0 / plan_.rate;  // nothing has to pass
  state_ = State::advancing;
}

bool VideoDesk::has_advanced() const {
  constexpr double rounding = 1e-9;
  const double passed = model_.results->seconds - begun_at_;
  // Below 0: the user has begun the scene again.
  return passed >= 1.0 / plan_.rate - rounding || passed < -rounding;
}

void VideoDesk::draw(Viewing& viewing) {
  View view = view_;
  if (plan_.turntable) view.camera = turned(view_.camera, next_, plan_.frames());
  ++next_;
  viewing.take(std::move(view),
               [events = events_, number = number_](Picture picture, std::string error) {
                 events->post(event::VideoFrameDrawn{number, std::move(picture), std::move(error)});
               });
  state_ = State::drawing;
}

void VideoDesk::take(event::VideoFrameDrawn drawn) {
  if (!is_recording() || drawn.video != number_) return;
  if (!drawn.error.empty()) return give_up(std::move(drawn.error));
  ++drawn_;
  const bool is_last = next_ == plan_.frames();
  state_ = is_last ? State::writing : State::ready;
  worker_.post([events = events_, number = number_, encoder = encoder_, is_last,
                picture = std::move(drawn.picture)] {
    if (encoder->given_up || !encoder->writer) return;
    try {
      encoder->writer->add(picture);
      events->post(event::VideoFrameDone{number});
      if (!is_last || encoder->given_up) return;
      encoder->writer->finish();
      events->post(event::VideoEnded{number});
    } catch (const std::exception& error) {
      events->post(event::VideoEnded{number, in_words(error)});
    }
    encoder->writer.reset();
  });
}

void VideoDesk::take(event::VideoFrameDone done) {
  if (!is_recording() || done.video != number_) return;
  ++model_.video.done;
  model_.video.finishing = model_.video.done == model_.video.frames;
}

void VideoDesk::take(const event::VideoEnded& ended) {
  if (!is_recording() || ended.video != number_) return;
  if (!ended.error.empty()) return give_up(ended.error);
  model_.say({Message::Kind::info, fmt::format("Wrote {}: {} frames, {} x {} pixels.", plan_.file,
                                               plan_.frames(), plan_.width, plan_.height)});
  encoder_.reset();
  state_ = State::idle;
  model_.video = {};
}

}  // namespace warpview
