// Pictures that leave the render thread: for files, for videos, and without a window.
#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "app/common/trouble.h"
#include "app/render/render_thread.h"
#include "app/render/screenshot.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

// As it is written to files.
Picture picture_of(const Framebuffer& drawn, const View& view) {
  Picture picture = drawn.read_back();
  return view.options.transparent ? unmultiplied(std::move(picture)) : picture;
}

}  // namespace

// Returns the last picture where it is of this view, else draws it.
Picture RenderThread::picture_for(const View& view) {
  if (!has_scene())
    throw Error("saving the picture", "there is no picture yet", "Open a scene first");
  const PictureSlot& last = slots_[last_drawn_];
  if (last.framebuffer && last.frame == frames_ && last.view == view)
    return picture_of(*last.framebuffer, view);
  const Framebuffer framebuffer(view.width, view.height);
  draw_into(framebuffer, view);
  return picture_of(framebuffer, view);
}

void RenderThread::take_view(View view, Taken done) {
  worker_.post([this, view = std::move(view), done = std::move(done)] {
    try {
      done(picture_for(view), {});
    } catch (const std::exception& error) {
      done({}, in_words(error));
    }
  });
}

void RenderThread::save_view(std::string file, View view, Told done) {
  worker_.post([this, file = std::move(file), view = std::move(view), done = std::move(done)] {
    try {
      write_png(file, picture_for(view));
      done(fmt::format("Wrote {}, {} x {} pixels.", file, view.width, view.height), false);
    } catch (const std::exception& error) {
      done(in_words(error), true);
    }
  });
}

void RenderThread::draw_now() {
  worker_.call([this] { draw_picture(); });
}

Picture RenderThread::read_back() {
  return worker_.call([this] { return picture_of(*slots_[last_drawn_].framebuffer, drawn_view_); });
}

GLuint RenderThread::texture_now() {
  return worker_.call([this] {
    glFinish();
    return slots_[last_drawn_].framebuffer->texture();
  });
}

}  // namespace warpview
