// The lines of an OBJ file, on their way to tinyobjloader.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/runtime/vec.h"
#include "scenes/files/text_lines.h"

namespace warpview {

// How often something happened, and where first.
struct Occurrences {
  std::uint64_t count = 0;
  std::uint64_t first_line = 0;

  void add(std::uint64_t line) {
    if (count == 0 || line < first_line) first_line = line;
    ++count;
  }
};

// Lets through to tinyobjloader the statements that make a mesh, if they are well-formed, and keeps
// what tinyobjloader would not notice of them. Points and lines, which its callbacks do not know,
// are told directly.
class ObjLines : public TextLines {
 public:
  enum class Element { points, line };
  // Called with the vertices of a well-formed `p` or `l` statement, as the file numbers them, when
  // all statements before it have had their callbacks.
  using OnElement = std::function<void(Element, std::span<const int>)>;

  ObjLines(InputFile file, Observer observer, OnElement on_element);

  // Of the statement last let through: does it lack a number, or have something else instead?
  bool lacks_a_number() const { return lacks_a_number_; }
  // Of the vertex last let through: red, green and blue, if three finite numbers follow its
  // coordinates or its weight.
  std::optional<Vec3> colour() const { return colour_; }
  const Occurrences& malformed_faces() const { return malformed_faces_; }
  const Occurrences& malformed_elements() const { return malformed_elements_; }
  const Occurrences& malformed_colours() const { return malformed_colours_; }
  const Occurrences& foreign_lines() const { return foreign_; }
  const std::vector<std::string>& material_libraries() const { return material_libraries_; }

  // Error if the file held nothing that belongs into an OBJ file.
  void require_statements() const;

 private:
  bool accept(std::string_view& line) override;
  bool accept_statement(std::string_view keyword, std::string_view& line, std::string_view rest);
  std::string_view accept_numbers(std::string_view& line, std::string_view rest, int required);
  bool take_references(std::string_view rest, int least);
  void take_element(Element element, std::string_view rest, int least);
  void take_colour(std::string_view rest);

  OnElement on_element_;
  std::uint64_t statements_ = 0;
  Occurrences foreign_;
  Occurrences malformed_faces_;
  Occurrences malformed_elements_;
  Occurrences malformed_colours_;
  bool lacks_a_number_ = false;
  std::optional<Vec3> colour_;
  std::vector<int> references_;  // the vertices of the statement last looked at
  std::vector<std::string> material_libraries_;
};

}  // namespace warpview
