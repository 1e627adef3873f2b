#include "scenes/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

// What may help; empty where nothing is known to.
const char* remedy_of(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return "Check its permissions, and those of its parent folders";
    case ENAMETOOLONG:
      return "Check the path";
    case EMFILE:
    case ENFILE:
      return "Close other programs, or raise the limit (ulimit -n)";
    default:
      return "";
  }
}

[[noreturn]] void throw_not_opened(const std::filesystem::path& path, int error) {
  if (error == ELOOP)
    throw Error(path.string(),
                "is a symbolic link that leads to itself, or through too many others",
                "Name the target file");
  throw Error(path.string(), fmt::format("cannot be opened: {}", reason(error)), remedy_of(error));
}

}  // namespace

void throw_empty(const std::filesystem::path& path) {
  throw Error(path.string(), "the file is empty",
              fmt::format("Write it again, or open another {}", readable_files));
}

// What is no regular file is not even opened, since that alone makes some devices act; what was
// opened may be another file than the one that was looked at.
InputFile::InputFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.empty())
    throw Error("a file without a name", "an empty name cannot be opened",
                "Name a file, or omit it");
  struct stat status {};
  const auto require_regular = [&] {
    if (S_ISREG(status.st_mode)) return;
    if (S_ISDIR(status.st_mode))
      throw Error(path_.string(), "is a directory", "Name a file inside it");
    throw Error(path_.string(), "is not a regular file", "Copy its contents into a file first");
  };
  if (stat(path_.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      throw Error(path_.string(), "no such file", "Check the path");
    throw_not_opened(path_, errno);
  }
  require_regular();
  // Never waits for a pipe's other end.
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) throw_not_opened(path_, errno);
  try {
    if (fstat(descriptor_, &status) != 0) throw_not_opened(path_, errno);
    require_regular();
  } catch (...) {
    close(descriptor_);
    throw;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  modified_ = status.st_mtim;
}

bool InputFile::has_changed() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return false;
  return static_cast<std::uint64_t>(status.st_size) != size_ ||
         status.st_mtim.tv_sec != modified_.tv_sec || status.st_mtim.tv_nsec != modified_.tv_nsec;
}

std::optional<InputFile> InputFile::find(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return InputFile(path);
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      modified_(other.modified_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

int InputFile::duplicate() const {
  const int descriptor = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) throw_not_opened(path_, errno);
  return descriptor;
}

std::size_t InputFile::read(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = ::read(descriptor_, into.data() + done, into.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw Error(path_.string(), fmt::format("cannot be read: {}", reason(errno)),
                  "Check the disk that holds it");
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace warpview
