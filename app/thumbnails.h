// Small pictures for the cards of Welcome: of each scene, and a recorded run of a primitive. The
// program makes them itself, in the background, by starting itself without a window.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/played_run.h"
#include "app/render/screenshot.h"

namespace warpview {

struct Thumbnail {
  std::string scene{};  // its name; empty: it is the run
  Picture picture{};    // colours not multiplied by their alpha
  std::shared_ptr<PlayedRun> run{};
};

class Thumbnails {
 public:
  static constexpr int width = 400;  // pixels
  static constexpr int height = 250;

  // `on_news` is called on a thread of this object whenever there is something to take. `program`:
  // what is started for each; this program where it is empty.
  explicit Thumbnails(std::function<void()> on_news, std::filesystem::path program = {});
  // Ends what is started, and waits for it.
  ~Thumbnails();
  Thumbnails(const Thumbnails&) = delete;
  Thumbnails& operator=(const Thumbnails&) = delete;

  // Begins to make them, one after the other, once. One that cannot be made is left out.
  void start();
  // Are there more to come?
  bool busy() const { return busy_; }
  // Those that were made since.
  std::vector<Thumbnail> take();

 private:
  void run();
  void make(const std::string& scene, const std::string& words);
  void record();
  std::optional<std::string> run_program(std::vector<std::string> words);
  void post(Thumbnail made);

  const std::function<void()> on_news_;
  const std::filesystem::path program_;
  std::atomic<bool> cancelled_{false};
  std::atomic<bool> busy_{false};
  std::mutex mutex_;
  std::vector<Thumbnail> made_;
  std::jthread thread_;  // last, so that the other members outlive it
};

}  // namespace warpview
