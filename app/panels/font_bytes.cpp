#include "app/panels/font_bytes.h"

#include <stb_truetype.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace warpview {
namespace {

// Numbers with the highest byte first. Beyond the end all are 0.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::uint32_t two(std::size_t at) const { return number(at, 2); }
  std::uint32_t four(std::size_t at) const { return number(at, 4); }
  bool has_tag(std::size_t at, std::string_view tag) const {
    return at <= size() && bytes_.substr(at).starts_with(tag);
  }
  std::optional<Bytes> part(std::size_t at, std::size_t length) const {
    if (at > size() || length > size() - at) return {};
    return Bytes(bytes_.substr(at, length));
  }

 private:
  std::uint32_t number(std::size_t at, std::size_t length) const {
    if (at > size() || length > size() - at) return 0;
    std::uint32_t value = 0;
    for (const char byte : bytes_.substr(at, length))
      value = value << 8U | static_cast<unsigned char>(byte);
    return value;
  }

  std::string_view bytes_;
};

bool is_face(const Bytes& file, std::size_t at) {
  return file.four(at) == 0x00010000U || file.has_tag(at, "true") || file.has_tag(at, "OTTO");
}

// Where a face begins. A file is one, or a collection that lists them.
std::optional<std::size_t> start_of(const Bytes& file, int face) {
  std::size_t start = 0;
  if (file.has_tag(0, "ttcf")) {
    const std::uint32_t version = file.four(4);
    if (version != 0x00010000U && version != 0x00020000U) return {};
    if (face < 0 || static_cast<std::uint32_t>(face) >= file.four(8)) return {};
    start = file.four(12 + 4 * static_cast<std::size_t>(face));
  } else if (face != 0) {
    return {};
  }
  if (!is_face(file, start)) return {};
  return start;
}

// The tables of a face, by the directory that it begins with.
class Tables {
 public:
  Tables(const Bytes& file, std::size_t start)
      : file_(file), directory_(file.part(start + 12, std::size_t{16} * file.two(start + 4))) {}

  bool are_listed() const { return directory_.has_value(); }
  bool lists(std::string_view tag) const { return record_of(tag).has_value(); }
  // None where it is missing, reaches out of the file or is shorter than `least`.
  std::optional<Bytes> find(std::string_view tag, std::size_t least) const {
    const auto record = record_of(tag);
    if (!record || record->four(8) == 0) return {};
    const auto table = file_.part(record->four(8), record->four(12));
    return table && table->size() >= least ? table : std::nullopt;
  }

 private:
  std::optional<Bytes> record_of(std::string_view tag) const {
    for (std::size_t at = 0; at < directory_->size(); at += 16)
      if (directory_->has_tag(at, tag)) return directory_->part(at, 16);
    return {};
  }

  Bytes file_;
  std::optional<Bytes> directory_;
};

// A map of 16-bit letters: the last letters of all segments, their first ones, what is to be added
// to make glyphs of them, and where their glyphs are listed instead, counted from that very number.
bool has_whole_segments(const Bytes& map) {
  const std::size_t width = map.two(6);  // of one of these lists, in bytes
  const std::size_t firsts = 16 + width;
  const std::size_t lists = 16 + 3 * width;
  const bool is_searchable = map.two(8) + map.two(12) <= width && map.two(10) <= 16;
  if (width == 0 || width % 2 != 0 || !is_searchable || lists + width > map.size()) return false;
  for (std::size_t at = 0; at < width; at += 2) {
    const std::size_t first = map.two(firsts + at);
    const std::size_t last = map.two(14 + at);
    const std::size_t list = map.two(lists + at);
    constexpr std::size_t no_letter = 0xffff;  // the segment that ends them all
    if (list == 0 || first > last || first == no_letter) continue;
    if (lists + at + list + 2 * (last - first + 1) > map.size()) return false;
  }
  return true;
}

