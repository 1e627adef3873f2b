// The header of a PLY file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

enum class PlyFormat : std::uint8_t { ascii, little_endian, big_endian };
enum class PlyType : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

std::size_t size_of(PlyType type);
// The full intensity of a colour of this type: 255 for a byte.
double full_scale(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type;
  std::optional<PlyType> count = {};  // type of a list's length; none: it is a number
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  // Index of the first number, or list, with one of these names.
  template <class... Name>
  std::optional<std::size_t> number(Name... names) const {
    return find(false, names...);
  }
  template <class... Name>
  std::optional<std::size_t> list(Name... names) const {
    return find(true, names...);
  }

 private:
  template <class... Name>
  std::optional<std::size_t> find(bool is_list, Name... names) const {
    for (std::size_t i = 0; i < properties.size(); ++i)
      if (properties[i].count.has_value() == is_list && ((properties[i].name == names) || ...))
        return i;
    return std::nullopt;
  }
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::vector<std::string> textures;  // files that comments name: "comment TextureFile skin.png"

  const PlyElement* element(std::string_view name) const;
};

// Reads a header line by line.
class PlyHeaderReader {
 public:
  static constexpr std::size_t longest_line = 4096;  // bytes
  static constexpr std::size_t most_elements = 256;
  static constexpr std::size_t most_properties = 1024;  // of an element

  struct Malformed {
    std::string what;
  };
  // Reads the next line, without its end. Returns false after the last one. Throws Malformed.
  bool read(std::string_view line);

  PlyHeader take() { return std::move(header_); }

 private:
  void read_format(std::string_view rest);
  void read_element(std::string_view rest);
  void read_property(std::string_view rest);

  PlyHeader header_;
  std::size_t lines_ = 0;
  bool has_format_ = false;
};

}  // namespace warpview
