// Fixture of the tests that draw: one headless context for all of them.
#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>

#include "app/gl/headless_context.h"

namespace warpview {

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
