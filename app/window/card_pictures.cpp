#include "app/window/card_pictures.h"

#include <glad/gl.h>

#include <cstdint>
#include <utility>

namespace warpview {

CardPictures::~CardPictures() {
  glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
}

unsigned CardPictures::upload(const Picture& picture) {
  GLuint texture = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &texture);
  glTextureStorage2D(texture, 1, GL_RGBA8, picture.width, picture.height);
  glTextureSubImage2D(texture, 0, 0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE,
                      picture.rgba.data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTextureParameteri(texture, filter, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTextureParameteri(texture, wrap, GL_CLAMP_TO_EDGE);
  textures_.push_back(texture);
  return texture;
}

void CardPictures::update(PanelState& panels, bool may_start) {
  if (may_start && panels.welcome.form != WelcomeView::Form::closed) thumbnails_.start();
  for (Thumbnail& each : thumbnails_.take()) {
    if (each.run) {
      panels.welcome.run = std::move(each.run);
      continue;
    }
    // ImGui's OpenGL renderer takes a texture's number in the place of a pointer.
    const auto number = static_cast<std::uintptr_t>(upload(each.picture));
    panels.welcome.pictures[each.scene] = {
        reinterpret_cast<ImTextureID>(number),  // NOLINT(performance-no-int-to-ptr)
        each.picture.width, each.picture.height};
  }
}

}  // namespace warpview
