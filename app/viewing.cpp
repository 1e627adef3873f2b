#include "app/viewing.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/common/trouble.h"
#include "app/remembering.h"
#include "app/viewpoints.h"

namespace warpview {

void Viewing::set_size(int width, int height) {
  is_shown_ = width > 0 && height > 0;
  if (!is_shown_) return;
  if (view_.width == width && view_.height == height) return;
  view_.width = width;
  view_.height = height;
  model_.view_width = width;
  model_.view_height = height;
  if (fits()) fit_camera();
}

void Viewing::fit_to_scene(Camera& camera, float aspect) const {
  const Outline& outline = model_.scene_outline;
  camera.fit(model_.scene_bounds, aspect, outline ? *outline : std::span<const Vec3>());
}

void Viewing::fit_camera() {
  const float aspect =
      view_.height > 0 ? static_cast<float>(view_.width) / static_cast<float>(view_.height) : 1.0F;
  fit_to_scene(model_.camera, aspect);
  fitted_ = model_.camera;
}

void Viewing::set_bounds(const Aabb& box, Outline outline) {
  const bool fitted = fits();
  model_.scene_bounds = box;
  model_.scene_outline = std::move(outline);
  if (fitted)
    fit_camera();
  else
    model_.camera.enclose(box);
}

void Viewing::look_from(const Viewpoint& viewpoint, bool keeps_up) {
  if (viewpoint.z_up && !keeps_up) model_.camera.up_axis = *viewpoint.z_up ? UpAxis::z : UpAxis::y;
  if (viewpoint.angles) {
    look_again(view_of(viewpoint, model_.camera), keeps_up);
    model_.requests.drop<request::FitCamera>();
    return;
  }
  fit_camera();
  model_.requests.drop<request::FitCamera>();
  model_.camera.look_from({viewpoint.eye.x, viewpoint.eye.y, viewpoint.eye.z},
                          {viewpoint.target.x, viewpoint.target.y, viewpoint.target.z},
                          viewpoint.field_of_view);
}

void Viewing::look_again(const SceneMemory::View& left, bool keeps_up) {
  model_.camera.yaw = left.yaw;
  model_.camera.pitch = left.pitch;
  model_.camera.field_of_view = left.field_of_view;
  if (!keeps_up) model_.camera.up_axis = left.up;
  fit_camera();
  recall(model_.camera, left);
}

void Viewing::show(const std::set<std::string>& outputs) {
  view_.shown.clear();
  for (const OutputRow& output : model_.outputs)
    view_.shown.push_back(outputs.contains(output.name));
}

// Between A and B, as the model has it.
void Viewing::divide(View& view) const {
  view.ab = model_.ab;
  if (!model_.shows_a()) view.ab.mode = AbView::Mode::only_b;
  view.a = {};
  if (model_.pinned) view.a = {.look = model_.pinned->show, .scene = scene_};
}

void Viewing::update(std::uint64_t scene) {
  if (scene != scene_) {
    is_half_ = false;
    slow_frames_ = 0;
  }
  scene_ = scene;
  view_.camera = model_.camera;
  view_.options = model_.show;
  divide(view_);
  is_coarse_ = becomes_coarse();
  if (is_coarse_ && model_.results->seen) judge_coarse_frame();
}

// Do frames of the scene's own coarse picture take too long?
void Viewing::judge_coarse_frame() {
  const Snapshot& results = *model_.results;
  const View coarse = seen();
  const auto side = [](int pixels) { return static_cast<std::uint32_t>(pixels); };
  if (results.seen->width != side(coarse.width) || results.seen->height != side(coarse.height) ||
      std::exchange(judged_, results.frames) == results.frames)
    return;
  // Single frames are slow now and then, as the first of a drag.
  constexpr int slow_in_a_row = 3;
  const bool is_slow = results.kernels_ms > 2.0 * model_.coarse_above_ms;
  slow_frames_ = is_slow ? slow_frames_ + 1 : 0;
  is_half_ |= slow_frames_ == slow_in_a_row;
}

bool Viewing::becomes_coarse() const {
  if (model_.wants_whole) return false;
  const Snapshot& results = *model_.results;
  if (results.seen) {
    // The scene computes its picture for each view. At rest it may still take samples of each
    // pixel: those are whole, as another size would begin them again.
    const double slowest_ms = std::max(model_.draw_ms, results.kernels_ms);
    return model_.camera_dragged && (is_coarse_ || slowest_ms > model_.coarse_above_ms);
  }
  if (!(model_.camera_dragged || model_.moves())) return false;
  if (!is_coarse_) return model_.draw_ms > model_.coarse_above_ms;
  // A whole picture takes at most so many times as long: one that would be quick enough is drawn.
  constexpr double times_as_long = 12.0;
  return model_.camera_dragged || times_as_long * model_.draw_ms > model_.coarse_above_ms;
}

View Viewing::seen() const {
  View view = view_;
  if (!is_coarse_) return view;
  const float pixels =
      static_cast<float>(std::max(view.width, 1)) * static_cast<float>(std::max(view.height, 1));
  const float kept = is_half_ ? 0.0F : static_cast<float>(model_.coarse_pixels);
  const float scale = std::clamp(std::sqrt(kept / pixels), 0.5F, 1.0F);
  const auto scaled = [scale](int side) {
    return static_cast<int>(std::ceil(scale * static_cast<float>(side)));
  };
  view.width = scaled(view.width);
  view.height = scaled(view.height);
  view.options.antialiased = false;
  view.options.occlusion = false;
  view.a.look.occlusion = false;
  view.options.pixel_scale *= scale;
  return view;
}

View Viewing::in_size(int width, int height, bool transparent) const {
  const bool is_as_shown = width == 0;
  View large{.camera = model_.camera,
             .options = model_.show,
             .shown = {},
             .width = is_as_shown ? std::max(view_.width, 1) : width,
             .height = is_as_shown ? std::max(view_.height, 1) : height};
  for (const OutputRow& output : model_.outputs) large.shown.push_back(output.shown);
  divide(large);
  large.options.transparent = transparent;
  const auto side = [](int pixels) { return static_cast<float>(std::max(pixels, 1)); };
  large.options.pixel_scale *= side(large.height) / side(view_.height);
  if (!is_as_shown && fits()) fit_to_scene(large.camera, side(large.width) / side(large.height));
  return large;
}

void Viewing::save(const request::SavePicture& picture) {
  to_save_.push_back(
      {.file = picture.file, .view = in_size(picture.width, picture.height, picture.transparent)});
}

void Viewing::take(View view, RenderThread::Taken done) {
  to_save_.push_back({.file = {}, .view = std::move(view), .taken = std::move(done)});
}

void Viewing::draw(RenderThread& render, const PictureToDraw& picture) const {
  if (picture.taken) {
    render.take_view(picture.view, picture.taken);
    return;
  }
  render.save_view(picture.file, picture.view, [events = events_](std::string text, bool failed) {
    events->post(Message{failed ? Message::Kind::error : Message::Kind::info, std::move(text)});
  });
}

void Viewing::draw_saved(RenderThread& render, const Computed& now) {
  for (; !to_save_.empty() && is_computed(to_save_.front(), now); to_save_.pop_front())
    draw(render, to_save_.front());
  // What the scene draws itself is not there then; all else is as the last frame left it.
  if (model_.results->failed && model_.results->seen) give_up_saved("its frame failed");
}

void Viewing::draw_all_saved(RenderThread& render) {
  for (const PictureToDraw& picture : to_save_)
    if (!picture.taken) draw(render, picture);
  to_save_.clear();
}

// The scene's own picture is made for next_saved(), one at a time.
bool Viewing::is_computed(PictureToDraw& picture, const Computed& now) const {
  if (now.scene == 0) return true;  // which is an error
  if (now.is_remade) return false;
  if (picture.scene != now.scene) {
    picture.scene = now.scene;
    picture.wishes = now.wishes;
  }
  const Snapshot& results = *model_.results;
  if (results.scene != picture.scene || results.wishes < picture.wishes) return false;
  return results.seen ? !results.failed && *results.seen == frame_view(picture.view) : true;
}

void Viewing::give_up_saved(const std::string& why) {
  for (const PictureToDraw& picture : to_save_)
    if (!picture.taken)
      model_.say(
          {Message::Kind::error, in_words(Error("saving " + picture.file, why, "Save it again"))});
  to_save_.clear();
}

}  // namespace warpview
