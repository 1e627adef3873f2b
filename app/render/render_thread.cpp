#include "app/render/render_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/common/trouble.h"
#include "app/render/render_thread_buffers.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

RenderThread::RenderThread(std::unique_ptr<GlContext> context, Device& device,
                           InteropRequest interop, Pictures pictures, std::function<void()> news)
    : device_(&device), context_(std::move(context)), pictures_(pictures), news_(std::move(news)) {
  worker_.start([this] { return step(); });
  worker_.call([this, interop] {
    context_->make_current();
    try {
      interop_ = choose_interop(*device_, interop);
      if (const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER)))
        gl_renderer_ = name;
      stream_ = device_->create_stream();
      mapped_ = device_->create_event();
      renderer_ = std::make_unique<Renderer>();
    } catch (...) {
      context_->release();
      throw;
    }
  });
}

RenderThread::~RenderThread() {
  close();
  worker_.post([this] {
    for (PictureSlot& slot : slots_) {
      glDeleteSync(slot.drawn);
      glDeleteSync(slot.released);
      slot.framebuffer.reset();
    }
    buffers_.reset();
    kept_.reset();
    difference_.reset();
    sides_ = {};
    renderer_.reset();
    mapped_.reset();
    stream_.reset();
    context_->release();
  });
  worker_.stop();
}

void RenderThread::set_scene(DrawnScene scene, SurfaceLook look) {
  worker_.call([&] {
    auto buffers = std::make_unique<Buffers>(*device_, interop_.mode, std::move(scene));
    if (kept_ && !kept_->renderer) {
      auto renderer = std::make_unique<Renderer>();
      renderer->set_look(look);
      kept_->renderer = std::exchange(renderer_, std::move(renderer));
    } else {
      renderer_->set_look(look);
    }
    buffers_ = std::move(buffers);
    frame_undrawn_ = false;
  });
}

void RenderThread::set_device(Device& device, InteropRequest interop) {
  worker_.call([&] {
    InteropChoice choice = choose_interop(device, interop);
    std::unique_ptr<Stream> stream = device.create_stream();
    std::unique_ptr<Event> mapped = device.create_event();
    buffers_.reset();
    kept_.reset();
    keeps_ = false;
    frame_undrawn_ = false;
    mapped_ = std::move(mapped);
    stream_ = std::move(stream);
    interop_ = std::move(choice);
    device_ = &device;
  });
}

void RenderThread::clear_scene() {
  worker_.call([this] { buffers_.reset(); });
}

RenderThread::Replacement::Replacement(RenderThread& render) : render_(render) {
  ++render_.replacements_;
  render_.worker_.wake();
}

RenderThread::Replacement::~Replacement() {
  --render_.replacements_;
  render_.worker_.wake();
}

// ---- Frames -------------------------------------------------------------------------------------

RenderThread::Buffers* RenderThread::buffers_of(Side side) {
  if (side == Side::b) return buffers_.get();
  return kept_ ? &kept_->buffers : nullptr;
}

RenderThread::Targets RenderThread::map(const std::vector<bool>& wanted, Side side) {
  std::future<Targets> targets;
  {
    auto request = std::make_shared<MapRequest>();
    request->wanted = wanted;
    request->side = side;
    request->asked = Clock::now();
    targets = request->targets.get_future();
    worker_.post([this, request] { map_request_ = std::move(*request); });
  }
  return targets.get();
}

// Lets the asker go on in any case.
void RenderThread::serve_map() {
  MapRequest request = *std::exchange(map_request_, {});
  try {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) throw Error("a frame", "the program is closing", "Start it again");
    }
    MapTimes times = waited_for(request.asked);
    const auto begin = Clock::now();
    Targets targets = map_now(buffers_of(request.side), request.wanted);
    times.map_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    targets.times = times;
    request.targets.set_value(std::move(targets));
  } catch (...) {
    abandon_all(buffers_of(request.side));
    request.targets.set_exception(std::current_exception());
  }
}

// The spells of this thread that fell into the waiting of another.
RenderThread::MapTimes RenderThread::waited_for(Clock::time_point since) {
  MapTimes times;
  for (const Spell& spell : std::exchange(spells_, {})) {
    const std::chrono::duration<double, std::milli> part = spell.end - std::max(spell.begin, since);
    (spell.draws ? times.draw_ms : times.copies_ms) += std::max(part.count(), 0.0);
  }
  return times;
}

