#include "gpu/runtime/cpu/host_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

namespace warpview {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t mebibyte = 1U << 20U;

// A folder with its own proc and sys.
class HostMemory : public testing::Test {
 protected:
  HostMemory() {
    fs::remove_all(root_);
    write("proc/meminfo", "MemTotal:  9999999 kB\nMemAvailable:  8192 kB\nBuffers:  1 kB\n");
  }
  ~HostMemory() override { fs::remove_all(root_); }

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  void write_bytes(const fs::path& name, std::uint64_t mebibytes) const {
    write(name, std::to_string(mebibytes * mebibyte) + "\n");
  }
  std::uint64_t available() const { return host_memory_available(root_); }

  const fs::path root_ = fs::path(testing::TempDir()) / "warpview_host_memory";
};

TEST_F(HostMemory, IsTheSystemsAvailableMemory) {
  EXPECT_EQ(available(), 8 * mebibyte);
  fs::remove(root_ / "proc/meminfo");
  EXPECT_EQ(available(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_GT(host_memory_available(), 0U);
}

TEST_F(HostMemory, IsWhatTheGroupsLimitsLeave) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write_bytes("sys/fs/cgroup/outer/inner/memory.current", 1);
  EXPECT_EQ(available(), 8 * mebibyte);
  // The limit of the enclosing group applies inside it.
  write_bytes("sys/fs/cgroup/outer/memory.max", 6);
  write_bytes("sys/fs/cgroup/outer/memory.current", 4);
  EXPECT_EQ(available(), 2 * mebibyte);
  write_bytes("sys/fs/cgroup/outer/inner/memory.max", 2);
  EXPECT_EQ(available(), 1 * mebibyte);
  // More is used than allowed, as after the limit was lowered.
  write_bytes("sys/fs/cgroup/outer/inner/memory.current", 3);
  EXPECT_EQ(available(), 0U);
}

// Files that a program has read stay in the cache until the memory is needed.
TEST_F(HostMemory, CountsCachedFilesAsFree) {
  write("proc/self/cgroup", "0::/\n");
  write_bytes("sys/fs/cgroup/memory.max", 4);
  write_bytes("sys/fs/cgroup/memory.current", 4);
  EXPECT_EQ(available(), 0U);
  write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file " + std::to_string(2 * mebibyte) +
                                         "\nactive_file " + std::to_string(mebibyte) +
                                         "\nslab 5\n");
  EXPECT_EQ(available(), 3 * mebibyte);
}

// Inside a container the path may be one of the host's.
TEST_F(HostMemory, AnInvisibleGroupIsTheOutermost) {
  for (const char* group : {"/host/container", "/../../host"}) {
    write("proc/self/cgroup", "0::" + std::string(group) + "\n");
    write_bytes("sys/fs/cgroup/memory.max", 5);
    write_bytes("sys/fs/cgroup/memory.current", 2);
    EXPECT_EQ(available(), 3 * mebibyte) << group;
  }
}

TEST_F(HostMemory, ReadsGroupsOfVersion1) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:hugetlb,memory:/job\n1:name=systemd:/y\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write_bytes("sys/fs/cgroup/memory/memory.usage_in_bytes", 100);
  EXPECT_EQ(available(), 8 * mebibyte);
  write_bytes("sys/fs/cgroup/memory/job/memory.limit_in_bytes", 5);
  write_bytes("sys/fs/cgroup/memory/job/memory.usage_in_bytes", 4);
  EXPECT_EQ(available(), 1 * mebibyte);
  write("sys/fs/cgroup/memory/job/memory.stat",
        "inactive_file 7\ntotal_inactive_file " + std::to_string(mebibyte) + "\n");
  EXPECT_EQ(available(), 2 * mebibyte);
}

// `ulimit -v`, of which mapped memory is used up.
TEST_F(HostMemory, IsWhatTheAddressSpaceLimitLeaves) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  std::uint64_t pages = 0;
  ASSERT_TRUE(std::ifstream("/proc/self/statm") >> pages);
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  fs::remove(root_ / "proc/meminfo");
  write("proc/self/statm", std::to_string(pages) + " 1 1 1 0 1 0\n");
  rlimit limited = before;
  limited.rlim_cur = used + 1024 * mebibyte;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &limited), 0);
  const std::uint64_t left = available();
  const std::uint64_t left_here = host_memory_available();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(left, 1024 * mebibyte);
  EXPECT_LE(left_here, 1100 * mebibyte);
}

}  // namespace
}  // namespace warpview
