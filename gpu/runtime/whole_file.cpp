#include "gpu/runtime/whole_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
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
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  // Waits where the file has no room: a pipe's reader may be slow.
  void wait_for_room() const {
    const int flags = fcntl(number_, F_GETFL);
    if (flags < 0 || fcntl(number_, F_SETFL, flags & ~O_NONBLOCK) < 0) throw_system_error();
  }
  // Some systems report a full disk only now.
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

// stdout or stderr, if that is the file: this output must keep its order with other output to it,
// and append where that appends.
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

// The target of `path`, which may be a link.
fs::path link_target(fs::path path) {
  constexpr int most_links = 40;  // as Linux has it
  std::error_code none;
  for (int i = 0; i < most_links && fs::is_symlink(path, none); ++i)
    path = path.parent_path() / fs::read_symlink(path);  // or the latter alone if it is absolute
  return path;
}

// ---- Unfinished files --------------------------------------------------------------------------

// Their names identify their writer: ".warpview-<process>-<call>.part". A writer also holds a lock
// on its file, because a process number means nothing in another container or on another machine.
constexpr std::string_view part_begin = ".warpview-";
constexpr std::string_view part_end = ".part";

std::string part_name(pid_t process, unsigned call) {
  return std::string(part_begin) + std::to_string(process) + "-" + std::to_string(call) +
         std::string(part_end);
}

// The process that writes the file, if it is an unfinished one.
std::optional<pid_t> process_of_part(const std::string& name) {
  if (!name.starts_with(part_begin) || !name.ends_with(part_end)) return {};
  pid_t process = 0;
  unsigned call = 0;
  const char* const end = name.data() + name.size() - part_end.size();
  const auto first = std::from_chars(name.data() + part_begin.size(), end, process);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-' || process <= 0) return {};
  const auto second = std::from_chars(first.ptr + 1, end, call);
  // Rejects other spellings of the same numbers.
  if (second.ec != std::errc() || name != part_name(process, call)) return {};
  return process;
}

bool is_alive(pid_t process) { return kill(process, 0) == 0 || errno != ESRCH; }

// Removes the file of a process that has ended, if no process holds its lock.
void remove_part(const fs::path& path) {
  const int number = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (number < 0) return;
  const Descriptor file(number);
  struct stat status {};
  if (fstat(number, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      flock(number, LOCK_EX | LOCK_NB) == 0)
    unlink(path.c_str());
}

// Once for each folder: listing a large folder may take a while.
void remove_parts_left_behind(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  {
    const std::lock_guard lock(mutex);
    if (!known.insert(folder).second) return;
  }
  std::error_code none;
  fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, none);
  for (; !none && entry != fs::directory_iterator(); entry.increment(none))
    if (const auto process = process_of_part(entry->path().filename().string());
        process && !is_alive(*process))
      remove_part(entry->path());
}

// A new file that is removed again unless it is given its name.
class PartFile {
 public:
  explicit PartFile(const fs::path& target) : target_(target) {
    constexpr mode_t for_all = 0666;  // as far as the umask allows
    while (!file_) {
      path_ = next_name(target);
      try {
        file_.emplace(path_, O_CREAT | O_EXCL, for_all);
        if (!hold()) file_.reset();
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
  // Sets owner and permissions as in `before`, as far as the system allows giving a file away.
  void take_after(const struct stat& before) const {
    constexpr mode_t permissions = 0777;
    [[maybe_unused]] const int not_given = fchown(descriptor(), before.st_uid, before.st_gid);
    if (fchmod(descriptor(), before.st_mode & permissions) != 0) throw_system_error();
  }
  void name() {
    // Some file systems cannot flush to a disk.
    if (fsync(descriptor()) != 0 && errno != EINVAL && errno != ENOTSUP) throw_system_error();
    const Descriptor still_held(dup(descriptor()));  // until it has its name
    file_->close();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) throw_system_error();
    file_.reset();
  }

 private:
  // False if another process, which sees no process of this number, is removing it just now. Where
  // a file system has no locks, no process removes files.
  bool hold() const {
    if (flock(descriptor(), LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    struct stat status {};
    return fstat(descriptor(), &status) == 0 && status.st_nlink > 0;
  }
  // Unique among current writers: process and call number.
  static fs::path next_name(const fs::path& target) {
    static std::atomic<unsigned> calls = 0;
    return target.parent_path() / part_name(getpid(), calls++);
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
    // Opening also checks that the file may be written. It does not wait for a pipe's reader.
    Descriptor as_it_stands(path, S_ISFIFO(before.st_mode) ? O_NONBLOCK : 0);
    if (!S_ISREG(before.st_mode)) {
      if (S_ISFIFO(before.st_mode)) as_it_stands.wait_for_room();
      write_all(as_it_stands.number(), bytes);
      return as_it_stands.close();
    }
  }
  const fs::path target = link_target(path);
  remove_parts_left_behind(target.parent_path());
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
    if (error.code() == std::errc::no_such_device_or_address)
      throw Error(path.string(), "no program is reading from this pipe or socket",
                  "Start its reader first, or name a file");
    throw Error(path.string(), "the file cannot be written: " + error.code().message(),
                "Check the folder, its permissions and the free disk space");
  }
}

}  // namespace warpview
