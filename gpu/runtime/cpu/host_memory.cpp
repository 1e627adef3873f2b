#include "gpu/runtime/cpu/host_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/runtime/cpu/address_space.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

// The number at the beginning of a file; none if there is no such file or it says "max".
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

// The number after a key, in a file of such lines.
std::uint64_t number_behind(const fs::path& path, std::string_view key, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::string word;
  std::uint64_t number = 0;
  while (file >> word >> number) {
    if (word == key) return number;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return otherwise;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

// Names of a control group's files.
struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* inactive_files;  // keys of memory.stat
  const char* active_files;
};
constexpr GroupFiles version_2 = {"memory.max", "memory.current", "inactive_file", "active_file"};
constexpr GroupFiles version_1 = {"memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file", "total_active_file"};

std::uint64_t left_in_group(const fs::path& folder, const GroupFiles& names) {
  const auto limit = number_in(folder / names.limit);
  if (!limit) return unlimited;
  const fs::path statistics = folder / "memory.stat";
  const std::uint64_t cached = number_behind(statistics, names.inactive_files, 0) +
                               number_behind(statistics, names.active_files, 0);
  const std::uint64_t used = number_in(folder / names.usage).value_or(0);
  return left_of(*limit, left_of(used, cached));
}

// A group's limit applies to all groups inside it. In a container the path may not be visible from
// inside: then the outermost folder is the container's.
std::uint64_t left_in_groups(const fs::path& hierarchy, const fs::path& group,
                             const GroupFiles& names) {
  std::uint64_t least = left_in_group(hierarchy, names);
  fs::path folder = hierarchy;
  for (const fs::path& part : group.relative_path()) {
    if (part == "..") break;
    folder /= part;
    least = std::min(least, left_in_group(folder, names));
  }
  return least;
}

// Lines of /proc/self/cgroup are "4:memory:/a/b", or "0::/a/b" for version 2.
std::uint64_t left_in_control_groups(const fs::path& root) {
  std::uint64_t least = unlimited;
  const fs::path mounted = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    if (first == std::string::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, left_in_groups(mounted, group, version_2));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_in_groups(mounted / "memory", group, version_1));
  }
  return least;
}

}  // namespace

std::uint64_t address_space_available(const fs::path& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::uint64_t pages = number_in(root / "proc/self/statm").value_or(0);
  return left_of(limit.rlim_cur, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

std::uint64_t host_memory_available(const fs::path& root) {
  const std::uint64_t kibibytes =
      number_behind(root / "proc/meminfo", "MemAvailable:", unlimited / 1024);
  return std::min({kibibytes < unlimited / 1024 ? kibibytes * 1024 : unlimited,
                   left_in_control_groups(root), address_space_available(root)});
}

}  // namespace warpview
