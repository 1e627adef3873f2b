#include "app/common/program_files.h"

#include <initializer_list>
#include <system_error>

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Tries the names from the program's folder and from each one above it. Returns the first folder
// that contains `sign`.
fs::path found_above(const fs::path& program, std::initializer_list<const char*> names,
                     const char* sign) {
  std::error_code error;
  for (fs::path folder = program.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    for (const char* const name : names)
      if (fs::path found = (folder / name).lexically_normal(); fs::exists(found / sign, error))
        return found;
    if (!folder.has_relative_path()) break;
  }
  return {};
}

// An installed program lies in PREFIX/lib/TRIPLE/warpview.
constexpr const char* installed = "share/warpview";

}  // namespace

fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path assets_folder(const fs::path& program) {
  return found_above(program, {"assets", installed}, "sample.obj");
}
fs::path sources_folder(const fs::path& program) {
  const fs::path found = found_above(program, {"gpu", "share/warpview/gpu"}, "catalogue.def");
  return found.parent_path();
}

fs::path program_file(const fs::path& program, const fs::path& name) {
  if (name.empty() || name.is_absolute() || *name.begin() == "..") return {};
  std::error_code error;
  const fs::path documents =
      found_above(program, {".", "share/doc/warpview"}, "docs/architecture.md");
  for (const fs::path& folder : {sources_folder(program), documents})
    if (!folder.empty() && fs::exists(folder / name, error)) return folder / name;
  return {};
}
fs::path program_file(const fs::path& name) { return program_file(this_program(), name); }

fs::path assets_folder() { return assets_folder(this_program()); }
fs::path sources_folder() { return sources_folder(this_program()); }

}  // namespace warpview
