#include "app/common/other_load.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>

namespace warpview {

OtherLoad::OtherLoad(std::filesystem::path statistics) : statistics_(std::move(statistics)) {}

std::optional<OtherLoad::Ticks> OtherLoad::read() const {
  std::ifstream file(statistics_);
  std::string name;
  double user, nice, system, idle, waiting, interrupts, soft_interrupts, stolen;
  if (!(file >> name >> user >> nice >> system >> idle >> waiting >> interrupts >>
        soft_interrupts >> stolen) ||
      name != "cpu")
    return {};
  timespec own{};
  const long per_second = sysconf(_SC_CLK_TCK);
  if (per_second <= 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) != 0) return {};
  const double seconds = static_cast<double>(own.tv_sec) + 1e-9 * static_cast<double>(own.tv_nsec);
  const double busy = user + nice + system + interrupts + soft_interrupts + stolen;
  return Ticks{busy + idle + waiting, busy, seconds * static_cast<double>(per_second)};
}

std::optional<double> OtherLoad::look() {
  const std::optional<Ticks> now = read();
  const std::optional<Ticks> before = std::exchange(last_, now);
  if (!now || !before || !(now->all > before->all)) return {};
  const double others = (now->busy - before->busy) - (now->own - before->own);
  return std::clamp(others / (now->all - before->all), 0.0, 1.0);
}

}  // namespace warpview
