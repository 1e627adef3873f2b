// The load that other programs put on the processors: times taken under different loads cannot be
// compared.
#pragma once

#include <filesystem>
#include <optional>

namespace warpview {

class OtherLoad {
 public:
  // Tests pass a file of their own.
  explicit OtherLoad(std::filesystem::path statistics = "/proc/stat");

  // Returns the fraction, from 0 to 1, of all processors' time that other programs took between the
  // last two looks. None before the second look, and if the system does not report it.
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