RenderThread::Targets RenderThread::map_now(Buffers* of, const std::vector<bool>& wanted) {
  if (of == nullptr)
    throw Error("memory for a frame", "its scene is closed", "Open the scene again");
  Targets targets;
  Buffers& buffers = *of;
  targets.streams.resize(buffers.streams.size());
  for (std::size_t i = 0; i < buffers.streams.size(); ++i) {
    Buffers::StreamBuffer& stream = buffers.streams[i];
    const StreamInfo& info = buffers.scene.streams[i];
    if (!wanted[i] || (!info.each_frame && stream.is_written)) continue;
    if (!stream.buffer)
      stream.buffer.emplace(*device_, info.bytes(), interop_.mode,
                            stream_slots(*device_, info.each_frame));
    targets.streams[i] = stream.buffer->map(*stream_);
    stream.is_mapped = true;
  }
  targets.commands = static_cast<DrawCommand*>(buffers.commands.map(*stream_));
  buffers.commands_mapped = true;
  // Mapping waits for OpenGL on this stream; the kernels run on another.
  stream_->record(*mapped_);
  mapped_->synchronize();
  return targets;
}

// Whatever fails with one, the others are unmapped too; then the first failure is thrown.
void RenderThread::unmap_all(Buffers& buffers, bool wanted) {
  std::exception_ptr failure;
  const auto unmap = [&](SharedBuffer& buffer) {
    try {
      if (wanted)
        buffer.unmap(*stream_);
      else
        buffer.abandon(*stream_);
    } catch (const std::exception&) {
      if (!failure) failure = std::current_exception();
    }
  };
  for (std::size_t i = 0; i < buffers.streams.size(); ++i) {
    Buffers::StreamBuffer& stream = buffers.streams[i];
    // What moved on without being written no longer belongs to the picture.
    if (wanted && buffers.scene.streams[i].each_frame) stream.is_written = stream.is_mapped;
    if (!std::exchange(stream.is_mapped, false)) continue;
    unmap(*stream.buffer);
    stream.is_written |= wanted;
    if (wanted) stream.copy = {};
  }
  if (std::exchange(buffers.commands_mapped, false)) {
    unmap(buffers.commands);
    if (wanted) buffers.commands_copy = {};
  }
  if (failure) std::rethrow_exception(failure);
}

void RenderThread::abandon_all(Buffers* buffers) {
  if (buffers == nullptr) return;
  try {
    unmap_all(*buffers, false);
  } catch (const std::exception&) {
    // The device is lost: compute has heard of it, or does by its next call.
  }
}

void RenderThread::publish(WrittenFrame frame) {
  frame_undrawn_ = true;  // at once, for is_drawing()
  worker_.post([this, frame = std::move(frame)]() mutable {
    if (!buffers_) {
      frame_undrawn_ = false;
      return;
    }
    const auto begin = Clock::now();
    try {
      unmap_all(*buffers_, true);
    } catch (const std::exception&) {
      frame_undrawn_ = false;
      return;  // the device is lost: compute hears of it by its next call
    }
    spells_.push_back({begin, Clock::now(), false});
    buffers_->frame = std::move(frame);
    buffers_->ever_published = true;
    frame_undrawn_ = true;
    ++frames_;
    const std::lock_guard lock(mutex_);
    overtake();
  });
}

void RenderThread::abandon(Side side) {
  worker_.post([this, side] { abandon_all(buffers_of(side)); });
}

// ---- Pictures -----------------------------------------------------------------------------------

bool RenderThread::can_draw() const {
  const std::lock_guard lock(mutex_);
  const bool is_ready = !buffers_ || buffers_->ever_published;
  return pictures_ == Pictures::by_themselves && !finished_ && is_ready && view_.has_area();
}

// A frame may be written while the last one is being drawn, but not before: else frames would be
// computed that are never shown. Where the view has no area nothing is drawn, and no frame waits.
bool RenderThread::step() {
  bool is_dirty = frame_undrawn_ || redraw_;
  bool is_closed = false;
  bool is_seen = false;
  {
    const std::lock_guard lock(mutex_);
    is_seen = view_.has_area();
    is_dirty |= !(view_ == drawn_view_);
    is_closed = closed_;
    if (!is_dirty && !finished_) catch_up();  // what was changed was changed back
  }
  const bool is_replaced = replacements_ > 0;
  // There is no renderer any more at the end.
  const bool draws = renderer_ && is_dirty && !is_replaced && can_draw();
  const bool waits = map_request_ && map_request_->side == Side::b && frame_undrawn_ && !draws &&
                     !is_replaced && is_seen && pictures_ == Pictures::by_themselves;
  if (map_request_ && (!waits || is_closed)) serve_map();
  if (!draws) return false;
  try {
    const Interruptible gives_up([this] {
      if (replacements_ > 0) throw Interrupted();
    });
    const std::size_t drawn = draw_picture();
    const std::lock_guard lock(mutex_);
    finished_ = drawn;
  } catch (const Interrupted&) {
    drawn_view_ = {};  // as it is not drawn
    return false;
  } catch (const std::exception& error) {  // host memory may run out, too
    frame_undrawn_ = false;                // not tried again before something changes
    redraw_ = false;
    const std::lock_guard lock(mutex_);
    statistics_.scene = scene_number();
    error_ = in_words(error);
    catch_up();
  }
  if (news_) news_();
  return true;
}

