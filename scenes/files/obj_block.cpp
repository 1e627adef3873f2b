#include "scenes/files/obj_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include "gpu/runtime/finite.h"

namespace warpview {
namespace {

// -0 becomes 0.
Vec3 without_negative_zero(Vec3 v) { return v + Vec3{0.0F, 0.0F, 0.0F}; }

void cut_comment(std::string_view& text) { text = text.substr(0, text.find('#')); }

// ---- Numbers ------------------------------------------------------------------------------------

// Is what a number that is_number() and that no float holds too large, and not too small?
bool is_huge(std::string_view number) {
  std::int64_t digits = 0;  // before the point, from the first that is not 0; or of zeros behind it
  bool behind_point = false;
  std::size_t at = 0;
  for (bool begun = false; at < number.size() && number[at] != 'e' && number[at] != 'E'; ++at) {
    const char c = number[at];
    behind_point = behind_point || c == '.';
    begun = begun || (c >= '1' && c <= '9');
    if (is_digit(c) && begun && !behind_point) ++digits;
    if (c == '0' && !begun && behind_point) --digits;
  }
  std::int64_t exponent = 0;
  if (at < number.size()) {
    ++at;
    if (number[at] == '+') ++at;
    std::from_chars(number.data() + at, number.data() + number.size(), exponent);
  }
  return digits + exponent > 0;
}

// The nearest float; infinity where there is none. None where it is no number.
std::optional<float> number_of(std::string_view word) {
  if (!is_number(word)) return std::nullopt;
  if (word.front() == '+') word.remove_prefix(1);
  float value = 0.0F;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc()) value = is_huge(word) ? std::numeric_limits<float>::infinity() : 0.0F;
  return value;
}

// Reads the number at the beginning of [at, end), up to what cannot be part of it. Null where it is
// none, or none of those that are plain: of few digits, and exact in what follows. Then `number` is
// the nearest float, as of number_of().
//
// W. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990: a whole number below 2^53
// and a power of ten up to 10^22 are doubles, so their quotient is rounded once. Rounding that to a
// float is right but where it lies in the middle of two of them.
const char* read_plain_number(const char* at, const char* end, float& number) {
  constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr std::ptrdiff_t most_digits = 15;  // 10^15 < 2^53
  const bool is_negative = at < end && *at == '-';
  if (is_negative) ++at;
  std::uint64_t mantissa = 0;
  const auto read_digits = [&] {
    const char* const first = at;
    for (; at < end && is_digit(*at); ++at)
      mantissa = 10 * mantissa + static_cast<std::uint64_t>(*at - '0');
    return at - first;
  };
  std::ptrdiff_t digits = read_digits();
  std::ptrdiff_t decimals = 0;
  if (at < end && *at == '.') {
    ++at;
    decimals = read_digits();
    digits += decimals;
  }
  if (digits == 0 || digits > most_digits) return nullptr;
  const double value = static_cast<double>(mantissa) / powers[static_cast<std::size_t>(decimals)];
  constexpr std::uint64_t bits_beyond_float = 0x1fffffffU;
  constexpr std::uint64_t middle = 0x10000000U;
  if ((std::bit_cast<std::uint64_t>(value) & bits_beyond_float) == middle) return nullptr;
  number = static_cast<float>(is_negative ? -value : value);
  return at;
}

// Reads `count` plain numbers. False if there is anything else.
template <std::size_t count>
bool read_plain_numbers(std::string_view text, std::array<float, count>& numbers) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (float& number : numbers) {
    while (at < end && is_blank(*at)) ++at;
    at = read_plain_number(at, end, number);
    if (at == nullptr || (at < end && !is_blank(*at))) return false;
  }
  while (at < end && is_blank(*at)) ++at;
  return at == end;
}

// ---- Statements ---------------------------------------------------------------------------------

// One read, in the order of its functions.
class BlockReader {
 public:
  explicit BlockReader(TextBlock& text) : cutter_(text) {}

  PolygonBlock read() {
    std::string_view line;
    while (cutter_.next(line)) read_line(line);
    block_.lines = cutter_.lines();
    if (cutter_.holds_zero()) block_.zero_line = cutter_.line_number();
    block_.last_material = material_;
    return std::move(block_);
  }

 private:
  void read_line(std::string_view line) {
    std::string_view rest = line;
    const std::string_view keyword = next_word(rest);
    if (keyword.empty() || keyword.front() == '#') return;
    ++block_.statements;
    if (!read_statement(keyword, rest)) {
      --block_.statements;
      block_.foreign.add(cutter_.line_number());
    }
  }

