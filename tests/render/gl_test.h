// Fixture of the tests that draw: one headless context for all of them.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "app/gl/headless_context.h"
#include "gpu/interop/gl_handle.h"

namespace warpview {

// A buffer that holds the items, and has room where there is none.
template <class T>
GlBuffer upload(const std::vector<T>& items) {
  GlBuffer buffer = create_gl_buffer();
  const auto bytes = static_cast<GLsizeiptr>(std::max<std::size_t>(items.size() * sizeof(T), 16));
  glNamedBufferData(buffer.get(), bytes, nullptr, GL_STATIC_DRAW);
  glNamedBufferSubData(buffer.get(), 0, static_cast<GLsizeiptr>(items.size() * sizeof(T)),
                       items.data());
  return buffer;
}

class GlTest : public testing::Test {
 public:
  static HeadlessContext& context() {
    static HeadlessContext shared;
    return shared;
  }

 protected:
  GlTest() { context().make_current(); }
  void TearDown() override { EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR)); }
};

}  // namespace warpview
