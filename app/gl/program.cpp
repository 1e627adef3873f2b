#include "app/gl/program.h"

#include <string>
#include <vector>

#include "gpu/runtime/error.h"
#include "shader_source.h"

namespace warpview {

namespace {

GLenum stage_of(std::string_view file) {
  if (file.ends_with(".vert")) return GL_VERTEX_SHADER;
  if (file.ends_with(".geom")) return GL_GEOMETRY_SHADER;
  if (file.ends_with(".frag")) return GL_FRAGMENT_SHADER;
  throw Error("shader '" + std::string(file) + "'", "its extension names no stage",
              "Use .vert, .geom or .frag");
}

std::string with_includes(std::string_view file) {
  constexpr std::string_view directive = "#include \"";
  std::string_view source = shader_source(file);
  std::string expanded;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size() - 1) + 1;
    const std::string_view line = source.substr(0, end);
    source.remove_prefix(end);
    if (line.starts_with(directive)) {
      const std::string_view name = line.substr(directive.size());
      expanded += with_includes(name.substr(0, name.find('"')));
    } else {
      expanded += line;
    }
  }
  return expanded;
}

GlShader compile(std::string_view file, std::initializer_list<std::string_view> defines) {
  std::string source = "#version 450 core\n";
  for (const std::string_view define : defines)
    if (!define.empty()) source += "#define " + std::string(define) + "\n";
  source += with_includes(file);

  GlShader shader(glCreateShader(stage_of(file)));
  const char* text = source.c_str();
  glShaderSource(shader.get(), 1, &text, nullptr);
  glCompileShader(shader.get());
  GLint compiled = 0;
  glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &compiled);
  if (compiled != GL_TRUE) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetShaderInfoLog(shader.get(), static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    throw Error("compiling shaders/" + std::string(file), log,
                "Line numbers are those after #include is expanded");
  }
  return shader;
}

}  // namespace

GlProgram link_program(std::initializer_list<std::string_view> files,
                       std::initializer_list<std::string_view> defines) {
  GlProgram program(glCreateProgram());
  std::vector<GlShader> shaders;
  std::string names;
  for (const std::string_view file : files) {
    shaders.push_back(compile(file, defines));
    glAttachShader(program.get(), shaders.back().get());
    names += (names.empty() ? "" : ", ") + std::string(file);
  }
  glLinkProgram(program.get());
  GLint linked = 0;
  glGetProgramiv(program.get(), GL_LINK_STATUS, &linked);
  if (linked != GL_TRUE) {
    std::string log(4096, '\0');
    GLsizei length = 0;
    glGetProgramInfoLog(program.get(), static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    throw Error("linking " + names, log, "Check that the stages' inputs and outputs match");
  }
  for (const GlShader& shader : shaders) glDetachShader(program.get(), shader.get());
  return program;
}

}  // namespace warpview
