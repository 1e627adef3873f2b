// The render thread: owns an OpenGL context, every buffer that kernels write, and the pictures.
//
// Compute asks it where to write and tells it what was written; the window tells it what to look at
// and takes finished pictures. Only this thread registers, maps and unmaps buffers, and only it
// draws scenes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/common/worker.h"
#include "app/gl/context.h"
#include "app/render/difference.h"
#include "app/render/framebuffer.h"
#include "app/render/look.h"
#include "app/render/renderer.h"
#include "app/render/view.h"
#include "gpu/interop/shared_buffer.h"
#include "gpu/runtime/device.h"
#include "scenes/scene.h"

namespace warpview {

// A scene as far as drawing goes.
struct DrawnScene {
  std::vector<StreamInfo> streams;
  std::vector<Output> outputs;
  std::size_t commands = 0;
  std::uint64_t number = 0;  // which scene, to those who ask what a picture is of
};

// What a frame left.
struct WrittenFrame {
  std::vector<OutputStyle> styles;    // by output
  std::vector<DrawCommand> commands;  // as the host knows them
  CutPlane cut{};
};

struct PictureStatistics {
  std::uint64_t pictures = 0;  // drawn so far
  double draw_ms = 0.0;        // the last one, until it was finished
  std::uint64_t scene = 0;     // of the last one, drawn or failed: its number; 0: of none
  std::optional<PictureDifference> difference{};  // of A and B, where the last one shows that
};

class RenderThread {
 public:
  enum class Pictures {
    by_themselves,  // as the view or the scene change and the window takes them
    on_demand       // by draw_now() alone
  };

  // Makes the context current on the thread that it starts. The device must outlive this, or the
  // next set_device(). `news` is called there whenever a
  // picture is finished. UnavailableError when `interop` forces what is impossible here.
  RenderThread(std::unique_ptr<GlContext> context, Device& device, InteropRequest interop,
               Pictures pictures, std::function<void()> news = {});
  // close()s and ends the thread.
  ~RenderThread();
  RenderThread(const RenderThread&) = delete;
  RenderThread& operator=(const RenderThread&) = delete;

  const InteropChoice& interop() const { return interop_; }
  const std::string& gl_renderer() const { return gl_renderer_; }

  // --- for the thread that makes scenes; wait

  // From now on another device writes the buffers; the last picture stays, the scene's buffers are
  // freed. No thread may be waiting in map(). UnavailableError when `interop` forces what is
  // impossible there, or Error of the device: then nothing has changed.
  void set_device(Device& device, InteropRequest interop);

  // From now on buffers are this scene's. The last picture stays until its first frame is
  // published. Error when a picture of the look does not fit: then nothing has changed.
  void set_scene(DrawnScene scene, SurfaceLook look);
  // Frees the buffers; the last picture stays.
  void clear_scene();

  // While one lives the scene is about to be replaced, and its pictures are given up: none is
  // begun, map() waits for none, and the one that is being drawn in slices ends after its slice. If
  // the scene stays after all, its picture is drawn afterwards.
  class Replacement {
   public:
    explicit Replacement(RenderThread& render);
    ~Replacement();
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

   private:
    RenderThread& render_;
  };

  // --- A of A|B

  // What is written for A, the picture that is kept, or for B, the scene as it is.
  enum class Side { a, b };
  // Keeps what the published frame left of these outputs as A, in buffers of its own, in place of
  // what was kept before: where the scene is replaced or forgotten it stays, until another device
  // writes. Waits. Error where memory does not suffice, or nothing is published: then there is
  // none.
  void keep(const std::vector<bool>& shown);
  // Doesn't wait.
  void forget_kept();
  bool keeps() const { return keeps_; }

  // --- for the compute thread

  // What the asker waited for, in milliseconds; the rest of its wait is for the window to take the
  // last picture.
  struct MapTimes {
    double copies_ms = 0.0;  // publishing what was written before
    double draw_ms = 0.0;    // the last picture
    double map_ms = 0.0;     // until OpenGL has ended with the memory
  };
  struct Targets {
    std::vector<void*> streams;  // by stream; null where not wanted, or written once and for all
    DrawCommand* commands = nullptr;
    MapTimes times{};
  };
  // Where a frame may write the wanted streams. Waits until the last frame is drawn or being drawn.
  // Error where memory does not suffice, without a scene, and after close().
  // A frame of A waits for no picture, and may want the streams that were kept.
  Targets map(const std::vector<bool>& wanted, Side side = Side::b);
  // The frame is written: its kernels have ended. Doesn't wait.
  void publish(WrittenFrame frame);
  // A's is; `is_last`: no frame of B's with the same view follows, so that a picture does.
  void publish_a(WrittenFrame frame, bool is_last);
  // The frame failed; what was published before stays. Doesn't wait.
  void abandon(Side side = Side::b);
  // Would map() wait for the picture of the last frame?
  bool is_drawing() const { return frame_undrawn_; }

  // --- for the window; never wait

