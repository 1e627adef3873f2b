#include "app/common/source_files.h"

#include <algorithm>
#include <cctype>

#include "kernel_source.h"

namespace warpview {
namespace {

bool is_embedded(std::string_view name) {
  const auto names = kernel_source_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

void add(std::vector<std::string>& files, std::string_view name) {
  if (std::find(files.begin(), files.end(), name) == files.end()) files.emplace_back(name);
}

void add_included(std::vector<std::string>& files, const std::string& by) {
  const std::string_view source = kernel_source(by);
  constexpr std::string_view include = "#include \"";
  for (std::size_t at = source.find(include); at != std::string_view::npos;
       at = source.find(include, at + 1)) {
    const std::size_t begin = at + include.size();
    const std::string_view name = source.substr(begin, source.find('"', begin) - begin);
    if (is_embedded(name)) add(files, name);
  }
}

bool in_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The line of a kernel's definition; -1 if there is none.
int definition_in(std::string_view source, std::string_view name) {
  constexpr std::string_view mark = "__global__";
  // Only its type and launch bounds may stand between the mark and the name.
  constexpr std::size_t farthest = 240;
  for (std::size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end >= source.size() || source[end] != '(') continue;
    if (at > 0 && in_identifier(source[at - 1])) continue;
    const std::size_t begin = source.rfind(mark, at);
    if (begin == std::string_view::npos || at - begin > farthest) continue;
    // No other kernel's body is in between.
    if (source.substr(begin, at - begin).find_first_of("{};") != std::string_view::npos) continue;
    return static_cast<int>(
        std::count(source.begin(), source.begin() + static_cast<long>(at), '\n'));
  }
  return -1;
}

}  // namespace

std::string_view bare_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t colon = kernel.rfind(':');
  return colon == std::string_view::npos ? kernel : kernel.substr(colon + 1);
}

std::vector<std::string> source_files(const Variant& variant,
                                      std::span<const LaunchRecord> launches) {
  std::vector<std::string> files = {variant.file};
  if (!is_embedded(variant.file)) return files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string file = files[i];
    add_included(files, file);
  }
  const auto all = kernel_source_names();
  const std::vector<std::string> others(all.begin(), all.end());
  for (const LaunchRecord& launch : launches) {
    if (find_kernel(files, launch.kernel)) continue;
    if (const auto place = find_kernel(others, launch.kernel)) add(files, place->file);
  }
  return files;
}

std::optional<KernelPlace> find_kernel(std::span<const std::string> files,
                                       std::string_view launched) {
  const std::string_view name = bare_name(launched);
  for (const std::string& file : files) {
    if (!is_embedded(file)) continue;
    if (const int line = definition_in(kernel_source(file), name); line >= 0)
      return KernelPlace{file, line};
  }
  return {};
}

}  // namespace warpview
