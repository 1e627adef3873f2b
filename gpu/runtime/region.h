// Describes arrays: where they lie, their names and what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace warpview {

// The type of an array's elements, for the user and for tools: {"u32", 4}, {"BvhNode", 32}.
struct ElementType {
  std::string_view name;
  std::size_t bytes = 1;
};

namespace detail {

// The type's name without its namespaces, as the compiler writes it: "Vec3", "TileState<float>".
template <class T>
constexpr std::string_view spelled_type() {
  // "... spelled_type() [with T = warpview::Vec3; ...]", or "... [T = warpview::Vec3]".
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of(";]"));
  const std::string_view before_arguments = text.substr(0, text.find('<'));
  if (const std::size_t colons = before_arguments.rfind("::"); colons != std::string_view::npos)
    text.remove_prefix(colons + 2);
  return text;
}

}  // namespace detail

template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_floating_point_v<T>)
    return {sizeof(T) == 4 ? "f32" : "f64", sizeof(T)};
  else if constexpr (!std::is_integral_v<T>)
    return {detail::spelled_type<T>(), sizeof(T)};
  else if constexpr (std::is_signed_v<T>)
    return {sizeof(T) == 8   ? "i64"
            : sizeof(T) == 4 ? "i32"
            : sizeof(T) == 2 ? "i16"
                             : "i8",
            sizeof(T)};
  else
    return {sizeof(T) == 8   ? "u64"
            : sizeof(T) == 4 ? "u32"
            : sizeof(T) == 2 ? "u16"
                             : "u8",
            sizeof(T)};
}

// An array. Its bytes are a whole number of elements.
struct Region {
  std::string_view name;  // "keys_out"; has static storage
  ElementType type;
  void* data = nullptr;
  std::size_t bytes = 0;
  bool on_host = false;  // otherwise in device memory

  std::size_t size() const { return bytes / type.bytes; }  // elements
};

}  // namespace warpview
