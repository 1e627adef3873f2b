// Tells when files that a scene was made from were written.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace warpview {

// What tells one version of a file from another.
struct FileStamp {
  std::filesystem::file_time_type modified{};
  std::uintmax_t bytes = 0;

  bool operator==(const FileStamp&) const = default;
};
// None: there is no such file now, or it tells nothing.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

// A file as it was when it was read.
struct ReadFile {
  std::filesystem::path path;
  std::optional<FileStamp> stamp;
};

// Finds changes by looking now and then.
class FileChanges {
 public:
  FileChanges() = default;
  explicit FileChanges(std::vector<ReadFile> files);
  // Was one of them written since it was read, and are all as they were at the last look? Who
  // writes a file in pieces, or several files, is then done. Says so once for each change. A file
  // that is gone is waited for: programs put another one in its place.
  bool look();

 private:
  struct Watched {
    ReadFile read;
    std::optional<FileStamp> seen;  // at the last look
  };
  std::vector<Watched> files_;
};

// Looks on a thread of its own, which is there while there is something to look at.
class FileWatch {
 public:
  static constexpr std::chrono::milliseconds usual_period{1000};

  // `news` is called on that thread after each change.
  explicit FileWatch(std::function<void()> news, std::chrono::milliseconds period = usual_period);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // From now on these, and nothing of what was found out about others; empty: none.
  void watch(std::vector<ReadFile> files);
  // Was there a change since the last call?
  bool take_change() { return changed_.exchange(false); }

 private:
  void run();
  void stop();

  const std::function<void()> news_;
  const std::chrono::milliseconds period_;
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool ends_ = false;
  FileChanges changes_;
  std::atomic<bool> changed_{false};
  std::thread thread_;
};

}  // namespace warpview
