#include "app/render/render_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/common/trouble.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

// A scene's buffers: one for each stream from when it is first wanted, and the draw commands.
struct RenderThread::Buffers {
  struct StreamBuffer {
    std::optional<SharedBuffer> buffer;
    bool is_mapped = false;
    bool is_written = false;  // does it belong to the published frame?
  };

  DrawnScene scene;
  std::vector<StreamBuffer> streams;
  SharedBuffer commands;
  bool ever_published = false;
  bool commands_mapped = false;
  WrittenFrame frame;

  Buffers(Device& device, InteropMode mode, DrawnScene scene_)
      : scene(std::move(scene_)),
        streams(scene.streams.size()),
        commands(device, scene.commands * sizeof(DrawCommand), mode, stream_slots(device, true)) {}

  // The shown outputs of which every stream is written.
  std::vector<DrawnOutput> drawn_outputs(const std::vector<bool>& shown) const {
    std::vector<DrawnOutput> drawn;
    for (std::size_t i = 0; i < scene.outputs.size(); ++i) {
      const Output& output = scene.outputs[i];
      const bool is_complete =
          std::all_of(output.streams.begin(), output.streams.end(),
                      [this](std::size_t stream) { return streams[stream].is_written; });
      if (i >= shown.size() || !shown[i] || !is_complete) continue;
      DrawnOutput& out = drawn.emplace_back();
      out.kind = output.kind;
      out.command = output.command;
      out.drawn = frame.commands[output.command];
      out.style = frame.styles[i];
      out.dims_surfaces = output.dims_surfaces;
      for (const std::size_t stream : output.streams)
        out.buffers.push_back(streams[stream].buffer->id());
    }
    return drawn;
  }
  void note_drawn() {
    for (StreamBuffer& stream : streams)
      if (stream.buffer && stream.is_written) stream.buffer->drawn();
    commands.drawn();
  }
};

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
    renderer_->set_look(look);
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

RenderThread::Targets RenderThread::map(const std::vector<bool>& wanted) {
  std::future<Targets> targets;
  {
    auto request = std::make_shared<MapRequest>();
    request->wanted = wanted;
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
    Targets targets = map_now(request.wanted);
    times.map_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    targets.times = times;
    request.targets.set_value(std::move(targets));
  } catch (...) {
    abandon_all();
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

RenderThread::Targets RenderThread::map_now(const std::vector<bool>& wanted) {
  if (!buffers_) throw Error("memory for a frame", "its scene is closed", "Open the scene again");
  Targets targets;
  Buffers& buffers = *buffers_;
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
void RenderThread::unmap_all(bool wanted) {
  Buffers& buffers = *buffers_;
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
  }
  if (std::exchange(buffers.commands_mapped, false)) unmap(buffers.commands);
  if (failure) std::rethrow_exception(failure);
}

void RenderThread::abandon_all() {
  if (!buffers_) return;
  try {
    unmap_all(false);
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
      unmap_all(true);
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

void RenderThread::abandon() {
  worker_.post([this] { abandon_all(); });
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
  bool is_dirty = frame_undrawn_;
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
  const bool waits =
      frame_undrawn_ && !draws && !is_replaced && is_seen && pictures_ == Pictures::by_themselves;
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
    const std::lock_guard lock(mutex_);
    statistics_.scene = scene_number();
    error_ = in_words(error);
    catch_up();
  }
  if (news_) news_();
  return true;
}

bool RenderThread::has_scene() const { return buffers_ && buffers_->ever_published; }

std::uint64_t RenderThread::scene_number() const {
  return has_scene() ? buffers_->scene.number : 0;
}

void RenderThread::draw_into(const Framebuffer& target, const View& view) {
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
  renderer_->draw(target, view.camera, outputs, has ? buffers_->commands.id() : 0, view.options,
                  has ? buffers_->frame.cut : CutPlane{});
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

  draw_into(*slot.framebuffer, drawn_view_);
  glDeleteSync(slot.drawn);
  slot.drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
  if (renderer_->draws_in_slices()) glFinish();
  frame_undrawn_ = false;
  last_drawn_ = place;

  const auto end = Clock::now();
  const std::chrono::duration<double, std::milli> spent = end - begin;
  if (spells_.size() < most_spells) spells_.push_back({begin, end, true});
  const std::lock_guard lock(mutex_);
  slot.scene = scene_number();
  slot.frame = frames_;
  slot.view = drawn_view_;
  ++statistics_.pictures;
  statistics_.draw_ms = spent.count();
  statistics_.scene = slot.scene;
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
