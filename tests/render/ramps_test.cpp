// Legends show the colours that the shaders draw.
#include "app/render/ramps.h"

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "tests/render/gl_test.h"

namespace warpview {
namespace {

using Ramps = GlTest;

constexpr int value_count = 64;

float value_at(int i) { return (static_cast<float>(i) + 0.5F) / static_cast<float>(value_count); }

GLuint compiled(GLenum stage, const std::string& source) {
  const GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  return shader;
}

// What a function of shaders/colour.glsl gives for `value_count` values, sRGB-encoded: a row of
// pixels. `more`: arguments after the value.
std::vector<Vec3> drawn(const std::string& function, const std::string& more = "") {
  std::ifstream file("shaders/colour.glsl");
  const std::string colours{std::istreambuf_iterator<char>(file), {}};
  const GLuint program = glCreateProgram();
  const std::array shaders = {
      compiled(GL_VERTEX_SHADER,
               "#version 450 core\nvoid main() {\n"
               "  gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);\n"
               "}\n"),
      compiled(GL_FRAGMENT_SHADER, "#version 450 core\n" + colours +
                                       "layout(location = 0) out vec4 colour;\n"
                                       "void main() {\n"
                                       "  float value = gl_FragCoord.x / " +
                                       std::to_string(value_count) +
                                       ".0;\n  colour = vec4(encode_srgb(" + function + "(value" +
                                       more + ")), 1.0);\n}\n")};
  for (const GLuint shader : shaders) glAttachShader(program, shader);
  glLinkProgram(program);
  GLint linked = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &linked);
  EXPECT_EQ(linked, GL_TRUE) << function;

  GLuint texture = 0;
  GLuint framebuffer = 0;
  GLuint layout = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &texture);
  glTextureStorage2D(texture, 1, GL_RGBA32F, value_count, 1);
  glCreateFramebuffers(1, &framebuffer);
  glNamedFramebufferTexture(framebuffer, GL_COLOR_ATTACHMENT0, texture, 0);
  glCreateVertexArrays(1, &layout);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, value_count, 1);
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(layout);
  glUseProgram(program);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  std::vector<float> pixels(4 * value_count);
  glReadPixels(0, 0, value_count, 1, GL_RGBA, GL_FLOAT, pixels.data());

  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glDeleteVertexArrays(1, &layout);
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteTextures(1, &texture);
  glUseProgram(0);
  for (const GLuint shader : shaders) glDeleteShader(shader);
  glDeleteProgram(program);
  std::vector<Vec3> colours_drawn;
  for (std::size_t i = 0; i < pixels.size(); i += 4)
    colours_drawn.push_back({pixels[i], pixels[i + 1], pixels[i + 2]});
  return colours_drawn;
}

void expect_same(const std::vector<Vec3>& there, const std::function<Vec3(float)>& here) {
  for (int i = 0; i < value_count; ++i) {
    SCOPED_TRACE(value_at(i));
    const Vec3 expected = here(value_at(i));
    const Vec3 pixel = there[static_cast<std::size_t>(i)];
    constexpr float near = 2e-3F;
    EXPECT_NEAR(expected.x, pixel.x, near);
    EXPECT_NEAR(expected.y, pixel.y, near);
    EXPECT_NEAR(expected.z, pixel.z, near);
  }
}

TEST_F(Ramps, AreTheShaders) {
  struct Case {
    const char* in_shader;
    Vec3 (*here)(float);
  };
  for (const Case& c :
       {Case{"ramp", ramp_colour}, Case{"block_colour", block_colour},
        Case{"sphere_ramp", sphere_ramp_colour}, Case{"sphere_hue", sphere_hue_colour}}) {
    SCOPED_TRACE(c.in_shader);
    expect_same(drawn(c.in_shader), c.here);
  }
}

TEST_F(Ramps, OfLinesAreTheShadersInBothThemes) {
  struct Case {
    const char* in_shader;
    Vec3 (*here)(float, Theme);
  };
  for (const Theme theme : {Theme::dark, Theme::light})
    for (const Case& c :
         {Case{"strip_colour", strip_colour}, Case{"box_path_colour", box_path_colour},
          Case{"box_level_colour", box_level_colour},
          Case{"box_overlap_colour", box_overlap_colour}}) {
      SCOPED_TRACE(std::string(c.in_shader) + ", " + std::string(name_of(theme)));
      expect_same(drawn(c.in_shader, theme == Theme::light ? ", 1.0" : ", 0.0"),
                  [&](float value) { return c.here(value, theme); });
    }
}

}  // namespace
}  // namespace warpview
