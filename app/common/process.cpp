#include "app/common/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

// An end of a pipe.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }
  void reset() { Descriptor(std::move(*this)); }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw Error("a pipe to another program", reason(errno), "");
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
  }
};

// posix_spawn's lists, and their contents.
class Setup {
 public:
  Setup() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // This program ignores and blocks signals that other programs need.
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int each : {SIGXFSZ, SIGPIPE, SIGINT, SIGTERM}) sigaddset(&usual, each);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
  }
  ~Setup() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  void connect(const Descriptor& from, int to) {
    posix_spawn_file_actions_adddup2(&actions_, from.get(), to);
  }
  void silence(int number) {
    posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_WRONLY, 0);
  }

  // `flags` is added to those that are always set.
  pid_t start(const std::vector<std::string>& words, int flags, char* const* environment) {
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags));  // NOLINT
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int error = posix_spawnp(&process, words.front().c_str(), &actions_, &attributes_,
                                   arguments.data(), environment);
    if (error != 0)
      throw Error("starting " + words.front(), reason(error), "Is it installed, and in PATH?");
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

// The exit code as a shell reports it.
int code_of(int status) {
  constexpr int signal_base = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status);
}

// This program's environment with a folder in front of PATH.
class Environment {
 public:
  explicit Environment(const fs::path& path) {
    const char* const usual = std::getenv("PATH");
    path_ = "PATH=" + path.string() + (usual != nullptr ? ":" + std::string(usual) : "");
    for (char** each = environ; *each != nullptr; ++each)
      if (path.empty() || !std::string_view(*each).starts_with("PATH=")) words_.push_back(*each);
    if (!path.empty()) words_.push_back(path_.data());
    words_.push_back(nullptr);
  }
  char* const* get() const { return words_.data(); }

 private:
  std::string path_;
  std::vector<char*> words_;
};

// Reads what is available now. False at the end of the output.
bool take(const Descriptor& from, std::string& text) {
  std::array<char, 1U << 16U> piece;
  const ssize_t size = ::read(from.get(), piece.data(), piece.size());
  if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
  return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

// Reports the complete lines of `text` from a place on. Returns where the incomplete rest begins.
std::size_t tell_lines(const std::string& text, std::size_t from,
                       const std::function<void(std::string_view)>& tell) {
  for (std::size_t end = text.find('\n', from); end != std::string::npos;
       end = text.find('\n', from)) {
    tell(std::string_view(text).substr(from, end - from));
    from = end + 1;
  }
  return from;
}

}  // namespace

fs::path find_program(std::string_view name, const std::vector<fs::path>& folders) {
  const auto can_run = [](const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string_view::npos) return can_run(name) ? fs::path(name) : fs::path();
  for (const fs::path& folder : folders)
    if (!folder.empty() && can_run(folder / name)) return folder / name;
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path folder(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (folder.is_absolute() && can_run(folder / name)) return folder / name;
  }
  return {};
}

ProcessResult run_process(const std::vector<std::string>& words, const ProcessLimits& limits,
                          const fs::path& path) {
  using Clock = std::chrono::steady_clock;
  Pipe out;
  Pipe err;
  Setup setup;
  setup.connect(out.write, STDOUT_FILENO);
  setup.connect(err.write, STDERR_FILENO);
  // In a process group of its own, so that its children end with it.
  const pid_t process = setup.start(words, POSIX_SPAWN_SETPGROUP, Environment(path).get());
  out.write.reset();
  err.write.reset();

  ProcessResult result;
  const auto end = Clock::now() + limits.time;
  std::array<pollfd, 2> ends = {pollfd{out.read.get(), POLLIN, 0},
                                pollfd{err.read.get(), POLLIN, 0}};
  std::size_t told = 0;
  const auto is_open = [&ends] { return ends[0].fd >= 0 || ends[1].fd >= 0; };
  const auto read_on = [&] {
    constexpr int nap = 50;  // milliseconds, for news of being cancelled
    if (poll(ends.data(), ends.size(), nap) <= 0) return;
    if (ends[0].revents != 0 && !take(out.read, result.out)) ends[0].fd = -1;
    if (ends[1].revents != 0 && !take(err.read, result.err)) ends[1].fd = -1;
    if (limits.on_line) told = tell_lines(result.out, told, limits.on_line);
  };
  bool stopped = false;
  while (!stopped && is_open()) {
    read_on();
    result.cancelled = limits.cancelled != nullptr && limits.cancelled->load();
    result.timed_out = Clock::now() >= end || result.out.size() + result.err.size() > limits.bytes;
    stopped = result.cancelled || result.timed_out;
  }
  if (stopped && limits.grace.count() > 0) {
    kill(-process, SIGTERM);
    const auto patience = Clock::now() + limits.grace;
    while (is_open() && Clock::now() < patience) read_on();
  }
  if (stopped) kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  result.code = code_of(status);
  return result;
}

LaunchedProcess::LaunchedProcess(const std::vector<std::string>& words) : name_(words.at(0)) {
  Setup setup;
  setup.silence(STDOUT_FILENO);
  setup.silence(STDERR_FILENO);
  process_ = setup.start(words, POSIX_SPAWN_SETSID, environ);
}

std::optional<int> LaunchedProcess::ended() const {
  int status = 0;
  const pid_t found = waitpid(process_, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return {};
  return found < 0 ? 0 : code_of(status);
}

}  // namespace warpview
