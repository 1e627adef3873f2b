#include "app/render/layers/layer.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

#define LAYER(name) std::unique_ptr<Layer> make_##name##_layer();
#include "app/render/layers/layers.def"
#undef LAYER

std::vector<std::unique_ptr<Layer>> make_layers() {
  std::vector<std::unique_ptr<Layer>> layers;
#define LAYER(name) layers.push_back(make_##name##_layer());
#include "app/render/layers/layers.def"
#undef LAYER
  for (auto& mark : make_mark_layers()) layers.push_back(std::move(mark));
  return layers;
}

namespace {

// Elements of a slice: some 20 000 triangles take llvmpipe a few milliseconds, and half as many
// lines or points, which a geometry shader makes two triangles of each.
GLuint elements_of_a_slice(GLenum mode) {
  if (mode == GL_TRIANGLES) return 60'000;
  return mode == GL_LINES ? 20'000 : 10'000;
}

// GL takes offsets into a bound buffer as pointers.
const void* offset_in_buffer(std::size_t offset) {
  return reinterpret_cast<const void*>(offset);  // NOLINT(performance-no-int-to-ptr)
}

const void* command_of(const DrawnOutput& output) {
  return offset_in_buffer(output.command * sizeof(DrawCommand));
}

}  // namespace

void end_slice() {
  glFinish();
  interruption_point();
}

void Drawing::elements(GLenum mode, const DrawnOutput& output, GLuint program, GLint slice) const {
  if (slice >= 0) glProgramUniform1i(program, slice, 0);
  if (!in_slices) {
    glDrawElementsIndirect(mode, GL_UNSIGNED_INT, command_of(output));
    return;
  }
  const GLuint in_one = elements_of_a_slice(mode);
  for (GLuint done = 0; done < output.drawn.count; done += in_one) {
    if (slice >= 0) glProgramUniform1i(program, slice, static_cast<GLint>(done / 3));
    const GLuint count = std::min(in_one, output.drawn.count - done);
    const std::size_t first = output.drawn.first + std::size_t{done};
    glDrawElements(mode, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                   offset_in_buffer(first * sizeof(GLuint)));
    end_slice();
  }
}

void Drawing::arrays(GLenum mode, const DrawnOutput& output) const {
  const DrawCommand& drawn = output.drawn;
  if (!in_slices || drawn.instances == 0) {
    glDrawArraysIndirect(mode, command_of(output));
    return;
  }
  const GLuint in_one = elements_of_a_slice(mode);
  if (drawn.instances > 1) {  // whole instances
    const GLuint most = std::max(in_one / std::max(drawn.count, 1U), 1U);
    for (GLuint done = 0; done < drawn.instances; done += most) {
      glDrawArraysInstancedBaseInstance(
          mode, static_cast<GLint>(drawn.first), static_cast<GLsizei>(drawn.count),
          static_cast<GLsizei>(std::min(most, drawn.instances - done)), done);
      end_slice();
    }
    return;
  }
  // The slices of a strip share a vertex.
  const GLuint shared = mode == GL_LINE_STRIP ? 1 : 0;
  for (GLuint done = 0; done + shared < std::max(drawn.count, 1U); done += in_one) {
    const GLuint count = std::min(in_one + shared, drawn.count - done);
    glDrawArrays(mode, static_cast<GLint>(drawn.first + done), static_cast<GLsizei>(count));
    end_slice();
  }
}

void add_attribute(GLuint layout, GLuint location, GLint components, std::size_t offset) {
  glEnableVertexArrayAttrib(layout, location);
  glVertexArrayAttribFormat(layout, location, components, GL_FLOAT, GL_FALSE,
                            static_cast<GLuint>(offset));
  glVertexArrayAttribBinding(layout, location, 0);
}

}  // namespace warpview
