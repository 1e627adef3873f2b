// Where two arrays first differ, in words.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/runtime/vertex.h"

namespace warpview {

inline std::string in_words(std::uint32_t value) { return std::to_string(value); }
inline std::string in_words(std::uint64_t value) { return fmt::format("{:#x}", value); }
inline std::string in_words(const Vec3& v) { return fmt::format("({}, {}, {})", v.x, v.y, v.z); }
inline std::string in_words(const Aabb& box) {
  return in_words(box.min) + " to " + in_words(box.max);
}
inline std::string in_words(const Vertex& v) {
  return fmt::format("{{position {}, normal {}, texture {} {}}}", in_words(v.position),
                     in_words(v.normal), v.texcoord.x, v.texcoord.y);
}

// Compares structs of floats: equal bits, or zeros of either sign.
template <class T>
bool same(const T& a, const T& b) {
  using Words = std::array<std::uint32_t, sizeof(T) / sizeof(float)>;
  const auto x = std::bit_cast<Words>(a);
  const auto y = std::bit_cast<Words>(b);
  return std::equal(x.begin(), x.end(), y.begin(), [](std::uint32_t i, std::uint32_t j) {
    return i == j || std::bit_cast<float>(i) == std::bit_cast<float>(j);
  });
}
inline bool same(std::uint32_t a, std::uint32_t b) { return a == b; }
inline bool same(std::uint64_t a, std::uint64_t b) { return a == b; }

// `what` is the subject: "the number of vertices". Empty where there is no difference.
template <class T>
std::string difference(const std::string& what, const T& found, const T& expected) {
  if (same(found, expected)) return {};
  return fmt::format("{} is {}, not {}", what, in_words(found), in_words(expected));
}

// `what` names one element: "vertex".
template <class T>
std::string difference(const char* what, std::span<const T> found, std::span<const T> expected) {
  if (found.size() != expected.size())
    return fmt::format("{}: there are {}, not {}", what, found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!same(found[i], expected[i]))
      return difference(fmt::format("{} {}", what, i), found[i], expected[i]);
  return {};
}
template <class T>
std::string difference(const char* what, const std::vector<T>& found,
                       const std::vector<T>& expected) {
  return difference(what, std::span<const T>(found), std::span<const T>(expected));
}

// The first of several differences that there is.
inline std::string first_of(std::initializer_list<std::string> differences) {
  for (const std::string& text : differences)
    if (!text.empty()) return text;
  return {};
}

}  // namespace warpview