  void set_view(const View& view);
  // The last finished picture, to be used with the window's context until the next call; null
  // before the first. The window's context must be current. One of a scene that `is_known` knows
  // not waits; it is given the scene's number, 0 for a picture of nothing.
  const Framebuffer* take_picture(const std::function<bool(std::uint64_t)>& is_known = {});
  // Scene of the picture that was taken last.
  std::uint64_t taken_scene() const;
  // Since when it lacks something: another view is asked for, another frame published. None: it
  // shows all, or nothing better is to come.
  std::optional<std::chrono::steady_clock::time_point> overtaken() const;
  PictureStatistics statistics() const;
  // How A and B differ in the picture that was taken last, or else drawn last; none: it shows
  // something else.
  std::optional<PictureDifference> difference() const;
  // Why a picture could not be drawn, once; empty: none failed.
  std::string take_error();
  // Is the picture that was taken last one of this view?
  bool shows(const View& view) const;
  // Writes what `view` shows of the last published frame into a PNG file, in the view's size, and
  // calls `done` with what to tell the user: an error if it is one. It is drawn for the file unless
  // the last picture is the same; frames wait until then.
  using Told = std::function<void(std::string text, bool failed)>;
  void save_view(std::string file, View view, Told done);
  // Calls `done` on this thread with that picture in place of writing it, or with an error.
  using Taken = std::function<void(Picture picture, std::string error)>;
  void take_view(View view, Taken done);
  // A thread that waits in map() gets an Error, now and later. For the end.
  void close();

  // --- for runs without a window; wait

  // Draws what the view and the last published frame show.
  void draw_now();
  Picture read_back();  // of the last picture drawn
  // The texture of the last picture drawn, for a context that shares with this one.
  GLuint texture_now();

 private:
  struct Buffers;
  struct Kept;
  using Clock = std::chrono::steady_clock;
  struct MapRequest {
    std::vector<bool> wanted;
    Side side = Side::b;
    std::promise<Targets> targets;
    Clock::time_point asked{};
  };
  // What this thread was at since the last map.
  struct Spell {
    Clock::time_point begin, end;
    bool draws = false;  // else it publishes
  };
  static constexpr std::size_t most_spells = 64;
  static constexpr std::size_t picture_slots = 2;
  struct PictureSlot {
    std::optional<Framebuffer> framebuffer;
    GLsync drawn = nullptr;                         // passed when the picture is finished
    GLsync released = nullptr;                      // passed when the window is done with it
    std::uint64_t scene = 0;                        // that it is of
    std::uint64_t frame = 0;                        // number of the published frame that it shows
    View view{};                                    // that it shows; none while it is being drawn
    std::optional<PictureDifference> difference{};  // where it shows that
    std::optional<Clock::time_point> overtaken{};
  };

  void start();
  bool step();
  bool can_draw() const;
  void serve_map();
  Targets map_now(Buffers* of, const std::vector<bool>& wanted);
  MapTimes waited_for(Clock::time_point since);
  void unmap_all(Buffers& buffers, bool wanted);
  void abandon_all(Buffers* buffers);
  Buffers* buffers_of(Side side);
  void draw_again();  // with what is published
  std::size_t draw_picture();
  // The difference, where the view asks for it.
  std::optional<PictureDifference> draw_into(const Framebuffer& target, const View& view);
  void draw_b(const Framebuffer& target, const View& view, Renderer::Columns columns);
  void draw_a(const Framebuffer& target, const View& view, Renderer::Columns columns);
  const Framebuffer& side_like(const Framebuffer& target, std::size_t place);
  void draw_divided(const Framebuffer& target, const View& view);
  PictureDifference draw_difference(const Framebuffer& target, const View& view);
  bool shows_a(const View& view) const;
  Picture picture_for(const View& view);
  bool has_scene() const;
  std::uint64_t scene_number() const;
  void overtake();  // with the lock
  void catch_up();  // with the lock: no picture is to come

  Device* device_;
  std::unique_ptr<GlContext> context_;
  const Pictures pictures_;
  std::function<void()> news_;
  InteropChoice interop_;
  std::string gl_renderer_;

  // Used by the thread alone.
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Event> mapped_;
  std::unique_ptr<Renderer> renderer_;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<Kept> kept_;
  std::unique_ptr<DifferenceRenderer> difference_;   // from when it is first wanted
  std::array<std::optional<Framebuffer>, 2> sides_;  // pictures of A and of B
  bool redraw_ = false;  // something else than a frame of B's is to be shown
  std::optional<MapRequest> map_request_;
  std::vector<Spell> spells_;
  View drawn_view_;
  std::uint64_t frames_ = 0;  // published so far
  std::size_t last_drawn_ = 0;

  // Shared.
  std::atomic<bool> keeps_{false};
  std::atomic<int> replacements_{0};
  std::atomic<bool> frame_undrawn_{false};  // a frame is published, and no picture shows it yet
  mutable std::mutex mutex_;
  View view_;
  std::array<PictureSlot, picture_slots> slots_;
  std::optional<std::size_t> finished_;  // a picture that the window has not taken yet
  std::optional<std::size_t> held_;      // the picture that the window shows
  PictureStatistics statistics_;
  std::string error_;
  bool closed_ = false;

  Worker worker_;  // last, so that all else exists while it runs
};

}  // namespace warpview
