// Light on dark, or dark on light.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpview {

enum class Theme : std::uint8_t { dark, light };

// The name in options and settings.
constexpr std::string_view name_of(Theme theme) { return theme == Theme::dark ? "dark" : "light"; }
constexpr std::optional<Theme> theme_named(std::string_view name) {
  for (const Theme theme : {Theme::dark, Theme::light})
    if (name == name_of(theme)) return theme;
  return {};
}

// A colour of each theme, as 0xRRGGBB.
struct Shades {
  unsigned dark, light;
  constexpr unsigned of(Theme theme) const { return theme == Theme::dark ? dark : light; }
};

}  // namespace warpview