// The map from letters to glyphs: of a kind that is understood, and whole.
bool is_whole(const Bytes& map) {
  switch (map.two(0)) {
    case 0:
      return map.size() >= 6 && map.two(2) <= map.size();
    case 4:
      return has_whole_segments(map);
    case 6:
      return 10 + std::size_t{2} * map.two(8) <= map.size();
    case 12:
    case 13:
      return 16 + std::size_t{12} * map.four(12) <= map.size();
    default:
      return false;
  }
}

// The last map of Unicode is used.
bool has_whole_map(const Bytes& cmap) {
  const std::uint32_t maps = cmap.two(2);
  std::optional<Bytes> last;
  for (std::uint32_t i = 0; i < maps; ++i) {
    const auto record = cmap.part(4 + std::size_t{8} * i, 8);
    if (!record) return false;
    const std::uint32_t platform = record->two(0);
    const std::uint32_t encoding = record->two(2);
    if (platform != 0 && !(platform == 3 && (encoding == 1 || encoding == 10))) continue;
    const std::size_t at = record->four(4);
    if (at >= cmap.size()) return false;
    last = cmap.part(at, cmap.size() - at);
  }
  return last && is_whole(*last);
}

bool has_whole_metrics(const Tables& tables, std::size_t glyphs) {
  const auto lines = tables.find("hhea", 36);
  if (!lines) return false;
  const auto ascent = static_cast<std::int16_t>(lines->two(4));
  const auto descent = static_cast<std::int16_t>(lines->two(6));
  const std::size_t widths = lines->two(34);
  const std::size_t more = glyphs - std::min(glyphs, widths);
  return ascent > descent && widths > 0 && tables.find("hmtx", 4 * widths + 2 * more);
}

// TrueType's outlines are found by offsets into their table, which must ascend.
bool has_whole_outlines(const Tables& tables, std::size_t glyphs, std::uint32_t offset_format) {
  if (!tables.lists("glyf")) return tables.find("CFF ", 4).has_value();
  const auto outlines = tables.find("glyf", 0);
  if (!outlines || offset_format > 1) return false;
  const bool is_long = offset_format == 1;
  const auto offsets = tables.find("loca", (glyphs + 1) * (is_long ? 4 : 2));
  if (!offsets) return false;
  std::size_t last = 0;
  for (std::size_t i = 0; i <= glyphs; ++i) {
    const std::size_t offset =
        is_long ? offsets->four(4 * i) : std::size_t{2} * offsets->two(2 * i);
    if (offset < last) return false;
    last = offset;
  }
  return last <= outlines->size();
}

const unsigned char* data_of(std::string_view file) {
  return reinterpret_cast<const unsigned char*>(file.data());
}

}  // namespace

bool can_be_read(std::string_view file, int face) {
  const Bytes bytes(file);
  const auto start = start_of(bytes, face);
  if (!start) return false;
  const Tables tables(bytes, *start);
  if (!tables.are_listed()) return false;
  const auto head = tables.find("head", 54);
  const auto counts = tables.find("maxp", 6);
  const auto cmap = tables.find("cmap", 4);
  if (!head || !counts || !cmap) return false;
  const std::size_t glyphs = counts->two(4);
  return has_whole_map(*cmap) && has_whole_metrics(tables, glyphs) &&
         has_whole_outlines(tables, glyphs, head->two(50));
}

bool has_glyph(std::string_view file, int face, ImWchar letter) {
  stbtt_fontinfo info;
  if (stbtt_InitFont(&info, data_of(file), stbtt_GetFontOffsetForIndex(data_of(file), face)) == 0)
    return false;
  const int glyph = stbtt_FindGlyphIndex(&info, letter);
  return glyph > 0 && glyph < info.numGlyphs;
}

ImFont* add_font(ImFontAtlas& atlas, std::string_view file, float pixels,
                 const ImFontConfig& config, const ImWchar* letters) {
  // What the atlas owns it takes as it is, and frees; the rest it copies. This it shall not free.
  ImFont* const font = atlas.AddFontFromMemoryTTF(
      const_cast<char*>(file.data()), static_cast<int>(file.size()), pixels, &config, letters);
  atlas.ConfigData.back().FontDataOwnedByAtlas = false;
  return font;
}

}  // namespace warpview
