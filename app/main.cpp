#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <system_error>

#include "app/common/trouble.h"
#include "app/gl/address_space.h"
#include "app/headless.h"
#include "app/lab_command.h"
#include "app/lists.h"
#include "app/message.h"
#include "app/options.h"
#include "app/report.h"
#include "app/scene_loader.h"
#include "app/window/window.h"
#include "gpu/runtime/cpu/thread_stacks.h"

namespace {

using namespace warpview;

// Without a display there is a picture in a file instead of a window: warpview.png, or what the
// environment says (./run keeps it among what was built).
int view(const Options& options) {
  try {
    Model model;
    return run_window(model, options);
  } catch (const NoWindowError& error) {
    fmt::print(stderr, "warpview: {}\n", printable(error.what()));
  }
  Options without_window = options;
  const char* file = std::getenv("WARPVIEW_PICTURE");
  without_window.screenshot = file != nullptr && *file != '\0' ? file : "warpview.png";
  Model model;
  const int code = run_headless(model, without_window);
  fmt::print("Rendered without a window: {}\n",
             printable(std::filesystem::absolute(without_window.screenshot).string()));
  return code;
}

int run(const Options& options) {
  switch (options.command) {
    case Options::Command::list_backends:
      fmt::print("{}", list_backends_as_text());
      return exit_success;
    case Options::Command::list_variants:
      if (options.json)
        fmt::print("{}\n", catalogue_as_json().dump(2));
      else
        fmt::print("{}", options.markdown ? list_variants_as_markdown() : list_variants_as_text());
      return exit_success;
    case Options::Command::list_scenes:
      fmt::print("{}", options.json ? scenes_as_json().dump(2) + "\n" : list_scenes_as_text());
      return exit_success;
    case Options::Command::lab:
      return run_lab(options);
    case Options::Command::headless: {
      Model model;
      return run_headless(model, options);
    }
    case Options::Command::view:
      return view(options);
  }
  return exit_usage;
}

int fail(int code, const std::exception& error) {
  fmt::print(stderr, "warpview: {}\n", printable(in_words(error)));
  return code;
}

int fail_to_print(std::error_code reason) {
  fmt::print(stderr, "warpview: the standard output cannot be written: {}\n", reason.message());
  return exit_failure;
}

int run_command_line(int argc, char** argv) {
  try {
    require_stack();
    int exit_code = exit_success;
    const auto options = parse_options(argc, argv, exit_code);
    return options ? run(*options) : exit_code;
  } catch (const ChoiceError& error) {
    return fail(exit_usage, error);
  } catch (const InputError& error) {
    return fail(exit_input, error);
  } catch (const UnavailableError& error) {
    return fail(exit_unavailable, error);
  } catch (const std::system_error& error) {
    return std::ferror(stdout) != 0 ? fail_to_print(error.code()) : fail(exit_failure, error);
  } catch (const std::exception& error) {
    return fail(exit_failure, error);
  }
}

// What was printed is out only when nothing of it is left in the program.
int finish_output(int exit_code) {
  if (std::fflush(stdout) == 0) return exit_code;
  const int failed = fail_to_print({errno, std::generic_category()});
  return exit_code == exit_success ? failed : exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  // A file that may not grow is then an error like a full disk. A reader that goes away ends the
  // program, as usual.
  std::signal(SIGXFSZ, SIG_IGN);
  share_heap_under_limit();
  widen_thread_stacks();
  explain_crashes_under_limit(exit_failure);
  return finish_output(run_command_line(argc, argv));
}
