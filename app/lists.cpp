#include "app/lists.h"

#include <fmt/format.h>

#include <cstddef>

#include "gpu/catalogue.h"
#include "gpu/runtime/backends.h"

namespace warpview {

std::string list_backends_as_text() {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  std::string text;
  for (const BackendStatus& status : list_backends()) {
    const char* name = to_string(status.backend);
    if (!status.usable) text += fmt::format("{:<5} absent: {}\n", name, status.why);
    for (const DeviceInfo& info : status.devices)
      text += fmt::format("{:<5} device {}: {}, {:.1f} GiB memory, warp size {}, {}\n", name,
                          info.index, info.name, static_cast<double>(info.memory) / gib,
                          info.warp_size, info.driver);
  }
  return text;
}

std::string list_variants_as_text() {
  std::string text;
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    text += fmt::format("{}: {}\n", to_string(primitive), title(primitive));
    for (const int row : variants_of(primitive)) {
      const Variant& variant = variants()[static_cast<std::size_t>(row)];
      text += fmt::format("  {}={}{}\n      {}\n      {}\n      {}\n", to_string(primitive),
                          variant.name, row == default_variant(primitive) ? " (default)" : "",
                          variant.summary, variant.source, variant.file);
      if (variant.available == Availability::everywhere) continue;
      for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu})
        if (const std::string why = why_unavailable(variant, backend); !why.empty())
          text += fmt::format("      not on {}: it {}\n", to_string(backend), why);
    }
  }
  return text;
}

}  // namespace warpview
