// A module that is built separately from the program, of the same sources, and loaded at run time.
#pragma once

#include <filesystem>

namespace warpview {

// Is there a module to load? `never_built`: this program's build has none.
enum class ModuleState { ready, missing, of_other_sources, never_built };

struct SourceModule {
  const char* what;      // "the CPU device that counts", for messages
  const char* file;      // "libwarpview_counted.so"
  const char* variable;  // of the environment: names another file
  const char* entry;     // the symbol that is looked up

  // Where the program looks for it.
  std::filesystem::path path() const;
  ModuleState state() const;
  // Loads it, for as long as the program runs, and returns its entry. UnavailableError if it is
  // missing, of other sources or no such module.
  void* load() const;
};

// The program and its modules all contain this text, which differs between states of their sources.
extern const char counted_sources[];

}  // namespace warpview