  // False where it is none that is known.
  bool read_statement(std::string_view keyword, std::string_view rest) {
    // With nothing behind it, not even a blank, it is no vertex.
    const bool is_followed = !rest.empty();
    if (keyword == "v" && is_followed)
      read_position(rest);
    else if (keyword == "vn" && is_followed)
      read_normal(rest);
    else if (keyword == "vt" && is_followed)
      read_texcoord(rest);
    else if (keyword == "f")
      read_face(rest);
    else if (keyword == "p")
      read_element(ElementKind::points, rest, 1);
    else if (keyword == "l")
      read_element(ElementKind::line, rest, 2);
    else if (keyword == "usemtl" && is_followed)
      use_material(trimmed(rest));
    else if (keyword == "mtllib")
      block_.libraries.emplace_back(trimmed(rest));
    else
      return is_ignored(keyword);
    return true;
  }

  static bool is_ignored(std::string_view keyword) {
    constexpr std::array<std::string_view, 6> ignored = {"g", "o", "s", "vp", "mg", "usemtl"};
    return std::find(ignored.begin(), ignored.end(), keyword) != ignored.end();
  }

  // Up to three numbers, the others 0. `required` must be there; what is there of three must be a
  // number, else the answer is false. What stands behind them is left of `rest`.
  static bool read_numbers(std::string_view& rest, std::size_t required,
                           std::array<float, 3>& numbers) {
    cut_comment(rest);
    bool are_numbers = true;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::string_view word = next_word(rest);
      const std::optional<float> number = number_of(word);
      numbers[i] = number.value_or(0.0F);
      if (!number && !(word.empty() && i >= required)) are_numbers = false;
    }
    return are_numbers;
  }

  void read_position(std::string_view rest) {
    std::array<float, 3> p;
    std::optional<Vec3> colour;
    bool is_good = true;
    if (!read_plain_numbers(rest, p)) {
      is_good = read_numbers(rest, 3, p) && is_finite(Vec3{p[0], p[1], p[2]});
      colour = read_colour(rest);
    }
    block_.colours.add(block_.positions.size(), colour);
    if (!is_good) {
      block_.bad_positions.add(cutter_.line_number());
      p.fill(std::numeric_limits<float>::quiet_NaN());
    }
    block_.positions.push_back(without_negative_zero({p[0], p[1], p[2]}));
  }

  void read_normal(std::string_view rest) {
    std::array<float, 3> n;
    if (!read_plain_numbers(rest, n) &&
        !(read_numbers(rest, 3, n) && is_finite(Vec3{n[0], n[1], n[2]}))) {
      block_.bad_normals.add(cutter_.line_number());
      n.fill(0.0F);
    }
    block_.normals.push_back(normalized({n[0], n[1], n[2]}));
  }

  void read_texcoord(std::string_view rest) {
    std::array<float, 2> two;
    std::array<float, 3> t{};
    if (read_plain_numbers(rest, two)) {
      t = {two[0], two[1], 0.0F};
    } else if (!read_numbers(rest, 1, t) || !std::isfinite(t[0]) || !std::isfinite(t[1])) {
      block_.bad_texcoords.add(cutter_.line_number());
      t.fill(0.0F);
    }
    block_.texcoords.push_back({t[0] + 0.0F, t[1] + 0.0F});  // -0 becomes 0
  }

  // One word more than three coordinates is a weight, three are a colour, four are both; what more
  // there is belongs to neither.
  std::optional<Vec3> read_colour(std::string_view rest) {
    std::array<std::string_view, 4> words;
    std::size_t count = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest), ++count)
      if (count < words.size()) words[count] = word;
    if (count < 3) return std::nullopt;
    const std::size_t first = count == 4 ? 1 : 0;
    const auto red = number_of(words[first]);
    const auto green = number_of(words[first + 1]);
    const auto blue = number_of(words[first + 2]);
    if (red && green && blue) {
      const Vec3 colour{*red, *green, *blue};
      if (is_finite(colour)) return colour;
    }
    block_.malformed_colours.add(cutter_.line_number());
    return std::nullopt;
  }

  // ---- References to vertices

  // What a word names: position, texture coordinate and normal, as the file numbers them; 0 where
  // it names none.
  using Reference = std::array<std::int32_t, 3>;

  // Stands for a malformed index of a texture coordinate or a normal. No index has this value: one
  // of more than 32 bits is malformed, as it would wrap around into some other vertex.
  static constexpr std::int32_t malformed = std::numeric_limits<std::int32_t>::min();

  // Reads the index at `at` and moves behind it; 0 where there is none. False where it is
  // malformed.
  static bool read_index(const char*& at, const char* end, std::int32_t& index) {
    const bool is_negative = at < end && *at == '-';
    const bool has_sign = is_negative || (at < end && *at == '+');
    if (has_sign) ++at;
    std::int64_t value = 0;
    const char* const first = at;
    for (; at < end && is_digit(*at); ++at) {
      value = 10 * value + (*at - '0');
      if (value > std::numeric_limits<std::int32_t>::max()) return false;
    }
    index = static_cast<std::int32_t>(is_negative ? -value : value);
    return at > first || !has_sign;
  }
  static bool ends_reference(const char* at, const char* end) {
    return at == end || is_blank(*at) || *at == '#';
  }

  // Reads the word at the beginning of [at, end): it has one of the forms 1, 1/2, 1//3, 1/2/3, each
  // number with a sign or not. Some programs write 1/ or 1// too. Null where its position is
  // malformed; a texture coordinate or a normal that is malformed is marked so.
  static const char* read_reference(const char* at, const char* end, Reference& reference) {
    reference = {0, 0, 0};
    const char* const first = at;
    if (!read_index(at, end, reference[0]) || at == first) return nullptr;
    for (std::size_t part = 1; !ends_reference(at, end); ++part) {
      if (*at != '/') return nullptr;  // only behind the position: the others end here or with '/'
      ++at;
      const bool is_last = part + 1 == reference.size();
      if (read_index(at, end, reference[part]) &&
          (ends_reference(at, end) || (*at == '/' && !is_last)))
        continue;
      reference[part] = malformed;
      while (!ends_reference(at, end) && (is_last || *at != '/')) ++at;
    }
    return at;
  }

  // Calls take(reference) for each word of `rest`, up to a comment. False where one is none.
  template <class Take>
  static bool read_references(std::string_view rest, const Take& take) {
    const char* at = rest.data();
    const char* const end = at + rest.size();
    for (;;) {
      while (at < end && is_blank(*at)) ++at;
      if (at == end || *at == '#') return true;
      Reference reference;
      at = read_reference(at, end, reference);
      if (at == nullptr) return false;
      take(reference);
    }
  }

  void read_face(std::string_view rest) {
    const std::size_t first = block_.corners.size();
    const std::size_t first_relative = block_.relative.size();
    const bool is_good = read_references(rest, [this](const Reference& reference) {
      block_.corners.push_back({from_zero(reference[0], 0, block_.positions.size()),
                                from_zero(reference[2], 1, block_.normals.size()),
                                from_zero(reference[1], 2, block_.texcoords.size())});
    });
    const std::size_t corners = block_.corners.size() - first;
    if (!is_good || corners < 3) {
      block_.malformed_faces.add(cutter_.line_number());
      block_.corners.resize(first);
      block_.relative.resize(first_relative);
      return;
    }
    block_.faces.push_back({static_cast<std::uint32_t>(corners), material_, line_number()});
    block_.triangles += corners - 2;
  }

  // The index of a corner that is about to be added, its `part`-th: from 0.
  std::int32_t from_zero(std::int32_t index, std::uint32_t part, std::size_t so_far) {
    if (index >= 0) return index - 1;
    if (index == malformed) return beyond_any_range;
    block_.relative.push_back(static_cast<std::uint32_t>(3 * block_.corners.size() + part));
    return static_cast<std::int32_t>(static_cast<std::int64_t>(so_far) + index);
  }

  void read_element(ElementKind kind, std::string_view rest, std::size_t least) {
    const std::size_t first = block_.element_vertices.size();
    const bool is_good = read_references(rest, [this](const Reference& reference) {
      block_.element_vertices.push_back(reference[0]);
    });
    const std::size_t count = block_.element_vertices.size() - first;
    if (!is_good || count < least) {
      block_.malformed_elements.add(cutter_.line_number());
      block_.element_vertices.resize(first);
      return;
    }
    block_.elements.push_back({kind, static_cast<std::uint32_t>(count),
                               static_cast<std::uint32_t>(block_.positions.size()), material_,
                               cutter_.line_number()});
  }

  // ---- The rest

  void use_material(std::string_view name) {
    const auto next = static_cast<std::uint32_t>(block_.materials.size() + 1);
    const auto [entry, is_new] = material_of_name_.try_emplace(std::string(name), next);
    if (is_new) block_.materials.emplace_back(name);
    material_ = entry->second;
  }

  std::uint32_t line_number() const {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(cutter_.line_number(), std::numeric_limits<std::uint32_t>::max()));
  }

  LineCutter cutter_;
  PolygonBlock block_;
  std::uint32_t material_ = PolygonBlock::keeps_material;
  std::unordered_map<std::string, std::uint32_t> material_of_name_;
};

}  // namespace

PolygonBlock read_obj_block(TextBlock text) { return BlockReader(text).read(); }

}  // namespace warpview
