#include "gpu/runtime/amd_gpus.h"

#include <gtest/gtest.h>

#include <fstream>

#include "gpu/runtime/error.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

// A node as the driver shows it: a CPU has the version 0.
void add_node(const std::filesystem::path& folder, const char* name, const char* version) {
  std::filesystem::create_directories(folder / name);
  std::ofstream(folder / name / "properties")
      << "cpu_cores_count 0\nsimd_count 144\nunique_id 18446744073709551615\ngfx_target_version "
      << version << "\nvendor_id 4098\n";
}

TEST(AmdGpus, AreThoseOfTheDriversNodes) {
  const TemporaryFolder folder;
  EXPECT_TRUE(amd_gpus(folder.path() / "none").empty());
  add_node(folder.path(), "0", "0");
  EXPECT_TRUE(amd_gpus(folder.path()).empty());
  add_node(folder.path(), "1", "90010");
  add_node(folder.path(), "2", "100300");
  add_node(folder.path(), "3", "110000");
  add_node(folder.path(), "4", "90006");
  std::filesystem::create_directories(folder.path() / "5");  // without properties
  EXPECT_EQ(amd_gpus(folder.path()),
            (std::vector<std::string>{"gfx1030", "gfx1100", "gfx906", "gfx90a"}));
}

TEST(AmdGpus, WithoutCodeMakeHipUnavailable) {
  const std::vector<std::string> compiled = {"gfx1030", "gfx90a"};
  EXPECT_NO_THROW(check_compiled_for({}, compiled));
  EXPECT_NO_THROW(check_compiled_for({"gfx90a", "gfx90a", "gfx1030"}, compiled));
  try {
    check_compiled_for({"gfx1030", "gfx1100"}, compiled);
    ADD_FAILURE() << "was not refused";
  } catch (const UnavailableError& error) {
    EXPECT_STREQ(error.what(),
                 "backend hip: this machine has a GPU of architecture gfx1100, and the program was "
                 "compiled for gfx1030 and gfx90a. Build it with "
                 "-DWARPVIEW_HIP_ARCHITECTURES=gfx1100, or hide that GPU by ROCR_VISIBLE_DEVICES");
  }
}

}  // namespace
}  // namespace warpview
