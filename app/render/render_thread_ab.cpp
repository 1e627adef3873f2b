// A|B: what is kept as A, and pictures of one or two sides.
#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "app/render/render_thread.h"
#include "app/render/render_thread_buffers.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

GlBuffer copy_of(GLuint buffer) {
  while (glGetError() != GL_NO_ERROR) {
    // Errors before this copy say nothing of it.
  }
  GLint64 bytes = 0;
  glGetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &bytes);
  GlBuffer copy = create_gl_buffer();
  glNamedBufferData(copy.get(), bytes, nullptr, GL_STATIC_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY)
    throw Error("keeping the picture as A",
                "OpenGL has no memory for " + std::to_string(bytes) + " bytes",
                "Show less of the scene, or open a smaller mesh");
  glCopyNamedBufferSubData(buffer, copy.get(), 0, 0, bytes);
  return copy;
}

}  // namespace

// ---- What is kept -------------------------------------------------------------------------------

void RenderThread::keep(const std::vector<bool>& shown) {
  worker_.call([this, &shown] {
    kept_.reset();
    keeps_ = false;
    draw_again();
    if (!has_scene())
      throw Error("keeping the picture as A", "there is no picture of this scene yet",
                  "Wait for its first picture");
    Buffers& from = *buffers_;
    auto kept =
        std::make_unique<Kept>(Kept{Buffers(*device_, interop_.mode, from.scene), shown, nullptr});
    Buffers& to = kept->buffers;
    for (std::size_t i = 0; i < from.scene.outputs.size() && i < shown.size(); ++i)
      for (const std::size_t stream : from.scene.outputs[i].streams) {
        if (!shown[i] || !from.streams[stream].is_written || to.streams[stream].copy) continue;
        to.streams[stream].copy = copy_of(from.streams[stream].id());
        to.streams[stream].is_written = true;
      }
    to.commands_copy = copy_of(from.commands_id());
    to.frame = from.frame;
    to.ever_published = true;
    from.note_drawn();  // the copies are made when OpenGL comes to them
    kept_ = std::move(kept);
    keeps_ = true;
  });
}

void RenderThread::forget_kept() {
  worker_.post([this] {
    if (!kept_) return;
    kept_.reset();
    sides_ = {};
    keeps_ = false;
    draw_again();
  });
}

void RenderThread::publish_a(WrittenFrame frame, bool is_last) {
  worker_.post([this, frame = std::move(frame), is_last]() mutable {
    if (!kept_) return;
    try {
      unmap_all(kept_->buffers, true);
    } catch (const std::exception&) {
      return;  // the device is lost: compute hears of it by its next call
    }
    kept_->buffers.frame = std::move(frame);
    if (is_last) draw_again();
  });
}

void RenderThread::draw_again() {
  redraw_ = true;
  ++frames_;
  const std::lock_guard lock(mutex_);
  overtake();
}

// ---- Drawing ------------------------------------------------------------------------------------

bool RenderThread::has_scene() const { return buffers_ && buffers_->ever_published; }

std::uint64_t RenderThread::scene_number() const {
  return has_scene() ? buffers_->scene.number : 0;
}

bool RenderThread::shows_a(const View& view) const {
  return kept_ && view.ab.shows_a() && has_scene() && scene_number() == view.a.scene;
}

void RenderThread::draw_b(const Framebuffer& target, const View& view, Renderer::Columns columns) {
  const bool has = has_scene();
  std::vector<DrawnOutput> outputs;
  if (has) outputs = buffers_->drawn_outputs(view.shown);
  // However drawing ends, buffers may be read until OpenGL is done.
  struct NoteDrawn {
    Buffers* buffers;
    ~NoteDrawn() {
      if (buffers) buffers->note_drawn();
    }
  };
  const NoteDrawn notes{has ? buffers_.get() : nullptr};
  renderer_->draw_columns(columns, target, view.camera, outputs, has ? buffers_->commands_id() : 0,
                          view.options, has ? buffers_->frame.cut : CutPlane{});
}

void RenderThread::draw_a(const Framebuffer& target, const View& view, Renderer::Columns columns) {
  Renderer& renderer = kept_->renderer ? *kept_->renderer : *renderer_;
  RenderOptions options = view.options;
  take_look(options, view.a.look);
  Buffers& buffers = kept_->buffers;
  struct NoteDrawn {
    Buffers& buffers;
    ~NoteDrawn() { buffers.note_drawn(); }
  };
  const NoteDrawn notes{buffers};
  renderer.draw_columns(columns, target, view.camera, buffers.drawn_outputs(kept_->shown),
                        buffers.commands_id(), options, buffers.frame.cut);
}

// A framebuffer as the target is.
const Framebuffer& RenderThread::side_like(const Framebuffer& target, std::size_t place) {
  std::optional<Framebuffer>& side = sides_[place];
  if (!side || side->width() != target.width() || side->height() != target.height() ||
      side->samples() != target.samples())
    side.emplace(target.width(), target.height(), target.samples());
  return *side;
}

PictureDifference RenderThread::draw_difference(const Framebuffer& target, const View& view) {
  if (!difference_) difference_ = std::make_unique<DifferenceRenderer>();
  const Framebuffer& a = side_like(target, 0);
  const Framebuffer& b = side_like(target, 1);
  const Renderer::Columns all{0, target.width()};
  draw_a(a, view, all);
  a.resolve();
  draw_b(b, view, all);
  b.resolve();
  return difference_->draw(target, a, b, view.ab.gain);
}

// Rasterisers cut samples, and not pixels, at the edge of the columns that they draw. Each side is
// therefore drawn a little further than it is seen, in a picture of its own.
void RenderThread::draw_divided(const Framebuffer& target, const View& view) {
  constexpr int margin = 2;
  const int width = target.width();
  const int middle = view.ab.divided_at(width);
  const bool swapped = view.ab.swapped;
  const Renderer::Columns of_a{swapped ? middle : 0, swapped ? width : middle};
  const Renderer::Columns of_b{swapped ? 0 : middle, swapped ? middle : width};
  const auto wider = [width](Renderer::Columns columns) {
    return Renderer::Columns{std::max(columns.begin - margin, 0),
                             std::min(columns.end + margin, width)};
  };
  if (of_b.begin < of_b.end) draw_b(target, view, wider(of_b));
  target.resolve();
  if (of_a.begin >= of_a.end) return;
  const Framebuffer& a = side_like(target, 0);
  draw_a(a, view, wider(of_a));
  a.resolve();
  glCopyImageSubData(a.texture(), GL_TEXTURE_2D, 0, of_a.begin, 0, 0, target.texture(),
                     GL_TEXTURE_2D, 0, of_a.begin, 0, 0, of_a.end - of_a.begin, target.height(), 1);
}

std::optional<PictureDifference> RenderThread::draw_into(const Framebuffer& target,
                                                         const View& view) {
  const Renderer::Columns all{0, target.width()};
  switch (shows_a(view) ? view.ab.mode : AbView::Mode::only_b) {
    case AbView::Mode::only_b:
      draw_b(target, view, all);
      break;
    case AbView::Mode::only_a:
      draw_a(target, view, all);
      break;
    case AbView::Mode::divided:
      draw_divided(target, view);
      return {};
    case AbView::Mode::difference:
      return draw_difference(target, view);
  }
  target.resolve();
  return {};
}

std::optional<PictureDifference> RenderThread::difference() const {
  const std::lock_guard lock(mutex_);
  return held_ ? slots_[*held_].difference : statistics_.difference;
}

}  // namespace warpview
