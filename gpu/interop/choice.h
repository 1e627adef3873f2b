// How what kernels write reaches OpenGL.
#pragma once

#include <string>

namespace warpview {

enum class InteropMode {
  direct,  // kernels write the memory that GL draws from
  copy     // kernels write device memory; it goes to GL through the host
};
enum class InteropRequest { automatic, direct, copy };

struct InteropChoice {
  InteropMode mode = InteropMode::copy;
  // For the user and reports: "direct: ..." or "copied: ..." with the reason.
  std::string description;
};

}  // namespace warpview
