#include "gpu/runtime/source_module.h"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "gpu/runtime/error.h"
#include "gpu/runtime/module_path.h"

namespace warpview {

#if defined(WARPVIEW_BUILT_MODULES)

namespace {

// Reads the module as a file: a module of other sources must not be loaded, since its classes may
// differ.
bool is_of_these_sources(const std::filesystem::path& module) {
  std::ifstream in(module, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::string_view wanted = module_sources;
  return std::search(bytes.begin(), bytes.end(),
                     std::boyer_moore_horspool_searcher(wanted.begin(), wanted.end())) !=
         bytes.end();
}

}  // namespace

std::filesystem::path SourceModule::path() const { return module_path(file, variable); }

ModuleState SourceModule::state() const {
  const auto module = path();
  std::error_code unreadable;
  if (!std::filesystem::exists(module, unreadable)) return ModuleState::missing;
  return is_of_these_sources(module) ? ModuleState::ready : ModuleState::of_other_sources;
}

void* SourceModule::load() const {
  const auto module = path();
  if (state() == ModuleState::of_other_sources)
    throw UnavailableError(device, module.string() + " is not built from this program's sources",
                           "Build both again: ./run --all");
  // Never unloaded: its devices and its code live as long as the program.
  void* loaded = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded)
    throw UnavailableError(device, dlerror(),
                           "Keep the module beside the program, or build it: ./run --all");
  void* found = dlsym(loaded, entry);
  if (!found)
    throw UnavailableError(device, module.string() + " is not Warpview's module for it",
                           std::string("Unset ") + variable + ", or build again");
  return found;
}

#else

std::filesystem::path SourceModule::path() const { return {}; }

ModuleState SourceModule::state() const { return ModuleState::never_built; }

void* SourceModule::load() const {
  throw UnavailableError(device, "this program was " WARPVIEW_MODULES_ABSENT,
                         "Build it by GCC without sanitizers");
}

#endif

}  // namespace warpview
