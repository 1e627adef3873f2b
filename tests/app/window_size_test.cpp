// The window's size over several starts: the arithmetic, and the program itself where a virtual
// display can be had.
#include "app/window/window_size.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "app/panels/settings.h"
#include "tests/app/program.h"

namespace warpview {

void PrintTo(const WindowSize& size, std::ostream* out) {
  *out << size.width << " x " << size.height;
}

namespace {

TEST(WindowSize, IsScaledWhereUnitsArePixels) {
  EXPECT_EQ(scaling_of({1800, 1200}, {1800, 1200}, 2.0F), 2.0F);
  EXPECT_EQ(scaling_of({900, 600}, {1800, 1200}, 2.0F), 1.0F);
  EXPECT_EQ(scaling_of({900, 600}, {900, 600}, 1.0F), 1.0F);
  EXPECT_EQ(scaling_of({0, 0}, {0, 0}, 2.0F), 1.0F);  // minimised, on some systems
}

TEST(WindowSize, IsTheSameAtEveryStart) {
  for (const float scaling : {0.75F, 1.0F, 1.0833333F, 1.1F, 1.25F, 1.5F, 2.0F, 2.3F, 3.0F}) {
    for (int width = 320; width < 4000; ++width) {
      const WindowSize first = scaled({width, width / 2}, scaling);
      const WindowSize remembered = unscaled(first, scaling);
      EXPECT_EQ(scaled(remembered, scaling), first) << width << " times " << scaling;
      EXPECT_LE(remembered.width, width);
    }
  }
  EXPECT_EQ(unscaled({1800, 1200}, 2.0F), (WindowSize{900, 600}));
  // No start gives an odd size there; a user may.
  EXPECT_EQ(unscaled({1801, 1200}, 2.0F), (WindowSize{901, 600}));
}

TEST(WindowSize, FitsAMonitor) {
  const std::vector<WindowSize> monitors = {{1920, 1040}, {3840, 2160}};
  EXPECT_EQ(fitted({1280, 800}, monitors), (WindowSize{1280, 800}));
  EXPECT_EQ(fitted({3840, 2160}, monitors), (WindowSize{3840, 2160}));
  EXPECT_EQ(fitted({3000, 2161}, monitors), (WindowSize{1920, 1040}));
  EXPECT_EQ(fitted({4000, 500}, monitors), (WindowSize{1920, 500}));
  EXPECT_EQ(fitted({4000, 500}, {}), (WindowSize{4000, 500}));
}

// Starts the program three times, on a display of 1920 x 1080 whose desktop is scaled by 2 and
// where no window manager has a say, with `size` in its settings. Returns the size that it
// remembers after each.
std::vector<WindowSize> sizes_after_starts(WindowSize size) {
  const std::filesystem::path config = test::test_folder() / "config";
  Settings settings;
  settings.width = size.width;
  settings.height = size.height;
  EXPECT_TRUE(save_settings(settings, config / "warpview"));
  const std::filesystem::path script = test::test_folder() / "starts.sh";
  std::ofstream(script) << "set -e\n"
                           "xprop -root -format RESOURCE_MANAGER 8s"
                           " -set RESOURCE_MANAGER 'Xft.dpi: 192'\n"
                           "cd '"
                        << config.string()
                        << "'\n"
                           "for start in 1 2 3; do\n"
                           "  XDG_CONFIG_HOME=$PWD " WARPVIEW_PROGRAM
                           " --backend cpu --frames 2 generated:sphere:500\n"
                           "  mkdir -p after$start\n"
                           "  cp warpview/settings.txt after$start\n"
                           "done\n";
  const std::string command =
      "env -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 "
      "xvfb-run --auto-servernum --server-args='-screen 0 1920x1080x24 -noreset' sh '" +
      script.string() + "' </dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): the point of it
  std::vector<WindowSize> sizes;
  for (const char* after : {"after1", "after2", "after3"}) {
    const Settings then = load_settings(config / after);
    sizes.push_back({then.width, then.height});
  }
  return sizes;
}

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;  // NOLINT
}

TEST(WindowSize, OfTheProgramIsTheSameAtEveryStart) {
  for (const char* program : {"xvfb-run", "Xvfb", "xauth", "xprop"})
    if (!is_installed(program))
      GTEST_SKIP() << program << " is not installed: apt install xvfb xauth x11-utils";
  const WindowSize small = {800, 500};
  EXPECT_EQ(sizes_after_starts(small), (std::vector<WindowSize>(3, small)));
  // Fits no monitor: as much of it as does.
  const WindowSize most = {960, 540};
  EXPECT_EQ(sizes_after_starts({3600, 2135}), (std::vector<WindowSize>(3, most)));
}

}  // namespace
}  // namespace warpview
