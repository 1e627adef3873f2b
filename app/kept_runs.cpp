#include "app/kept_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "app/common/change.h"
#include "app/common/trouble.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 16'000'000;  // bytes: three times as many as runs take

// Empty where the file is not there. None: it is too large, or no file that can be read.
std::optional<std::string> contents_of(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return "";
  if (!fs::is_regular_file(status) || fs::file_size(file, error) > largest_file || error) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in) return {};
  return text;
}

// "runs-unreadable.csv", or "runs-unreadable-2.csv" and so on: the first that is not there yet.
fs::path free_name_beside(const fs::path& file) {
  for (int n = 1;; ++n) {
    fs::path free = file;
    free.replace_filename(fmt::format("{}-unreadable{}{}", file.stem().string(),
                                      n == 1 ? "" : fmt::format("-{}", n),
                                      file.extension().string()));
    std::error_code error;
    if (!fs::exists(fs::symlink_status(free, error))) return free;
  }
}

}  // namespace

MeasuredRun measured_run(const DeviceInfo& device, LabCsvRow row, std::string asked_by) {
  return {.at = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()),
          .backend = to_string(device.backend),
          .device = device.name,
          .asked_by = std::move(asked_by),
          .row = std::move(row)};
}

std::vector<MeasuredRun> measured_runs(const DeviceInfo& device, const StageResult& stage,
                                       const Comparison& comparison) {
  std::vector<MeasuredRun> runs;
  for (const VariantTimes& each : comparison.variants) {
    if (!each.variant || each.milliseconds.empty()) continue;
    const Spread spread = spread_of(each.milliseconds);
    runs.push_back(measured_run(
        device,
        {.primitive = to_string((*each.variant)->primitive),
         .form = stage.name,
         .distribution = "scene",
         .items = static_cast<std::uint32_t>(std::min<std::uint64_t>(comparison.items, UINT32_MAX)),
         .variant = (*each.variant)->name,
         .ms = spread.median,
         .quartile_1_ms = spread.quartile_1,
         .quartile_3_ms = spread.quartile_3,
         .runs = static_cast<int>(spread.runs),
         .bytes = static_cast<double>(stage.work.bytes)},
        "compare"));
  }
  return runs;
}

// The file, as the worker alone knows it.
class RunKeeper::File {
 public:
  File(fs::path file, std::shared_ptr<SessionEvents> events)
      : file_(std::move(file)), events_(std::move(events)) {}

  void find(std::uint64_t asked) {
    attempt([&] {
      RunsRead read = this->read();
      if (read.damaged > 0)
        say(Message::Kind::warning,
            fmt::format("{}: {} damaged line{} left out", file_.string(), read.damaged,
                        read.damaged == 1 ? " was" : "s were"));
      if (!read.runs.empty()) events_->post(event::RunsFound{std::move(read.runs), asked});
    });
  }

  // What cannot be written now is written with what comes next.
  void add(std::vector<MeasuredRun> runs) {
    std::move(runs.begin(), runs.end(), std::back_inserter(pending_));
    attempt([this] {
      std::vector<MeasuredRun> all = read().runs;
      all.insert(all.end(), pending_.begin(), pending_.end());
      write(all);
    });
  }

  void replace(const std::vector<MeasuredRun>& runs) {
    pending_.clear();
    attempt([&] {
      read();
      write(runs);
    });
  }

 private:
  // What is no file of runs makes way for one.
  RunsRead read() {
    const std::optional<std::string> text = contents_of(file_);
    RunsRead read = text ? read_runs(*text) : RunsRead{.is_ours = false};
    if (read.is_ours) return read;
    const fs::path renamed = free_name_beside(file_);
    std::error_code error;
    fs::rename(file_, renamed, error);
    if (error)
      throw Error(file_.string(),
                  "it is no file of kept runs, and cannot be renamed: " + error.message(),
                  "Move it away, and the laboratory's runs are kept again");
    say(Message::Kind::warning, fmt::format("{} is no file of kept runs. It was renamed to {}.",
                                            file_.string(), renamed.filename().string()));
    return {};
  }

  void write(std::vector<MeasuredRun> runs) {
    if (runs.size() > LabRuns::most)
      runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(LabRuns::most));
    fs::create_directories(file_.parent_path());
    write_whole_file(file_, runs_as_csv(runs));
    pending_.clear();
  }

  // A failure is told once, until it has passed.
  template <class Function>
  void attempt(Function&& function) {
    try {
      function();
      failed_ = false;
    } catch (const std::exception& error) {
      if (!std::exchange(failed_, true))
        say(Message::Kind::error, "Runs are not kept: " + in_words(error));
    }
  }
  void say(Message::Kind kind, std::string words) {
    events_->post(Message{kind, std::move(words)});
  }

  const fs::path file_;
  const std::shared_ptr<SessionEvents> events_;
  std::vector<MeasuredRun> pending_;
  bool failed_ = false;
};

RunKeeper::~RunKeeper() {
  if (file_ && keeps()) write();
}

void RunKeeper::begin() {
  worker_.start([] { return false; });
  file_ = std::make_shared<File>(model_.lab.runs_file, events_);
  rewritten_ = model_.lab.runs.rewrites();
  worker_.post([file = file_, asked = rewritten_] { file->find(asked); });
}

void RunKeeper::write() {
  const LabRuns& runs = model_.lab.runs;
  const std::uint64_t new_ones = runs.added() - written_;
  if (runs.rewrites() != rewritten_)
    worker_.post([file = file_, all = runs.last(LabRuns::most)] { file->replace(all); });
  else if (new_ones > 0)
    worker_.post(
        [file = file_, some = runs.last(new_ones)]() mutable { file->add(std::move(some)); });
  else
    return;
  written_ = runs.added();
  rewritten_ = runs.rewrites();
  last_write_ = std::chrono::steady_clock::now();
}

void RunKeeper::update() {
  using namespace std::chrono_literals;
  if (!keeps()) return;
  if (!file_) begin();
  // A sweep's runs go together, but no more than seconds of them are at stake.
  if (!model_.lab.busy() || std::chrono::steady_clock::now() - last_write_ > 5s) write();
}

void RunKeeper::take(event::RunsFound found) {
  if (found.asked == model_.lab.runs.rewrites()) model_.lab.runs.add_kept(std::move(found.runs));
}

}  // namespace warpview
