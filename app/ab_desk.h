// A of A|B: has the present picture kept, and knows what becomes of it.
#pragma once

#include <cstdint>
#include <memory>

#include "app/compute.h"
#include "app/events.h"
#include "app/model.h"
#include "app/render/render_thread.h"

namespace warpview {

// The model must outlive it.
class AbDesk {
 public:
  AbDesk(Model& model, std::shared_ptr<SessionEvents> events)
      : model_(model), events_(std::move(events)) {}

  // Has the picture kept once a frame shows what is set now.
  void keep();
  // Until then no other settings may be sent to compute than those.
  bool holds_wishes() const { return state_ == State::computing; }
  // What is set now is computed, or will be, by these wishes.
  void note_wishes(std::uint64_t scene, std::uint64_t wishes);
  // Is something to come?
  bool is_busy() const { return state_ != State::idle && state_ != State::kept; }
  // What is pinned no more is kept no more.
  void update(Compute& compute, const RenderThread& render);
  void take(const event::PictureKept& kept);

 private:
  enum class State {
    idle,
    asked,      // the settings are to be sent
    computing,  // until a frame shows them
    keeping,
    kept
  };

  void end();

  Model& model_;
  const std::shared_ptr<SessionEvents> events_;
  State state_ = State::idle;
  std::uint64_t number_ = 0;  // of the last asking
  std::uint64_t scene_ = 0;   // whose settings were sent
  std::uint64_t wishes_ = 0;
};

}  // namespace warpview
