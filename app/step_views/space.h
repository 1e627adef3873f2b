// What the view of a mesh shows at a step: triangles, boxes, lines and dots in space. Each
// primitive of the mesh pipeline has a scene of its own.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/step_views/key.h"
#include "app/step_views/mesh_picture.h"
#include "gpu/recording/playback.h"

namespace warpview::step_views {

struct SpaceTriangle {
  int ink = plot_ink::neutral;
  float opacity = 0.3F;
  bool is_read = false, is_written = false;  // in this step
  std::array<bool, 3> apart{};               // corners that are drawn away from their vertex
  std::string name{};
};
struct SpaceBox {
  Box3 box;
  int ink = plot_ink::text;
  float width = 0.1F;  // of its lines, in ems
  float opacity = 1.0F;
  std::string name{};
};
struct SpaceLine {
  Point3 from, to;
  int ink = plot_ink::text;
  float width = 0.06F;
  float opacity = 1.0F;
};
struct SpaceDot {
  Point3 at;
  int ink = plot_ink::text;
  float side = 0.3F;        // in ems
  bool on_surface = false;  // triangles before it hide it
  std::string name{};
};

struct SpacePicture {
  std::vector<SpaceTriangle> triangles;  // all, by index
  std::vector<SpaceLine> lines;
  std::vector<SpaceBox> boxes;
  std::vector<SpaceDot> dots;
  std::string progress;  // a sentence
  std::string now;       // what the step does; empty: nothing to be seen here
};

class SpaceScene {
 public:
  virtual ~SpaceScene() = default;
  virtual SpacePicture at(const Playback& at, const MeshPicture& mesh) const = 0;
  virtual std::vector<KeyEntry> key() const = 0;
  virtual std::string legend() const = 0;
  // Do triangles have colours of the ramp, by their place in an order? Are there boxes?
  virtual bool has_ramp() const { return false; }
  virtual bool has_boxes() const { return false; }
};

// Each makes the scene of some primitives' recordings over triangles. Null for other primitives,
// and if the arrays are not as the kernels have them.
std::unique_ptr<SpaceScene> item_scene(const Recording& recording);    // morton, scan, reduce
std::unique_ptr<SpaceScene> sort_scene(const Recording& recording);    // sort
std::unique_ptr<SpaceScene> vertex_scene(const Recording& recording);  // dedup
std::unique_ptr<SpaceScene> tree_scene(const Recording& recording,     // build, refit
                                       const MeshPicture& mesh);

// --- for scenes

inline constexpr std::uint32_t triangle_box_bytes = 24;  // an Aabb

// The ink of a place among `count` in an order.
int ramp_ink(std::uint64_t place, std::uint64_t count);
// The first array in device memory that begins as input, is not written by name, and has so many
// bytes.
std::optional<std::uint32_t> find_input(const Recording& recording, std::uint64_t bytes);
// Marks the triangles whose items of so many bytes the step reads from the array.
void mark_reads(const Playback& at, std::uint32_t array, std::uint32_t item_bytes,
                std::uint32_t items_a_triangle, std::vector<SpaceTriangle>& triangles);

}  // namespace warpview::step_views
