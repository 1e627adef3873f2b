#include "app/thumbnails.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <span>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/common/process.h"
#include "app/common/program_files.h"
#include "app/common/trouble.h"
#include "gpu/recording/file.h"
#include "gpu/runtime/source_module.h"
#include "scenes/files/picture.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A folder of its own, which goes with all that is in it. An empty path: the system refuses it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "warpview-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

Thumbnails::Thumbnails(std::function<void()> on_news, fs::path program)
    : on_news_(std::move(on_news)),
      program_(program.empty() ? this_program() : std::move(program)) {}

Thumbnails::~Thumbnails() { cancelled_ = true; }

void Thumbnails::start() {
  if (thread_.joinable() || program_.empty()) return;
  busy_ = true;
  try {
    thread_ = start_thread<std::jthread>([this] { run(); });
  } catch (const std::exception&) {
    busy_ = false;  // the cards keep their placeholders
  }
}

std::vector<Thumbnail> Thumbnails::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(made_, {});
}

void Thumbnails::run() {
  for (const SceneKind& kind : scene_kinds()) make(kind.name, kind.thumbnail);
  record();
  busy_ = false;
  on_news_();
}

// What the program prints; none where it fails. It runs behind all other programs: nothing waits
// for it.
std::optional<std::string> Thumbnails::run_program(std::vector<std::string> words) {
  if (cancelled_) return {};
  words.insert(words.begin(), program_.string());
  if (const fs::path nice = find_program("nice"); !nice.empty())
    words.insert(words.begin(), {nice.string(), "-n", "19"});
  const ProcessLimits limits{.time = std::chrono::minutes(10), .cancelled = &cancelled_};
  ProcessResult result = run_process(words, limits);
  if (result.code != 0 || result.cancelled) return {};
  return std::move(result.out);
}

// The picture comes through a pipe, so that no file is left behind whatever ends this program.
void Thumbnails::make(const std::string& scene, const std::string& words) {
  std::vector<std::string> all = {
      "--headless",   "--transparent", "--backend",
      "cpu",          "--size",        std::to_string(width) + "x" + std::to_string(height),
      "--screenshot", "/dev/stdout"};
  std::istringstream in(words);
  for (std::string word; in >> word;) all.push_back(word);
  try {
    const auto png = run_program(std::move(all));
    if (!png) return;
    constexpr std::uint64_t memory = std::uint64_t{64} << 20U;
    Image image =
        decode_picture(std::as_bytes(std::span(png->data(), png->size())), memory, LoadControl());
    post({.scene = scene,
          .picture = {static_cast<int>(image.width), static_cast<int>(image.height),
                      std::move(image.rgba)}});
  } catch (const std::exception&) {
    // The card keeps its placeholder.
  }
}

// Not where the module that records would have to be built first, which takes minutes.
void Thumbnails::record() {
  if (cancelled_ || recording_module.state() != ModuleState::ready) return;
  const TemporaryFolder folder;
  if (folder.path().empty()) return;
  const fs::path file = folder.path() / "run.wvrec";
  try {
    if (!run_program(
            {"lab", "scan", "--variant", "lookback", "--sizes", "8192", "--record", file.string()}))
      return;
    const auto recording = std::make_shared<const Recording>(read_recording(file));
    post({.run = std::make_shared<PlayedRun>(recording)});
  } catch (const std::exception&) {
    // The card keeps the drawing.
  }
}

void Thumbnails::post(Thumbnail made) {
  {
    const std::lock_guard lock(mutex_);
    made_.push_back(std::move(made));
  }
  on_news_();
}

}  // namespace warpview
