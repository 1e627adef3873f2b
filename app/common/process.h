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

// Finds a program by its name, in these folders first and then in PATH; a name with a slash is used
// as it is. Empty if there is no such executable file.
std::filesystem::path find_program(std::string_view name,
                                   const std::vector<std::filesystem::path>& folders = {});

struct ProcessResult {
  int code = -1;           // as in the shell: 128 plus the signal that ended it
  bool timed_out = false;  // and was stopped
  bool cancelled = false;  // and was stopped
  std::string out, err;
};

// The bounds within which a program runs.
struct ProcessLimits {
  std::chrono::milliseconds time{20'000};
  std::size_t bytes = std::size_t{64} << 20U;  // of its output; beyond it, it is stopped
  const std::atomic<bool>* cancelled = nullptr;
  // How long a stopped program may take to end after SIGTERM, before it is killed: it may have to
  // remove files and stop processes of its own.
  std::chrono::milliseconds grace{0};
  std::function<void(std::string_view)> on_line{};  // each line of its stdout, as it comes
};
// Runs a program and waits; its stdin is empty. `path` comes before PATH in its environment. Error
// if it cannot be started.
ProcessResult run_process(const std::vector<std::string>& words, const ProcessLimits& limits,
                          const std::filesystem::path& path = {});

// A program that runs on its own, without stdin, stdout and stderr.
class LaunchedProcess {
 public:
  // Error if it cannot be started.
  explicit LaunchedProcess(const std::vector<std::string>& words);
  const std::string& name() const { return name_; }
  // Its ProcessResult::code; none while it runs.
  std::optional<int> ended() const;

 private:
  std::string name_;
  pid_t process_;
};

}  // namespace warpview
