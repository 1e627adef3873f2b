#include "gpu/simt/recorded/places.h"

#include <dlfcn.h>

namespace warpview::simt::recording {
namespace {

// Where the module was loaded.
Address module_base() {
  Dl_info info{};
  dladdr(reinterpret_cast<const void*>(&module_base), &info);
  return reinterpret_cast<Address>(info.dli_fbase);
}

}  // namespace

void Places::begin(std::vector<RecordedPlace>& table) {
  code_.clear();
  lines_.clear();
  table.emplace_back();
}

std::uint32_t Places::of_code(Address code, std::vector<RecordedPlace>& table) {
  const auto [known, is_new] = code_.try_emplace(code, static_cast<std::uint32_t>(table.size()));
  if (is_new) table.push_back({.code = code - module_base(), .chain = {}});
  return known->second;
}

std::uint32_t Places::of_line(const char* file, int line, std::vector<RecordedPlace>& table) {
  const auto [known, is_new] =
      lines_[file].try_emplace(line, static_cast<std::uint32_t>(table.size()));
  if (is_new)
    table.push_back(
        {.code = 0,
         .chain = {{.function = {}, .file = file, .line = static_cast<unsigned>(line)}}});
  return known->second;
}

}  // namespace warpview::simt::recording
