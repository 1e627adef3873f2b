// Runs the built program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/render/screenshot.h"
#include "tests/support/files.h"

namespace warpview::test {

inline constexpr const char* small_scene = "generated:sphere:500";

struct ProgramResult {
  int code = -1;  // exit code; -1 when a signal ended the program
  std::string out;
  std::string err;
};

// How the shell runs the program.
struct ShellSetting {
  std::string before;  // commands in front, with what ends them: "ulimit -f 2; "
  std::string out;     // where stdout goes, ">/dev/full"; empty: into ProgramResult::out
};

// Each argument arrives as it is.
ProgramResult run_program(const std::vector<std::string>& arguments,
                          const ShellSetting& setting = {});

// The same picture. Boxes are appended in any order, so their blending may round otherwise.
void expect_alike(const Picture& a, const Picture& b);

// An empty folder for the files of the test that runs now.
std::filesystem::path test_folder();

}  // namespace warpview::test
