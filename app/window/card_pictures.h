// The pictures on the cards of Welcome, as textures of the window.
#pragma once

#include <functional>
#include <vector>

#include "app/panels/panels.h"
#include "app/thumbnails.h"

namespace warpview {

// The window's OpenGL context must be current at each call and at destruction.
class CardPictures {
 public:
  // `on_news` is called from any thread when update() has something to do.
  explicit CardPictures(std::function<void()> on_news) : thumbnails_(std::move(on_news)) {}
  ~CardPictures();
  CardPictures(const CardPictures&) = delete;
  CardPictures& operator=(const CardPictures&) = delete;

  // Has the pictures made once Welcome is open and `may_start`, and shows those that have come.
  void update(PanelState& panels, bool may_start);

 private:
  unsigned upload(const Picture& picture);

  std::vector<unsigned> textures_;
  Thumbnails thumbnails_;
};

}  // namespace warpview
