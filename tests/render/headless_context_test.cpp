#include "app/gl/headless_context.h"

#include <glad/gl.h>

#include <array>
#include <memory>
#include <thread>

#include "gl_test.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

TEST(HeadlessContext, IsOpenGl45CoreWithAName) {
  const HeadlessContext context;
  GLint major = 0;
  GLint minor = 0;
  GLint profile = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  glGetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
  EXPECT_GE(10 * major + minor, 45);
  EXPECT_EQ(profile, static_cast<GLint>(GL_CONTEXT_CORE_PROFILE_BIT));
  EXPECT_FALSE(context.renderer().empty());
}

TEST(HeadlessContext, SoftwareIsMesasRasteriser) {
  try {
    const HeadlessContext context({.prefer_software = true});
    EXPECT_TRUE(context.is_software());
    EXPECT_FALSE(context.cuda_device().has_value());
    EXPECT_NE(context.renderer().find("llvmpipe"), std::string::npos) << context.renderer();
  } catch (const UnavailableError& error) {
    GTEST_SKIP() << "Mesa is not installed: " << error.what();
  }
}

TEST(HeadlessContext, UnknownCudaDeviceStillGivesSomeContext) {
  const HeadlessContext context({.cuda_device = 12345});
  EXPECT_NE(context.cuda_device().value_or(0), 12345);
}

TEST(HeadlessContext, OneOutlivesAnother) {
  HeadlessContext first;
  { const HeadlessContext second; }
  first.make_current();
  const GLubyte* version = glGetString(GL_VERSION);
  EXPECT_NE(version, nullptr);
}

TEST(HeadlessContext, SharesTexturesWithAnotherThread) {
  HeadlessContext first;
  const std::unique_ptr<HeadlessContext> second = first.shared();
  GLuint texture = 0;
  std::thread([&] {
    second->make_current();
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, 1, 1);
    constexpr std::array<GLubyte, 4> colour = {1, 2, 3, 4};
    glTextureSubImage2D(texture, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, colour.data());
    glFinish();
    second->release();
  }).join();
  first.make_current();
  std::array<GLubyte, 4> seen{};
  glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, sizeof seen, seen.data());
  EXPECT_EQ(seen, (std::array<GLubyte, 4>{1, 2, 3, 4}));
  glDeleteTextures(1, &texture);
}

}  // namespace
}  // namespace warpview
