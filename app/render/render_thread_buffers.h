// What the render thread owns of a scene: for its own files alone.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/render/render_thread.h"

namespace warpview {

// A scene's buffers: one for each stream from when it is first wanted, and the draw commands.
// What is kept begins as copies, each of which is there until a kernel has written in its place.
struct RenderThread::Buffers {
  struct StreamBuffer {
    std::optional<SharedBuffer> buffer;
    GlBuffer copy;
    bool is_mapped = false;
    bool is_written = false;  // does it belong to the published frame?

    GLuint id() const { return copy ? copy.get() : buffer->id(); }
  };

  DrawnScene scene;
  std::vector<StreamBuffer> streams;
  SharedBuffer commands;
  GlBuffer commands_copy;
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
      for (const std::size_t stream : output.streams) out.buffers.push_back(streams[stream].id());
    }
    return drawn;
  }
  GLuint commands_id() const { return commands_copy ? commands_copy.get() : commands.id(); }
  void note_drawn() {
    for (StreamBuffer& stream : streams)
      if (stream.buffer && stream.is_written) stream.buffer->drawn();
    commands.drawn();
  }
};

// A, of A|B.
struct RenderThread::Kept {
  Buffers buffers;
  std::vector<bool> shown;  // by output
  // Since the scene was replaced: with the materials and textures that it had.
  std::unique_ptr<Renderer> renderer;
};

}  // namespace warpview
