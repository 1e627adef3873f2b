// Other programs, started without a shell: each word arrives as it is.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// A program by its name, in these folders first and then in those of PATH; a name with a slash is
// taken as it is. Empty where no such file can be run.
std::filesystem::path find_program(std::string_view name,
                                   const std::vector<std::filesystem::path>& folders = {});

struct ProcessResult {
  int code = -1;           // as the shell has it: 128 and more where a signal ended it
  bool timed_out = false;  // and was ended
  bool cancelled = false;  // the same
  std::string out, err;
};

// What a program prints, within these bounds.
struct ProcessLimits {
  std::chrono::milliseconds time{20'000};
  std::size_t bytes = std::size_t{64} << 20U;  // of its output; more ends it, as the time does
  const std::atomic<bool>* cancelled = nullptr;
  // How long a program that is stopped may take to end by SIGTERM, before it is killed: one that
  // has files to remove and programs of its own to stop.
  std::chrono::milliseconds grace{0};
  std::function<void(std::string_view)> on_line{};  // each line of its stdout, as it comes
};
// Runs it and waits; its stdin is empty. `path` comes before PATH in its environment. Error where
// it cannot be started.
ProcessResult run_process(const std::vector<std::string>& words, const ProcessLimits& limits,
                          const std::filesystem::path& path = {});

// A program that goes on by itself, with nothing to read or to print to.
class LaunchedProcess {
 public:
  // Error where it cannot be started.
  explicit LaunchedProcess(const std::vector<std::string>& words);
  const std::string& name() const { return name_; }
  // How it ended, as ProcessResult::code; none while it runs.
  std::optional<int> ended() const;

 private:
  std::string name_;
  pid_t process_;
};

}  // namespace warpview
