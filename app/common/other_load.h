// What other programs take of the processors: times that were taken under another load say little
// about each other.
#pragma once

#include <filesystem>
#include <optional>

namespace warpview {

class OtherLoad {
 public:
  // Another file is for tests.
  explicit OtherLoad(std::filesystem::path statistics = "/proc/stat");

  // The share, from 0 to 1, of all processors' time that other programs took between the last two
  // looks. None before the second look, and where the system does not say.
  std::optional<double> look();

 private:
  struct Ticks {
    double all, busy, own;
  };
  std::optional<Ticks> read() const;

  std::filesystem::path statistics_;
  std::optional<Ticks> last_;
};

}  // namespace warpview
