#include "app/common/counted_build.h"

#include "app/common/module_build.h"
#include "gpu/runtime/counted_module.h"

namespace warpview {
namespace {

constexpr std::string_view name = "counting module";

}  // namespace

std::string counted_build_progress(std::string_view line) {
  return module_build_progress(line, name);
}

void build_counted_module(const std::function<void(const std::string&)>& tell,
                          const std::atomic<bool>* cancelled) {
  build_module({.name = name,
                .target = "warpview_counted",
                .variable = "WARPVIEW_COUNTED_MODULE",
                .path = counted_module_path(),
                .state = counted_module_state()},
               tell, cancelled);
}

}  // namespace warpview
