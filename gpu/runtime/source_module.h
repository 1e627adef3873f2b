// A module of the CPU device that is built separately from the program, of the same sources, and
// loaded at run time.
#pragma once

#include <filesystem>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

// Is there a module to load? `never_built`: this program's build has none.
enum class ModuleState { ready, missing, of_other_sources, never_built };

struct SourceModule {
  const char* name;      // "counting module", for messages
  const char* device;    // "the CPU device that counts", for messages
  const char* target;    // of the build tree: "warpview_counted"
  const char* file;      // "libwarpview_counted.so"
  const char* variable;  // of the environment: names another file
  const char* entry;     // the symbol that is looked up

  // Where the program looks for it.
  std::filesystem::path path() const;
  ModuleState state() const;
  // Loads it, for as long as the program runs, and returns its entry. UnavailableError if there is
  // none to load, or if it is of other sources.
  void* load() const;
};

inline constexpr SourceModule counting_module = {.name = "counting module",
                                                 .device = "the CPU device that counts",
                                                 .target = "warpview_counted",
                                                 .file = "libwarpview_counted.so",
                                                 .variable = "WARPVIEW_COUNTED_MODULE",
                                                 .entry = "warpview_counted_module"};
inline constexpr SourceModule recording_module = {.name = "recording module",
                                                  .device = "the CPU device that records",
                                                  .target = "warpview_recorded",
                                                  .file = "libwarpview_recorded.so",
                                                  .variable = "WARPVIEW_RECORDED_MODULE",
                                                  .entry = "warpview_recorded_module"};

// Loads a module whose entry returns this interface. Its interruption points are the program's
// then.
template <class Interface>
const Interface& load_module(const SourceModule& from) {
  const Interface& module = *reinterpret_cast<const Interface* (*)()>(from.load())();
  module.forward_interruption_points(interruption_point);
  return module;
}

// The program and its modules all contain this text, which differs between states of their sources.
extern const char module_sources[];

}  // namespace warpview
