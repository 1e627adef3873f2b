#include "app/common/module_build.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "app/common/process.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// The program's build folder, in whose bin/ it lies. Empty if the program is installed.
fs::path build_tree(const SourceModule& module) {
  const fs::path tree = module.path().parent_path().parent_path();
  std::error_code unreadable;
  return fs::exists(tree / "CMakeCache.txt", unreadable) ? tree : fs::path();
}

bool should_be_built(const SourceModule& module) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
  if (std::getenv(module.variable) != nullptr) return false;
  const ModuleState state = module.state();
  return state == ModuleState::missing || state == ModuleState::of_other_sources;
}

// The last lines of a compiler's output.
std::string end_of(const std::string& text) {
  constexpr std::size_t most = 1500;
  if (text.size() <= most) return text;
  return "..." + text.substr(text.find('\n', text.size() - most));
}

}  // namespace

std::string module_build_progress(std::string_view line, std::string_view name) {
  unsigned done = 0;
  unsigned all = 0;
  if (!line.starts_with('[')) return {};
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data() + 1, end, done);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return {};
  const auto second = std::from_chars(first.ptr + 1, end, all);
  if (second.ec != std::errc() || all == 0 || done > all) return {};
  return fmt::format("Building the {}, once: step {} of {}, {} %", name, done, all,
                     100ULL * done / all);
}

void build_module(const SourceModule& module, const std::function<void(const std::string&)>& tell,
                  const std::atomic<bool>* cancelled) {
  const fs::path tree = should_be_built(module) ? build_tree(module) : fs::path();
  if (tree.empty()) return;
  tell(fmt::format("Building the {}, once", module.name));
  ProcessLimits limits{
      .time = std::chrono::hours(6), .cancelled = cancelled, .grace = std::chrono::seconds(10)};
  limits.on_line = [&](std::string_view line) {
    if (const std::string words = module_build_progress(line, module.name); !words.empty())
      tell(words);
  };
  const std::string target(module.target);
  // Ninja's default status line, even if the user has set another.
  const ProcessResult built = run_process(
      {"env", "-u", "NINJA_STATUS", "cmake", "--build", tree.string(), "--target", target}, limits);
  if (built.cancelled) throw Interrupted();
  if (built.code != 0)
    throw UnavailableError(
        fmt::format("building the {} in {}", module.name, tree.string()),
        fmt::format("cmake ended with {}:\n{}{}", built.code, end_of(built.out), end_of(built.err)),
        "See the error with: cmake --build " + tree.string() + " --target " + target);
}

}  // namespace warpview