// Into a slot that the window does not hold.
std::size_t RenderThread::draw_picture() {
  const auto begin = Clock::now();
  std::size_t place = 0;
  GLsync released = nullptr;
  {
    const std::lock_guard lock(mutex_);
    drawn_view_ = view_;
    if (held_ == place) place = 1;
    slots_[place].overtaken.reset();
    slots_[place].view = {};
    released = std::exchange(slots_[place].released, nullptr);
  }
  PictureSlot& slot = slots_[place];
  if (released != nullptr) {
    constexpr GLuint64 one_second = 1'000'000'000;
    while (glClientWaitSync(released, GL_SYNC_FLUSH_COMMANDS_BIT, one_second) ==
           GL_TIMEOUT_EXPIRED) {
    }
    glDeleteSync(released);
  }
  const int width = std::max(drawn_view_.width, 1);
  const int height = std::max(drawn_view_.height, 1);
  const int samples = drawn_view_.options.antialiased ? Framebuffer::usual_samples : 1;
  if (!slot.framebuffer || slot.framebuffer->width() != width ||
      slot.framebuffer->height() != height || slot.framebuffer->samples() != samples)
    slot.framebuffer.emplace(width, height, samples);

  const auto difference = draw_into(*slot.framebuffer, drawn_view_);
  glDeleteSync(slot.drawn);
  slot.drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  if (renderer_->draws_in_slices()) glFinish();
  frame_undrawn_ = false;
  redraw_ = false;
  last_drawn_ = place;

  const auto end = Clock::now();
  const std::chrono::duration<double, std::milli> spent = end - begin;
  if (spells_.size() < most_spells) spells_.push_back({begin, end, true});
  const std::lock_guard lock(mutex_);
  slot.scene = scene_number();
  slot.frame = frames_;
  slot.view = drawn_view_;
  slot.difference = difference;
  ++statistics_.pictures;
  statistics_.draw_ms = spent.count();
  statistics_.scene = slot.scene;
  statistics_.difference = difference;
  return place;
}

void RenderThread::set_view(const View& view) {
  {
    const std::lock_guard lock(mutex_);
    if (view_ == view) return;
    view_ = view;
    overtake();
  }
  worker_.wake();
}

void RenderThread::overtake() {
  if (!view_.has_area()) return catch_up();
  const auto now = Clock::now();
  for (PictureSlot& slot : slots_)
    if (!slot.overtaken) slot.overtaken = now;
}

void RenderThread::catch_up() {
  for (PictureSlot& slot : slots_) slot.overtaken.reset();
}

const Framebuffer* RenderThread::take_picture(const std::function<bool(std::uint64_t)>& is_known) {
  const std::lock_guard lock(mutex_);
  if (finished_ && (!is_known || is_known(slots_[*finished_].scene))) {
    PictureSlot& slot = slots_[*finished_];
    const GLenum answer = glClientWaitSync(slot.drawn, 0, 0);
    if (answer == GL_ALREADY_SIGNALED || answer == GL_CONDITION_SATISFIED) {
      if (held_) {
        // All that the window drew from it was asked for before.
        slots_[*held_].released = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        glFlush();
      }
      held_ = std::exchange(finished_, {});
      worker_.wake();
    }
  }
  return held_ ? &*slots_[*held_].framebuffer : nullptr;
}

std::uint64_t RenderThread::taken_scene() const {
  const std::lock_guard lock(mutex_);
  return held_ ? slots_[*held_].scene : 0;
}

std::optional<RenderThread::Clock::time_point> RenderThread::overtaken() const {
  const std::lock_guard lock(mutex_);
  return held_ ? slots_[*held_].overtaken : std::nullopt;
}

bool RenderThread::shows(const View& view) const {
  const std::lock_guard lock(mutex_);
  return held_ && slots_[*held_].view == view;
}

PictureStatistics RenderThread::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

std::string RenderThread::take_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(error_, {});
}

void RenderThread::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  worker_.wake();
}

}  // namespace warpview
