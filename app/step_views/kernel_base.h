// The name by which views know a kernel.
#pragma once

#include <string_view>

namespace warpview::step_views {

// "count_kernel" of "sort::count_kernel<Key, width>".
inline std::string_view kernel_base(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t colons = kernel.rfind("::");
  return colons == std::string_view::npos ? kernel : kernel.substr(colons + 2);
}

}  // namespace warpview::step_views
