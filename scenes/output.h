// What a scene can show: its outputs with their kinds, styles and streams, the frame that one is
// written for, and the writers that fill them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vec.h"
#include "gpu/timeline/timeline.h"
#include "scenes/controls.h"
#include "scenes/files/mesh.h"

namespace warpview {

// How an output is drawn, and what its streams are, in this order. app/render/layers has a layer
// for each kind.
enum class OutputKind {
  surface,  // Vertex, u32 indices (three per triangle), u32 material of each triangle, u32 colour
            // of each corner as in Mesh::corner_colours, maybe a float of each triangle; indexed.
            // SurfaceStyle
  edges,    // the same: the triangles' edges, over the surface if that is shown
  boxes,    // Aabb, maybe a float of each; one instance of 24 vertices each. BoxStyle
  strip,    // Vec3: a line through all of them
  points,   // Vertex; one each
  spheres,  // DrawnSphere (gpu/steps/particles.h). SphereStyle
  dots,     // Vertex, u32 colour as in Mesh::corner_colours: a round point each
  lines,    // the same of the ends of lines, two in a row
  marked,   // Vec3: the corners of a triangle, lit up
  image     // u32: a picture, row by row from the top, red in the lowest 8 bits, then green, blue
            // and alpha, sRGB-encoded. It is seen over the whole view, behind all else, as large as
            // it can be without changing its shape. ImageStyle
};

// Is it drawn over the surfaces, hiding nothing? Else it is a body.
constexpr bool is_overlay(OutputKind kind) {
  return kind == OutputKind::boxes || kind == OutputKind::strip || kind == OutputKind::points ||
         kind == OutputKind::marked;
}
// Does it throw shadows, and show those of others?
constexpr bool has_shadows(OutputKind kind) {
  return kind == OutputKind::surface || kind == OutputKind::spheres;
}

// Does it lie in the depth of the scene, so that it darkens what is close to it?
constexpr bool has_occlusion(OutputKind kind) {
  return has_shadows(kind) || kind == OutputKind::edges;
}
// Is there a ground below it? A picture has none, and neither have marks alone.
constexpr bool stands_on_ground(OutputKind kind) {
  return has_occlusion(kind) || kind == OutputKind::dots || kind == OutputKind::lines;
}

// What a surface is coloured by.
enum class Colouring {
  material,
  normal,  // x, y and z as red, green and blue
  ramp,    // each triangle's float, 0 to 1, from dark to bright
  blocks   // the same as colours of which small differences cannot be told
};

// How outputs look beside what their streams say. A scene may change it from frame to frame.
struct SurfaceStyle {
  Colouring colouring = Colouring::material;
  bool has_colours = false;  // do its corners have colours of their own?

  bool operator==(const SurfaceStyle&) const = default;
};
struct BoxStyle {
  std::uint32_t level = 0;  // gives the colour
  bool is_path = false;     // from the first box to the last ever brighter; else all are alike
  bool by_overlap = false;  // each box's float, 0 to 1, gives the colour instead

  bool operator==(const BoxStyle&) const = default;
};
struct SphereStyle {
  float radius = 0.0F;
  bool has_hues = false;  // values are hues; else they go from low to high

  bool operator==(const SphereStyle&) const = default;
};
struct ImageStyle {
  std::uint32_t width = 0, height = 0;  // pixels

  bool operator==(const ImageStyle&) const = default;
};
using OutputStyle = std::variant<std::monostate, SurfaceStyle, BoxStyle, SphereStyle, ImageStyle>;

// The style of one kind; its defaults where an output has none.
template <class Style>
Style style_as(const OutputStyle& style) {
  const Style* const own = std::get_if<Style>(&style);
  return own ? *own : Style();
}

// What lies beyond a plane is not drawn: x is where dot(normal, x) <= offset. A normal of 0 cuts
// nothing off.
struct CutPlane {
  Vec3 normal{0.0F, 0.0F, 0.0F};
  float offset = 1.0F;

  bool cuts() const { return dot(normal, normal) > 0.0F; }
};

// An array that kernels write and layers draw from.
struct StreamInfo {
  std::string name;
  std::size_t element_bytes = 0;
  std::uint64_t capacity = 0;  // elements
  bool each_frame = true;      // else it is written once after each load()

