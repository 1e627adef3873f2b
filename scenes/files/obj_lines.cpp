#include "scenes/files/obj_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

void cut_comment(std::string_view& line, std::string_view& rest) {
  const std::size_t comment = rest.find('#');
  if (comment == std::string_view::npos) return;
  line.remove_suffix(rest.size() - comment);
  rest.remove_suffix(rest.size() - comment);
}

// None where it is no number or none that a float holds.
std::optional<float> number_of(std::string_view word) {
  if (!is_number(word)) return std::nullopt;
  if (word.front() == '+') word.remove_prefix(1);
  float value = 0.0F;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

ObjLines::ObjLines(InputFile file, Observer observer, OnElement on_element)
    : TextLines(std::move(file), std::move(observer)), on_element_(std::move(on_element)) {}

void ObjLines::require_statements() const {
  if (statements_ > 0) return;
  const std::string where = foreign_.count > 0
                                ? fmt::format("{}:{}", path().string(), foreign_.first_line)
                                : path().string();
  throw Error(where,
              bytes_read() == 0    ? "the file is empty"
              : foreign_.count > 0 ? "no OBJ statement is in this line nor in any other"
                                   : "the file holds no OBJ statement",
              "Name a Wavefront OBJ file");
}

bool ObjLines::accept(std::string_view& line) {
  std::string_view rest = line;
  const std::string_view keyword = next_word(rest);
  if (keyword.empty() || keyword.front() == '#') return false;
  ++statements_;
  return accept_statement(keyword, line, rest);
}

bool ObjLines::accept_statement(std::string_view keyword, std::string_view& line,
                                std::string_view rest) {
  // With nothing behind it, tinyobjloader would take no vertex here.
  const bool is_followed = !rest.empty();
  if (keyword == "v" && is_followed) {
    take_colour(accept_numbers(line, rest, 3));
    return true;
  }
  if ((keyword == "vn" || keyword == "vt") && is_followed) {
    accept_numbers(line, rest, keyword == "vn" ? 3 : 1);
    return true;
  }
  if (keyword == "f") {
    cut_comment(line, rest);
    if (take_references(rest, 3)) return true;
    malformed_faces_.add(line_number());
    return false;
  }
  if (keyword == "p" || keyword == "l") {
    cut_comment(line, rest);
    const bool are_points = keyword == "p";
    take_element(are_points ? Element::points : Element::line, rest, are_points ? 1 : 2);
    return false;
  }
  if (keyword == "usemtl") return true;
  if (keyword == "mtllib") {
    // tinyobjloader would cut the name at spaces, take a backslash out of it, and stop at the
    // first of several files.
    material_libraries_.emplace_back(trimmed(rest));
    return false;
  }
  constexpr std::array<std::string_view, 5> ignored = {"g", "o", "s", "vp", "mg"};
  if (std::find(ignored.begin(), ignored.end(), keyword) == ignored.end()) {
    --statements_;
    foreign_.add(line_number());
  }
  return false;
}

// `required` numbers must be there; what is there of three must be a number. What stands behind
// them is cut off and returned.
std::string_view ObjLines::accept_numbers(std::string_view& line, std::string_view rest,
                                          int required) {
  cut_comment(line, rest);
  lacks_a_number_ = false;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = next_word(rest);
    if (word.empty() ? i >= required : is_number(word)) continue;
    lacks_a_number_ = true;
    overwrite(word, '0');  // tinyobjloader's arithmetic must not meet it
  }
  line.remove_suffix(rest.size());
  return rest;
}

// One word more than three coordinates is a weight, three are a colour, four are both; what more
// there is belongs to neither.
void ObjLines::take_colour(std::string_view rest) {
  colour_.reset();
  std::array<std::string_view, 4> words;
  std::size_t count = 0;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++count)
    if (count < words.size()) words[count] = word;
  if (count < 3) return;
  const std::size_t first = count == 4 ? 1 : 0;
  const auto red = number_of(words[first]);
  const auto green = number_of(words[first + 1]);
  const auto blue = number_of(words[first + 2]);
  if (red && green && blue)
    colour_ = Vec3{*red, *green, *blue};
  else
    malformed_colours_.add(line_number());
}

// Words of the forms 1, 1/2, 1//3, 1/2/3, each number with a sign or not, and none beyond 32 bits,
// which would wrap around into some other vertex; at least so many. The first number of each is
// kept in references_. Some programs write 1/ or 1// too: tinyobjloader would take the next word's
// number for what is not there, so the slashes go.
bool ObjLines::take_references(std::string_view rest, int least) {
  references_.clear();
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    int slashes = 0;
    int digits = 0;
    std::int64_t value = 0;
    std::int64_t vertex = 0;
    char last = '/';
    for (const char c : word) {
      if (c >= '0' && c <= '9') {
        value = 10 * value + (c - '0');
        if (value > std::numeric_limits<std::int32_t>::max()) return false;
        ++digits;
        if (slashes == 0) vertex = value;
      } else if (c == '/') {
        if (slashes == 0 && digits == 0) return false;
        ++slashes;
        value = 0;
      } else if ((c != '-' && c != '+') || last != '/') {
        return false;
      }
      last = c;
    }
    if (digits == 0 || slashes > 2 || last == '-' || last == '+') return false;
    overwrite(word.substr(word.find_last_not_of('/') + 1), ' ');
    references_.push_back(static_cast<int>(word.front() == '-' ? -vertex : vertex));
  }
  return references_.size() >= static_cast<std::size_t>(least);
}

void ObjLines::take_element(Element element, std::string_view rest, int least) {
  if (take_references(rest, least))
    on_element_(element, references_);
  else
    malformed_elements_.add(line_number());
}

}  // namespace warpview
