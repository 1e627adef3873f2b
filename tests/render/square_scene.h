// A scene for the tests of the thread that draws: what compute would write of it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "app/render/render_thread.h"
#include "gpu/runtime/vertex.h"

namespace warpview::test {

inline constexpr int picture_side = 64;

// A square in the plane z = 0, and a box around it.
enum Stream_ : std::size_t { vertex_stream, index_stream, material_stream, box_stream };
enum Output_ : std::size_t { square_output, box_output };

inline DrawnScene square_scene() {
  DrawnScene scene;
  scene.streams = {
      {.name = "vertices", .element_bytes = sizeof(Vertex), .capacity = 4},
      {.name = "indices", .element_bytes = 4, .capacity = 6, .each_frame = false},
      {.name = "material", .element_bytes = 4, .capacity = 2, .each_frame = false},
      {.name = "boxes", .element_bytes = sizeof(Aabb), .capacity = 1},
  };
  scene.outputs = {{.kind = OutputKind::surface,
                    .name = "square",
                    .title = "Square",
                    .streams = {vertex_stream, index_stream, material_stream},
                    .command = 0},
                   {.kind = OutputKind::boxes,
                    .name = "box",
                    .title = "Box",
                    .streams = {box_stream},
                    .command = 1}};
  scene.commands = 2;
  return scene;
}

inline View view_of(std::vector<bool> shown, int width = picture_side, int height = picture_side) {
  View view{
      .camera = {}, .options = {}, .shown = std::move(shown), .width = width, .height = height};
  view.camera.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  return view;
}

// What compute does in a frame: a square of this size.
inline void write(const RenderThread::Targets& targets, float size) {
  if (auto* vertices = static_cast<Vertex*>(targets.streams[vertex_stream])) {
    const std::array<Vec2, 4> corners = {Vec2{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (std::size_t c = 0; c < 4; ++c)
      vertices[c] = {{corners[c].x * size, corners[c].y * size, 0}, {0, 0, 1}, {}};
  }
  constexpr std::array<std::uint32_t, 6> indices = {0, 1, 2, 0, 2, 3};
  if (void* target = targets.streams[index_stream])
    std::memcpy(target, indices.data(), sizeof indices);
  if (void* target = targets.streams[material_stream]) std::memset(target, 0, 8);
  if (auto* box = static_cast<Aabb*>(targets.streams[box_stream]))
    *box = {{-size, -size, -size}, {size, size, size}};
  targets.commands[0] = {6, 1, 0, 0, 0};
  targets.commands[1] = {24, 1, 0, 0, 0};
}

inline constexpr std::array<DrawCommand, 2> commands = {DrawCommand{6, 1, 0, 0, 0},
                                                        {24, 1, 0, 0, 0}};
// A box of a level has that level's colour.
inline WrittenFrame written(std::uint32_t level = 0) {
  return {.styles = {SurfaceStyle{}, BoxStyle{.level = level}},
          .commands = {commands.begin(), commands.end()}};
}

inline const std::vector<bool> all_streams = {true, true, true, true};

inline void run_frame(RenderThread& render, float size,
                      const std::vector<bool>& wanted = all_streams) {
  write(render.map(wanted), size);
  render.publish(written());
}

}  // namespace warpview::test
