// Whether what is shown is light on dark, or dark on light.
#pragma once

#include <cstdint>

namespace warpview {

enum class Theme : std::uint8_t { dark, light };

}  // namespace warpview
