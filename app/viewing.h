// What the window looks at, and the pictures of it that are saved.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/common/scene_memory.h"
#include "app/events.h"
#include "app/model.h"
#include "app/render/camera.h"
#include "app/render/render_thread.h"
#include "app/requests.h"
#include "scenes/description.h"

namespace warpview {

// The model must outlive it.
class Viewing {
 public:
  Viewing(Model& model, std::shared_ptr<SessionEvents> events)
      : model_(model), events_(std::move(events)) {}

  // In pixels. What fitted, and was not moved since, fits again. 0: nothing is shown, and the size
  // stays.
  void set_size(int width, int height);
  bool is_shown() const { return is_shown_; }
  void fit_camera();
  // The scene fills another box now: a view that fitted fits again.
  void set_bounds(const Aabb& box, Outline outline = nullptr);
  // Is all of the scene in the view, as fit_camera() left it?
  bool fits() const { return fitted_ == model_.camera; }
  // `keeps_up`: whatever the viewpoint says is up.
  void look_from(const Viewpoint& viewpoint, bool keeps_up = false);
  // From where the user looked at the scene when it was left.
  void look_again(const SceneMemory::View& left, bool keeps_up);

  // Outputs by name.
  void show(const std::set<std::string>& outputs);
  // Takes the model's camera and options, for the scene of this number.
  void update(std::uint64_t scene);
  // All of it.
  const View& whole() const { return view_; }
  // While the camera is dragged or the scene moves, a picture that takes too long makes the next
  // ones coarse: half as many pixels each way, but not fewer in all than the model says, and one
  // sample in each, without ambient occlusion. Where a scene computes its picture for each view,
  // only a drag makes it coarse; if it still takes twice too long, it has half as many each way.
  View seen() const;
  bool is_coarse() const { return is_coarse_; }

  // --- pictures that are saved: whole, of the scene as it is set now, whatever the view shows
  // meanwhile

  // What a picture waits for.
  struct Computed {
    std::uint64_t scene = 0;   // number of the scene that is open; 0: none
    std::uint64_t wishes = 0;  // sent last
    bool is_remade = false;    // in another size, which is what is to be seen
  };
  void save(const request::SavePicture& picture);
  // What is seen now, in this size, with lines as wide beside the scene as in the view.
  View in_size(int width, int height, bool transparent) const;
  // A picture of this view, when it is its turn; `done` as RenderThread::take_view() has it. It is
  // not called where the picture is given up.
  void take(View view, RenderThread::Taken done);
  bool saves() const { return !to_save_.empty(); }
  // The view of the next one.
  const View& next_saved() const { return to_save_.front().view; }
  // Has those drawn that are computed, or all of them.
  void draw_saved(RenderThread& render, const Computed& now);
  void draw_all_saved(RenderThread& render);
  void give_up_saved(const std::string& why);

 private:
  struct PictureToDraw {
    std::string file;  // empty where it is taken
    View view;
    RenderThread::Taken taken{};
    std::uint64_t scene = 0;   // number of the scene that it is of
    std::uint64_t wishes = 0;  // number of the wishes that must be acted on before
  };
  void fit_to_scene(Camera& camera, float aspect) const;
  bool becomes_coarse() const;
  void judge_coarse_frame();
  void divide(View& view) const;
  bool is_computed(PictureToDraw& picture, const Computed& now) const;
  void draw(RenderThread& render, const PictureToDraw& picture) const;

  Model& model_;
  const std::shared_ptr<SessionEvents> events_;
  std::uint64_t scene_ = 0;  // number of the one that is open
  View view_;
  bool is_shown_ = true;
  bool is_coarse_ = false;
  // A scene that computes its picture for each view is too slow at the model's number of pixels.
  bool is_half_ = false;
  int slow_frames_ = 0;           // the last coarse ones in a row
  std::uint64_t judged_ = 0;      // number of the frame that was judged last
  std::optional<Camera> fitted_;  // as fit_camera() left it
  std::deque<PictureToDraw> to_save_;
};

}  // namespace warpview
