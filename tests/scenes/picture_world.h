// A scene that draws a picture of its own, and from where it is seen: for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/scenes/scene_test.h"

namespace warpview::test {

// What looks along -`backward` from `eye`. Of three directions at right angles; the first two as
// long as what is one unit away is magnified.
inline FrameView view_along(Vec3 eye, Vec3 right, Vec3 up, Vec3 backward, std::uint32_t width,
                            std::uint32_t height) {
  FrameView view;
  view.eye = eye;
  view.width = width;
  view.height = height;
  const auto set_row = [&](std::size_t row, Vec3 axis) {
    view.to_clip[row] = axis.x;
    view.to_clip[4 + row] = axis.y;
    view.to_clip[8 + row] = axis.z;
    view.to_clip[12 + row] = -dot(axis, eye);
  };
  set_row(0, right);
  set_row(1, up);
  set_row(3, backward * -1.0F);
  return view;
}

// Loaded, with pictures of at most 20 000 pixels if no setting says otherwise.
class PictureWorld {
 public:
  PictureWorld(const SceneKind& kind, Device& device, Mesh mesh,
               const std::vector<std::string>& settings, const std::vector<std::string>& wishes)
      : scene_(make_scene(kind, device, std::move(mesh), controls_of_all(kind, settings),
                          wishes_of(wishes))),
        targets_(*scene_) {
    load(*scene_);
  }

  Scene& scene() { return *scene_; }
  void draw(const FrameView& view) {
    Frame frame = targets_.all();
    frame.view = view;
    run(*scene_, frame);
  }
  std::size_t width() const { return size().width; }
  std::size_t height() const { return size().height; }
  std::vector<std::uint32_t> pixels() const {
    return targets_.read<std::uint32_t>(0, width() * height());
  }
  std::uint32_t pixel(std::size_t x, std::size_t y) const { return pixels()[y * width() + x]; }

 private:
  ImageStyle size() const { return style_as<ImageStyle>(scene_->outputs()[0].style); }
  static Controls controls_of_all(const SceneKind& kind, const std::vector<std::string>& settings) {
    std::vector<std::string> all = {"pixels=20000"};
    all.insert(all.end(), settings.begin(), settings.end());
    return controls_of(kind, all);
  }

  std::unique_ptr<Scene> scene_;
  Targets targets_;
};

}  // namespace warpview::test
