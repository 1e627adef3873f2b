#include "app/file_watch.h"

#include <system_error>
#include <utility>

#include "app/common/trouble.h"

namespace warpview {

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  std::error_code error;
  FileStamp stamp;
  stamp.modified = std::filesystem::last_write_time(file, error);
  if (error) return {};
  stamp.bytes = std::filesystem::file_size(file, error);
  if (error) return {};
  return stamp;
}

FileChanges::FileChanges(std::vector<ReadFile> files) {
  for (ReadFile& file : files) {
    const std::optional<FileStamp> seen = file.stamp;
    files_.push_back({std::move(file), seen});
  }
}

bool FileChanges::look() {
  bool changed = false;
  bool rests = true;
  for (Watched& file : files_) {
    const std::optional<FileStamp> now = stamp_of(file.read.path);
    rests &= std::exchange(file.seen, now) == now;
    changed |= now && now != file.read.stamp;
  }
  if (!changed || !rests) return false;
  for (Watched& file : files_)
    if (file.seen) file.read.stamp = file.seen;
  return true;
}

FileWatch::FileWatch(std::function<void()> news, std::chrono::milliseconds period)
    : news_(std::move(news)), period_(period) {}

FileWatch::~FileWatch() { stop(); }

void FileWatch::watch(std::vector<ReadFile> files) {
  stop();
  changed_ = false;
  if (files.empty()) return;
  changes_ = FileChanges(std::move(files));
  ends_ = false;
  thread_ = start_thread<std::thread>([this] { run(); });
}

void FileWatch::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  wakes_.notify_all();
  thread_.join();
}

void FileWatch::run() {
  std::unique_lock lock(mutex_);
  while (!wakes_.wait_for(lock, period_, [this] { return ends_; })) {
    if (!changes_.look()) continue;
    changed_ = true;
    if (news_) news_();
  }
}

}  // namespace warpview
