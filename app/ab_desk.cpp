#include "app/ab_desk.h"

#include <string>
#include <utility>

namespace warpview {

void AbDesk::keep() {
  ++number_;
  state_ = State::asked;
}

void AbDesk::note_wishes(std::uint64_t scene, std::uint64_t wishes) {
  if (state_ != State::asked) return;
  scene_ = scene;
  wishes_ = wishes;
  state_ = State::computing;
}

void AbDesk::update(Compute& compute, const RenderThread& render) {
  if (state_ == State::idle) return;
  if (!model_.pinned) {
    compute.forget_kept();
    end();
    return;
  }
  const Snapshot& results = *model_.results;
  if (state_ == State::computing && results.scene > scene_) {
    state_ = State::asked;  // the scene was replaced by itself in another size: as that is set
  } else if (state_ == State::computing && results.scene == scene_ && results.wishes >= wishes_) {
    state_ = State::keeping;
    compute.keep([events = events_, number = number_](std::string why_not, double seconds) {
      events->post(
          event::PictureKept{.number = number, .seconds = seconds, .error = std::move(why_not)});
    });
  } else if (state_ == State::kept && !render.keeps()) {
    compute.forget_kept();
    end();
  }
}

void AbDesk::take(const event::PictureKept& kept) {
  if (state_ != State::keeping || kept.number != number_) return;
  if (!kept.error.empty()) {
    model_.say({Message::Kind::error, kept.error});
    end();
    return;
  }
  state_ = State::kept;
  model_.a = {.is_there = true, .seconds = kept.seconds, .moves = model_.results->moving};
}

void AbDesk::end() {
  state_ = State::idle;
  model_.a = {};
  model_.ab.mode = AbView::Mode::only_b;
}

}  // namespace warpview
