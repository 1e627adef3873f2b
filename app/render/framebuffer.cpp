#include "app/render/framebuffer.h"

#include <algorithm>
#include <string>

#include "gpu/runtime/error.h"

namespace warpview {

namespace {

void check_complete(GLuint framebuffer) {
  if (glCheckNamedFramebufferStatus(framebuffer, GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw Error("offscreen picture", "OpenGL cannot draw into it",
                "Use a smaller size or fewer samples");
}

Picture empty_picture(int width, int height) {
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return {width, height, std::vector<std::uint8_t>(4 * pixels)};
}

// GL's first row is the lowest.
void turn_over(Picture& image) {
  const auto first = image.rgba.begin();
  const std::ptrdiff_t stride = std::ptrdiff_t{4} * image.width;
  for (std::ptrdiff_t low = 0, high = image.height - 1; low < high; ++low, --high)
    std::swap_ranges(first + low * stride, first + (low + 1) * stride, first + high * stride);
}

}  // namespace

Framebuffer::Framebuffer(int width, int height, int samples)
    : width_(width), height_(height), samples_(samples) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest)
    throw Error("picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels",
                "this OpenGL draws 1 to " + std::to_string(largest) + " a side",
                "Choose a size in between");
  GLint most_samples = 1;
  GLint most_of_depth = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most_samples);
  glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &most_of_depth);
  samples_ = std::clamp(samples, 1, std::max(std::min(most_samples, most_of_depth), 1));

  picture_ = create_gl_texture(GL_TEXTURE_2D);
  glTextureStorage2D(picture_.get(), 1, GL_RGBA8, width, height);
  glTextureParameteri(picture_.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(picture_.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  // Enlarged, an edge has nothing of the one across.
  glTextureParameteri(picture_.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(picture_.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  resolved_ = create_gl_framebuffer();
  glNamedFramebufferTexture(resolved_.get(), GL_COLOR_ATTACHMENT0, picture_.get(), 0);
  check_complete(resolved_.get());

  depth_ = create_gl_texture(samples_ > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D);
  if (samples_ > 1)
    glTextureStorage2DMultisample(depth_.get(), samples_, GL_DEPTH_COMPONENT32F, width, height,
                                  GL_TRUE);
  else
    glTextureStorage2D(depth_.get(), 1, GL_DEPTH_COMPONENT32F, width, height);
  drawing_ = create_gl_framebuffer();
  glNamedFramebufferTexture(drawing_.get(), GL_DEPTH_ATTACHMENT, depth_.get(), 0);
  if (samples_ > 1) {
    multisampled_ = create_gl_renderbuffer();
    glNamedRenderbufferStorageMultisample(multisampled_.get(), samples_, GL_RGBA8, width, height);
    glNamedFramebufferRenderbuffer(drawing_.get(), GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                   multisampled_.get());
  } else {
    glNamedFramebufferTexture(drawing_.get(), GL_COLOR_ATTACHMENT0, picture_.get(), 0);
  }
  check_complete(drawing_.get());
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, drawing_.get());
  glViewport(0, 0, width_, height_);
}

void Framebuffer::bind_resolved() const {
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.get());
  glViewport(0, 0, width_, height_);
}

void Framebuffer::resolve() const {
  if (samples_ == 1) return;
  glBlitNamedFramebuffer(drawing_.get(), resolved_.get(), 0, 0, width_, height_, 0, 0, width_,
                         height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Framebuffer::blit_to(GLuint framebuffer, int x, int y) const {
  glBlitNamedFramebuffer(resolved_.get(), framebuffer, 0, 0, width_, height_, x, y, x + width_,
                         y + height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

Picture Framebuffer::read_back() const {
  Picture image = empty_picture(width_, height_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glGetTextureImage(picture_.get(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    static_cast<GLsizei>(image.rgba.size()), image.rgba.data());
  turn_over(image);
  return image;
}

Picture read_framebuffer(GLuint framebuffer, int width, int height) {
  Picture image = empty_picture(width, height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4) image.rgba[alpha] = 255;
  turn_over(image);
  return image;
}

}  // namespace warpview
