#include "gpu/runtime/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_system_error() { throw std::system_error(errno, std::generic_category()); }

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, mode_t mode = 0)
      : number_(open(path.c_str(), flags | O_WRONLY | O_CLOEXEC | O_NOCTTY, mode)) {
    if (number_ < 0) throw_system_error();
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Some systems tell of a full disk only now.
  void close() {
    if (::close(std::exchange(number_, -1)) != 0) throw_system_error();
  }

 private:
  int number_;
};

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_system_error();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// stdout or stderr, if that is the file: what is written elsewhere to it must come in turn, and
// where it appends so must this.
std::optional<int> own_output(const struct stat& file) {
  for (std::FILE* stream : {stdout, stderr}) {
    const int descriptor = fileno(stream);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0 || status.st_dev != file.st_dev ||
        status.st_ino != file.st_ino)
      continue;
    if (std::fflush(stream) != 0) throw_system_error();
    return descriptor;
  }
  return {};
}

// Where the links lead that `path` may be.
fs::path link_target(fs::path path) {
  constexpr int most_links = 40;  // as Linux has it
  std::error_code none;
  for (int i = 0; i < most_links && fs::is_symlink(path, none); ++i)
    path = path.parent_path() / fs::read_symlink(path);  // or the latter alone if it is absolute
  return path;
}

// A new file that is removed again unless it is given its name.
class PartFile {
 public:
  explicit PartFile(const fs::path& target) : target_(target) {
    constexpr mode_t for_all = 0666;  // as far as the umask lets
    while (!file_) {
      path_ = next_name(target);
      try {
        file_.emplace(path_, O_CREAT | O_EXCL, for_all);
      } catch (const std::system_error& error) {
        if (error.code() != std::errc::file_exists) throw;
      }
    }
  }
  ~PartFile() {
    if (file_) unlink(path_.c_str());
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  int descriptor() const { return file_->number(); }
  // Owner and permissions as of `before`, as far as one may give a file away.
  void take_after(const struct stat& before) const {
    constexpr mode_t permissions = 0777;
    [[maybe_unused]] const int not_given = fchown(descriptor(), before.st_uid, before.st_gid);
    if (fchmod(descriptor(), before.st_mode & permissions) != 0) throw_system_error();
  }
  void name() {
    // Some file systems have nothing to see onto a disk.
    if (fsync(descriptor()) != 0 && errno != EINVAL && errno != ENOTSUP) throw_system_error();
    file_->close();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) throw_system_error();
    file_.reset();
  }

 private:
  // Unlike any other's that writes now: of this process and call.
  static fs::path next_name(const fs::path& target) {
    static std::atomic<unsigned> calls = 0;
    return target.parent_path() /
           (".warpview-" + std::to_string(getpid()) + "-" + std::to_string(calls++) + ".part");
  }

  const fs::path& target_;
  fs::path path_;
  std::optional<Descriptor> file_;
};

void write_file(const fs::path& path, std::string_view bytes) {
  struct stat before {};
  const bool exists = stat(path.c_str(), &before) == 0;
  if (!exists && errno != ENOENT) throw_system_error();
  if (exists) {
    if (const auto descriptor = own_output(before)) return write_all(*descriptor, bytes);
    Descriptor as_it_stands(path, 0);  // which also tells whether it may be written
    if (!S_ISREG(before.st_mode)) {
      write_all(as_it_stands.number(), bytes);
      return as_it_stands.close();
    }
  }
  const fs::path target = link_target(path);
  PartFile part(target);
  if (exists) part.take_after(before);
  write_all(part.descriptor(), bytes);
  part.name();
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view bytes) {
  try {
    write_file(path, bytes);
  } catch (const std::system_error& error) {
    throw Error(path.string(), "the file cannot be written: " + error.code().message(),
                "Check the folder, its permissions and the space left");
  }
}

}  // namespace warpview
