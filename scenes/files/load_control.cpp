#include "scenes/files/load_control.h"

#include <fmt/format.h>

#include <string>

namespace warpview {
namespace {

std::string in_mebibytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024.0 * 1024.0));
}

}  // namespace

void LoadLimits::require_corners(const std::string& what, std::uint64_t needed) const {
  if (needed <= corners) return;
  throw Error(what, fmt::format("needs {} triangle corners; the limit is {}", needed, corners),
              "Split the mesh or reduce its number of faces");
}

void LoadLimits::require_memory(const std::string& what, std::uint64_t needed) const {
  if (needed <= memory) return;
  throw Error(what,
              fmt::format("needs about {} of memory; {} are available", in_mebibytes(needed),
                          in_mebibytes(memory)),
              "Close other programs, split the mesh or reduce its number of faces");
}

}  // namespace warpview