  std::uint64_t bytes() const { return element_bytes * capacity; }
};

// How many copies of a stream there are, so that one is written while another is drawn.
std::size_t stream_slots(const Device& device, bool each_frame);

struct Output {
  OutputKind kind{};
  const char* name;                    // "boxes"
  const char* title;                   // "BVH boxes"
  const char* about = "";              // what is drawn, in a sentence for the user
  char key = 0;                        // shows and hides it; 0: none
  bool shown = false;                  // to begin with
  std::vector<std::size_t> streams{};  // into Scene::streams(); outputs may share them
  std::size_t command = 0;             // which draw command is its own
  OutputStyle style{};                 // of its kind
  bool dims_surfaces = true;  // of kinds that lie over the surfaces: are these a dark stage for it?
  bool empty = false;         // the mesh has nothing of it: it need not be offered
};

// What the surfaces are made of: host data, handed over once.
struct SceneMaterials {
  std::span<const Material> materials;
  std::span<const Image> textures;
};

// From where one looks, and how large the picture is that is drawn of it.
struct FrameView {
  // From the world to OpenGL's clip space, column by column.
  std::array<float, 16> to_clip{};
  Vec3 eye{0.0F, 0.0F, 0.0F};
  std::uint32_t width = 0;  // pixels; 0: there is no camera
  std::uint32_t height = 0;

  bool operator==(const FrameView& other) const {
    return to_clip == other.to_clip && eye.x == other.eye.x && eye.y == other.eye.y &&
           eye.z == other.eye.z && width == other.width && height == other.height;
  }
};

// One frame. `seconds` is simulated time: exactly 1/60 without a window, at most 1/30 with one, and
// 0 while the scene is paused.
struct Frame {
  double seconds = 0.0;
  // Device memory by stream, with room for its capacity; null: it is not wanted, and what it held
  // stays. Written in full as far as it will be drawn, and never read: it may be memory of
  // OpenGL's.
  std::vector<void*> targets;
  DrawCommand* commands = nullptr;  // [command_count()]
  Timing timing = Timing::stages;
  FrameView view{};
};

// Streams and draw commands that one writer fills, by their numbers.
struct WrittenAt {
  std::size_t stream = 0;   // the first
  std::size_t streams = 0;  // how many in a row
  std::size_t command = 0;  // the first

  std::vector<std::size_t> all() const {
    std::vector<std::size_t> numbers(streams);
    for (std::size_t i = 0; i < streams; ++i) numbers[i] = stream + i;
    return numbers;
  }
};

// What a frame wants of one writer, and where it goes. Numbers count from the writer's first.
class Targets {
 public:
  Targets(std::span<void* const> streams, DrawCommand* commands, const DrawCommand* drawn,
          std::optional<std::size_t> lit)
      : streams_(streams), commands_(commands), drawn_(drawn), lit_(lit) {}

  bool any() const {
    return std::any_of(streams_.begin(), streams_.end(),
                       [](const void* stream) { return stream != nullptr; });
  }
  // Null: it is not wanted.
  template <class T = void>
  T* stream(std::size_t number = 0) const {
    return static_cast<T*>(streams_[number]);
  }
  DrawCommand* command(std::size_t number = 0) const { return commands_ + number; }
  // As of the last collect().
  const DrawCommand& drawn(std::size_t number = 0) const { return drawn_[number]; }
  // Scene::lit(), as the frame was planned.
  std::optional<std::size_t> lit() const { return lit_; }

 private:
  std::span<void* const> streams_;
  DrawCommand* commands_;
  const DrawCommand* drawn_;
  std::optional<std::size_t> lit_;
};

class DrawnCheck;  // scenes/parts/drawn.h

// An output, or several that share streams: how they are written, counted and checked.
struct Writer {
  std::vector<StreamInfo> streams{};
  std::size_t commands = 1;
  // Queues what fills the streams that are wanted, and their draw commands.
  std::function<void(const StageRun&, const Targets&)> write{};
  // The fewest bytes that write() moves, as of the last collect().
  std::function<StageWork(const Targets&)> work{};
  // Compares what write() left with the same done sequentially. May wait.
  std::function<void(DrawnCheck&, const WrittenAt&)> check{};
  bool always = false;  // it leaves more than streams: it runs though none is wanted
  // Has it anything to write? Else it does not run. Asked when a frame is planned. Null: it has.
  std::function<bool()> is_due{};
};

}  // namespace warpview
